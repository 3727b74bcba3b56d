// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
import JackdawLoop
import Support

@testable import JackdawTransport

/// A transport connected to a peer, both in the test's hands.
@Client struct Line {
  let progress = Progress()
  let authority = TestAuthority()
  let recorder: Recorder
  let transport: TCPTransport
  let peer: LoopbackPeer
  let descriptor: Int32

  /// Over TCP.
  /// - Parameters:
  ///   - upBuffer: size of the kernel's buffers for what goes to the peer; a small one makes a small window.
  ///   - downBuffer: the same for what comes from it.
  ///   - tickets: as in ``ConnectionPlan``.
  ///   - readPerTurn: as in ``ConnectionPlan``.
  init(
    clock: (any LoopClock)? = nil, upBuffer: Int32? = nil, downBuffer: Int32? = nil, tickets: TLSTickets? = nil,
    readPerTurn: Int = TransportLimits.readPerTurn
  ) async throws {
    let server = LoopbackServer(progress: progress, receiveBuffer: upBuffer, sendBuffer: downBuffer)
    let socket = try Socket(connectingTo: server.address)
    LoopbackServer.set(SO_RCVBUF, downBuffer, of: socket.descriptor)
    LoopbackServer.set(SO_SNDBUF, upBuffer, of: socket.descriptor)
    descriptor = socket.descriptor
    recorder = Recorder(progress)
    transport = TCPTransport(
      socket: socket, domain: "chat.example", tls: try authority.context(), tickets: tickets, loop: .main,
      clock: clock ?? EventLoop.main, readPerTurn: readPerTurn)
    transport.delegate = recorder
    peer = try await server.firstPeer()
  }

  /// Over a pair of local sockets: `SOCK_SEQPACKET` keeps writes apart, so that one write is one read.
  init(pair type: __socket_type) throws {
    var ends: [Int32] = [-1, -1]
    let kind = Int32(type.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    precondition(socketpair(AF_UNIX, kind, 0, &ends) == 0)
    descriptor = ends[0]
    recorder = Recorder(progress)
    transport = TCPTransport(
      socket: Socket(adopting: ends[0]), domain: "chat.example", tls: try authority.context(), loop: .main,
      clock: EventLoop.main)
    transport.delegate = recorder
    peer = LoopbackPeer(ends[1], progress: progress)
  }

  /// Brings TLS up at both ends.
  func secure(_ identity: TestCertificate? = nil, settings: TestTLSServer.Settings = .init()) async throws {
    peer.startTLS(TestTLSServer(identity ?? authority.identity(), settings: settings))
    recorder.during { transport.startTLS() }
    try await progress.until("TLS stands") { recorder.security != nil && peer.isSecure }
  }

  func untilEnd() async throws { try await progress.until("the transport has ended") { !recorder.ends.isEmpty } }

  func untilPeer(has count: Int) async throws {
    try await progress.until("the peer has \(count) bytes") { peer.received.count >= count }
  }

  func untilClient(has count: Int) async throws {
    try await progress.until("the client has \(count) bytes") { recorder.received.count >= count }
  }
}
