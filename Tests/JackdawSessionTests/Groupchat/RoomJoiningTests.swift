// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawStore
import JackdawXML
import Support
import Testing

@testable import JackdawSession

/// Who joins a room that is wanted already, or that does not let them in.
@Client @Suite("Joining a room", .onLoop)
struct RoomJoiningTests {
  /// The room is bookmarked, and the user is called Ali in it.
  private func bookmarked() throws -> GroupchatRig {
    let store = AccountStore.inMemory()
    var record = RoomRecord(try JID(RoomServer.address), nick: "Ali")
    record.autojoin = true
    try store.rooms.keep(record)
    return try GroupchatRig(store)
  }

  private func letTimePass(_ rig: GroupchatRig, seconds: Int) async {
    rig.fixture.clock.advance(by: .seconds(seconds))
    await rig.fixture.clock.settle()
  }

  @Test("under a nick holds too where it is just being entered for its bookmark", arguments: [false, true])
  func underWay(isBeingEntered: Bool) async throws {
    let rig = try bookmarked()
    try await rig.fixture.logIn()
    if isBeingEntered { try await rig.fixture.session.settleIn(showing: Presence()) }
    let joining = StartedTask { try await rig.groupchat.join(rig.jid, nick: "Bobby").nick }
    if !isBeingEntered { try await rig.fixture.session.settleIn(showing: Presence()) }
    await rig.fixture.clock.settle()
    #expect(joining.value == "Bobby")
    #expect(rig.room.nick == "Bobby")
  }

  @Test("that is to be tried again later tries it at once, and under the nick that is asked for")
  func paused() async throws {
    let rig = try bookmarked()
    rig.room.refusal = StanzaError(kind: .wait, condition: "remote-server-timeout")
    try await rig.fixture.settleIn()
    #expect(rig.groupchat.room(rig.jid)?.isInside == false)
    rig.room.refusal = nil
    let joining = StartedTask { try await rig.groupchat.join(rig.jid, nick: "Bobby").nick }
    await rig.fixture.clock.settle()
    #expect(joining.value == "Bobby")
  }

  @Test("that is to be tried again later says why it cannot be reached")
  func pausedAndRefused() async throws {
    let rig = try bookmarked()
    rig.room.refusal = StanzaError(kind: .wait, condition: "remote-server-timeout")
    try await rig.fixture.settleIn()
    let joining = StartedTask { try await rig.groupchat.join(rig.jid) }
    await rig.fixture.clock.settle()
    #expect((joining.error as? RequestError)?.stanzaError?.condition == "remote-server-timeout")
    #expect(rig.groupchat.room(rig.jid)?.isWanted == true, "its bookmark has it tried again")
    #expect(rig.changes.isEmpty, "what is tried again is no refusal")
    rig.room.refusal = nil
    for _ in 0..<30 { await letTimePass(rig, seconds: 60) }
    #expect(rig.groupchat.room(rig.jid)?.isInside == true)
  }

  @Test("that does not answer leaves nothing behind: what is sent there goes to a person", arguments: [false, true])
  func withoutAnswer(isCancelled: Bool) async throws {
    let rig = try GroupchatRig()
    try await rig.fixture.settleIn()
    rig.fixture.answer = { _ in [] }
    let joining = StartedTask { try await rig.groupchat.join(rig.jid) }
    await rig.fixture.clock.settle()
    if isCancelled { joining.cancel() }
    for _ in 0..<4 { await letTimePass(rig, seconds: 20) }
    #expect((joining.error as? RequestError)?.code == (isCancelled ? .cancelled : .timedOut))
    #expect(rig.groupchat.room(rig.jid) == nil && !rig.groupchat.isRoom(rig.jid))
    #expect(rig.delivery.addressing(of: rig.jid) == .person)
  }

  @Test("of a room that the user was in already gives it up for nobody else")
  func wantedBefore() async throws {
    let rig = try GroupchatRig(AccountStore.inMemory())
    try await rig.enter()
    rig.fixture.session.drop(ConnectionError(.lost, "gone"))
    await rig.fixture.clock.settle()
    let joining = StartedTask { try await rig.groupchat.join(rig.jid) }
    await rig.fixture.clock.settle()
    joining.cancel()
    await rig.fixture.clock.settle()
    #expect(joining.hasEnded && rig.groupchat.room(rig.jid) != nil)
    try await rig.fixture.settleIn()
    await rig.fixture.clock.settle()
    #expect(rig.groupchat.room(rig.jid)?.isInside == true)
  }

