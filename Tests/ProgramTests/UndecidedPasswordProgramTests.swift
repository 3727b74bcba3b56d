// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
import Support
import Testing

/// What the configuration has of both passwords, at real servers.
@Suite("A password that may have been changed", .serialized)
struct UndecidedPasswordProgramTests {
  private func withAccount(
    on server: TestServer, _ passwords: String, _ body: (_ account: Person) async throws -> Void
  ) async throws {
    let account = try await server.account("alice")
    try await TestDirectory.with { home in
      try home.write("[accounts.me]\njid = \"\(account.jid)\"\n\(passwords)\n", to: "config.toml")
      // As if they were not set.
      let environment = ["JACKDAW_PASSWORD": "", "JACKDAW_JID": "", "JACKDAW_CONFIG": home.file("config.toml")]
      try await body(Person(server: server, account: account, home: home, environment: environment))
    }
  }

  private func passwords(_ person: Person) async throws -> [String] {
    let outcome = try await TestProcess.run(.init("grep", ["password", person.home.file("config.toml")]))
    #expect(try await TestProcess.run(.init("stat", ["-c", "%a", person.home.file("config.toml")])).lines == ["600"])
    return outcome.lines
  }

  private static let right = "correct-horse-battery-staple"

  @Test("is the new one where the server refuses the old one", arguments: TestServer.Kind.allCases)
  func newOne(kind: TestServer.Kind) async throws {
    let server = try await TestServer.shared(kind)
    try await withAccount(on: server, "password = \"old\"\nnew_password = \"\(Self.right)\"") { alice in
      let outcome = try await alice.run("ping")
      #expect(outcome.ending == .exited(0), "\(outcome.errors)")
      #expect(outcome.errors.contains("Your server took the new password of \(alice.jid)"))
      #expect(try await passwords(alice) == ["password = \"\(Self.right)\""])
      #expect(try await alice.run("ping").errors.isEmpty)
    }
  }

  @Test("is the old one where the server takes that", arguments: TestServer.Kind.allCases)
  func oldOne(kind: TestServer.Kind) async throws {
    let server = try await TestServer.shared(kind)
    try await withAccount(on: server, "password = \"\(Self.right)\"\nnew_password = \"new\"") { alice in
      let outcome = try await alice.run("ping")
      #expect(outcome.ending == .exited(0), "\(outcome.errors)")
      #expect(outcome.errors.contains("The old password of \(alice.jid) still works"))
      #expect(try await passwords(alice) == ["password = \"\(Self.right)\""])
    }
  }

  @Test("stays either where the server takes neither", arguments: TestServer.Kind.allCases)
  func neither(kind: TestServer.Kind) async throws {
    let server = try await TestServer.shared(kind)
    try await withAccount(on: server, "password = \"old\"\nnew_password = \"new\"") { alice in
      expectOneSentence(try await alice.run("ping"), code: 77, naming: "Wrong user name or password.")
      #expect(try await passwords(alice) == ["password = \"old\"", "new_password = \"new\""])
    }
  }

  @Test(
    "is asked for by both, and each logs in, after a server that did not answer",
    arguments: TestServer.Kind.allCases + [.jabberd2])
  func frozen(kind: TestServer.Kind) async throws {
    let options = TestServer.Options { $0.registration = true }
    try await TestServer.withServer(kind, options) { server in
      try await withAccount(on: server, "password = \"\(Self.right)\"") { alice in
        try await alice.atThePrompt("--timeout", "15", columns: 300) { prompt in
          try await prompt.expectScreen(showing: "online")
          prompt.send("/account password" + Key.enter)
          try await prompt.expectScreen(showing: "New password for")
          prompt.send("another" + Key.enter)
          try await prompt.expectScreen(showing: "Again:")
          try await server.freeze()
          prompt.send("another" + Key.enter)
          try await prompt.expectScreen(showing: "is tried too at the next log-in")
          #expect(
            try await passwords(alice) == ["password = \"\(Self.right)\"", "new_password = \"another\""])
          prompt.signal(SIGKILL)
          _ = try await prompt.wait()
        }
        try await server.thaw()
        // jabberd2 may say at first that it has an internal error, by which one is to try again.
        try await eventually { try await alice.run("ping").ending == .exited(0) }
        let left = try await passwords(alice)
        #expect(left == ["password = \"another\""] || left == ["password = \"\(Self.right)\""], "\(left)")
        #expect(try await alice.run("ping").ending == .exited(0))
      }
    }
  }
}
