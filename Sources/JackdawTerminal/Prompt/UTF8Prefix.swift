// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// What the first bytes of some form (The Unicode Standard, table 3-7): a character, a part of one, or neither.
enum UTF8Prefix: Equatable {
  /// A whole character of so many bytes.
  case character(Int)
  /// All bytes that there are, and they may yet become a character.
  case incomplete
  /// So many bytes, which form none whatever follows.
  case invalid(Int)

  /// - Parameter bytes: at least one.
  init(_ bytes: ArraySlice<UInt8>) {
    let length: Int
    // The second byte has the narrower bounds: no overlong forms, no surrogates, nothing beyond U+10FFFF.
    var second: ClosedRange<UInt8> = 0x80...0xBF
    switch bytes[bytes.startIndex] {
    case 0x00...0x7F: length = 1
    case 0xC2...0xDF: length = 2
    case 0xE0: (length, second) = (3, 0xA0...0xBF)
    case 0xED: (length, second) = (3, 0x80...0x9F)
    case 0xE1...0xEF: length = 3
    case 0xF0: (length, second) = (4, 0x90...0xBF)
    case 0xF1...0xF3: length = 4
    case 0xF4: (length, second) = (4, 0x80...0x8F)
    default:
      self = .invalid(1)
      return
    }
    for (index, byte) in bytes.prefix(length).enumerated().dropFirst() {
      guard (index == 1 ? second : 0x80...0xBF).contains(byte) else {
        self = .invalid(index)
        return
      }
    }
    self = bytes.count < length ? .incomplete : .character(length)
  }
}
