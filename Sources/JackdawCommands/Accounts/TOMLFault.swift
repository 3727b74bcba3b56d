// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// Finds in a TOML text what its parser must not be given: NUL, as it hands strings over as C does, and cuts one there; and the name of a
/// table that begins with what no name can begin with, as it takes for granted that this cannot be.
struct TOMLFault {
  private enum State {
    case outside, comment
    /// In a string: what closes it, and whether it knows escapes.
    case string(quotes: [UInt8], escapes: Bool)
  }

  /// The first of them.
  /// - Returns: its line, and what is wrong with it; nil: there is none.
  static func first(in text: String) -> (line: Int, problem: String)? {
    var scanner = TOMLFault(bytes: Array(text.utf8))
    return scanner.find().map { (scanner.line, $0) }
  }

  private static let null = "there is a NUL (\\u0000), which no text can hold"
  private static let name =
    "expected the name of a table behind '['; one with other characters than a-z, 0-9, - and _ stands in quotes"

  private let bytes: [UInt8]
  private var position = 0
  private var line = 1
  private var state = State.outside
  /// How many brackets are open outside of strings.
  private var depth = 0
  /// Nothing but white space stands before `position` on its line.
  private var isLineStart = true

  private init(bytes: [UInt8]) { self.bytes = bytes }

  private mutating func find() -> String? {
    while position < bytes.count {
      if bytes[position] == 0 { return Self.null }
      switch state {
      case .string(let quotes, let escapes):
        if escapes, has("\\u0000") || has("\\U00000000") { return Self.null }
        inString(quotes, escapes: escapes)
      case .outside:
        if isLineStart, depth == 0, bytes[position] == UInt8(ascii: "["), !isNamed(behind: position + 1) {
          return Self.name
        }
        outside()
      case .comment: break
      }
      guard position < bytes.count else { return nil }
      if bytes[position] == UInt8(ascii: "\n") {
        lineEnds()
      } else if !Self.isSpace(bytes[position]) {
        isLineStart = false
      }
      position += 1
    }
    return nil
  }

  /// Whether a name can begin behind the bracket of a table's header, or behind two of them; where there is none at all, the parser says so.
  private func isNamed(behind index: Int) -> Bool {
    var rest = bytes[index...].drop(while: Self.isSpace)
    if rest.first == UInt8(ascii: "[") { rest = rest.dropFirst().drop(while: Self.isSpace) }
    guard let first = rest.first else { return true }
    switch first {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "\""),
      UInt8(ascii: "'"), UInt8(ascii: "]"):
      return true
    default: return false
    }
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

  private mutating func outside() {
    let byte = bytes[position]
    switch byte {
    case UInt8(ascii: "#"): state = .comment
    case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
    case UInt8(ascii: "]"), UInt8(ascii: "}"): depth = max(0, depth - 1)
    default: break
    }
    guard byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") else { return }
    let three = [byte, byte, byte]
    let quotes = bytes[position...].starts(with: three) ? three : [byte]
    state = .string(quotes: quotes, escapes: byte == UInt8(ascii: "\""))
    position += quotes.count - 1
  }

  /// Leaves `position` at the last byte of what it has taken.
  private mutating func inString(_ quotes: [UInt8], escapes: Bool) {
    if escapes, bytes[position] == UInt8(ascii: "\\") {
      position += 1
    } else if bytes[position...].starts(with: quotes) {
      state = .outside
      position += quotes.count - 1
      // Up to two quotation marks may stand before those that close a string of many lines.
      while quotes.count == 3, position + 1 < bytes.count, bytes[position + 1] == quotes[0] { position += 1 }
    }
  }

  private mutating func lineEnds() {
    line += 1
    isLineStart = true
    switch state {
    case .string(let quotes, _) where quotes.count == 3: break
    case .string, .comment, .outside: state = .outside
    }
  }

  private func has(_ text: String) -> Bool { bytes[position...].starts(with: text.utf8) }
}
