// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Support
import Testing

/// What people ask a client whose presence they may not see.
@Suite("Questions of strangers")
struct StrangersQuestionsTests {
  @Test(
    "show nobody there, and those that are answered are acknowledged, so that a message still goes out",
    arguments: TestServer.Kind.allCases)
  func pings(kind: TestServer.Kind) async throws {
    let server = try await TestServer.shared(kind, Strangers.server)
    let (account, other) = (try await server.account("alice"), try await server.account("bob"))
    try await TestDirectory.with { home in
      let alice = Person(server: server, account: account, home: home)
      try await Strangers.with(on: server) { strangers in
        let client = "\(alice.jid)/here"
        let invocation = alice.invocation(
          ["run", "--jid", client, "--log-xml", "--keep-going", "-"], input: .open)
        try await TestProcess.withProcess(invocation) { script in
          script.send("/ping\n")
          try await script.expect(" ms")
          let asked = try await strangers.ping(client, times: 1_000)
          #expect(asked.results == 0 && asked.errors == 1_000)
          script.send("/send \(other.jid) hello\n/outbox\n/ping\n")
          try await script.expect(" ms")
          script.closeInput()
          #expect(try await script.wait() == .exited(0), "\(script.standardError.suffix(2_000))")
          let questions = script.standardError.split(separator: "\n").count {
            $0.contains("<r xmlns='urn:xmpp:sm:3'/>")
          }
          // One each hundred at least, unless some hundreds went out together.
          #expect((5...30).contains(questions), "\(questions) questions")
        }
      }
    }
  }

  /// What would have a client answer that trusts whoever writes.
  private static let bait = [
    "<body>hi</body><request xmlns='urn:xmpp:receipts'/><markable xmlns='urn:xmpp:chat-markers:0'/>",
    "<composing xmlns='http://jabber.org/protocol/chatstates'/>", "<attention xmlns='urn:xmpp:attention:0'/>",
    "<x xmlns='jabber:x:conference' jid='bait@rooms.example.org'/>",
    "<propose xmlns='urn:xmpp:jingle-message:0' id='c1'><description xmlns='urn:xmpp:jingle:apps:rtp:1' media='audio'/></propose>",
  ]

  @Test(
    "and all that they send bring them nothing back, and to ask for friendship again and again is one notice",
    arguments: TestServer.Kind.allCases)
  func bait(kind: TestServer.Kind) async throws {
    try await withPair(on: kind, Strangers.server, friends: true) { alice, bob in
      try await Strangers.with(on: alice.server) { strangers in
        try await alice.listening("--json", "--mark-displayed") { listening in
          try await bob.sees(alice)
          let stranger = Strangers.jid(1)
          for _ in 0..<20 {
            for type in ["subscribe", "unsubscribe"] {
              try await strangers.write(
                "<presence type='\(type)' from='\(stranger)' to='\(alice.jid)'/>", to: alice.server)
            }
          }
          for (number, content) in Self.bait.enumerated() {
            try await strangers.write(
              "<message type='chat' id='b\(number)' from='\(stranger)/x' to='\(alice.jid)'>\(content)</message>",
              to: alice.server)
          }
          // A friend gets all of it, at the same time: so there was time for a stranger's.
          try await bob.does("send", alice.jid, "the end", "--wait", "displayed")
          #expect(listening.standardOutput.contains(#""body":"hi""#), "\(listening.standardOutput)")
          #expect(try await strangers.seen(alice.jid) == 0)
          let notices = listening.standardOutput.split(separator: "\n").count {
            $0.contains(#""event":"friend-request""#) && $0.contains(stranger)
          }
          #expect(notices == 1, "\(listening.standardOutput)")
          // What the user says gets there.
          try await alice.does("send", stranger, "who are you?")
          try await eventually { try await strangers.seen(alice.jid) > 0 }
        }
      }
    }
  }
}
