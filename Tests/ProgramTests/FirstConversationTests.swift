// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Support
import Testing

/// A stranger becomes a friend, both talk, the friendship ends: with one side at the prompt and the other in a shell.
@Suite("A first conversation")
struct FirstConversationTests {
  static let awkward = #"<&>"' 👩‍👩‍👧‍👦🎉 ]]> é"#

  @Test("from the shell and at the prompt", arguments: TestServer.Kind.allCases)
  func shellAndPrompt(kind: TestServer.Kind) async throws {
    try await withPair(on: kind) { alice, bob in
      try await alice.atThePrompt { prompt in
        try await prompt.expectScreen(showing: "online")
        #expect(try await bob.does("friends", "add", alice.jid) == ["Asked \(alice.jid) to be your friend."])
        try await prompt.expectScreen(showing: "/friends accept \(bob.jid)")

        prompt.send("/friends accept \(bob.jid)" + Key.enter)
        try await prompt.expectScreen(showing: "Accepted ")
        // Alice asks back; bob, who asked her, is not asked what he has answered already.
        #expect(try await bob.does("friends", "requests").isEmpty)
        try await eventually {
          try await bob.does("friends").contains { $0.contains(alice.jid) && $0.contains("\tfriend\t") }
        }

        try await bob.listening("--count", "1") { listening in
          // Bob is seen to come: only then does he hear what is sent to him.
          prompt.send("/to \(bob.jid)" + Key.enter)
          try await prompt.expectScreen("a prompt that shows bob online") { screen in
            screen.cursorLine.contains(bob.account.user) && !screen.cursorLine.contains("offline")
          }
          prompt.send(Self.awkward + Key.enter)
          try await listening.expect(Self.awkward)
          #expect(try await listening.wait() == .exited(0))
        }
        // What alice said stands on her own screen too, as said by her.
        try await prompt.expectScreen(showing: Self.awkward)

        try await bob.does("send", alice.jid, Self.awkward + " back")
        try await prompt.expectScreen(showing: Self.awkward + " back")

        #expect(try await bob.does("friends", "remove", alice.jid) == ["Removed \(alice.jid)."])
        try await prompt.expectScreen("a line that says that bob is gone") { screen in
          screen.lines.contains { $0.contains(bob.jid) && $0.contains("removed you from their friends") }
        }
        prompt.send("/quit" + Key.enter)
        #expect(try await prompt.wait() == .exited(0))
      }
    }
  }

  @Test("from a script file", arguments: TestServer.Kind.allCases)
  func script(kind: TestServer.Kind) async throws {
    try await withPair(on: kind) { alice, bob in
      let script = try alice.home.write(
        """
        # alice adds bob and waits for him
        /friends add \(bob.jid) --name "Bob B." --group Work
        /wait presence --from \(bob.jid) --for 170
        /to "Bob B."
        \(Self.awkward)
        //slash
        /wait message --from \(bob.jid) --match "go.d" --for 170
        /friends remove \(bob.jid)

        """, to: "script")
      try await TestProcess.withProcess(alice.invocation(["run", script])) { running in
        // Until alice has asked, there is nothing to accept.
        try await eventually { try await bob.does("friends", "requests").contains { $0.hasPrefix(alice.jid) } }
        try await bob.listening("--count", "2", "--json") { listening in
          try await listening.expect(#""online""#)
          try await bob.does("friends", "accept", alice.jid)
          try await listening.expect(#"🎉 ]]> é"#)
          try await listening.expect("/slash")
          try await bob.does("send", alice.jid, "good bye")
          #expect(try await listening.wait() == .exited(0))
        }
        #expect(try await running.wait() == .exited(0), "\(running.standardError)\(running.standardOutput)")
        #expect(running.standardOutput.contains("good bye"))
      }
      #expect(try await alice.does("friends").isEmpty)
      #expect(try await bob.does("friends").allSatisfy { !$0.contains("\tfriend\t") })
    }
  }

  /// How a client may come to the server, and what has to come of it.
  struct Way: Sendable, CustomTestStringConvertible {
    var kind: TestServer.Kind
    var tls: TestServer.Options.TLS
    var passwords: TestServer.Options.Passwords?
    var isDirect: Bool
    /// What `account check` has to say of TLS and SASL.
    var version: String
    var mechanism: String

    var testDescription: String { "\(kind.rawValue) \(version) \(isDirect ? "direct" : "STARTTLS") \(mechanism)" }

    static let all: [Way] = [false, true].flatMap { isDirect in
      [
        Way(
          kind: .prosody, tls: .version13, passwords: .sha1, isDirect: isDirect, version: "TLSv1.3",
          mechanism: "SCRAM-SHA-1"),
        Way(
          kind: .prosody, tls: .version12, passwords: .sha1, isDirect: isDirect, version: "TLSv1.2",
          mechanism: "SCRAM-SHA-1"),
        Way(
          kind: .prosody, tls: .version13, passwords: .sha256, isDirect: isDirect, version: "TLSv1.3",
          mechanism: "SCRAM-SHA-256"),
        Way(
          // The server of all other tests, which takes the latest version that a client offers.
          kind: .ejabberd, tls: .any, passwords: nil, isDirect: isDirect, version: "TLSv1.3",
          mechanism: "SCRAM-SHA-256"),
        Way(
          kind: .ejabberd, tls: .version12, passwords: .sha256, isDirect: isDirect, version: "TLSv1.2",
          mechanism: "SCRAM-SHA-256"),
      ]
    }
  }

  @Test("by STARTTLS and direct TLS, TLS 1.2 and 1.3, each SCRAM that the server has", arguments: Way.all)
  func ways(way: Way) async throws {
    let options = TestServer.Options {
      $0.tls = way.tls
      $0.passwords = way.passwords
    }
    try await withPair(on: way.kind, options) { alice, bob in
      var alice = alice
      if way.isDirect {
        alice.environment = [
          "JACKDAW_SERVER": "\(alice.server.directAddress)", "JACKDAW_TLS": "direct",
        ]
      }
      let check = try await alice.does("account", "check").joined(separator: "\n")
      #expect(check.contains(way.version))
      #expect(check.contains(way.mechanism))
      try await alice.does("send", bob.jid, "by \(way.testDescription)")
      _ = try await bob.listening("--count", "1") { try await $0.expect("by \(way.testDescription)") }
    }
  }
}

/// Asks again and again until it holds, for a minute at most: for what another process does in its own time.
func eventually(
  within limit: Duration = TestProcess.patience, _ holds: () async throws -> Bool,
  sourceLocation: SourceLocation = #_sourceLocation
) async throws {
  let clock = ContinuousClock()
  let end = clock.now + limit
  while true {
    let start = clock.now
    if try await holds() { return }
    let now = clock.now
    guard now < end else {
      Issue.record("it did not come to be", sourceLocation: sourceLocation)
      return
    }
    // What is waited for may need the processor: who asks by a program and a log-in leaves it alone for longer than that takes.
    try await Task.sleep(for: min(max(.milliseconds(20), start.duration(to: now) * 2), .seconds(1)))
  }
}
