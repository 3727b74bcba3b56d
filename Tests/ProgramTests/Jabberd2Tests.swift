// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Support
import Testing

/// A server of another family than Prosody and ejabberd: PLAIN only, no XEP-0198, no archive, answers without `from`.
@Suite("jabberd2")
struct Jabberd2Tests {
  @Test("a log-in, and a message each way")
  func messages() async throws {
    try await withPair(on: .jabberd2) { alice, bob in
      let steps = try await alice.does("account", "check")
      #expect(steps.contains { $0.contains("sasl") && $0.contains("PLAIN") } && steps.last?.contains("ping") == true)
      try await alice.does("send", bob.jid, "hello bob")
      #expect(try await bob.does("listen", "--count", "1").contains { $0.contains("hello bob") })
      try await bob.does("send", alice.jid, "hello alice")
      #expect(try await alice.does("listen", "--count", "1").contains { $0.contains("hello alice") })
    }
  }

  @Test("a friendship from the request to its end")
  func friends() async throws {
    try await withPair(on: .jabberd2) { alice, bob in
      #expect(try await alice.does("friends", "add", bob.jid) == ["Asked \(bob.jid) to be your friend."])
      #expect(try await bob.does("friends", "requests").contains { $0.contains(alice.jid) })
      try await bob.does("friends", "accept", alice.jid)
      // The program lets whom it has asked see it.
      try await alice.does("friends", "requests")
      for (one, other) in [(alice, bob), (bob, alice)] {
        #expect(try await friends(of: one).contains { $0.contains(other.jid) && $0.contains("\tfriend\t") })
      }
      #expect(try await alice.does("friends", "remove", bob.jid) == ["Removed \(bob.jid)."])
      #expect(try await friends(of: alice).isEmpty)
      #expect(try await friends(of: bob).contains { $0.contains(alice.jid) && $0.contains("not friends") })
    }
  }

  /// It does not change the entry when a request is taken back, and what it keeps for who is offline stays.
  @Test("a request that is not answered is taken back", arguments: ["cancel", "remove"])
  func takenBack(_ command: String) async throws {
    try await withPair(on: .jabberd2) { alice, bob in
      try await alice.does("friends", "add", bob.jid, "--name", "Bob")
      try await alice.does("--timeout", "5", "friends", command, bob.jid)
      let left = try await friends(of: alice)
      #expect(left.count == (command == "cancel" ? 1 : 0))
      #expect(left.allSatisfy { $0.hasPrefix("Bob") && $0.contains("not friends") && !$0.contains("asked") }, "\(left)")
    }
  }

  /// What `friends` prints. On a busy machine the server's session manager fails now and then, and says so: the command then ends as one
  /// that may be tried again, and is.
  private func friends(of person: Person) async throws -> [String] {
    var outcome = try await person.run("friends")
    for _ in 1...4 where outcome.ending == .exited(75) && outcome.errors.contains("internal server error") {
      outcome = try await person.run("friends")
    }
    #expect(outcome.ending == .exited(0), "\(outcome.errors)")
    return outcome.lines
  }

  /// RFC 6120 8.1.2.1: what has no `from` is the own account's, and XEP-0077 has it of the server.
  @Test("an account is made, gets another password, and goes, with answers that name no sender")
  func account() async throws {
    let server = try await TestServer.shared(.jabberd2, TestServer.Options { $0.registration = true })
    let name = "new-" + String(UInt64.random(in: 0...UInt64.max), radix: 36)
    try await TestDirectory.with { home in
      let newcomer = AccountLifeTests.Newcomer(server: server, home: home, jid: "\(name)@\(server.domain)")
      try await newcomer.does("account", "register", newcomer.jid)
      var configured = newcomer
      configured.password = nil
      let file = try home.write("second-password\n", to: "password")
      let outcome = try await configured.run("account", "password", "--new-password-file", file, "--log-xml")
      #expect(outcome.lines == ["Changed the password of \(newcomer.jid)."], "\(outcome.errors)")
      let answer = try #require(outcome.errors.split(separator: "\n").last { $0.hasPrefix("RECV <iq") })
      #expect(!answer.contains("from="))
      try await configured.does("ping")
      expectOneSentence(try await newcomer.run("ping"), code: 77, naming: "password")
      #expect(
        try await configured.does("account", "unregister", "--yes") == [
          "Removed the account \(newcomer.jid) from its server."
        ])
    }
  }
}
