// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// Writes characters so that they are read as themselves.
enum XMLEscape {
  enum Place {
    case text
    /// Also escapes quotation marks, and white space that a parser would turn into spaces (XML 1.0, 3.3.3).
    case attribute
  }

  /// Appends `text`. Characters that XML cannot carry become U+FFFD.
  static func append(_ text: String, _ place: Place, to output: inout [UInt8]) {
    var text = text
    text.withUTF8 { append($0, place, to: &output) }
  }

  /// Appends bytes, which are valid UTF-8.
  static func append(_ bytes: UnsafeBufferPointer<UInt8>, _ place: Place, to output: inout [UInt8]) {
    var plain = 0
    var index = 0
    while index < bytes.count {
      guard let (replacement, length) = replacement(bytes, index, place) else {
        index += 1
        continue
      }
      output.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[plain..<index]))
      output.append(contentsOf: replacement.utf8)
      index += length
      plain = index
    }
    output.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[plain...]))
  }

  /// Whether each character may be written, and stands for itself in each place, as far as the bytes tell at once: that of most texts. They
  /// are not left at the first that does not, so that the compiler has many looked at together.
  static func isPlain(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    var others: UInt8 = 0
    for byte in bytes {
      let isMarkup = byte == UInt8(ascii: "<") || byte == UInt8(ascii: ">") || byte == UInt8(ascii: "&")
      let isQuote = byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"")
      others |= isMarkup || isQuote || byte < 0x20 || byte == 0xEF ? 1 : 0
    }
    return others == 0
  }

  /// What stands for the character at `index`, and how many bytes it replaces; nil when it stands for itself.
  @inline(__always)
  private static func replacement(
    _ bytes: UnsafeBufferPointer<UInt8>, _ index: Int, _ place: Place
  ) -> (String, Int)? {
    let byte = bytes[index]
    // Letters and most else.
    if byte > UInt8(ascii: ">"), byte != 0xEF { return nil }
    switch byte {
    case UInt8(ascii: "<"): return ("&lt;", 1)
    case UInt8(ascii: ">"): return ("&gt;", 1)
    case UInt8(ascii: "&"): return ("&amp;", 1)
    // As it is, a parser would make a line feed of it (XML 1.0, 2.11).
    case UInt8(ascii: "\r"): return ("&#13;", 1)
    case UInt8(ascii: "'"): return place == .attribute ? ("&apos;", 1) : nil
    case UInt8(ascii: "\""): return place == .attribute ? ("&quot;", 1) : nil
    case UInt8(ascii: "\t"): return place == .attribute ? ("&#9;", 1) : nil
    case UInt8(ascii: "\n"): return place == .attribute ? ("&#10;", 1) : nil
    case 0..<0x20: return ("\u{FFFD}", 1)
    case 0xEF where index + 2 < bytes.count && bytes[index + 1] == 0xBF && bytes[index + 2] >= 0xBE:
      return ("\u{FFFD}", 3)
    default: return nil
    }
  }
}
