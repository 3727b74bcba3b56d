// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Testing

@testable import JackdawTerminal

@Suite struct LineBufferTests {
  private func lines(of bytes: [UInt8], limit: Int = 100, split: Int? = nil) -> [LineBuffer.Line] {
    var buffer = LineBuffer(limit: limit)
    var lines: [LineBuffer.Line] = []
    let chunks = split.map { [bytes[..<$0], bytes[$0...]] } ?? [bytes[...]]
    for chunk in chunks {
      buffer.append(chunk)
      while let line = buffer.next() { lines.append(line) }
    }
    if let line = buffer.last() { lines.append(line) }
    return lines
  }

  @Test(
    "Lines come out the same wherever the bytes are split",
    arguments: [
      ("", []),
      ("a\nb\n", [.text("a"), .text("b")]),
      ("a\nhalf", [.text("a"), .text("half")]),
      ("\n\n", [.text(""), .text("")]),
      ("a\r\nb\r", [.text("a"), .text("b")]),
      ("\u{FEFF}a\n\u{FEFF}b\n", [.text("a"), .text("\u{FEFF}b")]),
      ("12345\n123456\n1\n", [.text("12345"), .tooLong, .text("1")]),
      ("123456789", [.tooLong]),
    ] as [(String, [LineBuffer.Line])])
  func linesComeOutTheSameWhereverTheBytesAreSplit(text: String, expected: [LineBuffer.Line]) {
    let bytes = Array(text.utf8)
    #expect(lines(of: bytes, limit: 5) == expected)
    for split in 0...bytes.count { #expect(lines(of: bytes, limit: 5, split: split) == expected) }
  }

  @Test("A line that is not UTF-8 is reported, and the next one is read") func aLineThatIsNotUTF8IsReported() {
    #expect(lines(of: [0xFF, 0x0A, 0x61, 0x0A]) == [.notUTF8, .text("a")])
    #expect(lines(of: [0xC0, 0xBC]) == [.notUTF8])
  }

  @Test("A line without end takes no more memory than its limit") func aLineWithoutEndTakesNoMoreMemoryThanItsLimit() {
    var buffer = LineBuffer(limit: 10)
    for _ in 0..<1000 {
      buffer.append(Array(repeating: 0x61, count: 10))
      #expect(buffer.next() == nil)
    }
    buffer.append([0x0A, 0x62, 0x0A])
    #expect(buffer.next() == .tooLong)
    #expect(buffer.next() == .text("b"))
  }
}
