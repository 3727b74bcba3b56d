// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// A server as people and `<see-other-host/>` name it: `HOST`, `HOST:PORT`, `[IPV6]`, `[IPV6]:PORT` or a bare IPv6
/// address (RFC 6120 section 4.9.3.19). The host is checked for syntax, so that nothing odd reaches the resolver.
package struct ServerAddress: Hashable, Sendable, CustomStringConvertible {
  /// A host name without a final dot, or an IP address without brackets.
  package var host: String
  package var port: UInt16?

  package init(host: String, port: UInt16? = nil) {
    self.host = host
    self.port = port
  }

  /// Nil when `text` is none of the forms: spaces, line breaks, a leading hyphen, port 0, letters beyond ASCII
  /// (a domain goes in as A-labels) …
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
      guard SocketAddress(ipv6: String(host), port: 0) != nil else { return nil }
    } else if SocketAddress(ipv6: text, port: 0) == nil {
      if let colon = host.utf8.lastIndex(of: UInt8(ascii: ":")) {
        port = host[host.utf8.index(after: colon)...]
        host = host[..<colon]
      }
      if SocketAddress(ipv4: String(host), port: 0) == nil {
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

  package var description: String {
    let bracketed = host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]" : host
    return port.map { "\(bracketed):\($0)" } ?? bracketed
  }
}
