// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Support
import Testing

/// Receipts, markers and typing between two built programs on real servers.
@Suite("That a message was read, on real servers") struct ReceiptProgramTests {
  @Test("'--wait delivered' and '--wait displayed' wait for the other end", arguments: TestServer.Kind.allCases)
  func waiting(kind: TestServer.Kind) async throws {
    try await withPair(on: kind, friends: true) { alice, bob in
      try await bob.listening("--json", "--mark-displayed") { listening in
        try await listening.expect(#""state":"online""#)
        try await alice.sees(bob)
        let delivered = try await alice.does("send", "--json", "--wait", "delivered", bob.jid, "have you got this?")
        #expect(delivered.contains { $0.contains(#""state":"delivered""#) })
        let displayed = try await alice.does("send", "--json", "--wait", "displayed", bob.jid, "and read this?")
        #expect(displayed.contains { $0.contains(#""state":"displayed""#) })
      }
      let history = try await alice.does("history", "--json", bob.jid)
      #expect(history.allSatisfy { $0.contains(#""state":"displayed""#) } && history.count == 2)
    }
  }

  @Test("is told of the message that a counted 'listen' ends with, too", arguments: TestServer.Kind.allCases)
  func counted(kind: TestServer.Kind) async throws {
    try await withPair(on: kind, friends: true) { alice, bob in
      try await alice.does("send", bob.jid, "have you read this?")
      try await alice.listening("--json") { listening in
        try await bob.sees(alice)
        try await bob.does("listen", "--mark-displayed", "--count", "1")
        _ = try #require(try await listening.line(with: [#""event":"message-state""#, #""state":"displayed""#]))
      }
      #expect(try await bob.does("status", "--unread") == ["No unread messages."])
    }
  }

  @Test("without an answer it ends with 75 and says what the server has")
  func noAnswer() async throws {
    try await withPair(on: .prosody, friends: true) { alice, bob in
      var seconds = 2
      try await eventually {
        // On a busy machine the server's word may take as long.
        let outcome = try await alice.run("--timeout", "\(seconds)", "send", "--wait", "delivered", bob.jid, "hello?")
        #expect(outcome.ending == .exited(75), "\(outcome.errors)")
        let told = "The server has your message, but \(bob.jid) has not confirmed it within \(seconds) s"
        seconds *= 2
        return outcome.errors.contains(told)
      }
      #expect(try await alice.does("outbox") == [])
    }
  }

  @Test("is told at the prompt, and so is that somebody types", arguments: TestServer.Kind.allCases)
  func atThePrompt(kind: TestServer.Kind) async throws {
    try await withPair(on: kind, friends: true) { alice, bob in
      try await alice.atThePrompt("chat", bob.jid) { aliceTypes in
        try await aliceTypes.expectScreen(showing: "online")
        try await bob.atThePrompt("chat", alice.jid) { bobTypes in
          try await bobTypes.expectScreen(showing: "online")
          try await aliceTypes.expectScreen(showing: "is online")
          aliceTypes.send("hello\r")
          try await bobTypes.expectScreen(showing: ": hello")
          try await aliceTypes.expectScreen(showing: "read this.")
          bobTypes.send("well")
          try await aliceTypes.expectScreen("Bob types") { $0.cursorLine.contains("(typing)>") }
          bobTypes.send("\u{15}")
          try await aliceTypes.expectScreen("Bob types no more") { !$0.cursorLine.contains("(typing)>") }
          // Whom it is not to be told.
          bobTypes.send("/privacy \(alice.jid) typing off\r")
          try await bobTypes.expectScreen(showing: "off")
          bobTypes.send("well\r")
          try await aliceTypes.expectScreen(showing: ": well")
        }
      }
    }
  }

  @Test("'friends show' says what somebody is told")
  func shown() async throws {
    try await withPair(on: .prosody, friends: true) { alice, bob in
      try await alice.does("privacy", bob.jid, "markers", "off")
      #expect(
        try await alice.does("friends", "show", bob.jid).contains {
          $0.hasSuffix("receipts on, markers off, typing on")
        })
      #expect(try await alice.does("privacy", bob.jid).contains { $0.hasPrefix("markers\toff\tfor ") })
      try await alice.does("privacy", bob.jid, "markers", "default")
      #expect(try await alice.does("privacy", bob.jid).contains("markers\ton\tas for all"))
    }
  }

  @Test("a reply and a correction name their message by its id")
  func byID() async throws {
    try await withPair(on: .prosody, friends: true) { alice, bob in
      let sent = try await alice.does("send", "--json", bob.jid, "Lunch at nein?")
      let id = try #require(sent.first.flatMap { value(of: "id", in: $0) })
      try await alice.does("send", "--correct", id, bob.jid, "Lunch at nine?")
      let got = try await bob.does("listen", "--json", "--count", "2")
      #expect(got.contains { $0.contains(#""replaces":"\#(id)""#) })
      try await bob.does("send", "--reply-to", id, alice.jid, "Yes, don't be late")
      #expect(
        try await alice.does("listen", "--json", "--count", "1").contains { $0.contains(#""reply_to":"\#(id)""#) })
      let refused = try await bob.run("send", "--correct", id, alice.jid, "mine")
      #expect(refused.ending == .exited(64) && refused.errors.contains("is not yours"))
      let unknown = try await bob.run("send", "--reply-to", "nothing", alice.jid, "mine")
      #expect(unknown.ending == .exited(67))
    }
  }
}
