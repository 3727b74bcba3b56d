// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Support
import Testing

/// TLS connections that are resumed (RFC 8446 2.2), at a real server that can.
@Suite("TLS that is resumed, at a server")
struct TicketProgramTests {
  /// Alice with an account in her configuration file, at a server of her own where `isAlone`.
  private func withAlice(
    isAlone: Bool = false, community: Bool = false, table: String = "",
    _ body: (_ alice: Person, _ bob: Person) async throws -> Void
  ) async throws {
    let options = TestServer.Options {
      $0.tickets = true
      $0.community = community
    }
    func run(_ server: TestServer) async throws {
      let (one, other) = try await server.pair(friends: true)
      try await TestDirectory.with { home in
        try await TestDirectory.with { elsewhere in
          let alice = Person(
            server: server, account: one, home: home,
            environment: [
              "JACKDAW_JID": "", "JACKDAW_PASSWORD": "", "JACKDAW_CONFIG": home.file("config.toml"),
              "JACKDAW_CA_FILE": "",
            ])
          try configure(alice, caFile: server.caFile, table)
          try await body(alice, Person(server: server, account: other, home: elsewhere))
        }
      }
    }
    if isAlone {
      try await TestServer.withServer(.prosody, options, run)
    } else {
      try await run(TestServer.shared(.prosody, options))
    }
  }

  private func configure(_ person: Person, caFile: String, _ lines: String = "") throws {
    let text = """
      [accounts.me]
      jid = "\(person.jid)"
      password = "\(person.account.password)"
      ca_file = "\(caFile)"
      \(lines)

      """
    try person.home.write(text, to: "config.toml")
  }

  private func database(_ person: Person) -> String {
    "\(person.home.file(".local/share/jackdaw"))/\(person.jid).sqlite3"
  }

  private func findings(_ person: Person) async throws -> [String: String] {
    let lines = try await person.does("account", "check").map { $0.split(separator: "\t").map(String.init) }
    return lines.reduce(into: [:]) { found, cells in if cells.count > 2 { found[cells[1]] = cells[2] } }
  }

  /// Whether `account check` says that TLS was resumed.
  private func isResumed(_ person: Person) async throws -> Bool {
    let finding = try await findings(person)["tls", default: "nothing"]
    let isWhole = finding.hasSuffix(", certificate verified")
    #expect(isWhole || finding.hasSuffix(", resumed: certificate verified on an earlier connection"), "\(finding)")
    return !isWhole
  }

  /// A command that says what happens on the way.
  private func sends(_ person: Person, to other: Person) async throws -> String {
    let outcome = try await person.run("-v", "send", other.jid, "hello")
    #expect(outcome.ending == .exited(0), "\(outcome.errors)")
    return outcome.errors
  }

