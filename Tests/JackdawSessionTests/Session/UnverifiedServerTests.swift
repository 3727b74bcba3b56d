// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawHosts
import JackdawLoop
import JackdawProtocol
import JackdawSession
import JackdawStore
import JackdawTransport
import JackdawXML
import Support
import Testing

/// What anybody on the way can bring about before TLS is verified ends nothing for an account that has been online.
@Client @Suite(.onLoop) struct UnverifiedServerTests {
  /// What answers in the server's place.
  enum Impostor: CaseIterable {
    case portal, http, conflict, hostUnknown, noTLS, redirection, noService

    @Client func comes(to fixture: SessionFixture) {
      let outcome = fixture.connector.outcome
      switch self {
      case .portal: fixture.connector.outcome = { _ in .fails(TransportError(.certificate, "not the domain's")) }
      case .noService: fixture.connector.outcome = { _ in .fails(TransportError(.notOffered, "no such service")) }
      case .http: says("HTTP/1.1 200 OK\r\n\r\n", fixture)
      case .conflict: says(Self.error("<conflict xmlns='\(Namespace.streamErrors)'/>"), fixture)
      case .hostUnknown: says(Self.error("<host-unknown xmlns='\(Namespace.streamErrors)'/>"), fixture)
      case .noTLS: says(Self.header + "<stream:features/>", fixture)
      case .redirection:
        says(Self.error("<see-other-host xmlns='\(Namespace.streamErrors)'>evil.example:1</see-other-host>"), fixture)
      }
      _ = outcome
    }

    @Client private func says(_ text: String, _ fixture: SessionFixture) {
      fixture.edit = { write, reply in write == 1 ? .says(text) : .says(reply) }
    }

    private static let header =
      "<stream:stream xmlns='jabber:client' xmlns:stream='http://etherx.jabber.org/streams' id='1' version='1.0'>"

    private static func error(_ condition: String) -> String {
      header + "<stream:error>\(condition)</stream:error></stream:stream>"
    }
  }

  @Test("An account that has been online is tried again, with long waits", arguments: Impostor.allCases)
  func online(_ impostor: Impostor) async throws {
    let rig = try LiveRig(.script(nil))
    try await rig.start()
    let fixture = rig.fixture
    let (edit, outcome) = (fixture.edit, fixture.connector.outcome)
    impostor.comes(to: fixture)
    fixture.connector.transport?.peerEnds(FakeConnector.brokenLine)
    await fixture.clock.elapse(.seconds(5))
    #expect(rig.live.state == .retrying)
    let change = try #require(fixture.events(ConnectionChanged.self).last)
    #expect(change.reason?.isEmpty == false)
    #expect(fixture.connector.plans.allSatisfy { $0.server == nil })
    (fixture.edit, fixture.connector.outcome) = (edit, outcome)
    await fixture.clock.elapse(.seconds(40))
    #expect(rig.live.state == .online || rig.live.state == .resumed)
  }

  @Test("One that was online in an earlier run is tried again at the prompt", arguments: Impostor.allCases)
  func onlineBefore(_ impostor: Impostor) async throws {
    let store = AccountStore.inMemory()
    try store.login.keepMechanism("SCRAM-SHA-1")
    let rig = try LiveRig(stores: SessionStores(logins: store.login))
    impostor.comes(to: rig.fixture)
    rig.live.start()
    await rig.fixture.clock.settle()
    #expect(rig.live.state == .retrying)
  }

  @Test("At the first connection of an account it is final", arguments: Impostor.allCases)
  func first(_ impostor: Impostor) async throws {
    let rig = try LiveRig()
    impostor.comes(to: rig.fixture)
    rig.live.start()
    let error = await #expect(throws: ConnectionError.self) { try await rig.live.online(within: LiveRig.patience) }
    #expect(rig.live.state == .offline)
    #expect(error?.isUnverified == true)
    await rig.fixture.clock.elapse(.seconds(600))
    #expect(rig.fixture.connector.plans.count == 1)
  }

  @Test("A single command fails at once, whatever there was before", arguments: Impostor.allCases)
  func oneShot(_ impostor: Impostor) async throws {
    let store = AccountStore.inMemory()
    try store.login.keepMechanism("SCRAM-SHA-1")
    let rig = try LiveRig(.oneShot, stores: SessionStores(logins: store.login))
    impostor.comes(to: rig.fixture)
    rig.live.start()
    await #expect(throws: ConnectionError.self) { try await rig.live.online(within: LiveRig.patience) }
    await rig.fixture.clock.elapse(.seconds(600))
    #expect(rig.fixture.connector.plans.count == 1)
  }

  @Test("A stream that was cut is not given up on the word of an impostor")
  func resumption() async throws {
    let rig = try ResumptionRig()
    try await rig.start()
    let edit = rig.fixture.edit
    Impostor.conflict.comes(to: rig.fixture)
    await rig.cut()
    await rig.comeBack()
    #expect(rig.live.state == .retrying)
    rig.fixture.edit = edit
    await rig.fixture.clock.elapse(.seconds(40))
    #expect(rig.live.state == .resumed)
  }

  @Test("Where the server would have us come back, a bad certificate sends us to the domain at once")
  func badLocation() async throws {
    let rig = try ResumptionRig()
    rig.streams.location = "other.example.org:5299"
    try await rig.start()
    let connector = rig.fixture.connector
    let connects = connector.outcome
    connector.outcome = { number in
      number == 2 ? .fails(TransportError(.certificate, "not the domain's")) : connects(number)
    }
    await rig.cut()
    await rig.comeBack()
    #expect(connector.plans.map { $0.server?.host } == [nil, "other.example.org", nil])
    #expect(rig.live.state == .resumed)
  }
}
