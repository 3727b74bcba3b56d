// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
import JackdawHosts
import JackdawLoop
import Support
import Testing

@testable import JackdawTransport

/// Many reconnects leak no descriptor and no timer.
@Client @Suite(.onLoop) struct ReconnectTests: ConnectorTesting {
  let progress = Progress()
  let names = ScriptedNames()
  let authority = TestAuthority()
  let clock = ManualClock()
  let closed = ClosedPort()

  @Test("A thousand TLS connections leave no descriptor open")
  func aThousandConnectionsLeaveNoDescriptor() async throws {
    let server = directServer(authority.identity())
    let connector = connector()
    let plan = plan(server: HostPort(host: "127.0.0.1", port: server.address.port), tls: .direct)
    var before = 0
    for number in 0..<1000 {
      let dial = Dial(connector, plan, progress)
      try await dial.untilOver()
      #expect(dial.transport?.isSecure == true)
      // One way of ending after the other; the last is to be forgotten.
      switch number % 3 {
      case 0: dial.transport?.abort()
      case 1: server.peers.last?.drop()
      default: break
      }
      server.forgetPeers()
      if number == 9 { before = sockets(of: server.address.port) }
    }
    #expect(sockets(of: server.address.port) <= before)
    #expect(clock.pendingTimers == 0)
  }

  /// Descriptors of connections with that port on either side, and of its listener: other tests open others meanwhile.
  private func sockets(of port: UInt16) -> Int {
    (0..<Int32(1024)).count { descriptor in
      [getsockname, getpeername].contains { name in
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutableBytes(of: &address) { bytes in
          name(descriptor, bytes.assumingMemoryBound(to: sockaddr.self).baseAddress, &length)
        }
        return result == 0 && address.sin_family == sa_family_t(AF_INET) && UInt16(bigEndian: address.sin_port) == port
      }
    }
  }
}
