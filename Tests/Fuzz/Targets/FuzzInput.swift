// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// The bytes of one run, taken from the front: choices first, then what is fed to the product.
struct FuzzInput {
  private var bytes: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) { self.bytes = bytes[...] }

  /// The next byte; 0 behind the last.
  mutating func byte() -> UInt8 { bytes.popFirst() ?? 0 }

  /// A number from 0 to `limit` - 1.
  mutating func number(below limit: Int) -> Int { Int(byte()) % limit }

  /// All that is left.
  mutating func rest() -> [UInt8] {
    defer { bytes = [] }
    return Array(bytes)
  }

  /// All that is left, as text: what is no UTF-8 becomes U+FFFD.
  mutating func text() -> String { String(decoding: rest(), as: UTF8.self) }

  /// What is left, parted at each NUL.
  mutating func parts() -> [[UInt8]] {
    rest().split(separator: 0, omittingEmptySubsequences: false).map(Array.init)
  }
}
