// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc

/// The host of a server and its port: the `host [ ":" port ]` of RFC 3986 section 3.2.
package struct HostPort: Hashable, Sendable, CustomStringConvertible {
  /// A host name, or an IP address without brackets.
  package var host: String
  /// Nil: the usual one, 5222, or 5223 where TLS begins at once.
  package var port: UInt16?

  /// Takes both as they are.
  package init(host: String, port: UInt16? = nil) {
    self.host = host
    self.port = port
  }

  /// What people write: `HOST`, `HOST:PORT`, `[IPV6]`, `[IPV6]:PORT` or an IPv6 address without brackets. A final dot of
  /// the name is left out.
  ///
  /// Nil when `text` is none of the forms, so that nothing odd reaches the resolver: spaces, line breaks, a leading hyphen,
  /// port 0, letters beyond ASCII (a domain goes in as A-labels) …
  package init?(_ text: String) {
    var host = Substring(text)
    var port: Substring?
    if text.utf8.first == UInt8(ascii: "[") {
      guard let end = text.utf8.firstIndex(of: UInt8(ascii: "]")) else { return nil }
      host = text[text.utf8.index(after: text.startIndex)..<end]
      let rest = text[text.utf8.index(after: end)...]
      if !rest.isEmpty {
        guard rest.utf8.first == UInt8(ascii: ":") else { return nil }
        port = rest[rest.utf8.index(after: rest.startIndex)...]
      }
      guard Self.isIPv6(host) else { return nil }
    } else if !Self.isIPv6(host) {
      if let colon = host.utf8.lastIndex(of: UInt8(ascii: ":")) {
        port = host[host.utf8.index(after: colon)...]
        host = host[..<colon]
      }
      if !Self.isAddress(host, AF_INET) {
        if host.utf8.last == UInt8(ascii: ".") { host = host[..<host.utf8.index(before: host.endIndex)] }
        guard HostName.isValid(host) else { return nil }
      }
    }
    self.host = String(host)
    guard let port else { return }
    // UInt16 alone would take "+5222".
    guard port.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }), let number = UInt16(port), number > 0
    else { return nil }
    self.port = number
  }

  /// Where a server sends its clients, by `<see-other-host/>` (RFC 6120 section 4.9.3.19) or the `location` of a stream
  /// (XEP-0198 section 5): IPv6 addresses in brackets only, and without a zone, which is for the sender's machine alone to know.
  package init?(redirection text: String) {
    guard let target = HostPort(text), !target.host.utf8.contains(UInt8(ascii: "%")) else { return nil }
    guard text.utf8.first == UInt8(ascii: "[") || !target.host.utf8.contains(UInt8(ascii: ":")) else { return nil }
    self = target
  }

  package var description: String {
    let bracketed = host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]" : host
    return port.map { "\(bracketed):\($0)" } ?? bracketed
  }

  /// An IPv6 address, with a zone of this machine (`fe80::1%eth0`) or without.
  private static func isIPv6(_ text: Substring) -> Bool {
    let parts = text.split(separator: "%", maxSplits: 1, omittingEmptySubsequences: false)
    guard let numbers = parts.first, isAddress(numbers, AF_INET6) else { return false }
    guard parts.count == 2 else { return true }
    return (UInt32(parts[1]) ?? if_nametoindex(String(parts[1]))) > 0
  }

  private static func isAddress(_ text: Substring, _ family: Int32) -> Bool {
    guard !text.utf8.contains(0) else { return false }
    var address = in6_addr()
    return inet_pton(family, String(text), &address) == 1
  }
}
