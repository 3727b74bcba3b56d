// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// IP addresses as the domain of a JID (RFC 7622 3.2, RFC 3986 3.2.2), in their one canonical text.
enum IPAddressLiteral {
  /// The canonical text of an IPv6 address (RFC 5952): lower case, no leading zeros, the longest run of zeros as `::`.
  ///
  /// - Returns: nil when `text`, which is without brackets, is not an IPv6 address. Zones (`%eth0`) mean something on
  ///   one machine only and are none.
  static func canonicalIPv6(_ text: Substring.UTF8View) -> String? {
    guard let groups = groups(text) else { return nil }
    if groups.prefix(5).allSatisfy({ $0 == 0 }), groups[5] == 0xFFFF {
      let bytes = groups[6...].flatMap { [$0 >> 8, $0 & 0xFF] }
      return "::ffff:" + bytes.map { String($0) }.joined(separator: ".")
    }
    let zeros = longestZeros(groups)
    let head = groups[..<zeros.lowerBound].map { String($0, radix: 16) }.joined(separator: ":")
    guard !zeros.isEmpty else { return head }
    let tail = groups[zeros.upperBound...].map { String($0, radix: 16) }.joined(separator: ":")
    return head + "::" + tail
  }

  /// True for four numbers from 0 to 255 without leading zeros, joined by dots (RFC 3986's IPv4address).
  static func isIPv4(_ text: Substring.UTF8View) -> Bool {
    octets(text) != nil
  }

  private static func octets(_ text: Substring.UTF8View) -> [UInt16]? {
    let parts = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count == 4 else { return nil }
    var octets: [UInt16] = []
    for part in parts {
      guard (1...3).contains(part.count), part.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
        part.count == 1 || part.first != UInt8(ascii: "0"), let octet = UInt16(Substring(part)), octet <= 255
      else { return nil }
      octets.append(octet)
    }
    return octets
  }

  /// The eight groups of an IPv6 address.
  private static func groups(_ text: Substring.UTF8View) -> [UInt16]? {
    // The longest is six groups of four digits and an IPv4 address.
    guard (2...45).contains(text.count) else { return nil }
    let colon = UInt8(ascii: ":")
    var gap: Substring.UTF8View.Index?
    var index = text.startIndex
    while let next = text[index...].firstIndex(of: colon) {
      let after = text.index(after: next)
      if after < text.endIndex, text[after] == colon {
        guard gap == nil else { return nil }
        gap = next
        index = after
      } else {
        index = after
      }
    }
    guard let gap else {
      let groups = run(text, isLast: true)
      return groups?.count == 8 ? groups : nil
    }
    guard let head = run(text[..<gap], isLast: false),
      let tail = run(text[text.index(gap, offsetBy: 2)...], isLast: true),
      head.count + tail.count < 8
    else { return nil }
    return head + Array(repeating: 0, count: 8 - head.count - tail.count) + tail
  }

  /// Groups joined by colons; the last may be an IPv4 address (two groups) when `isLast`.
  private static func run(_ text: Substring.UTF8View, isLast: Bool) -> [UInt16]? {
    guard !text.isEmpty else { return [] }
    let parts = text.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    var groups: [UInt16] = []
    for (position, part) in parts.enumerated() {
      if isLast, position == parts.count - 1, let octets = octets(part) {
        groups += [octets[0] << 8 | octets[1], octets[2] << 8 | octets[3]]
      } else {
        guard (1...4).contains(part.count), part.allSatisfy(isHexDigit),
          let group = UInt16(Substring(part), radix: 16)
        else { return nil }
        groups.append(group)
      }
    }
    return groups.count <= 8 ? groups : nil
  }

  private static func isHexDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
      UInt8(ascii: "A")...UInt8(ascii: "F"):
      true
    default: false
    }
  }

  /// Where the longest run of at least two zero groups is, the first of equals; empty at the end when there is none.
  private static func longestZeros(_ groups: [UInt16]) -> Range<Int> {
    var longest = groups.endIndex..<groups.endIndex
    var start: Int?
    for position in 0...groups.count {
      if position < groups.count, groups[position] == 0 {
        start = start ?? position
      } else if let first = start {
        if position - first >= 2, position - first > longest.count { longest = first..<position }
        start = nil
      }
    }
    return longest
  }
}
