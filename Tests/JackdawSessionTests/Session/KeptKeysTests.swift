// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession
import JackdawStore
import Support
import Testing

/// SCRAM keys that one process leaves for the next.
@Client @Suite(.onLoop) struct KeptKeysTests {
  private let store = AccountStore.inMemory().login

  private func fixture(
    _ password: String?, _ keeps: KeptSecrets, proof: SessionConfiguration.Proof = .none,
    ask: (@Client () async throws -> String)? = nil
  ) throws -> SessionFixture {
    try SessionFixture(stores: SessionStores(logins: store), features: SessionFixture.core) { configuration in
      (configuration.password, configuration.keeps, configuration.proof) = (password, keeps, proof)
      configuration.askPassword = ask
    }
  }

  private func logIn(_ fixture: SessionFixture) async throws -> LoginOutcome? {
    try await fixture.logIn()
    return fixture.session.login
  }

  @Test func keysStandForThePasswordWhereItStoodThen() async throws {
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

  @Test(arguments: [KeptSecrets.nothing, .token])
  func whereTheyAreNotWantedNothingIsKept(keeps: KeptSecrets) async throws {
    #expect(try await logIn(fixture("secret", keeps)) != nil)
    #expect(try store.loadKeys() == nil)
    try await fixture("secret", .keysAlone).logIn()
    #expect(try await logIn(fixture("secret", keeps))?.reliedOnKeptKeys == false)
  }

  @Test func keysAloneNeedNoPasswordUntilTheyFitNoMore() async throws {
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
    #expect(resalted.notices == ["What is kept in place of the password of alice@example.org does not fit any more."])
    let renewed = try #require(try store.loadKeys())
    #expect(renewed.keys.salt == [1, 2, 3] && renewed != earlier)
  }

  @Test func keysThatAreRefusedAreForgottenAndThePasswordIsTriedOnce() async throws {
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

  @Test func aLogInThatIsToProveThePasswordUsesNoneOfThem() async throws {
    try await fixture("secret", .keysAlone).logIn()
    let trial = try fixture("wrong", .keysAlone, proof: .password)
    let error = await #expect(throws: ConnectionError.self) { try await trial.logIn() }
    #expect(error?.code == .authentication)
    let keys = try fixture("wrong", .keysAlone, proof: .keys)
    #expect(try await logIn(keys)?.reliedOnKeptKeys == true)
  }
}
