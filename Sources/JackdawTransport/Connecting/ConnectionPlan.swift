// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawHosts
import JackdawLoop

/// How and where to connect.
package struct ConnectionPlan: Sendable {
  /// `--tls`: what SRV offers, STARTTLS alone, or direct TLS alone (XEP-0368).
  package enum TLSMode: String, Sendable, CaseIterable { case auto, starttls, direct }

  /// The JID's domain in A-labels: looked up in DNS, sent as SNI, and the only name the certificate is verified for.
  package var domain: String
  /// `--server`: connect there, no SRV look-up. Port nil: 5222, or 5223 when `tls` is `.direct`.
  package var server: HostPort?
  /// How TLS begins.
  package var tls: TLSMode
  /// Trust the CAs of this PEM file instead of the system's.
  package var caFile: String?
  /// The whole time from the first look-up to a TCP connection (and TLS, where it is direct).
  package var timeout: Duration
  /// Bytes that are taken from the connection in a turn of the loop.
  package var readPerTurn = TransportLimits.readPerTurn
  /// Tried after all others, in this order: they took a connection before, and no log-in came of it.
  /// Bounded by whoever makes the plan, and by the addresses that are tried.
  package var triedLast: [ConnectionPlace] = []
  /// What earlier connections left, and where what this one leaves goes; nil: the handshake is a whole one, and leaves nothing.
  package var tickets: TLSTickets?
  /// Told where the connection leads that was made, and whether there are other addresses to try: all but those of ``triedLast``.
  package var onChoice: (@Client (_ place: ConnectionPlace, _ hasOthers: Bool) -> Void)?
  /// Told of each step on the way, for people who want to see where it stops.
  package var onProgress: (@Client (ConnectionProgress) -> Void)?

  package init(
    domain: String, server: HostPort? = nil, tls: TLSMode = .auto, caFile: String? = nil,
    timeout: Duration = .seconds(30)
  ) {
    self.domain = domain
    self.server = server
    self.tls = tls
    self.caFile = caFile
    self.timeout = timeout
  }

  /// This plan with `place` tried last, because a log-in there failed. That the servers were found has been reported, and is not again.
  package func avoiding(_ place: ConnectionPlace, within timeout: Duration) -> ConnectionPlan {
    var plan = self
    plan.triedLast.append(place)
    plan.timeout = timeout
    plan.onProgress = { [onProgress] step in
      if case .connected = step { onProgress?(step) }
    }
    return plan
  }

  /// The targets of the domain, which come in the order that its records say, as they are to be tried this time: those
  /// with an address that is to be tried last after the others, by the latest of these addresses.
  func order(_ targets: [ConnectionTarget]) -> [ConnectionTarget] {
    var last: [ConnectionTarget] = []
    for place in triedLast {
      last.removeAll { $0 == place.target }
      last.append(place.target)
    }
    return targets.filter { !last.contains($0) } + last.filter(targets.contains)
  }
}

/// Where a connection leads: one address of a target.
package struct ConnectionPlace: Hashable, Sendable {
  /// Which server, by its name and port.
  package var target: ConnectionTarget
  /// One of the addresses that the name has.
  package var address: SocketAddress

  package init(target: ConnectionTarget, address: SocketAddress) {
    self.target = target
    self.address = address
  }
}

/// A step on the way to a connection that has succeeded.
package enum ConnectionProgress: Sendable, Equatable {
  /// These are the servers, in the order in which they are tried, and an address of one is known.
  case found([String])
  /// The TCP connection to an address stands.
  case connected(String)
}
