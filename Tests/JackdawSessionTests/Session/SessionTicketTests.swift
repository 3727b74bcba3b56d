// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession
import JackdawStore
import JackdawTransport
import Support
import Testing

/// TLS tickets that one connection leaves for the next, in this run or a later one.
@Client @Suite("A session's TLS tickets", .onLoop) struct SessionTicketTests {
  private let store = AccountStore.inMemory().login

  private func fixture(
    keepsTickets: Bool = true, role: SessionRole = .oneShot,
    configure: @escaping @Client (inout SessionConfiguration) -> Void = { _ in }
  ) throws -> SessionFixture {
    try SessionFixture(role: role, stores: SessionStores(logins: store), features: SessionFixture.core) {
      $0.keepsTickets = keepsTickets
      configure(&$0)
    }
  }

  private func ticket(
    _ secret: UInt8, for scope: String = "scope", in fixture: SessionFixture, lifetime: Int64 = 300
  ) -> TLSTicket {
    let now = fixture.date.seconds
    return TLSTicket(scope: scope, session: [secret], expiry: now + lifetime, verifiedUntil: now + 86_400)
  }

  /// The connection of `fixture` gets `tickets` while the session logs in.
  private func logIn(_ fixture: SessionFixture, getting tickets: TLSTicket...) async throws {
    fixture.edit = { [weak fixture] _, text in
      if let keep = fixture?.connector.plans.last?.tickets?.keep { tickets.forEach(keep) }
      return .says(text)
    }
    try await fixture.logIn()
  }

  private func taken(by fixture: SessionFixture, for scope: String = "scope") -> [UInt8]? {
    fixture.connector.plans.last?.tickets?.take(scope)?.session
  }

  @Test("the newest is for the next run, which takes it out: no other gets it")
  func nextRun() async throws {
    let first = try fixture()
    try await logIn(first, getting: ticket(1, in: first), ticket(2, in: first))
    await first.session.leave()
    let (second, third) = (try fixture(), try fixture())
    try await second.logIn()
    try await third.logIn()
    #expect(taken(by: second) == [2])
    #expect(taken(by: third) == nil)
    #expect(taken(by: second) == nil)
  }

  @Test("a program that remains online leaves its ticket at once; one that comes later takes its place")
  func staying() async throws {
    let staying = try fixture(role: .script(nil))
    try await logIn(staying, getting: ticket(1, in: staying))
    #expect(store.takeTicket()?.session == [1])
    staying.connector.plans.last?.tickets?.keep(ticket(2, in: staying))
    #expect(store.takeTicket()?.session == [2])
  }

  @Test("a log-in that is refused leaves nothing")
  func refused() async throws {
    let fixture = try fixture { $0.password = "wrong" }
    await #expect(throws: ConnectionError.self) { try await logIn(fixture, getting: ticket(1, in: fixture)) }
    await fixture.session.leave()
    #expect(store.takeTicket() == nil)
  }

  @Test("where nothing is to be kept the next connection of the same run has it, and nobody else")
  func thisRunAlone() async throws {
    let fixture = try fixture(keepsTickets: false)
    try await logIn(fixture, getting: ticket(1, in: fixture))
    store.keepTicket(
      KeptTicket(scope: "scope", session: [9], expiry: fixture.date, verifiedUntil: fixture.date))
    #expect(taken(by: fixture) == [1])
    #expect(taken(by: fixture) == nil, "what another run left is not touched")
    await fixture.session.leave()
    #expect(store.takeTicket()?.session == [9])
  }

  @Test("one for other rules or too old a one is gone when it is asked for")
  func useless() async throws {
    for (scope, lifetime) in [("other", Int64(300)), ("scope", 0)] {
      let first = try fixture()
      try await logIn(first, getting: ticket(1, for: scope, in: first, lifetime: lifetime))
      await first.session.leave()
      let second = try fixture()
      try await second.logIn()
      #expect(taken(by: second) == nil)
      #expect(store.takeTicket() == nil)
    }
  }

  @Test("a log-in that takes the token back leaves no ticket, and with the secrets the ticket is forgotten")
  func logout() async throws {
    let leaving = try fixture { $0.revokesToken = true }
    try await logIn(leaving, getting: ticket(1, in: leaving))
    await leaving.session.leave()
    #expect(store.takeTicket() == nil)
    for isWritten in [false, true] {
      let kept = ticket(2, in: leaving)
      store.keepTicket(
        KeptTicket(scope: kept.scope, session: kept.session, expiry: leaving.date, verifiedUntil: leaving.date))
      if isWritten { store.settleTicket() }
      #expect(try !store.forgetSecrets(), "that is of keys")
      #expect(store.takeTicket() == nil)
    }
  }

  @Test(
    "a handshake that fails over a ticket is done once more without, and nobody is told",
    arguments: [
      TransportError(.tls, "The server of example.org ended the TLS handshake."),
      TransportError(.lost, "The server of example.org hung up during the TLS handshake."),
    ])
  func failure(error: TransportError) async throws {
    let first = try fixture()
    try await logIn(first, getting: ticket(1, in: first))
    await first.session.leave()
    let second = try fixture()
    var begun: [Bool] = []
    second.connector.outcome = { [weak second] _ in
      guard let second else { return .hangs }
      begun.append(taken(by: second) != nil)
      return begun.last == true ? .fails(error) : .connects(second.makeTransport())
    }
    try await second.logIn()
    #expect(begun == [true, false])
    #expect(second.notices.isEmpty)
    #expect(second.connector.plans.last?.tickets == nil, "the run does without from then on")
  }

  @Test("a handshake that fails without a ticket, or after TLS stood, is not repeated")
  func otherFailures() async throws {
    let fixture = try fixture()
    fixture.handshake = .fails(TransportError(.tls, "The server of example.org ended the TLS handshake."))
    let error = await #expect(throws: ConnectionError.self) { try await fixture.logIn() }
    #expect(error?.code == .unsafe)
    #expect(fixture.connector.plans.count == 1)

    let first = try self.fixture()
    try await logIn(first, getting: ticket(1, in: first))
    await first.session.leave()
    let second = try self.fixture()
    second.connector.outcome = { [weak second] _ in
      guard let second else { return .hangs }
      #expect(taken(by: second) == [1])
      return .connects(second.makeTransport())
    }
    second.edit = { step, text in step > 2 ? .breaks : .says(text) }
    await #expect(throws: ConnectionError.self) { try await second.logIn() }
    #expect(second.connector.plans.count == 1)
  }

  @Test("a certificate that is refused is not asked for once more, whatever the handshake began with")
  func certificate() async throws {
    let first = try fixture()
    try await logIn(first, getting: ticket(1, in: first))
    await first.session.leave()
    let second = try fixture()
    second.connector.outcome = { [weak second] _ in
      guard let second else { return .hangs }
      #expect(taken(by: second) == [1])
      return .fails(TransportError(.certificate, "The certificate of example.org is self-signed."))
    }
    let error = await #expect(throws: ConnectionError.self) { try await second.logIn() }
    #expect(error?.code == .unsafe)
    #expect(second.connector.plans.count == 1)
  }
}
