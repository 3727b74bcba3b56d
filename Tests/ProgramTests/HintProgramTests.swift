// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Support
import Testing

/// Hints on what to do with a message (XEP-0334), on real servers.
@Suite("A message that no server is to store") struct HintProgramTests {
  private static func message(_ body: String, to jid: String, _ hint: String = "no-store") -> String {
    "<message type='chat' to='\(jid)'><body>\(body)</body><\(hint) xmlns='urn:xmpp:hints'/></message>"
  }

  @Test("is in the log of who gets it, and in no archive", arguments: TestServer.Kind.allCases)
  func logged(kind: TestServer.Kind) async throws {
    try await withPair(on: kind, friends: true) { alice, bob in
      try await alice.listening("--json", "--count", "3") { listening in
        try await bob.sees(alice)
        try await bob.does("xml", Self.message("for now", to: alice.jid))
        try await bob.does("xml", Self.message("off the record", to: alice.jid, "no-permanent-store"))
        try await bob.does("send", alice.jid, "for good")
        #expect(try await listening.wait() == .exited(0))
        let heard = listening.standardOutput.split(separator: "\n").compactMap { value(of: "body", in: String($0)) }
        #expect(heard == ["for now", "off the record", "for good"])
      }
      #expect(try await alice.bodies(of: bob.jid) == ["for now", "off the record", "for good"])
      #expect(try await alice.does("status", "--unread") == ["3 unread messages in 1 conversation"])
      // The archive does not bring it again, nor to a device that was not there.
      #expect(try await alice.does("history", "sync", "--all") == ["Nothing was missing."])
      try await TestDirectory.with { home in
        let device = Person(server: alice.server, account: alice.account, home: home)
        try await device.does("history", "sync", "--all")
        #expect(try await device.bodies(of: bob.jid) == ["for good"])
      }
    }
  }

  /// Prosody 0.12 keeps it for who is away, whatever it says; what the server hands out is a message.
  @Test(
    "comes late where the server keeps it all the same, and that somebody types is in no archive",
    arguments: TestServer.Kind.allCases)
  func offline(kind: TestServer.Kind) async throws {
    try await withPair(on: kind, friends: true) { alice, bob in
      // So that messages wait for her.
      try await alice.does("listen", "--for", "0")
      try await bob.does("xml", Self.message("for now", to: alice.jid))
      try await bob.does("send", alice.jid, "for good")
      let expected = kind == .prosody ? ["for now", "for good"] : ["for good"]
      let heard = try await alice.does("listen", "--json", "--count", "\(expected.count)")
      #expect(heard.compactMap { value(of: "body", in: $0) } == expected)
      #expect(try await alice.bodies(of: bob.jid) == expected)

      // Typing is told to who knows of it, and kept by nobody.
      try await alice.atThePrompt("chat", bob.jid) { prompt in
        try await prompt.expectScreen(showing: "online")
        try await bob.atThePrompt("chat", alice.jid) { other in
          try await other.expectScreen(showing: "is online")
          try await eventually {
            other.send("x")
            return prompt.screen.cursorLine.contains("(typing)")
          }
          other.send("\u{15}/quit" + Key.enter)
          _ = try await other.wait()
        }
        prompt.send("/quit" + Key.enter)
        _ = try await prompt.wait()
      }
      let reading = try await alice.run(
        "xml", "<iq type='set' id='q'><query xmlns='urn:xmpp:mam:2' queryid='q'/></iq>", "--log-xml")
      #expect(reading.errors.contains("for good") && !reading.errors.contains("composing"), "\(reading.errors)")
    }
  }
}