  @Test("each run resumes what the one before left, until 'account logout'")
  func runs() async throws {
    try await withAlice { alice, bob in
      #expect(try await !isResumed(alice))
      for _ in 0..<2 { #expect(try await sends(alice, to: bob).contains("TLSv1.3, TLS_AES_256_GCM_SHA384, resumed")) }
      #expect(try await isResumed(alice))
      try await alice.does("account", "logout")
      #expect(try await python(Self.count, database(alice)) == "0\n")
      #expect(try await !isResumed(alice))
      try await alice.does("account", "logout")
    }
  }

  @Test("the log-in is bound to the resumed connection, by token too")
  func binding() async throws {
    try await withAlice(community: true) { alice, bob in
      _ = try await sends(alice, to: bob)
      let found = try await findings(alice)
      #expect(found["tls"]?.contains("resumed") == true, "\(found)")
      #expect(found["sasl"] == "HT-SHA-256-EXPR, with the token of the last log-in")
    }
  }

  @Test("a server that does not know the ticket any more verifies itself anew, in the same connection")
  func restart() async throws {
    try await withAlice(isAlone: true) { alice, bob in
      try await alice.does("ping")
      #expect(try await isResumed(alice))
      try await alice.server.restart()
      try await FaultProxy.with(to: alice.server) { proxy in
        let errors = try await sends(alice.through(proxy), to: bob)
        #expect(errors.contains("TLSv1.3") && !errors.contains("resumed"), "\(errors)")
        #expect(proxy.connections == 1)
      }
      #expect(try await isResumed(alice))
    }
  }

  @Test("what was verified by another file of authorities is verified anew")
  func trust() async throws {
    try await withAlice { alice, _ in
      try await alice.does("ping")
      #expect(try await isResumed(alice))
      let authorities = try #require(KernelFile.read(alice.server.caFile))
      try alice.home.write(authorities, to: "ca.pem")
      try configure(alice, caFile: alice.home.file("ca.pem"))
      #expect(try await !isResumed(alice))
      #expect(try await isResumed(alice))
      // An authority that is trusted no more has vouched for nothing.
      try await TestServer.withServer(.prosody) { stranger in
        let others = try #require(KernelFile.read(stranger.caFile))
        try alice.home.write(others, to: "ca.pem")
        #expect(try await alice.run("ping").ending == .exited(76))
      }
    }
  }

  private static let count = """
    import sqlite3, sys
    print(sqlite3.connect(sys.argv[1]).execute("SELECT count(*) FROM tls_ticket").fetchone()[0])
    """

  /// What may be wrong with what is kept: it is cut short, it is nothing, its secret is another, or it is too old.
  private static let faults = [
    "UPDATE tls_ticket SET session = substr(session, 1, length(session) - 5)",
    "UPDATE tls_ticket SET session = zeroblob(length(session))",
    // The secret is the octet string of 48 bytes.
    """
    UPDATE tls_ticket SET session = CAST(substr(session, 1, instr(session, x'0430') + 10) || x'00112233'
      || substr(session, instr(session, x'0430') + 15) AS BLOB)
    """,
    "UPDATE tls_ticket SET expiry = 1",
  ]

  @Test("a ticket that is damaged is done without, and not a word is said", arguments: faults)
  func damage(_ fault: String) async throws {
    try await withAlice { alice, bob in
      try await alice.does("ping")
      let spoil = """
        import sqlite3, sys
        database = sqlite3.connect(sys.argv[1])
        changed = database.execute(sys.argv[2])
        database.commit()
        print(changed.rowcount)
        """
      #expect(try await python(spoil, database(alice), fault) == "1\n")
      let outcome = try await alice.run("send", bob.jid, "hello")
      #expect(outcome.ending == .exited(0))
      #expect(outcome.errors.isEmpty, "\(outcome.errors)")
      try await alice.does("ping")
      #expect(try await isResumed(alice))
    }
  }

  @Test("a program that remains online resumes TLS when it comes back, and leaves what others take")
  func reconnection() async throws {
    try await withAlice { alice, bob in
      try await FaultProxy.with(to: alice.server) { proxy in
        try await TestProcess.withProcess(alice.through(proxy).invocation(["-v", "listen"])) { listening in
          try await eventually { listening.standardError.contains("TLSv1.3, TLS_AES_256_GCM_SHA384\n") }
          try await bob.does("send", alice.jid, "one")
          try await listening.expect("one")
          proxy.cut()
          try await eventually { listening.standardError.contains("TLSv1.3, TLS_AES_256_GCM_SHA384, resumed\n") }
          // The log-in has to be done for what came with it to be kept.
          try await bob.does("send", alice.jid, "two")
          try await listening.expect("two")
        }
      }
      #expect(try await isResumed(alice))
    }
  }

  @Test("nothing is kept with --store none, nor for an account that stands in the environment alone")
  func nothing() async throws {
    try await withAlice(table: "store = \"none\"") { alice, bob in
      var alice = alice
      try alice.home.write(
        "[accounts.me]\njid = \"\(alice.jid)\"\nstore = \"none\"\nca_file = \"\(alice.server.caFile)\"\n",
        to: "config.toml")
      alice.environment["JACKDAW_PASSWORD"] = alice.account.password
      for person in [alice, bob] {
        _ = try await sends(person, to: bob)
        #expect(try await !isResumed(person))
        #expect(try await python(Self.count, database(person)) == "0\n")
      }
    }
  }
}
