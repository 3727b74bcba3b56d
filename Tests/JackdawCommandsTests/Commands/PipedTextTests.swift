// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawXML
import Testing

@testable import JackdawCommands

@Suite("Text from a program that colours it")
struct PipedTextTests {
  @Test(
    "loses its escape sequences and nothing else",
    arguments: [
      ("\u{1B}[31;1mred\u{1B}[0m", "red"), ("\u{1B}[38;2;1;2;3mx\u{1B}[K", "x"),
      ("\u{1B}[?25lhidden\u{1B}[?25h", "hidden"),
      ("\u{1B}]0;title\u{7}text", "text"), ("\u{1B}]8;;http://x\u{1B}\\link\u{1B}]8;;\u{1B}\\", "link"),
      ("\u{1B}P1$r\u{1B}\\a", "a"), ("\u{1B}(Bplain", "plain"), ("\u{1B}7a\u{1B}8", "a"), ("\u{1B}=a", "a"),
      ("\u{9B}1mbold\u{9B}m", "bold"), ("\u{9D}0;t\u{9C}a", "a"),
      ("a\u{0}\u{1}\u{7}\u{C}\u{1F}b", "ab"), ("N\u{8}NA\u{8}A", "NA"), ("_\u{8}x", "x"), ("\u{8}a\n\u{8}b", "a\nb"),
      ("tab\tline\r\n\u{7F}\u{85}", "tab\tline\r\n\u{7F}\u{85}"),
      ("\u{1F426} \u{E9}\u{1B}[m\u{308}", "\u{1F426} \u{E9}\u{308}"),
      // What does not end goes no further than it can.
      ("\u{1B}", ""), ("a\u{1B}[", "a"), ("a\u{1B}[31", "a"), ("\u{1B}]0;title\nnext", "\nnext"),
      ("\u{1B}[3\nb", "\nb"),
      ("\u{1B}\u{1B}[1ma", "a"), ("\u{1B}[1\u{1B}[1ma", "a"), ("\u{1B}]0;x\u{1B}[1ma", "a"), ("\u{1B}[é", "é"),
    ])
  func leavesOut(_ text: String, _ kept: String) {
    let plain = PipedText.withoutControls(text) ?? text
    #expect(plain == kept && StanzaWriter.canCarry(plain))
  }

  @Test("that holds none is as it was", arguments: ["", "hello", "a\tb\r\nc", "[31m", "\u{A0}\u{1F426}"])
  func nothingToLeaveOut(_ text: String) {
    #expect(PipedText.withoutControls(text) == nil)
  }

  @Test("has the line ends of XML, whichever it came with")
  func lineEnds() throws {
    #expect(try Array(OutgoingText.checked("a\r\nb\rc\nd").utf8) == Array("a\nb\nc\nd".utf8))
  }
}
