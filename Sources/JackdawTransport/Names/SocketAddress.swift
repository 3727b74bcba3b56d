// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc

/// An IPv4 or IPv6 address with a port, as the kernel wants it.
package struct SocketAddress: Hashable, Sendable, CustomStringConvertible {
  /// The `sockaddr_in` or `sockaddr_in6`, byte for byte.
  private var bytes: [UInt8]
  /// The family, of the two there are.
  package let isIPv6: Bool

  /// Takes a copy of what getaddrinfo, accept or getsockname gave; nil for a family other than IPv4 and IPv6.
  init?(copying address: UnsafePointer<sockaddr>, length: socklen_t) {
    switch (Int32(address.pointee.sa_family), Int(length)) {
    case (AF_INET, MemoryLayout<sockaddr_in>.size...): isIPv6 = false
    case (AF_INET6, MemoryLayout<sockaddr_in6>.size...): isIPv6 = true
    default: return nil
    }
    let size = isIPv6 ? MemoryLayout<sockaddr_in6>.size : MemoryLayout<sockaddr_in>.size
    bytes = Array(UnsafeRawBufferPointer(start: address, count: size))
  }

  /// Four numbers with dots, nothing else.
  package init?(ipv4 text: String, port: UInt16) {
    var address = sockaddr_in()
    guard !text.utf8.contains(0), inet_pton(AF_INET, text, &address.sin_addr) == 1 else { return nil }
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    isIPv6 = false
    bytes = withUnsafeBytes(of: &address) { Array($0) }
  }

  /// An IPv6 address without brackets, with a zone (`fe80::1%eth0`) where it is link-local.
  package init?(ipv6 text: String, port: UInt16) {
    var address = sockaddr_in6()
    let parts = text.split(separator: "%", maxSplits: 1, omittingEmptySubsequences: false)
    guard !text.utf8.contains(0), let numbers = parts.first,
      inet_pton(AF_INET6, String(numbers), &address.sin6_addr) == 1
    else { return nil }
    if parts.count == 2 {
      let index = UInt32(parts[1]) ?? if_nametoindex(String(parts[1]))
      guard index > 0 else { return nil }
      address.sin6_scope_id = index
    }
    address.sin6_family = sa_family_t(AF_INET6)
    address.sin6_port = port.bigEndian
    isIPv6 = true
    bytes = withUnsafeBytes(of: &address) { Array($0) }
  }

  /// An address of either family, without brackets.
  package init?(literal text: String, port: UInt16) {
    guard let address = SocketAddress(ipv4: text, port: port) ?? SocketAddress(ipv6: text, port: port) else {
      return nil
    }
    self = address
  }

  /// At the same place in both structures, in network order.
  package var port: UInt16 {
    get { UInt16(bytes[2]) << 8 | UInt16(bytes[3]) }
    set {
      bytes[2] = UInt8(newValue >> 8)
      bytes[3] = UInt8(newValue & 0xFF)
    }
  }

  /// The address alone: `192.0.2.1`, `2001:db8::1`.
  package var host: String {
    withSocketAddress { address, length in
      withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(NI_MAXHOST)) { text in
        guard let start = text.baseAddress,
          getnameinfo(address, length, start, socklen_t(NI_MAXHOST), nil, 0, NI_NUMERICHOST) == 0
        else { return "?" }
        return String(cString: start)
      }
    }
  }

  /// As people read it: `192.0.2.1 port 5222`.
  package var description: String { "\(host) port \(port)" }

  func withSocketAddress<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
    var storage = sockaddr_storage()
    return withUnsafeMutableBytes(of: &storage) { raw in
      raw.copyBytes(from: bytes)
      return raw.withMemoryRebound(to: sockaddr.self) { address in
        guard let start = address.baseAddress else { preconditionFailure("sockaddr_storage has a size") }
        return body(UnsafePointer(start), socklen_t(bytes.count))
      }
    }
  }
}
