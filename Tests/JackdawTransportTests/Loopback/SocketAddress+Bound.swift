// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc

@testable import JackdawTransport

extension SocketAddress {
  /// The address that a socket has got.
  init(boundTo descriptor: Int32) {
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let bound = withUnsafeMutablePointer(to: &storage) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        getsockname(descriptor, address, &length)
        return SocketAddress(copying: address, length: length)
      }
    }
    guard let bound else { preconditionFailure("no address") }
    self = bound
  }
}
