// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawCommands
import JackdawLoop
import JackdawProtocol
import JackdawSession
import Support
import Testing

@testable import JackdawTerminal

/// Message styling (XEP-0393).
@Client @Suite("Styled texts", .onLoop) struct StyledTextTests {
  /// What is styled, with its look.
  private static func styled(_ text: String) -> [String] {
    let bytes = Array(text.utf8)
    return StyledText(text).spans.map { span in
      span.looks.map { "\($0)" }.joined(separator: "+") + ": " + String(decoding: bytes[span.range], as: UTF8.self)
    }
  }

  @Test(
    "have spans as the examples of the XEP say",
    arguments: [
      ("*strong*", ["strong: *strong*"]), ("_em_ and ~no~", ["emphasis: _em_", "strike: ~no~"]),
      ("see `*code*`", ["code: `*code*`"]), ("*strong*plain*", ["strong: *strong*"]), ("not strong*", []),
      ("*not \n strong*", []), ("* not strong*", []), ("*not strong *", []), ("**", []), ("****", []),
      ("a*b*c", []), ("plain *strong* plain", ["strong: *strong*"]), ("**not strong*", []),
      ("*é👍*", ["strong: *é👍*"]), ("", []), ("\n\n", []),
    ] as [(String, [String])])
  func spans(text: String, looks: [String]) {
    #expect(Self.styled(text) == looks)
  }

  @Test(
    "have blocks",
    arguments: [
      ("```\n*x*\n```\n*y*", ["code: ```\n*x*\n```", "strong: *y*"]), ("```lang\nx", ["code: ```lang\nx"]),
      ("> *x*\ny", ["quote: > ", "quote+strong: *x*"]), ("```\n``` x\n", ["code: ```\n``` x\n"]),
    ] as [(String, [String])])
  func blocks(text: String, looks: [String]) {
    #expect(Self.styled(text) == looks)
  }

  @Test(
    "have spans within spans, with the looks of both",
    arguments: [
      ("*a _b_ c*", ["strong: *a ", "strong+emphasis: _b_", "strong:  c*"]),
      ("*_b_*", ["strong: *", "strong+emphasis: _b_", "strong: *"]),
      (
        "*_~x~_*",
        ["strong: *", "strong+emphasis: _", "strong+emphasis+strike: ~x~", "strong+emphasis: _", "strong: *"]
      ),
      ("_a `*b*` c_", ["emphasis: _a ", "emphasis+code: `*b*`", "emphasis:  c_"]),
      // The outer one ends first, and the inner one has no end in it.
      ("*a _b* c_", ["strong: *a _b*"]), ("`*a*`", ["code: `*a*`"]),
      ("> *a _b_*", ["quote: > ", "quote+strong: *a ", "quote+strong+emphasis: _b_", "quote+strong: *"]),
      (">> `x`", ["quote: >> ", "quote+code: `x`"]),
    ] as [(String, [String])])
  func nested(text: String, looks: [String]) {
    #expect(Self.styled(text) == looks)
  }

  /// Sixteen times the text is sixteen times the work; squared it would be 256 times.
  @Test("take time that grows with their length alone")
  func long() {
    func cost(_ part: String, _ bytes: Int, enough: Double = 0) -> Double {
      let text = String(repeating: part, count: bytes / part.utf8.count)
      return ProcessorTime.least(enough: enough) { _ = StyledText(text).spans }
    }
    for part in ["*_~ x ~_* ", "*a _b ~c ", "> *_a_* ", "*a ", "*_~`", "* ", "`", "```\n", "> ", "_a* ", "*a\n"] {
      let small = cost(part, 6_000)
      let most = 40 * small + 20
      let large = cost(part, 96_000, enough: most)
      #expect(large < most, "\(part.debugDescription): \(small) ms, then \(large) ms")
    }
  }

  private func shown(
    _ body: String, colors: Style.Colors = .many, columns: Int? = 80, isUnstyled: Bool = false
  ) throws -> String {
    let fixture = Fixture(columns: columns, colors: colors)
    var payload = MessagePayload()
    payload.isUnstyled = isUnstyled
    fixture.output.show(
      MessageArrived(
        id: "1", from: try JID("bob@example.org/x"), to: try JID("me@example.org"), kind: .chat, body: body,
        payload: isUnstyled ? payload : nil))
    return fixture.out.take()
  }

  @Test("are painted with their characters, and not where that is not wanted or cannot be")
  func painted() throws {
    #expect(try shown("a *b* c").hasSuffix("a \u{1B}[1m*b*\u{1B}[0m c\n"))
    #expect(try shown("a *b* c", isUnstyled: true).hasSuffix("a *b* c\n"))
    #expect(try shown("a *b* c", colors: .none) == "12:01 Bob: a *b* c\n")
    #expect(try shown("*a _b_*").hasSuffix("\u{1B}[1m*a \u{1B}[0m\u{1B}[1m\u{1B}[3m_b_\u{1B}[0m\u{1B}[1m*\u{1B}[0m\n"))
    #expect(try shown("> x\ny").contains(/\u{1B}\[[0-9;]+m> x\u{1B}\[0m/))
  }

  @Test("are left as they are where the configuration says so")
  func switchedOff() throws {
    let fixture = Fixture()
    let out = MemorySink(columns: 80, colors: .many)
    let output = TextOutput(
      out: out, errors: out, names: fixture.roster, clock: fixture.clock, wallClock: { noon }, localTime: .utc,
      isStyling: false)
    output.show(
      MessageArrived(
        id: "1", from: try JID("bob@example.org/x"), to: try JID("me@example.org"), kind: .chat, body: "a *b* c"))
    #expect(out.take().hasSuffix("a *b* c\n"))
  }

  @Test("paint nothing of the sender's own, and end with their rows")
  func hostile() throws {
    let text = try shown("*\u{1}\u{3}\u{1B}[31m" + String(repeating: "long ", count: 40) + "x*", columns: 40)
    #expect(!text.contains("\u{1B}[31m") && !text.contains("\u{1}") && !text.contains("\u{3}"))
    for row in text.split(separator: "\n") {
      #expect(row.contains("\u{1B}[1m") && row.hasSuffix("\u{1B}[0m"))
    }
  }
}
