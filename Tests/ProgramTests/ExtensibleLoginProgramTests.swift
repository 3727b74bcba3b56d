// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Support
import Testing

/// Log-ins in one exchange, and by tokens, at a real server that can (XEP-0388, XEP-0386, XEP-0484).
@Suite("Log-ins in one exchange, at a server")
struct ExtensibleLoginProgramTests {
  private func withPair(_ body: (_ alice: Person, _ bob: Person) async throws -> Void) async throws {
    try await ProgramTests.withPair(on: .prosody, .init { $0.community = true }, friends: true, body)
  }

  /// How `account check` says that somebody is logged in, and after how many round trips.
  private func login(_ person: Person) async throws -> (way: String, place: String) {
    let lines = try await person.does("account", "check").map { $0.split(separator: "\t").map(String.init) }
    func finding(_ step: String) -> String { lines.first { $0.dropFirst().first == step }?.last ?? "" }
    return (finding("sasl"), finding("bind"))
  }

  private func database(_ person: Person) -> String {
    "\(person.home.file(".local/share/jackdaw"))/\(person.jid).sqlite3"
  }

  @Test("the first is by the password, each later one by a token, until that is taken back")
  func tokens() async throws {
    try await withPair { alice, bob in
      var (way, place) = try await login(alice)
      #expect(way.hasPrefix("SCRAM-SHA-1"))
      #expect(place.hasSuffix("3 round trips after TLS"))
      let logged = try await alice.run("--log-xml", "send", bob.jid, "hello")
      #expect(logged.ending == .exited(0))
      #expect(logged.errors.contains("SENT <authenticate") && !logged.errors.contains("secret-token"))
      (way, place) = try await login(alice)
      #expect(way == "HT-SHA-256-EXPR, with the token of the last log-in")
      #expect(place.hasSuffix("2 round trips after TLS"))
      #expect(try await alice.does("account", "logout").first?.hasPrefix("The server took back the token") == true)
      #expect(try await alice.does("account", "logout").isEmpty)
      #expect(try await login(alice).way.hasPrefix("SCRAM-SHA-1"))
    }
  }

  /// What may be wrong with a token: it is nobody's, half of one, somebody else's, or too old.
  private static let faults = [
    "UPDATE installation SET token = 'secret-token:fast-nobody' WHERE token IS NOT NULL",
    "UPDATE installation SET token = substr(token, 1, length(token) - 5) WHERE token IS NOT NULL",
    "UPDATE installation SET token = (SELECT token FROM other.installation) WHERE token IS NOT NULL",
    "UPDATE installation SET token_expiry = 1 WHERE token IS NOT NULL",
  ]

  @Test("a token that the server does not take is dropped, and the password is used without a word", arguments: faults)
  func staleToken(_ fault: String) async throws {
    try await withPair { alice, bob in
      try await alice.does("send", bob.jid, "one")
      try await bob.does("ping")
      let spoil = """
        import sqlite3, sys
        database = sqlite3.connect(sys.argv[1])
        database.execute("ATTACH ? AS other", (sys.argv[2],))
        changed = database.execute(sys.argv[3])
        database.commit()
        print(changed.rowcount)
        """
      #expect(try await python(spoil, database(alice), database(bob), fault) == "1\n")
      let outcome = try await alice.run("send", bob.jid, "two")
      #expect(outcome.ending == .exited(0))
      #expect(outcome.errors.isEmpty, "\(outcome.errors)")
      #expect(try await login(alice).way.hasPrefix("HT-SHA-256-EXPR"), "there is another")
      // A wrong password is found out where there is no token alone.
      try await alice.does("account", "logout")
      var wrong = alice
      wrong.environment["JACKDAW_PASSWORD"] = "wrong"
      #expect(try await wrong.run("send", bob.jid, "three").ending == .exited(77))
    }
  }

  @Test("by a token says nothing of which of two passwords is right")
  func twoPasswords() async throws {
    try await withPair { alice, _ in
      var alice = alice
      let file = alice.home.file("config.toml")
      let right = alice.account.password
      func configure(_ passwords: String) throws {
        try alice.home.write("[accounts.me]\njid = \"\(alice.jid)\"\n\(passwords)\n", to: "config.toml")
      }
      // As if they were not set.
      alice.environment.merge(["JACKDAW_PASSWORD": "", "JACKDAW_JID": "", "JACKDAW_CONFIG": file]) { $1 }
      try configure("password = \"\(right)\"")
      try await alice.does("ping")
      #expect(try await login(alice).way.hasPrefix("HT-"))
      try configure("password = \"old\"\nnew_password = \"\(right)\"")
      let outcome = try await alice.run("ping")
      #expect(outcome.ending == .exited(0))
      #expect(outcome.errors.contains("Your server took the new password of \(alice.jid)"), "\(outcome.errors)")
      #expect(KernelFile.read(file)?.contains("password = \"\(right)\"") == true)
      #expect(try await login(alice).way.hasPrefix("HT-"))
    }
  }

  @Test("programs of one account beside each other do not throw each other out")
  func sideBySide() async throws {
    try await withPair { alice, bob in
      try await alice.listening("--json", "--count", "4") { listening in
        try await listening.expect(#""state":"online""#)
        async let first = alice.does("send", bob.jid, "to Bob")
        async let second = alice.does("send", bob.jid, "to Bob, too")
        async let third = alice.does("friends", "list")
        _ = try await (first, second, third)
        for number in 1...4 { try await bob.does("send", alice.jid, "number \(number)") }
        #expect(try await listening.wait() == .exited(0))
        let lines = listening.standardOutput.split(separator: "\n")
        #expect(!lines.contains { $0.contains(#""state":"retrying""#) || $0.contains(#""state":"offline""#) })
        // What the others sent came as carbons, which were switched on with the resource.
        #expect(lines.filter { $0.contains(#""carbon":"sent""#) }.count == 2)
        #expect(lines.filter { $0.contains(#""body":"number "#) }.count == 4)
      }
    }
  }

  @Test("a stream that was cut goes on behind one")
  func resumption() async throws {
    try await withPair { alice, bob in
      try await bob.listensOverACut(to: alice)
    }
  }
}
