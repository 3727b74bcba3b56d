// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Support
import Testing

/// Who is there, as a script is told right after its log-in.
@Suite("Presence in a script")
struct PresenceProgramTests {
  @Test(
    "is known at the first line of those who are there and those who are not, and `null` of one who does not show it",
    arguments: TestServer.Kind.allCases)
  func firstLine(_ kind: TestServer.Kind) async throws {
    try await withPair(on: kind, friends: true) { alice, bob in
      let (_, eve) = try await alice.server.pair()
      try await TestDirectory.with { home in
        let eve = Person(server: alice.server, account: eve, home: home)
        try await alice.does("friends", "add", eve.jid)
        func presences() async throws -> [String: String] {
          let lines = try await alice.does("--json", "run", "-", input: .text("/friends\n"))
          let entries = lines.filter { value(of: "event", in: $0) == "friend" && value(of: "change", in: $0) == "null" }
          return Dictionary(
            uniqueKeysWithValues: entries.map { (value(of: "jid", in: $0) ?? "", value(of: "presence", in: $0) ?? "") })
        }
        #expect(try await presences() == [bob.jid: "unavailable", eve.jid: "null"])
        try await bob.atThePrompt { prompt in
          try await prompt.expectScreen(showing: "online")
          prompt.send("/status dnd" + Key.enter)
          // Alice is there for bob's server: what she is told does not depend on when bob came.
          try await eventually { try await alice.does("friends", "list", "--online").contains { $0.contains("busy") } }
          #expect(try await presences() == [bob.jid: "dnd", eve.jid: "null"])
          prompt.send("/quit" + Key.enter)
          #expect(try await prompt.wait() == .exited(0))
        }
      }
    }
  }
}
