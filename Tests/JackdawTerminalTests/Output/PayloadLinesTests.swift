// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

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

  @Test("an encrypted message in words of the program, and never the text in its place")
  func encrypted() throws {
    #expect(
      try shown("I sent you an OMEMO encrypted message", columns: nil) { $0.encryption = "OMEMO" }
        == "12:01 -- Bob sent an encrypted message (OMEMO) that Jackdaw cannot read.\n")
    #expect(
      try shown("?OTR:abc", columns: nil, carbon: .sent) {
        $0.encryption = "OTR"
        $0.subject = "Secret"
      } == "12:01 -- You sent an encrypted message (OTR) that Jackdaw cannot read.\n")
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
