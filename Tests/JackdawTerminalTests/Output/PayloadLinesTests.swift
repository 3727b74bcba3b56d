// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawCommands
import JackdawLoop
import JackdawProtocol
import JackdawSession
import Support
import Testing

@testable import JackdawTerminal

/// What messages carry beside their texts, as people see it.
@Client @Suite("What a message carries is shown", .onLoop) struct PayloadLinesTests {
  private func shown(
    _ body: String = "", columns: Int? = 80, verbosity: Verbosity = .normal, carbon: MessageArrived.Carbon? = nil,
    from: String = "bob@example.org/x", _ fill: (inout MessagePayload) -> Void
  ) throws -> String {
    let fixture = Fixture(columns: columns, verbosity: verbosity)
    var payload = MessagePayload()
    fill(&payload)
    let (from, me) = (try JID(carbon == .sent ? "me@example.org/y" : from), try JID("me@example.org"))
    fixture.output.show(
      MessageArrived(
        id: "1", from: from, to: carbon == .sent ? try JID("bob@example.org") : me, kind: .chat, body: body,
        carbon: carbon, payload: payload))
    return fixture.out.take()
  }

  @Test("a subject in square brackets, with a text and alone")
  func subject() throws {
    #expect(try shown("at one?") { $0.subject = "Lunch" } == "12:01 Bob [Lunch]: at one?\n")
    #expect(try shown { $0.subject = "Lunch" } == "12:01 Bob [Lunch]:\n")
    #expect(try shown("/me eats") { $0.subject = "Lunch" } == "12:01 * Bob [Lunch] eats\n")
  }

