// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Support
import Testing

/// What somebody sees at the prompt whom a friend removes, and what becomes of the entry by `when_removed`.
@Suite("Being removed")
struct FriendRemovedTests {
  @Test("is told once, and goes by the configuration", arguments: TestServer.Kind.allCases, ["keep", "remove", "ask"])
  func policy(kind: TestServer.Kind, policy: String) async throws {
    try await withPair(on: kind, friends: true) { alice, bob in
      var bob = bob
      bob.environment["JACKDAW_CONFIG"] = try bob.home.write("when_removed = \"\(policy)\"\n", to: "config.toml")
      let command = "/friends remove \(alice.jid)"
      try await bob.atThePrompt(columns: 140) { prompt in
        try await prompt.expectScreen(showing: "online")
        try await alice.does("friends", "remove", bob.jid)
        try await prompt.expectScreen(showing: "removed you from their friends")
        if policy == "ask" { try await prompt.expectScreen(showing: command) }
        // Whatever else there is to say has been said when this is answered.
        prompt.send("/ping" + Key.enter)
        let lines = try await prompt.expectScreen(showing: " ms").lines
        #expect(lines.count { $0.contains("removed you from their friends") } == 1, "\(lines)")
        #expect(lines.count { $0.contains(command) } == (policy == "ask" ? 1 : 0), "\(lines)")
        try await eventually { try await bob.does("friends").count == (policy == "remove" ? 0 : 1) }
        if policy == "ask" {
          prompt.send(command + Key.enter)
          try await prompt.expectScreen(showing: "Removed \(alice.jid).")
          #expect(try await bob.does("friends").isEmpty)
        }
        prompt.send("/quit" + Key.enter)
        #expect(try await prompt.wait() == .exited(0))
      }
      // Not again at the next log-in.
      #expect(try await bob.run("friends", "requests").errors.isEmpty)
      try await bob.atThePrompt(columns: 140) { prompt in
        try await prompt.expectScreen(showing: "online")
        prompt.send("/ping" + Key.enter)
        let lines = try await prompt.expectScreen(showing: " ms").lines
        #expect(!lines.contains { $0.contains("removed you") }, "\(lines)")
      }
    }
  }

  @Test("by ourselves, from another program, is nobody's refusal", arguments: TestServer.Kind.allCases)
  func ourselves(kind: TestServer.Kind) async throws {
    try await withPair(on: kind) { alice, bob in
      try await bob.atThePrompt("-v", "chat", alice.jid, columns: 140) { prompt in
        try await prompt.expectScreen(showing: "online")
        try await bob.does("friends", "add", alice.jid)
        try await bob.does("friends", "cancel", alice.jid)
        let lines = try await prompt.expectScreen(showing: "Another client of ours has ended").lines
        #expect(!lines.contains { $0.contains("declined your request") }, "\(lines)")
        prompt.send("/quit" + Key.enter)
        #expect(try await prompt.wait() == .exited(0))
      }
    }
  }
}
