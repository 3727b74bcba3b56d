// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
import Support
import Testing

/// Clients that give two messages the same id, and say the same in them.
@Suite("Two messages alike")
struct AlikeMessagesProgramTests {
  private static let withoutArchive = TestServer.Options { $0.without = ["mam"] }

  @Test(
    "that come late, as a server without an archive kept them, are both shown", arguments: TestServer.Kind.allCases)
  func keptByTheServer(_ kind: TestServer.Kind) async throws {
    try await withPair(on: kind, Self.withoutArchive, friends: true) { alice, bob in
      // So that messages wait for him.
      try await bob.does("listen", "--for", "0")
      for _ in 0..<2 { try await say("again", alice, bob) }
      let first = try await bob.run("--json", "listen", "--count", "2")
      #expect(first.shownBodies == ["again", "again"], "on one stream a server gives nothing twice")
      // Servers keep no more than the second at which a message came.
      let second = time(nil)
      try await eventually { time(nil) > second }
      try await say("again", alice, bob)
      let later = try await bob.run("--json", "listen", "--count", "1")
      #expect(later.shownBodies == ["again"], "it was kept at another time")
    }
  }

  /// A script whose messages all have one id.
  @Test(
    "of which one comes while a program runs and one after it, are both shown", arguments: TestServer.Kind.allCases)
  func betweenRuns(_ kind: TestServer.Kind) async throws {
    try await withPair(on: kind, Self.withoutArchive, friends: true) { alice, bob in
      try await bob.listening("--json", "--count", "1") { listening in
        try await alice.sees(bob)
        try await say("backup failed", alice, bob)
        #expect(try await listening.wait() == .exited(0))
        #expect(listening.shownBodies == ["backup failed"])
      }
      try await say("backup failed", alice, bob)
      let later = try await bob.run("--json", "listen", "--count", "1")
      #expect(later.shownBodies == ["backup failed"])
    }
  }

  /// Some come behind the program's last word on the stream, and again out of what the server keeps, with others that did not.
  @Test("and many more, that come while a program leaves, are each shown once", arguments: TestServer.Kind.allCases)
  func whileLeaving(_ kind: TestServer.Kind) async throws {
    let count = 20
    try await withPair(on: kind, Self.withoutArchive, friends: true) { alice, bob in
      try await FaultProxy.with(to: bob.server) { proxy in
        proxy.slow(.init(delay: .milliseconds(100)))
        let invocation = alice.invocation(["run", "-"], input: .open)
        let shown = try await TestProcess.withProcess(invocation) { script -> [String] in
          let shown = try await bob.through(proxy).listening("--json") { listening -> [String] in
            try await listening.expect(#""state":"online""#)
            try await alice.sees(bob)
            for number in 1...count {
              script.send(
                "/xml \"<message to='\(bob.jid)' type='chat' id='same'><body>again</body></message>\"\n")
              if number == count / 2 {
                try await listening.expect(#""body":"again""#)
                listening.signal(SIGTERM)
              }
              try await Task.sleep(for: .milliseconds(50))
            }
            _ = try await listening.wait()
            return listening.shownBodies
          }
          script.closeInput()
          #expect(try await script.wait() == .exited(0))
          return shown
        }
        let left = "\(max(1, count - shown.count))"
        let rest = try await bob.run("--json", "listen", "--count", left, "--for", "30").shownBodies
        #expect(shown + rest == Array(repeating: "again", count: count))
        #expect(try await bob.run("--json", "listen", "--for", "1").shownBodies == [])
      }
    }
  }

  @Test(
    "with one origin id are both shown where the archive tells them apart", arguments: TestServer.Kind.allCases)
  func originID(_ kind: TestServer.Kind) async throws {
    try await withPair(on: kind, friends: true) { alice, bob in
      try await bob.listening("--json", "--count", "3") { listening in
        try await alice.sees(bob)
        try await say("first", alice, bob, origin: "own")
        for _ in 0..<2 { try await say("again", alice, bob, origin: "one") }
        #expect(try await listening.wait() == .exited(0))
        #expect(listening.shownBodies == ["first", "again", "again"])
      }
      for _ in 0..<2 { try await say("again", alice, bob, origin: "one") }
      let later = try await bob.run("--json", "listen", "--count", "2")
      #expect(later.shownBodies == ["again", "again"])
    }
  }

  /// Every message of Alice's has the same id.
  private func say(_ text: String, _ alice: Person, _ bob: Person, origin: String? = nil) async throws {
    let claim = origin.map { "<origin-id xmlns='urn:xmpp:sid:0' id='\($0)'/>" } ?? ""
    let message = "<message to='\(bob.jid)' type='chat' id='same'><body>\(text)</body>\(claim)</message>"
    try await alice.does("xml", message)
  }
}
