// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// A set of ASCII characters in two words, to be asked for each byte of each address.
struct ASCIISet: Sendable {
  private let low: UInt64
  private let high: UInt64

  private init(low: UInt64, high: UInt64) {
    self.low = low
    self.high = high
  }

  /// The characters from `range` that are not in `excluded`, which is ASCII.
  init(_ range: ClosedRange<UInt8>, except excluded: StaticString = "") {
    var low: UInt64 = 0
    var high: UInt64 = 0
    for byte in range where !excluded.withUTF8Buffer({ $0.contains(byte) }) {
      if byte < 64 { low |= 1 << UInt64(byte) } else { high |= 1 << UInt64(byte & 63) }
    }
    self.init(low: low, high: high)
  }

  @inline(__always)
  func contains(_ byte: UInt8) -> Bool {
    let word = byte < 64 ? low : byte < 128 ? high : 0
    return word >> UInt64(byte & 63) & 1 != 0
  }

  static let lowercaseLettersAndDigits = ASCIISet(
    UInt8(ascii: "0")...UInt8(ascii: "z"), except: ":;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`")
}
