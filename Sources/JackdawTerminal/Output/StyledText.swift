// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// Where a text is styled (XEP-0393). The characters that say so stay visible.
///
/// Of spans within spans the outer one is shown. The work grows with the length of the text and with nothing else.
struct StyledText {
  /// How a part of a text looks.
  enum Look: Sendable { case strong, emphasis, strike, code, quote }

  /// A part of a text, in bytes of UTF-8.
  struct Span: Equatable {
    var range: Range<Int>
    var look: Look
  }

  private let bytes: [UInt8]
  /// In order, none within another. Bounded by the text.
  private(set) var spans: [Span] = []

  init(_ text: String) {
    bytes = Array(text.utf8)
    guard bytes.contains(where: Self.isDirective) else { return }
    read()
  }

  private static func isDirective(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: ">") || look(of: byte) != nil
  }

  private static func look(of byte: UInt8) -> Look? {
    switch byte {
    case UInt8(ascii: "*"): .strong
    case UInt8(ascii: "_"): .emphasis
    case UInt8(ascii: "~"): .strike
    case UInt8(ascii: "`"): .code
    default: nil
    }
  }

  private mutating func read() {
    var start = 0
    var block: Int?
    while start <= bytes.count {
      let end = bytes[start...].firstIndex(of: 0x0A) ?? bytes.count
      let isFence = bytes[start..<end].starts(with: Self.fence)
      if let opened = block {
        // A line with the fence and nothing else ends the block (XEP-0393 5.1.2).
        if isFence, end - start == Self.fence.count {
          spans.append(Span(range: opened..<end, look: .code))
          block = nil
        }
      } else if isFence {
        block = start
      } else if start < end, bytes[start] == UInt8(ascii: ">") {
        spans.append(Span(range: start..<end, look: .quote))
      } else {
        readSpans(start..<end)
      }
      start = end + 1
    }
    if let block { spans.append(Span(range: block..<bytes.count, look: .code)) }
  }

  private static let fence = Array("```".utf8)

  /// XEP-0393 6.
  private mutating func readSpans(_ line: Range<Int>) {
    // Of these there is none any more on the line.
    var missing: Set<UInt8> = []
    var index = line.lowerBound
    while index < line.upperBound {
      let byte = bytes[index]
      guard let look = Self.look(of: byte), !missing.contains(byte), mayOpen(at: index, in: line) else {
        index += 1
        continue
      }
      guard let end = end(of: index, in: line) else {
        missing.insert(byte)
        index += 1
        continue
      }
      spans.append(Span(range: index..<end + 1, look: look))
      index = end + 1
    }
  }

  private func mayOpen(at index: Int, in line: Range<Int>) -> Bool {
    guard index + 1 < line.upperBound, !Self.isSpace(bytes[index + 1]), bytes[index + 1] != bytes[index] else {
      return false
    }
    guard index > line.lowerBound else { return true }
    let before = bytes[index - 1]
    return Self.isSpace(before) || Self.look(of: before) != nil && before != bytes[index]
  }

  /// The next of these that stands behind a character, with something between them.
  private func end(of start: Int, in line: Range<Int>) -> Int? {
    var index = start + 1
    while index < line.upperBound {
      if bytes[index] == bytes[start], index > start + 1, !Self.isSpace(bytes[index - 1]) { return index }
      index += 1
    }
    return nil
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
}
