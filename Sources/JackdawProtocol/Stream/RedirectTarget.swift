// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// The `host`, `host:port`, `[IPv6]` or `[IPv6]:port` of see-other-host (RFC 6120 4.9.3.19), and of a
/// resumable stream's `location` (XEP-0198 5).
struct RedirectTarget: Equatable, Sendable {
  /// A name of letters, digits, hyphens and dots, or an address without brackets.
  var host: String
  var port: UInt16?

  /// Nil when `text` is anything else: what comes of it goes to the resolver and into messages.
  init?(_ text: String) {
    let bytes = Array(text.utf8)
    if bytes.first == UInt8(ascii: "[") {
      guard
        let end = bytes.firstIndex(of: UInt8(ascii: "]")), case let address = bytes[1..<end],
        address.count >= 2, address.count <= 45, address.contains(UInt8(ascii: ":")),
        address.allSatisfy({ Self.isHex($0) || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".") })
      else { return nil }
      host = String(decoding: address, as: UTF8.self)
      let rest = bytes[(end + 1)...]
      guard !rest.isEmpty else { return }
      guard rest.first == UInt8(ascii: ":"), let port = Self.port(rest.dropFirst()) else { return nil }
      self.port = port
      return
    }
    let parts = bytes.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    guard parts.count <= 2, Self.isName(parts[0]) else { return nil }
    host = String(decoding: parts[0], as: UTF8.self)
    if parts.count == 2 {
      guard let port = Self.port(parts[1]) else { return nil }
      self.port = port
    }
  }

  private static func port(_ digits: ArraySlice<UInt8>) -> UInt16? {
    guard !digits.isEmpty, digits.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) else { return nil }
    guard let port = UInt16(String(decoding: digits, as: UTF8.self)), port > 0 else { return nil }
    return port
  }

  /// RFC 1123 2.1, RFC 1035 2.3.4; the root's dot at the end is allowed.
  private static func isName(_ name: ArraySlice<UInt8>) -> Bool {
    let dot = UInt8(ascii: ".")
    let hyphen = UInt8(ascii: "-")
    let body = name.last == dot ? name.dropLast() : name
    guard 1...253 ~= body.count else { return false }
    return body.split(separator: dot, omittingEmptySubsequences: false).allSatisfy { label in
      1...63 ~= label.count && label.first != hyphen && label.last != hyphen
        && label.allSatisfy { isLetterOrDigit($0) || $0 == hyphen || $0 == UInt8(ascii: "_") }
    }
  }

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    case _: false
    }
  }

  private static func isHex(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "f"), UInt8(ascii: "A")...UInt8(ascii: "F"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    case _: false
    }
  }
}
