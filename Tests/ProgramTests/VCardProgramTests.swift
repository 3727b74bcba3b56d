// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Support
import Testing

/// What people tell of themselves.
@Suite("vCards")
struct VCardProgramTests {
  @Test("are written field by field, and read by others", arguments: TestServer.Kind.allCases)
  func writtenAndRead(kind: TestServer.Kind) async throws {
    try await withPair(on: kind) { alice, bob in
      expectOneSentence(try await alice.run("vcard"), code: 67, naming: "vcard set")
      expectOneSentence(try await bob.run("vcard", alice.jid), code: 67, naming: "\(alice.jid) has no vCard")

      #expect(
        try await alice.does("vcard", "set", "fn", "Alice", "Liddell") == ["Your vCard says now: fn Alice Liddell"])
      try await alice.does("vcard", "set", "n", "Liddell;Alice")
      try await alice.does("vcard", "set", "email.work", "alice@example.org")
      try await alice.does("vcard", "set", "adr.home", ";;1 Rabbit Hole;Oxford")
      try await alice.does("vcard", "set", "url", "https://alice.example")
      try await alice.does("vcard", "set", "desc", "Curiouser & <curiouser>\nand so on")
      let lines = [
        "fn\tAlice Liddell", "n\tAlice Liddell", "email.work\talice@example.org", "adr.home\t1 Rabbit Hole, Oxford",
        "url\thttps://alice.example", "desc\tCuriouser & <curiouser>\\nand so on",
      ]
      #expect(try await alice.does("vcard") == lines)
      #expect(try await bob.does("vcard", alice.jid) == lines)
      #expect(try await bob.does("vcard", "show", alice.jid + "/phone") == lines)

      try await alice.does("vcard", "set", "email.work", "al@example.org")
      #expect(try await alice.does("vcard", "set", "url", "") == ["Your vCard has no url any more."])
      let json = try await bob.does("vcard", alice.jid, "--json")
      #expect(json.count == 5)
      #expect(
        json[2].hasSuffix(
          #""command":"vcard show","jid":"\#(alice.jid)","field":"email","uses":["work"],"value":"al@example.org"}"#))
      #expect(json[3].hasSuffix(#""field":"adr","uses":["home"],"value":";;1 Rabbit Hole;Oxford"}"#))
    }
  }

  @Test("hold nothing that a terminal obeys", arguments: TestServer.Kind.allCases)
  func hostile(kind: TestServer.Kind) async throws {
    try await withPair(on: kind) { alice, bob in
      expectOneSentence(try await alice.run("vcard", "set", "fn", "a\u{1B}[2Jb"), code: 65, naming: "cannot be sent")
      try await alice.does("vcard", "set", "fn", "a\u{9B}2J\u{202E}b")
      let line = try #require(try await bob.does("vcard", alice.jid).first)
      #expect(!line.unicodeScalars.contains("\u{9B}"))
      #expect(line.contains("2J") && line.hasSuffix("b"))
    }
  }

  @Test("change at the prompt, with the fields' names completed")
  func prompt() async throws {
    try await withPair(on: .prosody) { alice, bob in
      try await alice.atThePrompt { prompt in
        try await prompt.expectScreen(showing: "online")
        prompt.send("/vcard set nick" + Key.tab)
        try await prompt.expectScreen("a completed field") { $0.cursorLine.contains("/vcard set nickname") }
        prompt.send("Al the First" + Key.enter)
        try await prompt.expectScreen(showing: "Your vCard says now: nickname Al the First")
        prompt.send("/vcard" + Key.enter)
        try await prompt.expectScreen("the field in a table") { screen in
          screen.lines.contains { $0.hasPrefix("nickname") && $0.contains("Al the First") }
        }
        prompt.send("/quit" + Key.enter)
        #expect(try await prompt.wait() == .exited(0))
      }
      #expect(try await bob.does("vcard", alice.jid) == ["nickname\tAl the First"])
    }
  }

  @Test(
    "a mistake is told before anything is sent",
    arguments: [
      (["vcard", "set", "frob", "x"], 65, "There is no field 'frob'"),
      (["vcard", "set", "bday", "tomorrow"], 65, "1815-12-10"), (["vcard", "set", "fn"], 64, "VALUE is missing"),
      (["vcard", "set"], 64, "FIELD is missing"), (["vcard", "@@"], 65, "@@"), (["vcard", "a@b", "c@d"], 64, "c@d"),
    ])
  func mistakes(arguments: [String], code: Int, words: String) async throws {
    try await TestDirectory.with { home in
      let outcome = try await TestProcess.run(
        .jackdaw(
          arguments, in: home, environment: ["JACKDAW_JID": "a@nowhere.invalid", "JACKDAW_PASSWORD": "x"]))
      expectOneSentence(outcome, code: code, naming: words)
    }
  }
}
