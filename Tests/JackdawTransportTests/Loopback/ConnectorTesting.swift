// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
import JackdawHosts
import JackdawLoop
import Support

@testable import JackdawTransport

/// What tests of ``Connector`` have in common: scripted names, real sockets, a clock that the test moves.
@Client protocol ConnectorTesting {
  var progress: Progress { get }
  var names: ScriptedNames { get }
  var authority: TestAuthority { get }
  var clock: ManualClock { get }
  /// Refuses every connection.
  var closed: ClosedPort { get }
}

extension ConnectorTesting {
  func plan(
    _ domain: String = "chat.example", server: HostPort? = nil, tls: ConnectionPlan.TLSMode = .auto
  ) -> ConnectionPlan {
    ConnectionPlan(domain: domain, server: server, tls: tls, caFile: authority.file)
  }

  func connector() -> Connector { Connector(loop: .main, clock: clock, resolver: names) }

  func dial(_ plan: ConnectionPlan) -> Dial { Dial(connector(), plan, progress) }

  /// A server that speaks TLS from the first byte.
  func directServer(_ identity: TestCertificate, settings: TestTLSServer.Settings = .init()) -> LoopbackServer {
    LoopbackServer(progress: progress) { $0.startTLS(TestTLSServer(identity, settings: settings)) }
  }
}

/// A port that does not answer: its queue is full, so the kernel drops what comes.
@Client struct SlowServer {
  private let server: LoopbackServer
  private let fillers: [LoopbackPeer]

  init(progress: Progress) throws {
    let server = LoopbackServer(progress: progress, accepts: false)
    self.server = server
    fillers = try (0..<4).map { _ in
      let socket = try Socket(connectingTo: server.address)
      return LoopbackPeer(dup(socket.descriptor), progress: progress)
    }
  }

  var port: UInt16 { server.address.port }
}
