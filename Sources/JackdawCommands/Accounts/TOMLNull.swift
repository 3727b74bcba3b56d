// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// Finds NUL in a TOML text: the parser hands its strings over as C does, and cuts one that holds it there.
struct TOMLNull {
  private enum State {
    case outside, comment
    /// In a string: what closes it, and whether it knows escapes.
    case string(quotes: [UInt8], escapes: Bool)
  }

  /// The line of the first NUL, be it written as itself or as an escape; nil: there is none.
  static func line(in text: String) -> Int? {
    var scanner = TOMLNull(bytes: Array(text.utf8))
    return scanner.find() ? scanner.line : nil
  }

  private let bytes: [UInt8]
  private var position = 0
  private var line = 1
  private var state = State.outside

  private init(bytes: [UInt8]) { self.bytes = bytes }

  private mutating func find() -> Bool {
    while position < bytes.count {
      if bytes[position] == 0 { return true }
      switch state {
      case .string(let quotes, let escapes):
        if escapes, has("\\u0000") || has("\\U00000000") { return true }
        inString(quotes, escapes: escapes)
      case .outside: outside()
      case .comment: break
      }
      guard position < bytes.count else { return false }
      if bytes[position] == UInt8(ascii: "\n") { lineEnds() }
      position += 1
    }
    return false
  }

  private mutating func outside() {
    let byte = bytes[position]
    if byte == UInt8(ascii: "#") { state = .comment }
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
    switch state {
    case .string(let quotes, _) where quotes.count == 3: break
    case .string, .comment, .outside: state = .outside
    }
  }

  private func has(_ text: String) -> Bool { bytes[position...].starts(with: text.utf8) }
}
