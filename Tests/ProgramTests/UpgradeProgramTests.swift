// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Support
import Testing

/// Log-ins at a real server that asks for keys for a better mechanism (XEP-0480): Prosody, which has the salt and checks with what it is given
/// that the same password comes back.
@Suite("Upgrades of what a server can check")
struct UpgradeProgramTests {
  private func withPair(
    _ upgrade: TestServer.Options.Upgrade, _ body: (_ alice: Person, _ bob: Person) async throws -> Void
  ) async throws {
    try await ProgramTests.withPair(on: .prosody, .init { $0.upgrade = upgrade }, friends: true, body)
  }

  private func way(_ person: Person) async throws -> String {
    let lines = try await person.does("account", "check").map { $0.split(separator: "\t").map(String.init) }
    return lines.first { $0.dropFirst().first == "sasl" }?.last ?? ""
  }

  @Test("a server without a better mechanism has it after the first log-in, and the second is by it")
  func whole() async throws {
    try await withPair(.whole) { alice, bob in
      let first = try await way(alice)
      #expect(first.hasPrefix("SCRAM-SHA-1") && first.hasSuffix(", upgraded to SCRAM-SHA-256"), "\(first)")
      #expect(try await way(alice).hasPrefix("HT-SHA-256-EXPR"), "the token came all the same")
      try await alice.does("account", "logout")
      let second = try await way(alice)
      #expect(second.hasPrefix("SCRAM-SHA-256") && !second.contains("upgraded"), "\(second)")
      // Whoever does not know the password cannot make use of what the server has now.
      try await alice.does("account", "logout")
      var wrong = alice
      wrong.environment["JACKDAW_PASSWORD"] = "wrong"
      #expect(try await wrong.run("ping").ending == .exited(77))

      let logged = try await bob.run("-v", "--log-xml", "send", alice.jid, "hello")
      #expect(logged.ending == .exited(0), "\(logged.errors)")
      #expect(logged.errors.contains("The server has been given keys for SCRAM-SHA-256, as it asked for them."))
      #expect(logged.errors.contains("SENT <next xmlns='urn:xmpp:sasl:2' task='UPGR-SCRAM-SHA-256'/>"))
      for shown in ["SENT", "RECV"] {
        #expect(logged.errors.contains("\(shown) <task-data xmlns='urn:xmpp:sasl:2'>…</task-data>"), "\(logged.errors)")
      }
      #expect(!logged.errors.contains("<hash") && !logged.errors.contains("<salt"))
    }
  }

  @Test(
    "one that comes to nothing costs a connection and no log-in",
    arguments: [
      (TestServer.Options.Upgrade.weak, "asks for 100 iterations"), (.refuse, "No room"),
      (.leave, "waiting for the salt"),
      (.silent, "took too long"),
    ])
  func fails(_ upgrade: TestServer.Options.Upgrade, _ reason: String) async throws {
    try await withPair(upgrade) { alice, bob in
      let sent = try await alice.run("-v", "send", bob.jid, "hello")
      #expect(sent.ending == .exited(0), "\(sent.errors)")
      #expect(sent.errors.contains(reason) && sent.errors.contains("The log-in is done without the upgrade."))
      // The token of that log-in spares the next one the same.
      let way = try await way(alice)
      #expect(way.hasPrefix("HT-SHA-256-EXPR"), "\(way)")
    }
  }

  @Test("keys that stand for the password are those of the mechanism that stays")
  func keysAlone() async throws {
    try await withPair(.whole) { alice, bob in
      var alice = alice
      let file = alice.home.file("config.toml")
      alice.environment.merge(["JACKDAW_JID": "", "JACKDAW_CONFIG": file]) { $1 }
      alice.environment["JACKDAW_PASSWORD"] = alice.account.password
      try await alice.does("account", "add", alice.jid, "--store", "keys")
      alice.environment["JACKDAW_PASSWORD"] = ""
      let way = try await way(alice)
      #expect(way.hasPrefix("SCRAM-SHA-1") || way.hasPrefix("HT-"), "\(way)")
      try await alice.does("send", bob.jid, "by keys")
    }
  }
}
