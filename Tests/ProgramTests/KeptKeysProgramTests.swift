// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Support
import Testing

/// What is kept of an account's secrets, at real servers.
@Suite("What stands for the password")
struct KeptKeysProgramTests {
  /// Alice with a configuration file in place of the environment's account.
  private func withAlice(
    on kind: TestServer.Kind, _ options: TestServer.Options = .init(), table: String? = nil,
    _ body: (_ alice: Person, _ bob: Person, _ file: String) async throws -> Void
  ) async throws {
    try await withPair(on: kind, options) { alice, bob in
      var alice = alice
      if let table { try configure(alice, table) }
      alice.environment.merge(
        ["JACKDAW_JID": "", "JACKDAW_PASSWORD": "", "JACKDAW_CONFIG": alice.home.file("config.toml")]) { $1 }
      try await body(alice, bob, alice.home.file("config.toml"))
    }
  }

  private func configure(_ person: Person, _ lines: String) throws {
    try person.home.write("[accounts.me]\njid = \"\(person.jid)\"\n\(lines)\n", to: "config.toml")
  }

  /// Runs a command with the password in the environment.
  private func with(_ password: String, _ person: Person) -> Person {
    var person = person
    person.environment["JACKDAW_PASSWORD"] = password
    return person
  }

  private func way(_ person: Person) async throws -> String {
    let lines = try await person.does("account", "check").map { $0.split(separator: "\t").map(String.init) }
    return lines.first { $0.dropFirst().first == "sasl" }?.last ?? ""
  }

  /// Makes the keys that somebody's program keeps those of no password.
  private func spoilKeys(of person: Person) async throws {
    let spoil = """
      import sqlite3, sys
      database = sqlite3.connect(sys.argv[1])
      database.execute("UPDATE login_keys SET client_key = zeroblob(length(client_key))")
      database.commit()
      """
    _ = try await python(spoil, person.home.file(".local/share/jackdaw/\(person.jid).sqlite3"))
  }

  /// Whether one of the files that the program wrote holds `text`.
  private func isWritten(_ text: String, by person: Person) async throws -> Bool {
    let look = """
      import os, sys
      found = False
      for folder, _, names in os.walk(sys.argv[1]):
          for name in names:
              path = os.path.join(folder, name)
              if os.path.isfile(path):
                  found = found or sys.argv[2].encode() in open(path, "rb").read()
      print(found)
      """
    return try await python(look, person.home.path, text) == "True\n"
  }

  @Test(
    "with --store keys the password is nowhere, and no rounds are counted twice", arguments: TestServer.Kind.allCases)
  func keysAlone(on kind: TestServer.Kind) async throws {
    try await withAlice(on: kind, .open) { alice, bob, file in
      let password = alice.account.password
      try await with(password, alice).does("account", "add", alice.jid, "--store", "keys")
      #expect(KernelFile.read(file)?.contains("store = \"keys\"") == true)
      #expect(try await !isWritten(password, by: alice))
      try await alice.does("send", bob.jid, "by keys")
      let way = try await way(alice)
      #expect(way.hasPrefix("SCRAM-SHA-") && way.contains(", with the keys of an earlier log-in"), "\(way)")

      try alice.home.write("another one\n", to: "new")
      try await with(password, alice).does("account", "password", "--new-password-file", alice.home.file("new"))
      #expect(try await self.way(alice).contains("with the keys of an earlier log-in"), "of the new one")

      // Elsewhere it is changed again.
      try alice.home.write("a third one\n", to: "new")
      try await TestDirectory.with { elsewhere in
        let other = Person(server: alice.server, account: alice.account, home: elsewhere)
        try await with("another one", other).does(
          "account", "password", "--new-password-file", alice.home.file("new"))
      }
      let refused = try await alice.run("send", bob.jid, "by old keys")
      #expect(refused.ending == .exited(77))
      #expect(refused.errors.contains("The stored SCRAM keys of \(alice.jid) no longer work; the password is needed."))
      #expect(refused.errors.contains("There is no password for \(alice.jid)."), "\(refused.errors)")
      try await with("a third one", alice).does("send", bob.jid, "by the password")
      #expect(try await self.way(alice).contains("with the keys of an earlier log-in"), "of the third")

      #expect(try await alice.does("account", "logout") == ["Removed the keys of \(alice.jid) from this machine."])
      #expect(try await alice.run("send", bob.jid, "by nothing").ending == .exited(77))
    }
  }

  @Test("a server that makes a new salt for each log-in has no keys to keep, and that is said at once")
  func newSalts() async throws {
    try await withAlice(on: .ejabberd, .plainEjabberd) { alice, _, file in
      let outcome = try await with(alice.account.password, alice).run("account", "add", alice.jid, "--store", "keys")
      #expect(outcome.ending == .exited(69))
      #expect(outcome.errors.contains("has no keys to keep"), "\(outcome.errors)")
      #expect(KernelFile.read(file) == nil)
      try await with(alice.account.password, alice).does("account", "add", alice.jid)
      try await alice.does("ping")
      // Of a plain password ejabberd makes the keys of every SCRAM that it knows.
      #expect(try await way(alice).hasPrefix("SCRAM-SHA-512"))
    }
  }

