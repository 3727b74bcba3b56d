// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// The syntax of host names: what may go to the resolver, into SNI and into messages.
package enum HostName {
  /// True for dot-separated labels of ASCII letters, digits, hyphens and underscores, none empty, longer than 63 bytes
  /// or beginning with a hyphen, 253 bytes in all (RFC 1123 section 2.1; underscores are in use), the last label not a
  /// number (that is the spelling of an IPv4 address, which resolvers read in surprising ways).
  package static func isValid(_ name: some StringProtocol) -> Bool {
    var name = String(name)
    return name.withUTF8 { bytes in
      guard bytes.count <= 253 else { return false }
      var label = 0..<0
      for end in 0...bytes.count where end == bytes.count || bytes[end] == UInt8(ascii: ".") {
        label = label.upperBound..<end
        guard isLabel(UnsafeBufferPointer(rebasing: bytes[label])) else { return false }
        if end < bytes.count { label = end + 1..<end + 1 }
      }
      return !isNumber(UnsafeBufferPointer(rebasing: bytes[label]))
    }
  }

  private static func isLabel(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    (1...63).contains(bytes.count) && bytes.first != UInt8(ascii: "-") && bytes.allSatisfy(isLetter)
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "-"), UInt8(ascii: "_"):
      true
    default: false
    }
  }

  /// Decimal, or hexadecimal with 0x.
  private static func isNumber(_ label: UnsafeBufferPointer<UInt8>) -> Bool {
    func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
    if label.allSatisfy(isDigit) { return true }
    guard label.count > 1, label[0] == UInt8(ascii: "0"), label[1] | 0x20 == UInt8(ascii: "x") else { return false }
    return label.dropFirst(2).allSatisfy { isDigit($0) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0 | 0x20) }
  }

  /// True for `localhost` and names below it, which never go to a name server (RFC 6761 section 6.3).
  package static func isLocal(_ name: String) -> Bool {
    let lowered = name.lowercased()
    return lowered == "localhost" || lowered.hasSuffix(".localhost")
  }

  /// True for names below `invalid`, which do not exist (RFC 6761 section 6.4).
  package static func isNeverThere(_ name: String) -> Bool {
    let lowered = name.lowercased()
    return lowered == "invalid" || lowered.hasSuffix(".invalid")
  }
}