  @Test("is given up, and what is to be said there still waits for it")
  func withoutAnswerAndAwaited() async throws {
    let rig = try GroupchatRig(AccountStore.inMemory())
    try await rig.fixture.settleIn()
    rig.fixture.answer = { _ in [] }
    let joining = StartedTask { try await rig.groupchat.join(rig.jid) }
    await rig.fixture.clock.settle()
    let id = try rig.delivery.send("hi", to: rig.jid)
    await rig.fixture.clock.settle()
    joining.cancel()
    await rig.fixture.clock.settle()
    #expect(joining.hasEnded && rig.groupchat.room(rig.jid) != nil)
    #expect(!rig.states(of: id).contains { if case .failed = $0 { true } else { false } })
  }

  @Test(
    "that has let nobody in before the bookmarks are read is not tried again for them, unless they say something new")
  func refusedBeforeTheBookmarks() async throws {
    let rig = try bookmarked()
    rig.room.refusal = StanzaError(kind: .auth, condition: "registration-required")
    try await rig.fixture.settleIn()
    await rig.fixture.clock.settle()
    #expect(rig.room.entries.count == 1)
    var record = try #require(rig.groupchat.record(of: rig.jid))
    rig.groupchat.bookmarksWereRead([record], removed: [])
    await rig.fixture.clock.settle()
    #expect(rig.room.entries.count == 1)
    record.password = "new"
    rig.groupchat.bookmarksWereRead([record], removed: [])
    await rig.fixture.clock.settle()
    #expect(rig.room.entries.count == 2)
  }

  @Test("that has let nobody in is tried again on the next stream")
  func refusedOnce() async throws {
    let rig = try bookmarked()
    rig.room.refusal = StanzaError(kind: .auth, condition: "registration-required")
    try await rig.fixture.settleIn()
    await rig.fixture.clock.settle()
    rig.room.refusal = nil
    rig.fixture.session.drop(ConnectionError(.lost, "gone"))
    await rig.fixture.clock.settle()
    try await rig.fixture.settleIn()
    await rig.fixture.clock.settle()
    #expect(rig.groupchat.room(rig.jid)?.isInside == true)
  }

  @Test("that is a person's address is refused at once")
  func person() async throws {
    let rig = try GroupchatRig()
    try await rig.fixture.settleIn()
    rig.fixture.answer = { element in
      guard let iq = try? IQ(element), iq.payload?.namespace == ServiceDiscovery.information else { return [] }
      let person = DiscoveryInformation(identities: [.init(category: "account", type: "registered")], features: [])
      var answer = iq.result(person.element())
      answer.from = iq.to
      return [answer.element]
    }
    let joining = StartedTask { try await rig.groupchat.join(rig.jid) }
    await rig.fixture.clock.settle()
    #expect(joining.error.map { "\($0)" } == "lunch@rooms.example.org is a person, and no room.")
    #expect(rig.groupchat.room(rig.jid) == nil)
  }

  @Test(
    "that may be the address of somebody who does not let the user see them is refused at once, without presence",
    arguments: [
      ("bob@example.org", "service-unavailable", true), ("bob@example.net", "subscription-required", true),
      ("lunch@rooms.example.org", "service-unavailable", false),
    ])
  func unseenPerson(_ address: String, _ condition: String, _ isRefused: Bool) async throws {
    let rig = try GroupchatRig()
    try await rig.fixture.settleIn()
    rig.fixture.answer = { element in
      guard let iq = try? IQ(element), iq.payload?.namespace == ServiceDiscovery.information else { return [] }
      var answer = iq.failure(StanzaError(kind: .cancel, condition: condition))
      answer.from = iq.to
      return [answer.element]
    }
    let joining = StartedTask { try await rig.groupchat.join(JID(address)) }
    await rig.fixture.clock.settle()
    let refusal = "\(address) is no room's address, but that of a person or of nobody."
    #expect(joining.error.map { "\($0)" } == (isRefused ? refusal : nil))
    let presences = rig.fixture.server.received.filter { $0.name == "presence" && $0.attribute("to") != nil }
    #expect(presences.isEmpty == isRefused, "\(presences)")
  }
}
