// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Support
import Testing

/// Anybody can send their presence to anybody.
@Suite("Presence of strangers")
struct StrangersPresenceTests {
  @Test("of any number takes no friend's place and is shown to nobody", arguments: TestServer.Kind.allCases)
  func flood(kind: TestServer.Kind) async throws {
    let server = try await TestServer.shared(kind, Strangers.server)
    let (account, other) = (try await server.account("alice"), try await server.account("bob"))
    try await TestDirectory.with { home in
      try await TestDirectory.with { otherHome in
        let alice = Person(server: server, account: account, home: home)
        let bob = Person(server: server, account: other, home: otherHome)
        try await alice.does("friends", "add", bob.jid)
        try await bob.does("friends", "accept", alice.jid)
        try await Strangers.with(on: server) { strangers in
          let client = "\(alice.jid)/here"
          let script = alice.invocation(["--json", "run", "--jid", client, "-"], input: .open)
          try await TestProcess.withProcess(script) { script in
            script.send("/ping\n")
            try await script.expect(#""command":"ping""#)
            // More than all strangers' places.
            for batch in 0..<12 {
              let stanzas = (0..<100).map {
                "<presence from='\(Strangers.jid(batch * 100 + $0))/x' to='\(client)'><status>buy</status></presence>"
              }
              try await strangers.write(stanzas.joined(), to: server)
            }
            try await bob.listening { _ in
              try await script.expect(#""from":"\#(bob.jid)"#)
              script.send("/friends list --online\n")
              script.closeInput()
              #expect(try await script.wait() == .exited(0), "\(script.standardError.suffix(2_000))")
            }
            let friends = script.standardOutput.split(separator: "\n").filter {
              $0.contains(#""event":"friend""#) && $0.contains(#""change":null"#)
            }
            #expect(friends.map { value(of: "jid", in: String($0)) } == [bob.jid])
            #expect(friends.map { value(of: "presence", in: String($0)) } == ["available"])
            #expect(!script.standardOutput.contains(Strangers.domain))
          }
        }
      }
    }
  }

  /// More than is kept of a status.
  private static let longStatus = String(repeating: "sale ", count: 2_000)

  @Test("is not shown, and of a friend's long status a part is", arguments: TestServer.Kind.allCases)
  func longStatus(kind: TestServer.Kind) async throws {
    try await withPair(on: kind, friends: true) { alice, bob in
      let carol = try await alice.server.account("carol")
      try await TestDirectory.with { home in
        let two = alice.at("two", in: home)
        try await alice.listening("--json", "--jid", alice.jid + "/one") { objects in
          try await objects.expect(#""state":"online""#)
          try await two.listening { text in
            // One of her devices has heard of the other: both are there.
            try await objects.expect("/two")
            try await Stranger.with(carol, on: alice.server) { stranger in
              for device in ["one", "two"] {
                try await stranger.does("greet \(alice.jid)/\(device) \(Self.longStatus)")
              }
            }
            try await Stranger.with(bob.account, on: bob.server) { friend in
              try await friend.does("status \(Self.longStatus)")
              let line = try #require(try await objects.line(with: [#""event":"presence""#, bob.jid, "sale"]))
              #expect(line.matches(of: /sale/).count < 250, "\(line.count)")
              let shown = try #require(try await text.line(with: ["\(bob.jid) is online", "sale"]))
              #expect(shown.matches(of: /sale/).count < 250, "\(shown)")
            }
            #expect(!objects.standardOutput.contains(carol.jid) && !text.standardOutput.contains(carol.jid))
          }
        }
        let seen = try await alice.does("friends", "list", "--json")
        #expect(seen.allSatisfy { !$0.contains(carol.jid) }, "\(seen)")
      }
    }
  }

  @Test(
    "that they go, what they call themselves and what they have read, of any number, costs no friend theirs",
    arguments: TestServer.Kind.allCases)
  func signals(kind: TestServer.Kind) async throws {
    try await withPair(on: kind, Strangers.server, friends: true) { alice, bob in
      try await Strangers.with(on: alice.server) { strangers in
        let client = "\(alice.jid)/here"
        let script = alice.invocation(["--json", "run", "--jid", client, "-"], input: .open)
        try await TestProcess.withProcess(script) { script in
          script.send("/ping\n")
          try await script.expect(#""command":"ping""#)
          script.send("/send \(bob.jid) have you read this?\n")
          let sent = try #require(try await script.line(with: [#""event":"message-state""#, bob.jid]))
          let id = try #require(value(of: "id", in: sent))
          // More than all strangers' places.
          for batch in 0..<12 {
            let stanzas = (0..<100).map { number in
              let stranger = "from='\(Strangers.jid(batch * 100 + number))/x' to='\(client)'"
              return """
                <presence \(stranger) type='unavailable'><status>gone</status></presence>\
                <message \(stranger) type='chat'><nick xmlns='http://jabber.org/protocol/nick'>Bob</nick></message>\
                <message \(stranger) type='chat'><displayed xmlns='urn:xmpp:chat-markers:0' id='\(id)'/></message>
                """
            }
            try await strangers.write(stanzas.joined(), to: alice.server)
          }
          script.send("/ping\n/history \(bob.jid)\n")
          let unread = try #require(try await script.line(with: [#""event":"message""#, id]))
          #expect(!unread.contains("displayed"), "\(unread)")
          try await bob.does("listen", "--mark-displayed", "--count", "1")
          _ = try #require(try await script.line(with: [#""event":"presence""#, bob.jid, #""show":"available""#]))
          _ = try #require(try await script.line(with: [#""event":"message-state""#, id, #""state":"displayed""#]))
          _ = try #require(try await script.line(with: [#""event":"presence""#, bob.jid, #""show":"unavailable""#]))
          script.closeInput()
          #expect(try await script.wait() == .exited(0), "\(script.standardError.suffix(2_000))")
          #expect(!script.standardOutput.contains(Strangers.domain))
        }
      }
    }
  }
}
