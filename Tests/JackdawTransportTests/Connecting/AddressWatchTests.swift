// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
import JackdawLoop
import Support
import Testing

@testable import JackdawTransport

@Client @Suite(.onLoop) struct AddressWatchTests {
  /// A message of rtnetlink: its header, then `payload` bytes that do not matter here.
  private func message(_ type: UInt16, payload: Int = 8, length: UInt32? = nil) -> [UInt8] {
    let length = length ?? UInt32(16 + payload)
    let header = withUnsafeBytes(of: length) { Array($0) } + withUnsafeBytes(of: type) { Array($0) }
    let whole = header + [UInt8](repeating: 0, count: 10 + payload)
    return whole + [UInt8](repeating: 0, count: (4 - whole.count % 4) % 4)
  }

  private func changes(_ bytes: [UInt8]) -> [AddressChange] { bytes.withUnsafeBytes { AddressChange.changes(in: $0) } }

  @Test("Addresses that come and go are reported") func addressesThatComeAndGoAreTold() {
    #expect(changes(message(20)) == [.came])
    #expect(changes(message(21)) == [.gone])
    #expect(changes(message(16) + message(21, payload: 9) + message(20) + message(21)) == [.gone, .came])
  }

  @Test("Malformed messages of the kernel are skipped") func whatIsBrokenIsSkipped() {
    #expect(changes([]) == [])
    #expect(changes(Array(message(21).prefix(15))) == [])
    for length: UInt32 in [0, 15, 25, .max] { #expect(changes(message(21, length: length)) == []) }
    #expect(changes(message(20) + message(21, length: 3)) == [.came])
  }

  @Test("A watch has one descriptor, which its owner's release closes")
  func aWatchIsOneDescriptorAndEndsWithItsOwner() throws {
    let before = descriptorCount()
    var watch = Connector(loop: .main).onAddressChange { _ in }
    #expect(watch != nil)
    #expect(descriptorCount() == before + 1)
    watch = nil
    #expect(descriptorCount() == before)
  }

  /// Sockets of this process that are netlink's.
  private func descriptorCount() -> Int {
    (0..<Int32(1024)).count { descriptor in
      var kind: Int32 = 0
      var length = socklen_t(MemoryLayout<Int32>.size)
      return getsockopt(descriptor, SOL_SOCKET, SO_DOMAIN, &kind, &length) == 0 && kind == AF_NETLINK
    }
  }
}
