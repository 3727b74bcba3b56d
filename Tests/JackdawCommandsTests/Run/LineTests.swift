// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Testing

@testable import JackdawCommands

@Suite("A line")
struct LineTests {
  static let rows: [(text: String, inScript: Bool, line: Line)] = [
    ("", true, .blank),
    (" \t", false, .blank),
    ("hello", true, .message("hello")),
    ("  hello ", true, .message("  hello ")),
    ("# a remark", true, .blank),
    ("  # a remark", true, .blank),
    ("# no remark at the prompt", false, .message("# no remark at the prompt")),
    ("//etc/passwd", true, .message("/etc/passwd")),
    ("///", true, .message("//")),
    ("/me waves", true, .message("/me waves")),
    ("/me", true, .message("/me")),
    ("/mend it", true, .command(["mend", "it"])),
    ("/to bob@example.org", true, .command(["to", "bob@example.org"])),
    ("/ to bob", true, .command(["to", "bob"])),
    ("/", true, .command([])),
    (" /to bob", true, .message(" /to bob")),
    ("/send bob 'a # b'", true, .command(["send", "bob", "a # b"])),
    ("one\n/quit", false, .message("one\n/quit")),
  ]

  static let texts: [(text: String, line: Line)] = [
    ("/reply don't  wait", .command(["reply", "--", "don't  wait"])),
    ("/reply  -x \"y\\ ", .command(["reply", "--", "-x \"y\\ "])),
    ("/reply", .command(["reply"])),
    ("/reply --help", .command(["reply", "--help"])),
    ("/send bob 'a b'", .command(["send", "bob", "a b"])),
  ]

  @Test(
    "that says a text is read as that text", arguments: ["hello", "/etc", "//etc", "/me waves", "/me", "/", "a /b"])
  func saying(text: String) throws {
    #expect(try Line(Line.saying(text), inScript: false) == .message(text))
  }

  @Test("of a command that takes a text has it as it was typed", arguments: texts)
  func textAsTyped(text: String, line: Line) throws {
    #expect(try Line(text, inScript: false) { $0 == "reply" } == line)
  }

  @Test("is a command, a message or nothing", arguments: rows)
  func isRead(_ row: (text: String, inScript: Bool, line: Line)) throws {
    #expect(try Line(row.text, inScript: row.inScript) == row.line)
  }

  @Test(
    "of the prompt has the apostrophes that are typed within words",
    arguments: [
      ("/away it's late, don't wait", ["away", "it's", "late,", "don't", "wait"]),
      (
        "/away in the 90's aujourd'hui l'e\u{301}te\u{301} d'\u{E9}t\u{E9}",
        ["away", "in", "the", "90's", "aujourd'hui", "l'e\u{301}te\u{301}", "d'\u{E9}t\u{E9}"]
      ),
      ("/send 'Al I' 'a b'c", ["send", "Al I", "a bc"]),
      ("/send bob a\\'b 'it'\\''s'", ["send", "bob", "a'b", "it's"]),
      ("/send --x='a b' room/'c d'", ["send", "--x=a b", "room/c d"]),
    ])
  func hasApostrophes(_ text: String, _ words: [String]) throws {
    #expect(try Line(text, inScript: false) == .command(words))
  }

  @Test("of the prompt may not leave a quote open", arguments: ["/away dogs' day", "/away 'tis late", "/away it'"])
  func needsQuotesClosed(_ text: String) {
    #expect { try Line(text, inScript: false) } throws: { ($0 as? CommandFailure)?.code == .badInput }
  }

  @Test("with an open quote is bad input")
  func withAnOpenQuoteIsBadInput() {
    #expect { try Line("/send bob it's", inScript: true) } throws: { ($0 as? CommandFailure)?.code == .badInput }
    // In a message quotes are quotes.
    #expect(throws: Never.self) { try Line("it's", inScript: true) }
  }

  @Test(
    "that gives a password stays out of the history: secret hygiene",
    arguments: [
      ("/login me secret", true), ("/password secret", true), ("/PASSWD x", true), ("/ account password x", true),
      ("/connect me@example.org secret", true), ("/send bob my password", false), ("the password is x", false),
      ("//password", true), ("/friends list", false),
      ("/xml \"<iq type='set'><query xmlns='jabber:iq:register'><password>x</password></query></iq>\"", true),
      ("/xml <AUTH mechanism='PLAIN'>AGE=</AUTH>", true), ("/xml <s:response>x</s:response>", true),
      (" / xml <iq><field var='password'/></iq>", true),
      ("/\"account\" password x", true), ("/acc'ount' password x", true), ("/'xml' <password>x</password>", true),
      ("/xml '<auth>x</auth>", true), ("/\"account\" it's password x", true), ("/acc password x", true), ("/a x", true),
      ("/ACCO x", true),
      ("/x <auth>x</auth>", true), ("/x <task-data>x</task-data>", true), ("/away x", false),
      ("/msg bob my password", false), ("/reg x", false),
      ("/xml <iq type='get'><ping xmlns='urn:xmpp:ping'/></iq>", false),
    ])
  func thatGivesAPasswordStaysOutOfTheHistory(_ text: String, _ isSecret: Bool) {
    #expect(Line.mayHoldPassword(text, of: .standard) == isSecret)
  }
}
