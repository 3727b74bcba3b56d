// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Support
import Testing

/// Anybody can write into a message when it was sent (XEP-0203 7).
@Suite("A stamp that its sender made up")
struct ForgedStampProgramTests {
  /// In both forms, in the name of the server, of Alice's account, of a room, and of nobody.
  private static func stamps(_ alice: Person) -> [String] {
    [alice.server.domain, alice.jid, "tea@rooms.\(alice.server.domain)", nil].flatMap { from in
      let from = from.map { " from='\($0)'" } ?? ""
      return [
        "<delay xmlns='urn:xmpp:delay' stamp='2001-02-03T04:05:06Z'\(from)/>",
        "<x xmlns='jabber:x:delay' stamp='20010203T04:05:06'\(from)/>",
      ]
    }
  }

  /// Messages with the bodies `said 1`, `said 2` …, each with one of the stamps.
  private static func messages(_ count: Int, to alice: Person, _ stamps: [String]) -> String {
    (0..<count).map {
      "<message type='chat' to='\(alice.jid)'><body>said \($0 + 1)</body>\(stamps[$0 % stamps.count])</message>\n"
    }.joined()
  }

  @Test("is not believed of a message that has just been said", arguments: TestServer.Kind.allCases)
  func live(kind: TestServer.Kind) async throws {
    try await withPair(on: kind, friends: true) { alice, bob in
      let count = Self.stamps(alice).count
      try await alice.listening("--json", "--count", "\(count)") { listening in
        try await bob.sees(alice)
        try await bob.does("xml", input: .text(Self.messages(count, to: alice, Self.stamps(alice))))
        #expect(try await listening.wait() == .exited(0))
        let lines = listening.standardOutput.split(separator: "\n").filter { $0.contains(#""body":"said "#) }
        #expect(lines.count == count)
        for line in lines { #expect(line.contains(#""delayed":null"#) && !line.contains("2001-02"), "\(line)") }
      }
      let history = try await alice.does("history", "--export", "json")
      #expect(history.count { $0.contains(#""body":"said "#) && !$0.contains("2001-02") } == count, "\(history)")
    }
  }

  @Test(
    "is not believed of a message that the server kept either, which has the server's",
    arguments: TestServer.Kind.allCases)
  func kept(kind: TestServer.Kind) async throws {
    // More than come at once, so that some are behind whatever else the log-in brings.
    let count = 200
    try await withPair(on: kind, friends: true) { alice, bob in
      // ejabberd takes the first of these for its own, and adds none: nothing tells what it says then from the truth.
      let stamps = Self.stamps(alice).dropFirst(kind == .ejabberd ? 1 : 0)
      try await bob.does("xml", input: .text(Self.messages(count, to: alice, Array(stamps))))
      try await alice.listening("--json", "--count", "\(count)") { listening in
        let ending = try await listening.wait()
        #expect(ending == .exited(0))
        let stamps = listening.standardOutput.split(separator: "\n").filter { $0.contains(#""body":"said "#) }.map {
          value(of: "delayed", in: String($0)) ?? ""
        }
        #expect(stamps.count == count)
        #expect(stamps.allSatisfy { $0.hasPrefix("20") && $0 > "2026" }, "\(stamps)")
      }
    }
  }
}
