// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Support
import Testing

/// Corrections, replies, reactions and retractions of ours, with the built program at both ends.
@Suite("What one says of earlier messages") struct SayingProgramTests {
  @Test("comes as such, and stands where it belongs on both sides", arguments: TestServer.Kind.allCases)
  func comesAsSuch(kind: TestServer.Kind) async throws {
    try await withPair(on: kind, friends: true) { alice, bob in
      try await alice.does("send", bob.jid, "Lunch?")
      _ = try await bob.listening("--count", "1") { try await $0.wait() }
      let script = [
        "/to \(alice.jid)", "/reply Yes, don't be late", "at nein", "/correct at nine", "a secret", "/retract", "/ids",
        "/react 4 👍 🎉",
      ]
      try await bob.does("run", "-", input: .bytes(Array(script.joined(separator: "\n").utf8)))
      let shown = [
        "Lunch?", "(reply to \"Lunch?\"): Yes, don't be late", "(corrected): at nine", "(retracted): a secret",
      ]
      try await alice.listening("--json") { listening in
        for parts in [
          [#""body":"Yes, don't be late""#, #""reply_to":""#, #""quoted":"> Lunch?\n""#],
          [#""reactions":["👍","🎉"]"#],
        ] { #expect(try await listening.line(with: parts) != nil, "\(listening.standardOutput)") }
        listening.signal(15)
        _ = try await listening.wait()
      }
      for person in [alice, bob] {
        let history = try await person.does("history", person.jid == alice.jid ? bob.jid : alice.jid)
        for text in shown { #expect(history.contains { $0.hasSuffix(text) }, "\(text) in \(history)") }
        #expect(history.contains { $0.contains("👍 🎉") })
        #expect(!history.contains { $0.contains("at nein") })
      }
    }
  }

  @Test("goes to the one device that has the message which it is about", arguments: TestServer.Kind.allCases)
  func toOneDevice(kind: TestServer.Kind) async throws {
    try await withPair(on: kind, friends: true) { alice, bob in
      try await bob.at("phone", in: bob.home).listening("--json") { listening in
        try await alice.sees(bob)
        let script = ["/to \(bob.jid)/phone", "at nein", "/correct at nine", "/retract"]
        try await alice.does("run", "-", input: .text(script.joined(separator: "\n")))
        for part in [#""replaces":""#, #""retracts":""#] {
          let line = try await listening.line(with: [#""event":"message""#, part])
          #expect(line?.contains(#""to":"\#(bob.jid)/phone""#) == true, "\(line ?? part)")
        }
      }
    }
  }

  @Test("waits for a connection like every message, and goes out as what it is")
  func waitsForConnection() async throws {
    try await withPair(on: .prosody, friends: true) { alice, bob in
      try await alice.does("send", bob.jid, "at nein")
      let closed = ClosedPort(on: alice.server.host)
      var cut = alice
      cut.environment["JACKDAW_SERVER"] = "\(alice.server.host):\(closed.port)"
      try await cut.atThePrompt("chat", bob.jid) { prompt in
        _ = try await prompt.expectScreen(showing: "offline")
        prompt.send("/correct at nine\r")
        _ = try await prompt.expectScreen(showing: "(corrected): at nine")
        prompt.send("/quit\r")
        _ = try await prompt.wait()
      }
      #expect(try await cut.does("outbox").contains { $0.hasSuffix("at nine") })
      try await bob.listening("--json", "--count", "2") { listening in
        try await listening.expect(#""state":"online""#)
        _ = try await alice.listening { _ in try await listening.wait() }
        let line = try #require(listening.standardOutput.split(separator: "\n").first { $0.contains("at nine") })
        #expect(line.contains(#""replaces":""#))
      }
    }
  }

  @Test(
    "is one's last message, which Alt-Up brings back to be corrected", arguments: ["\u{1B}[1;3A", "\u{1B}\u{1B}[A"])
  func altUp(keys: String) async throws {
    try await withPair(on: .prosody, friends: true) { alice, bob in
      try await alice.atThePrompt("chat", bob.jid) { prompt in
        try await prompt.expectScreen(showing: "online")
        prompt.send(keys)
        try await prompt.expectScreen(showing: "You have not said anything here lately.")
        prompt.send("don't wait at nein\r")
        try await prompt.expectScreen(showing: "don't wait at nein")
        prompt.send(keys)
        try await prompt.expectScreen("the message on the input line") {
          $0.cursorLine.hasSuffix("/correct don't wait at nein")
        }
        prompt.send("\u{7F}\u{7F}\u{7F}ne\r")
        try await prompt.expectScreen(showing: "(corrected): don't wait at nne")
        // What is being typed keeps it away, for good.
        prompt.send("typing now" + keys)
        try await prompt.expectScreen("what is typed") { $0.cursorLine.hasSuffix("> typing now") }
        prompt.send("\r")
        try await prompt.expectScreen(showing: ": typing now")
        prompt.send("x")
        try await prompt.expectScreen("the next line alone") { $0.cursorLine.hasSuffix("> x") }
        prompt.send("\u{7F}")
        prompt.send("/quit\r")
        _ = try await prompt.wait()
      }
      _ = try await bob.listening { try await $0.expect("(corrected): don't wait at nne") }
    }
  }

  @Test("has its subject, which waits with the message and is in the history", arguments: TestServer.Kind.allCases)
  func subject(kind: TestServer.Kind) async throws {
    try await withPair(on: kind, friends: true) { alice, bob in
      try await alice.does("send", "--subject", "Lunch", bob.jid, "At one?")
      let got = try await bob.does("listen", "--json", "--count", "1")
      #expect(got.contains { $0.contains(#""body":"At one?""#) && $0.contains(#""subject":"Lunch""#) })
      for person in [alice, bob] {
        let history = try await person.does("history", person.jid == alice.jid ? bob.jid : alice.jid)
        #expect(history.contains { $0.contains("[Lunch]") && $0.hasSuffix("At one?") }, "\(history)")
      }
    }
  }

  @Test("is refused where it makes no sense, and nothing is sent")
  func refused() async throws {
    try await withPair(on: .prosody, friends: true) { alice, bob in
      try await alice.does("send", bob.jid, "hello")
      let script = [
        "/to \(bob.jid)", "/reply Yes", "/react 7 👍", "/react x", "/react 1", "/retract 9", "/correct", "/reply 1",
      ]
      let outcome = try await alice.run(
        "run", "--keep-going", "-", input: .bytes(Array(script.joined(separator: "\n").utf8)))
      for text in [
        "They have not said anything here lately", "There is no message 7 here", "'x' is not an emoji",
        "You have not reacted to that. Which emoji? /react 1 👍",
        "There is no message 9 here", "Your answer is missing",
      ] { #expect(outcome.errors.contains(text), "\(outcome.errors)") }
      #expect(try await alice.does("history", bob.jid).count == 1)
    }
  }
}
