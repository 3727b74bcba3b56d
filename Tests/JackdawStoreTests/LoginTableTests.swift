// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession
import Support
import Testing

@testable import JackdawStore

@Client @Suite(.onLoop) struct LoginTableTests {
  private let store = AccountStore.inMemory().login

  @Test func theFirstLogInRemembersNothing() throws {
    #expect(try store.loadMechanism() == nil)
  }

  @Test func theLastMechanismIsRemembered() throws {
    for mechanism in ["PLAIN", "SCRAM-SHA-256-PLUS", "SCRAM-SHA-1"] {
      try store.keepMechanism(mechanism)
      #expect(try store.loadMechanism() == mechanism)
    }
  }

  @Test func howTheServerKnowsThisInstallationIsKeptUntilALogInIsTheFirstAgain() throws {
    #expect(try store.loadInstallation() == nil)
    var installation = Installation.fresh()
    try store.keepInstallation(installation)
    #expect(try store.loadInstallation() == installation)
    let expiry = try #require(Timestamp("2027-01-01T00:00:00Z"))
    installation.token = LoginToken(mechanism: "HT-SHA-256-EXPR", secret: "secret-token:x", expiry: expiry)
    try store.keepInstallation(installation)
    #expect(try store.loadInstallation() == installation)
    try store.keepMechanism("SCRAM-SHA-1")
    try store.forgetMechanism()
    #expect(try store.loadInstallation() == nil)
    #expect(try store.loadMechanism() == nil)
  }

  @Test func keysAreKeptUntilTheyAreForgotten() throws {
    #expect(try store.loadKeys() == nil)
    #expect(try !store.forgetSecrets())
    let keys = try #require(
      SCRAMKeys(
        hashName: "SHA-256", salt: [0, 255, 7], iterations: 10_000, clientKey: Array(0..<32), serverKey: Array(32..<64))
    )
    for origin in ["1.2.3", nil] {
      try store.keepKeys(KeptKeys(keys: keys, origin: origin))
      #expect(try store.loadKeys() == KeptKeys(keys: keys, origin: origin))
    }
    var installation = Installation.fresh()
    installation.token = LoginToken(mechanism: "HT-SHA-256-EXPR", secret: "secret-token:x", expiry: nil)
    try store.keepInstallation(installation)
    try store.keepMechanism("SCRAM-SHA-256")
    #expect(try store.forgetSecrets())
    #expect(try store.loadKeys() == nil)
    installation.token = nil
    #expect(try store.loadInstallation() == installation)
    #expect(try store.loadMechanism() == "SCRAM-SHA-256", "against downgrades")
    try store.keepKeys(KeptKeys(keys: keys, origin: nil))
    try store.forgetMechanism()
    #expect(try store.loadKeys() == nil)
  }

  @Test func anInstallationIsARandomUUID() {
    let agents = (0..<100).map { _ in Installation.fresh().agent }
    #expect(Set(agents).count == 100)
    for agent in agents {
      #expect(
        agent.wholeMatch(of: /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/) != nil, "\(agent)")
    }
  }
}
