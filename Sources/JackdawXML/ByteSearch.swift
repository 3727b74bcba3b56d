// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// Searches for bytes that are met once in a stream, or in few stanzas; ``MarkupSearch`` finds the others.
enum ByteSearch {
  /// In a CDATA section: up to `]`, `>` or an unusual byte.
  static func cdata(_ bytes: UnsafePointer<UInt8>, _ start: Int, _ end: Int) -> Int {
    var position = start
    while position < end, !isUnusual(bytes[position]), bytes[position] != 0x5D, bytes[position] != 0x3E {
      position += 1
    }
    return position
  }

  /// Up to what is not white space.
  static func space(_ bytes: UnsafePointer<UInt8>, _ start: Int, _ end: Int) -> Int {
    var position = start
    while position < end, isSpace(bytes[position]) { position += 1 }
    return position
  }

  /// White space (XML 1.0, 2.3).
  static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A || byte == 0x09 || byte == 0x0D }

  private static func isUnusual(_ byte: UInt8) -> Bool { byte >= 0x80 || byte < 0x20 }
}