  @Test("a thread only where all is told")
  func thread() throws {
    #expect(try shown("hi") { $0.thread = "t\n1" } == "12:01 Bob: hi\n")
    #expect(
      try shown("hi", verbosity: .verbose) { $0.thread = "t\n1" }
        == "12:01 Bob: hi\n12:01 -- It belongs to the thread t\\n1.\n")
  }

  @Test(
    "a wish for OTR as one, and what it encrypts as what cannot be read",
    arguments: ["?OTR?", "?OTRv23? Let us.", "?OTR:AA."])
  func askedForOTR(body: String) throws {
    let isWish = body != "?OTR:AA."
    #expect(
      try shown(body, columns: nil) { $0.encryption = "OTR" }
        == (isWish
          ? "12:01 -- Bob asks to encrypt with OTR, which Jackdaw cannot do.\n"
          : "12:01 -- Bob sent an encrypted message (OTR) that Jackdaw cannot read.\n"))
  }

  @Test("an encrypted message in words of the program, and never the text in its place")
  func encrypted() throws {
    #expect(
      try shown("I sent you an OMEMO encrypted message", columns: nil) { $0.encryption = "OMEMO" }
        == "12:01 -- Bob sent an encrypted message (OMEMO) that Jackdaw cannot read.\n")
    #expect(
      try shown("?OTR:abc", columns: nil, carbon: .sent) {
        $0.encryption = "OTR"
        $0.subject = "Secret"
      } == "12:01 -- You sent Bob an encrypted message (OTR) that Jackdaw cannot read.\n")
  }

  @Test("an address outside of XMPP once")
  func links() throws {
    let url = "https://example.org/menu"
    #expect(try shown { $0.links = [.init(url: url)] } == "12:01 Bob (link): \(url)\n")
    #expect(try shown(url) { $0.links = [.init(url: url)] } == "12:01 Bob (link): \(url)\n")
    #expect(try shown("see \(url)") { $0.links = [.init(url: url)] } == "12:01 Bob: see \(url)\n")
    #expect(
      try shown("look") { $0.links = [.init(url: url, description: "The menu")] }
        == "12:01 Bob: look\n      | link: \(url) (The menu)\n")
  }

  private func content(
    _ body: String = "", columns: Int? = nil, carbon: MessageArrived.Carbon? = nil, from: String = "bob@example.org/x",
    as kind: MessageContent.Kind, items: [String] = [], _ fill: (inout MessageContent) -> Void = { _ in }
  ) throws -> String {
    var content = MessageContent(kind, items: items)
    fill(&content)
    return try shown(body, columns: columns, carbon: carbon, from: from) { $0.content = content }
  }

  @Test("an invitation with its room, who invites, and why")
  func invitations() throws {
    let room = "lunch@rooms.example.org"
    let entrance = " – to enter it, type: /rooms accept \(room) (or: decline)"
    #expect(
      try content("You are invited", as: .invitation) {
        $0.address = room
        $0.text = "Join us"
      } == "12:01 -- Bob invites you to the room \(room): Join us\(entrance)\n")
    #expect(
      try content(carbon: .sent, as: .invitation) { $0.address = room }
        == "12:01 -- You invited Bob to the room \(room)\n")
    #expect(
      try content(from: room, as: .invitation) {
        $0.address = room
        $0.person = "bob@example.org"
      } == "12:01 -- \(room) says that Bob invites you there\(entrance)\n")
    #expect(
      try content(from: room, as: .invitation) {
        $0.address = room
        $0.person = room + "/Carol"
      } == "12:01 -- \(room) says that Carol invites you there\(entrance)\n")
    #expect(
      try content(from: room, as: .invitation) { $0.address = room }
        == "12:01 -- \(room) invites you\(entrance)\n")
  }

  @Test("suggested contacts with the command that adds them, safe to be copied, and none for those to be removed")
  func contacts() throws {
    let items = ["carol@example.org", "$(reboot)@example.org", "-x@example.org", "no address at all"]
    #expect(
      try content(as: .contacts, items: items) { $0.type = "add" }.hasSuffix(
        ". To add them, type: /friends add carol@example.org '$(reboot)@example.org'\n"))
    #expect(
      try content("my sister", as: .contacts, items: ["carol@example.org"]) { $0.type = "add" }
        == "12:01 Bob: my sister\n      | suggests a contact: carol@example.org\n"
        + "      | To add it, type: /friends add carol@example.org\n")
    let many = (0..<50).map { "c\($0)@example.org" }
    #expect(try content(as: .contacts, items: many) { $0.type = "add" }.hasSuffix(" c9@example.org\n"))
    #expect(!(try content(as: .contacts, items: items) { $0.type = "delete" }.contains("type:")))
  }

  @Test("a call, the wish for attention, contacts and what is not known in words of the program")
  func sentences() throws {
    #expect(try content(as: .call) == "12:01 -- Bob is calling (Jackdaw has no calls).\n")
    #expect(try content(as: .attention) == "12:01 -- Bob wants your attention.\n")
    #expect(try content("hey", as: .attention) == "12:01 Bob (wants your attention): hey\n")
    #expect(
      try content(as: .contacts, items: ["carol@example.org"]) { $0.type = "add" }
        == "12:01 -- Bob suggests a contact: carol@example.org. To add it, type: /friends add carol@example.org\n")
    #expect(
      try content("who left", as: .contacts, items: ["c@example.org", "d@example.org"]) { $0.type = "delete" }
        == "12:01 Bob: who left\n      | suggests removing 2 contacts: c@example.org, d@example.org\n")
    #expect(
      try content(as: .unknown, items: ["urn:example:foo", "b", "c", "d"])
        == "12:01 -- Bob sent something that Jackdaw cannot show (urn:example:foo, b, c).\n")
  }

  @Test("places, files, stickers and forms beside their texts, each once")
  func details() throws {
    #expect(
      try content("geo:52.5,13.4", as: .place) { $0.url = "geo:52.5,13.4" } == "12:01 Bob (place): geo:52.5,13.4\n")
    #expect(
      try content(as: .place) {
        $0.url = "geo:52.5,13.4"
        $0.text = "Home"
      } == "12:01 Bob (place): geo:52.5,13.4\n      | Home\n")
    func fill(_ file: inout MessageContent) {
      file.url = "https://example.org/cat.png"
      file.name = "cat.png"
      file.type = "image/png"
      file.size = 12_345
    }
    #expect(
      try content("https://example.org/cat.png", as: .file, fill)
        == "12:01 Bob (file): https://example.org/cat.png\n      | cat.png, image/png, 12 kB\n")
    #expect(
      try content("😘", as: .sticker) { $0.url = "https://example.org/cat.png" }
        == "12:01 Bob (sticker): 😘\n")
    #expect(
      try content(as: .form, items: ["Lunch?"]) { $0.name = "Poll" } == "12:01 Bob (form): Poll\n      | – Lunch?\n")
  }

  @Test("a spoiler by its hint at the prompt, and as a whole when it is asked for")
  func spoiler() throws {
    let fixture = Fixture()
    var payload = MessagePayload()
    payload.spoiler = "the end"
    let message = MessageArrived(
      id: "1", from: try JID("bob@example.org/x"), to: try JID("me@example.org"), kind: .chat, body: "he dies",
      payload: payload)
    fixture.output.show(message)
    #expect(fixture.out.take() == "12:01 Bob (spoiler) [the end]: /show 1\n")
    let whole = try #require(fixture.output.unfolding(1))
    while whole.printNext() {}
    #expect(fixture.out.take() == "12:01 Bob (spoiler) [the end]: he dies\n")
    let pipe = Fixture(columns: nil, isPrompt: false)
    pipe.output.show(message)
    #expect(pipe.out.take() == "12:01 Bob (spoiler) [the end]: he dies\n")
  }

  @Test(
    "nothing of it steers a terminal, looks like another line, or is endless",
    arguments: [
      "a\n12:02 Carol: x", "\u{9B}2J\u{1B}[2J", "\u{202E}gnp", "\u{2066}x", String(repeating: "é", count: 600),
      String(repeating: "e\u{301}\u{302}\u{303}", count: 200),
    ])
  func hostile(text: String) throws {
    for columns in [nil, 80, 20] {
      let lines = [
        try shown(columns: columns) { $0.subject = text }, try shown(columns: columns) { $0.encryption = text },
        try shown("x", columns: columns) { $0.links = [.init(url: "https://x/" + text, description: text)] },
        try shown(columns: columns, verbosity: .verbose) {
          $0.links = [.init(url: text)]
          $0.thread = text
        },
        try content(columns: columns, as: .invitation, items: [text]) {
          $0.address = text
          $0.person = text
          $0.text = text
        }, try content(columns: columns, as: .contacts, items: Array(repeating: text, count: 10)) { $0.type = text },
        try content(columns: columns, as: .unknown, items: [text, text]),
        try content("x", columns: columns, as: .file, items: [text]) {
          $0.url = text
          $0.name = text
          $0.type = text
          $0.text = text
          $0.size = .max
        }, try content(columns: columns, as: .form, items: [text, text]) { $0.name = text },
        try shown("x", columns: columns) { $0.spoiler = text },
      ]
      for line in lines {
        #expect(line.unicodeScalars.allSatisfy { $0 == "\n" || $0.properties.generalCategory != .control })
        #expect(!line.unicodeScalars.contains { ("\u{202A}"..."\u{202E}").contains($0) || $0 == "\u{2066}" })
        let entries = line.split(separator: "\n").filter { !$0.hasPrefix("      ") }
        #expect(entries.count <= 2 && line.utf8.count < 8_000)
      }
    }
  }
}
