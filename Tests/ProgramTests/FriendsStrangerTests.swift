// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Support
import Testing

/// Friendship with somebody whose client is not ours.
@Suite("Friends with another client")
struct FriendsStrangerTests {
  private func withStranger(
    on kind: TestServer.Kind, _ body: (_ alice: Person, _ stranger: Stranger) async throws -> Void
  ) async throws {
    try await withPair(on: kind) { alice, bob in
      try await Stranger.with(bob.account, on: bob.server) { try await body(alice, $0) }
    }
  }

  @Test("their request, with its words, is accepted and answered", arguments: TestServer.Kind.allCases)
  func accepted(kind: TestServer.Kind) async throws {
    try await withStranger(on: kind) { alice, stranger in
      try await stranger.does("subscribe \(alice.jid) We met at the fair <&>")
      let requests = try await alice.does("friends", "requests")
      #expect(requests.count == 1 && requests[0].hasPrefix(stranger.jid), "\(requests)")
      #expect(requests.first?.hasSuffix("We met at the fair <&>") == true, "\(requests)")

      try await alice.does("friends", "accept", stranger.jid)
      try await stranger.isTold("presence subscribed \(alice.jid)")
      try await stranger.isTold("presence subscribe \(alice.jid)")
      try await stranger.does("subscribed \(alice.jid)")
      try await eventually { try await stranger.entry(of: alice.jid) == "both -" }
      #expect(try await alice.does("friends").contains { $0.contains(stranger.jid) && $0.contains("\tfriend\t") })
      #expect(try await alice.does("friends", "requests").isEmpty)
    }
  }

  @Test("their request is refused", arguments: TestServer.Kind.allCases)
  func refused(kind: TestServer.Kind) async throws {
    try await withStranger(on: kind) { alice, stranger in
      try await stranger.does("subscribe \(alice.jid)")
      #expect(try await alice.does("friends", "reject", stranger.jid) == ["Declined \(stranger.jid)'s request."])
      try await stranger.isTold("presence unsubscribed \(alice.jid)")
      try await eventually { try await stranger.entry(of: alice.jid) == "none -" }
      #expect(try await alice.does("friends", "requests").isEmpty)
      #expect(try await alice.does("friends").isEmpty)
    }
  }

  @Test("one who asks again is one request, wherever they ask from", arguments: TestServer.Kind.allCases)
  func again(kind: TestServer.Kind) async throws {
    try await withPair(on: kind) { alice, bob in
      try await alice.atThePrompt { prompt in
        try await prompt.expectScreen(showing: "online")
        // Two log-ins of one account: two resources.
        for _ in 0..<2 {
          try await Stranger.with(bob.account, on: bob.server) { stranger in
            try await stranger.does("subscribe \(alice.jid)")
            try await stranger.does("subscribe \(alice.jid)")
          }
        }
        try await prompt.expectScreen(showing: "/friends accept \(bob.jid)")
        prompt.send("/friends requests" + Key.enter + "/ping" + Key.enter)
        try await prompt.expectScreen(showing: " ms")
        let lines = prompt.screen.lines
        #expect(lines.count { $0.contains("asks to be your friend") } == 1, "\(lines)")
        #expect(lines.count { $0.hasPrefix(bob.jid) } == 1, "\(lines)")
        prompt.send("/quit" + Key.enter)
        #expect(try await prompt.wait() == .exited(0))
      }
    }
  }

  @Test("a request that they withdraw is gone, and accepting it says so", arguments: TestServer.Kind.allCases)
  func withdrawn(kind: TestServer.Kind) async throws {
    try await withStranger(on: kind) { alice, stranger in
      try await stranger.does("subscribe \(alice.jid)")
      #expect(try await alice.does("friends", "requests").count == 1)
      try await stranger.does("unsubscribe \(alice.jid)")
      #expect(try await alice.does("friends", "requests").isEmpty)
      expectOneSentence(
        try await alice.run("friends", "accept", stranger.jid), code: 67, naming: "has withdrawn the request")
    }
  }

  @Test("they refuse ours, and leave us later: told each time", arguments: TestServer.Kind.allCases)
  func refusedByThem(kind: TestServer.Kind) async throws {
    try await withStranger(on: kind) { alice, stranger in
      try await alice.atThePrompt(columns: 120) { prompt in
        try await prompt.expectScreen(showing: "online")
        prompt.send("/friends add \(stranger.jid)" + Key.enter)
        try await stranger.isTold("presence subscribe \(alice.jid)")
        try await stranger.does("unsubscribed \(alice.jid)")
        try await prompt.expectScreen(showing: "declined your request")
        #expect(try await alice.does("friends").allSatisfy { $0.contains("\tnot friends") && !$0.contains("asked") })

        // Asked once more, they agree and ask back: who is asked by somebody they asked is not asked what they think.
        prompt.send("/friends add \(stranger.jid)" + Key.enter)
        try await stranger.isTold("presence subscribe \(alice.jid)")
        try await stranger.does("subscribed \(alice.jid)")
        try await stranger.does("subscribe \(alice.jid)")
        try await eventually { try await stranger.entry(of: alice.jid) == "both -" }
        try await stranger.does("unsubscribed \(alice.jid)")
        try await prompt.expectScreen(showing: "no longer lets you see when they are online")
        try await stranger.does("unsubscribe \(alice.jid)")
        prompt.send("/friends remove \(stranger.jid)" + Key.enter)
        try await prompt.expectScreen(showing: "Removed ")
        #expect(try await alice.does("friends").isEmpty)
        prompt.send("/quit" + Key.enter)
        #expect(try await prompt.wait() == .exited(0))
      }
    }
  }

  @Test("whom we remove has no subscription with us", arguments: TestServer.Kind.allCases)
  func removed(kind: TestServer.Kind) async throws {
    try await withPair(on: kind, friends: true) { alice, bob in
      try await Stranger.with(bob.account, on: bob.server) { stranger in
        #expect(try await stranger.entry(of: alice.jid) == "both -")
        #expect(
          try await alice.does("friends", "remove", stranger.jid) == ["Removed \(stranger.jid)."])
        try await stranger.isTold("presence unsubscribed \(alice.jid)")
        try await eventually { try await stranger.entry(of: alice.jid) == "none -" }
        #expect(try await alice.does("friends").isEmpty)
      }
    }
  }
}
