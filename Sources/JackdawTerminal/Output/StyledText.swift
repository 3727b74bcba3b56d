// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// Where a text is styled (XEP-0393). The characters that say so stay visible.
///
/// A span within another one has the looks of both; within one that is code there are none. The work grows with the length of the text and
/// with nothing else.
struct StyledText {
  /// How a part of a text looks.
  enum Look: Sendable { case strong, emphasis, strike, code, quote }

  /// A part of a text, in bytes of UTF-8, that looks alike.
  struct Span: Equatable {
    var range: Range<Int>
    /// From the outermost on, each once.
    var looks: [Look]
  }

  private let bytes: [UInt8]
  /// In order, none over another. Bounded by the text.
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
          append(opened..<end, [.code])
          block = nil
        }
      } else if isFence {
        block = start
      } else if start < end, bytes[start] == UInt8(ascii: ">") {
        append(start..<start + 1, [.quote])
        readSpans(start + 1..<end, within: [.quote])
      } else {
        readSpans(start..<end, within: [])
      }
      start = end + 1
    }
    if let block { append(block..<bytes.count, [.code]) }
  }

  private static let fence = Array("```".utf8)

  private mutating func append(_ range: Range<Int>, _ looks: [Look]) {
    guard !range.isEmpty, !looks.isEmpty else { return }
    if let last = spans.last, last.range.upperBound == range.lowerBound, last.looks == looks {
      spans[spans.count - 1].range = last.range.lowerBound..<range.upperBound
    } else {
      spans.append(Span(range: range, looks: looks))
    }
  }

  /// XEP-0393 6. No look is within itself: what would end the inner one ends the outer one first.
  /// - Parameters:
  ///   - line: one, or what stands within a span of it.
  ///   - outer: the looks of what it stands in.
  private mutating func readSpans(_ line: Range<Int>, within outer: [Look]) {
    // Of these there is none any more in it.
    var missing: Set<UInt8> = []
    var (index, plain) = (line.lowerBound, line.lowerBound)
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
      append(plain..<index, outer)
      let looks = outer + [look]
      if look == .code {
        append(index..<end + 1, looks)
      } else {
        append(index..<index + 1, looks)
        readSpans(index + 1..<end, within: looks)
        append(end..<end + 1, looks)
      }
      index = end + 1
      plain = index
    }
    append(plain..<line.upperBound, outer)
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
