// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// Where the parts of an address are in its bytes, and whether it is ASCII that preparation would leave as it is.
///
/// Nearly every address of nearly every stanza is, and then costs no more than a look at its bytes and the copies of
/// its parts.
struct AddressLayout {
  /// The place of the first `/`; the number of bytes without one.
  let slash: Int
  /// The place of the first `@` before the slash.
  let at: Int?
  /// True when all parts are valid and in their prepared form; false says nothing.
  let isPrepared: Bool

  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    var at: Int?
    var slash = 0
    while slash < bytes.count, bytes[slash] != UInt8(ascii: "/") {
      if bytes[slash] == UInt8(ascii: "@"), at == nil { at = slash }
      slash += 1
    }
    self.slash = slash
    self.at = at
    isPrepared =
      (at.map { Self.isPrepared(bytes, 0..<$0, LocalPart.preparedASCII) } ?? true)
      && Self.isPreparedDomain(bytes, (at.map { $0 + 1 } ?? 0)..<slash)
      && (slash == bytes.count || Self.isPrepared(bytes, (slash + 1)..<bytes.count, ResourcePart.preparedASCII))
  }

  /// Not empty, not too long, and of these characters alone.
  private static func isPrepared(
    _ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, _ allowed: ASCIISet
  ) -> Bool {
    guard (1...AddressLimits.partBytes).contains(range.count) else { return false }
    var index = range.lowerBound
    while index < range.upperBound {
      guard allowed.contains(bytes[index]) else { return false }
      index += 1
    }
    return true
  }

  /// Plain names alone: letters, digits and hyphens between letters and digits, a letter first in the last label, no
  /// label with hyphens in its third and fourth place (A-labels among them).
  private static func isPreparedDomain(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> Bool {
    guard (1...AddressLimits.domainBytes).contains(range.count) else { return false }
    let dot = UInt8(ascii: ".")
    let hyphen = UInt8(ascii: "-")
    var labelStart = range.lowerBound
    var previous = dot
    var index = range.lowerBound
    while index < range.upperBound {
      let byte = bytes[index]
      if byte == dot {
        guard previous != dot, previous != hyphen, index - labelStart <= AddressLimits.labelBytes else { return false }
        labelStart = index + 1
      } else if byte == hyphen {
        guard previous != dot, !(index == labelStart + 3 && previous == hyphen) else { return false }
      } else {
        guard ASCIISet.lowercaseLettersAndDigits.contains(byte) else { return false }
      }
      previous = byte
      index += 1
    }
    return previous != dot && previous != hyphen && range.upperBound - labelStart <= AddressLimits.labelBytes
      && bytes[labelStart] >= UInt8(ascii: "a")
  }
}
