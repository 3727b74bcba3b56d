// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
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
}
