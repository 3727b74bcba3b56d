// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawStore
import Support
import Testing

@testable import JackdawSession

/// SCRAM keys that one process leaves for the next.
@Client @Suite(.onLoop) struct KeptKeysTests {
  private let store = AccountStore.inMemory().login

  private func fixture(
    _ password: String?, _ keeps: KeptSecrets, proof: SessionConfiguration.Proof = .none,
    ask: (@Client () async throws -> String)? = nil
  ) throws -> SessionFixture {
    try SessionFixture(
      stores: SessionStores(logins: store), features: SessionFixture.core + [InBandRegistration.self]
    ) { configuration in
      (configuration.password, configuration.keeps, configuration.proof) = (password, keeps, proof)
      configuration.askPassword = ask
    }
  }

  private func logIn(_ fixture: SessionFixture) async throws -> LoginOutcome? {
    try await fixture.logIn()
    return fixture.session.login
  }

  @Test("stored keys are used instead of the password that they were made from")
  func keysStandForThePasswordWhereItStoodThen() async throws {
    let kept = KeptSecrets.keys(origin: "as of today")
    #expect(try await logIn(fixture("secret", kept))?.reliedOnKeptKeys == false)
    #expect(try store.loadKeys()?.origin == "as of today")
    #expect(try await logIn(fixture("secret", kept))?.reliedOnKeptKeys == true)
    // It may be another by now, and it is.
    let error = await #expect(throws: ConnectionError.self) {
      try await fixture("other", .keys(origin: "as of tomorrow")).logIn()
    }
    #expect(error?.code == .authentication)
    #expect(try await logIn(fixture("secret", .keysAlone))?.reliedOnKeptKeys == true)
  }

  @Test("where keys are not to be stored none is", arguments: [KeptSecrets.nothing, .token])
  func whereTheyAreNotWantedNothingIsKept(keeps: KeptSecrets) async throws {
    #expect(try await logIn(fixture("secret", keeps)) != nil)
    #expect(try store.loadKeys() == nil)
    try await fixture("secret", .keysAlone).logIn()
    #expect(try await logIn(fixture("secret", keeps))?.reliedOnKeptKeys == false)
  }

  @Test("stored keys need no password until the server refuses them")
  func keysAloneNeedNoPasswordUntilTheyFitNoMore() async throws {
    try await fixture("secret", .keysAlone).logIn()
    let earlier = try #require(try store.loadKeys())
    var questions = 0
    let ask: @Client () async throws -> String = {
      questions += 1
      return "secret"
    }
    let second = try fixture(nil, .keysAlone, ask: ask)
    #expect(try await logIn(second)?.reliedOnKeptKeys == true)
    #expect(questions == 0)
    #expect(second.server.attempts == ["SCRAM-SHA-256"])
    let resalted = try fixture(nil, .keysAlone, ask: ask)
    resalted.script.salt = [1, 2, 3]
    #expect(try await logIn(resalted)?.reliedOnKeptKeys == false)
    #expect(questions == 1)
    #expect(resalted.notices == ["The stored SCRAM keys of alice@example.org no longer work; the password is needed."])
    let renewed = try #require(try store.loadKeys())
    #expect(renewed.keys.salt == [1, 2, 3] && renewed != earlier)
  }

  @Test("stored keys that are refused are forgotten, and the password is tried once")
  func keysThatAreRefusedAreForgottenAndThePasswordIsTriedOnce() async throws {
    try await fixture("secret", .keysAlone).logIn()
    let changed = try fixture(nil, .keysAlone, ask: { "wrong" })
    changed.script.password = "new"
    let error = await #expect(throws: ConnectionError.self) { try await changed.logIn() }
    #expect(error?.code == .authentication)
    #expect(changed.connector.records.count == 2)
    #expect(try store.loadKeys() == nil)
    let unasked = try fixture(nil, .keysAlone)
    let other = await #expect(throws: ConnectionError.self) { try await unasked.logIn() }
    #expect(other?.code == .authentication)
    #expect(other?.description == "There is no password for alice@example.org.")
  }

  /// The password was changed, and given anew to another program.
  private func change(_ keeps: KeptSecrets) async throws -> KeptKeys {
    let other = try fixture("new", keeps, proof: .password)
    other.script.password = "new"
    try await other.logIn()
    return try #require(try store.loadKeys())
  }

  @Test("a program whose keys fit no more takes those that another one has left since, and deletes none")
  func newerKeysOfAnotherProgram() async throws {
    try await fixture("secret", .keysAlone).logIn()
    let long = try fixture(nil, .keysAlone)
    #expect(try await logIn(long)?.reliedOnKeptKeys == true)
    let newer = try await change(.keysAlone)
    long.script.password = "new"
    #expect(try await logIn(long)?.reliedOnKeptKeys == true)
    #expect(long.notices.isEmpty)
    #expect(try store.loadKeys() == newer)
  }

  @Test("keys that another program has left of another text of the file stay, though they are not used")
  func othersKeysStay() async throws {
    try await fixture("secret", .keys(origin: "as of today")).logIn()
    let long = try fixture("secret", .keys(origin: "as of today"))
    #expect(try await logIn(long)?.reliedOnKeptKeys == true)
    let newer = try await change(.keys(origin: "as of tomorrow"))
    long.script.password = "new"
    let error = await #expect(throws: ConnectionError.self) { try await long.logIn() }
    #expect(error?.code == .authentication)
    #expect(try store.loadKeys() == newer)
  }

  @Test(
    "who is asked for the password in the middle of a log-in may take any time",
    arguments: [SessionRole.interactive(Presence()), .oneShot])
  func askingTakesItsTime(role: SessionRole) async throws {
    try await fixture("secret", .keysAlone).logIn()
    let typed = WaitingList<String>()
    let asking = try fixture(nil, .keysAlone, ask: { try await typed.wait() })
    asking.role = role
    asking.script.password = "new"
    let live = LiveSession(asking.session, clock: asking.clock)
    live.start()
    let waiting = asking.start { _ = try await live.online(within: .seconds(30)) }
    await asking.clock.elapse(.seconds(300))
    #expect(typed.count == 1 && !waiting.hasEnded)
    #expect(live.state == .connecting)
    typed.end(.success("new"))
    await asking.clock.settle()
    #expect(waiting.hasEnded && waiting.error == nil)
    #expect(live.timeAsked == .seconds(300))
  }

  @Test("a wait for a connection has its time besides what the question took")
  func theRestOfTheTimeCounts() async throws {
    try await fixture("secret", .keysAlone).logIn()
    let typed = WaitingList<String>()
    let asking = try fixture(nil, .keysAlone, ask: { try await typed.wait() })
    asking.role = .oneShot
    asking.script.password = "new"
    let live = LiveSession(asking.session, clock: asking.clock)
    live.start()
    let waiting = asking.start { _ = try await live.online(within: .seconds(5)) }
    await asking.clock.elapse(.seconds(100))
    asking.connector.outcome = { _ in .hangs }
    typed.end(.success("new"))
    await asking.clock.elapse(.milliseconds(4_999))
    #expect(!waiting.hasEnded)
    await asking.clock.elapse(.seconds(1))
    #expect((waiting.error as? ConnectionError)?.code == .timedOut)
  }

  @Test("whether an account is gone is found out with the password, not with what stands for it")
  func removalBesideKeys() async throws {
    try await fixture("secret", .keysAlone).logIn()
    let removing = try fixture(nil, .keysAlone, ask: { "secret" })
    #expect(try await logIn(removing)?.reliedOnKeptKeys == true)
    removing.answer = { _ in [] }
    let removal = removing.start { try await removing.session.removeAccount() }
    await removing.clock.settle()
    removing.script.password = "nobody's"
    await removing.receive(
      "<stream:error><not-authorized xmlns='urn:ietf:params:xml:ns:xmpp-streams'/></stream:error></stream:stream>")
    await removing.clock.elapse(.seconds(5))
    #expect(removal.hasEnded)
    #expect(removal.error == nil)
  }

  @Test("a log-in that is to verify the password does not use stored keys")
  func aLogInThatIsToProveThePasswordUsesNoneOfThem() async throws {
    try await fixture("secret", .keysAlone).logIn()
    let trial = try fixture("wrong", .keysAlone, proof: .password)
    let error = await #expect(throws: ConnectionError.self) { try await trial.logIn() }
    #expect(error?.code == .authentication)
    let keys = try fixture("wrong", .keysAlone, proof: .keys)
    #expect(try await logIn(keys)?.reliedOnKeptKeys == true)
  }
}
