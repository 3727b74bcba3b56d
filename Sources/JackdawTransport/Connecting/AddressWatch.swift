// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
package import JackdawLoop

/// What became of an IP address of this machine.
package enum AddressChange: Sendable, Equatable {
  case came
  case gone

  /// The changes that one datagram of the kernel tells of (rtnetlink(7)), the last of each kind once. What is broken or of
  /// another kind is skipped.
  static func changes(in bytes: UnsafeRawBufferPointer) -> [AddressChange] {
    var found: [AddressChange] = []
    var rest = bytes[...]
    while rest.count >= headerSize {
      let header = UnsafeRawBufferPointer(rebasing: rest)
      let length = Int(header.loadUnaligned(fromByteOffset: 0, as: UInt32.self))
      guard length >= headerSize, length <= rest.count else { break }
      let change: AddressChange? =
        switch header.loadUnaligned(fromByteOffset: 4, as: UInt16.self) {
        case addressMade: .came
        case addressRemoved: .gone
        default: nil
        }
      if let change, !found.contains(change) { found.append(change) }
      // Each message begins at a multiple of four bytes.
      rest = rest.dropFirst((length + 3) & ~3)
    }
    return found
  }

  // Of linux/netlink.h and linux/rtnetlink.h, which Glibc's module does not have.
  private static let headerSize = 16
  private static let addressMade: UInt16 = 20
  private static let addressRemoved: UInt16 = 21
}

/// Hears of addresses that come and go. Releasing the last reference ends the watch.
@Client package final class AddressWatch {
  private let onEnd: @Client () -> Void

  /// - Parameter onEnd: ends the watch; called once.
  package init(onEnd: @escaping @Client () -> Void) { self.onEnd = onEnd }

  isolated deinit { onEnd() }

  /// Nil where the kernel does not tell us.
  static func begin(on loop: EventLoop, _ action: @escaping @Client (AddressChange) -> Void) -> AddressWatch? {
    let netlink = socket(AF_NETLINK, Int32(SOCK_RAW.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard netlink >= 0 else { return nil }
    // A sockaddr_nl: the family, nothing, any port, the groups of IPv4's and IPv6's addresses.
    var address: (UInt32, UInt32, UInt32) = (UInt32(AF_NETLINK), 0, 0x10 | 0x100)
    let isBound = withUnsafeBytes(of: &address) { bytes in
      bind(netlink, bytes.assumingMemoryBound(to: sockaddr.self).baseAddress, socklen_t(bytes.count)) == 0
    }
    guard isBound else {
      close(netlink)
      return nil
    }
    let watch = loop.watch(netlink, .readable) { _ in read(netlink, action) }
    return AddressWatch {
      watch.cancel()
      close(netlink)
    }
  }

  /// One datagram; what is cut off of a longer one, or lost as we were slow, is as good as told.
  private static func read(_ netlink: Int32, _ action: @Client (AddressChange) -> Void) {
    let changes = withUnsafeTemporaryAllocation(
      byteCount: TransportLimits.addressDatagram, alignment: MemoryLayout<UInt32>.alignment
    ) { buffer -> [AddressChange] in
      let count = recv(netlink, buffer.baseAddress, buffer.count, 0)
      guard count >= 0 else { return errno == ENOBUFS ? [.came, .gone] : [] }
      return AddressChange.changes(in: UnsafeRawBufferPointer(rebasing: buffer[..<count]))
    }
    for change in changes { action(change) }
  }
}
