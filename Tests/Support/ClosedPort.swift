// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc

/// A port of loopback that refuses connections for as long as this exists: it is bound, and nobody listens on it.
///
/// A port that was only seen to be free may be another program's in the next moment.
package final class ClosedPort: Sendable {
  package let port: UInt16
  private let descriptor: Int32

  /// - Parameter host: an IPv4 address of this machine.
  package init(on host: String = "127.0.0.1") {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    precondition(inet_pton(AF_INET, host, &address.sin_addr) == 1, "\(host) is no address")
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutableBytes(of: &address) { [descriptor] bytes in
      let address = bytes.assumingMemoryBound(to: sockaddr.self).baseAddress
      return bind(descriptor, address, length) == 0 && getsockname(descriptor, address, &length) == 0
    }
    precondition(isBound, "no port on \(host)")
    port = UInt16(bigEndian: address.sin_port)
  }

  deinit { close(descriptor) }
}