  @Test("beside a password in the file the keys are used, until the file is changed")
  func besideThePassword() async throws {
    try await withAlice(on: .prosody) { alice, _, _ in
      try configure(alice, "password = \"\(alice.account.password)\"")
      #expect(try await !way(alice).contains("earlier"))
      #expect(try await way(alice).contains("with the keys of an earlier log-in"))
      try configure(alice, "password = \"wrong\"")
      #expect(try await alice.run("ping").ending == .exited(77))
      try configure(alice, "password = \"\(alice.account.password)\"")
      try await alice.does("ping")
      #expect(try await way(alice).contains("with the keys of an earlier log-in"))
      // A password that is kept elsewhere leaves nothing in its place here.
      try await alice.does("account", "logout")
      try configure(alice, "")
      try await with(alice.account.password, alice).does("ping")
      #expect(try await !way(with(alice.account.password, alice)).contains("earlier"))
    }
  }

  @Test("on a terminal the password is asked for once, and again when its keys fit no more")
  func asked() async throws {
    try await withAlice(on: .prosody) { alice, bob, file in
      let password = alice.account.password
      let missing = try await alice.run("account", "add", alice.jid, "--store", "keys")
      #expect(missing.ending == .exited(77))
      #expect(missing.errors.contains("'--store keys' needs the password once"), "\(missing.errors)")
      #expect(KernelFile.read(file) == nil)
      let question = "Password for \(alice.jid)"
      try await alice.atThePrompt("account", "add", alice.jid, "--store", "keys") { terminal in
        try await terminal.expect("\(question) (it is not stored):")
        terminal.send("\(password)\r")
        #expect(try await terminal.wait() == .exited(0))
      }
      try await alice.does("send", bob.jid, "by keys")
      try await spoilKeys(of: alice)
      try await alice.atThePrompt("send", bob.jid, "by the password") { terminal in
        try await terminal.expect("The stored SCRAM keys of")
        try await terminal.expect("\(question):")
        terminal.send("\(password)\r")
        #expect(try await terminal.wait() == .exited(0))
      }
      #expect(try await way(alice).contains("with the keys of an earlier log-in"), "they are new")
    }
  }

  @Test("at the prompt a password that is mistyped, as its keys fit no more, is asked for once more")
  func mistyped() async throws {
    try await withAlice(on: .prosody) { alice, _, _ in
      let password = alice.account.password
      try await with(password, alice).does("account", "add", alice.jid, "--store", "keys")
      try await spoilKeys(of: alice)
      try await alice.atThePrompt("chat") { terminal in
        try await terminal.expectScreen(showing: "Password for \(alice.jid):")
        terminal.send("mistyped" + Key.enter)
        try await terminal.expectScreen("the question below what is wrong") { screen in
          let wrong = screen.lines.lastIndex { $0.contains("Wrong user name or password.") }
          return wrong.map { screen.lines[$0...].contains { $0.hasPrefix("Password for \(alice.jid):") } } ?? false
        }
        terminal.send(password + Key.enter)
        try await terminal.expectScreen(showing: "You are online.")
        terminal.send("/quit" + Key.enter)
        #expect(try await terminal.wait() == .exited(0))
      }
      #expect(try await way(alice).contains("with the keys of an earlier log-in"), "they are new")
    }
  }

  @Test("with --store none nothing is kept, not even a token")
  func nothing() async throws {
    try await withAlice(on: .prosody, .init { $0.community = true }) { alice, bob, file in
      let password = alice.account.password
      try await with(password, alice).does("account", "add", alice.jid, "--store", "none")
      #expect(KernelFile.read(file)?.contains("store = \"none\"") == true)
      try await with(password, alice).does("send", bob.jid, "hello")
      #expect(try await way(with(password, alice)).hasPrefix("SCRAM-"))
      #expect(try await !isWritten("secret-token:", by: alice))
      #expect(try await !isWritten(password, by: alice))
      #expect(try await alice.run("ping").ending == .exited(77))
    }
  }

  @Test("a wrong password is not stored because a token of an earlier log-in is right")
  func wrongPasswordBesideToken() async throws {
    try await withAlice(on: .prosody, .init { $0.community = true }) { alice, _, file in
      let password = alice.account.password
      try await with(password, alice).does("account", "add", alice.jid)
      try await alice.does("ping")
      #expect(try await way(alice).hasPrefix("HT-"))
      let outcome = try await with("wrong", alice).run("account", "add", alice.jid)
      #expect(outcome.ending == .exited(77), "\(outcome.output)\(outcome.errors)")
      #expect(KernelFile.read(file)?.contains("password = \"\(password)\"") == true)
    }
  }
}
