// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawTransport
import Support
import Testing

@testable import JackdawCommands
@testable import JackdawSession

@Client @Suite("account logout", .onLoop)
struct AccountLogoutTests {
  private func withRig(
    _ typed: TypedSecrets,
    _ body: @escaping @Client (_ rig: ApplicationRig, _ logins: any LoginMemoryStore) async throws -> Void
  ) async throws {
    try await TestDirectory.onLoop { directory in
      try directory.write("[accounts.a]\njid = \"me@example.org\"\nstore = \"keys\"\n", to: "config.toml")
      let rig = try AccountTests().rig(directory, secrets: typed)
      // It is to be asked where there is a token, and only there.
      rig.fixture.connector.outcome = { _ in .fails(TransportError(.unreachable, "nobody there")) }
      try await body(rig, rig.logins[try JID("me@example.org")])
    }
  }

  private func keepKeys(in logins: any LoginMemoryStore) throws {
    let key = [UInt8](repeating: 1, count: 32)
    let keys = SCRAMKeys(hashName: "SHA-256", salt: [1], iterations: 4_096, clientKey: key, serverKey: key)
    try logins.keepKeys(KeptKeys(keys: #require(keys), origin: nil))
  }

  @Test("without a token removes the keys without the server, and asks for no password")
  func keysAlone() async throws {
    let typed = TypedSecrets()
    try await withRig(typed) { rig, logins in
      try keepKeys(in: logins)
      #expect(try await rig.run("account", "logout") == .success)
      #expect(rig.output.rows(AccountStepRow.self).map(\.change) == [.keysRemoved])
      #expect(try logins.loadKeys() == nil)
      #expect(try await rig.run("account", "logout") == .success)
      #expect(rig.output.rows(AccountStepRow.self).count == 1, "there is nothing left")
      #expect(typed.questions.isEmpty && rig.fixture.connector.plans.isEmpty)
    }
  }

  @Test("with a token and without the server removes what is here, and fails as the log-in did")
  func token() async throws {
    try await withRig(TypedSecrets()) { rig, logins in
      try keepKeys(in: logins)
      var installation = Installation.fresh()
      installation.token = LoginToken(mechanism: "HT-SHA-256-EXPR", secret: "t", expiry: nil)
      try logins.keepInstallation(installation)
      #expect(try await rig.run("account", "logout") == .noHost)
      #expect(try logins.loadInstallation()?.token == nil && logins.loadKeys() == nil)
      #expect(rig.output.rows(AccountStepRow.self).map(\.change) == [.tokenRemoved, .keysRemoved])
      #expect(rig.output.failures.map { $0.text.contains(" The server does not know of it: ") } == [true])
    }
  }

  @Test("with a token whose time is over removes that without the server")
  func expired() async throws {
    let typed = TypedSecrets()
    try await withRig(typed) { rig, logins in
      var installation = Installation.fresh()
      installation.token = LoginToken(
        mechanism: "HT-SHA-256-EXPR", secret: "t", expiry: Timestamp(milliseconds: 1))
      try logins.keepInstallation(installation)
      #expect(try await rig.run("account", "logout") == .success)
      #expect(try logins.loadInstallation()?.token == nil && typed.questions.isEmpty)
    }
  }
}
