// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import CRE2

/// A regular expression that texts of strangers are searched with, by RE2: its time grows with the text and no faster, whatever
/// the expression and the text are. So it knows no back-references and no look-around, which need trying again and again.
final class TextPattern {
  private let pattern: OpaquePointer

  /// - Throws: ``CommandFailure`` with code 65 for what is no regular expression, or one that is too long.
  init(_ text: String) throws(CommandFailure) {
    let reason = UnsafeMutableBufferPointer<CChar>.allocate(capacity: 200)
    defer { reason.deallocate() }
    guard let made = jd_pattern_make(text, text.utf8.count, reason.baseAddress, reason.count) else {
      let why = reason.baseAddress.map { String(cString: $0) } ?? ""
      throw CommandFailure(.badInput, "bad-input", "'\(text)' is not a regular expression that works here: \(why)")
    }
    pattern = made
  }

  deinit { jd_pattern_free(pattern) }

  /// Whether some part of `text` matches. What is behind its first ``CommandLimits/searchedBytes`` is not looked at.
  func isIn(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { bytes in
      let count = min(bytes.count, CommandLimits.searchedBytes)
      return bytes.withMemoryRebound(to: CChar.self) { jd_pattern_is_in(pattern, $0.baseAddress, count) != 0 }
    }
  }

  /// The parts of `text` that match, in bytes of UTF-8, in order; nil where none does. What is behind its first
  /// ``CommandLimits/searchedBytes`` is not looked at.
  func places(in text: String) -> [Range<Int>]? {
    var text = text
    let places = text.withUTF8 { bytes in
      let count = min(bytes.count, CommandLimits.searchedBytes)
      return bytes.withMemoryRebound(to: CChar.self) { characters in
        var places: [Range<Int>] = []
        var (start, end, from) = (0, 0, 0)
        while places.count < CommandLimits.placesMarked,
          jd_pattern_find(pattern, characters.baseAddress, count, from, &start, &end) != 0
        {
          places.append(start..<end)
          guard end > start else { break }
          from = end
        }
        return places
      }
    }
    return places.isEmpty ? nil : places
  }
}
