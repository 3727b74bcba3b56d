// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop
package import JackdawTransport

/// Hands out ``FakeTransport``s.
@Client package final class FakeConnector: Connecting {
  /// What becomes of a try to connect.
  package enum Outcome {
    case connects(FakeTransport)
    case fails(TransportError)
    /// Nobody answers: fails when the plan's time is over.
    case hangs
  }

  /// Decides each try's outcome; gets its number, from 1 on.
  package var outcome: @Client (Int) -> Outcome
  /// What was tried, in order.
  package private(set) var plans: [ConnectionPlan] = []
  /// Tries that have neither succeeded nor failed.
  package private(set) var underway = 0
  /// The last one that was handed out; nil when nobody holds on to it.
  package private(set) weak var transport: FakeTransport?
  /// Of every one that was handed out.
  package private(set) var records: [FakeTransport.Record] = []

  /// Which of the domain's servers a connection leads to.
  package var target = ConnectionTarget(host: "example.org", port: 5222, usesDirectTLS: false)
  /// Which of that server's addresses it is.
  package var reached = SocketAddress(ipv4: "192.0.2.1", port: 5222)
  /// Whether there are more.
  package var hasOthers = false

  private let clock: any LoopClock

  package init(clock: any LoopClock, outcome: @escaping @Client (Int) -> Outcome) {
    self.clock = clock
    self.outcome = outcome
  }

  package func connect(_ plan: ConnectionPlan) async throws -> (transport: any Transport, security: TransportSecurity?)
  {
    plans.append(plan)
    underway += 1
    defer { underway -= 1 }
    switch outcome(plans.count) {
    case .fails(let error) where error.code == .unresolved || error.code == .notOffered: throw error
    case .fails(let error):
      plan.onProgress?(.found(["\(plan.domain) port 5222"]))
      throw error
    case .hangs:
      try await clock.sleep(for: plan.timeout)
      throw TransportError(.timedOut, "nobody answered in time")
    case .connects(let transport):
      self.transport = transport
      records.append(transport.record)
      plan.onProgress?(.found(["\(plan.domain) port 5222"]))
      plan.onProgress?(.connected(Self.address))
      if let reached { plan.onChoice?(ConnectionPlace(target: target, address: reached), hasOthers) }
      return (transport, transport.isSecure ? Self.security : nil)
    }
  }

  /// Who is told of addresses that come and go.
  package var onAddressChange: (@Client (AddressChange) -> Void)?

  package func onAddressChange(_ action: @escaping @Client (AddressChange) -> Void) -> AddressWatch? {
    onAddressChange = action
    return AddressWatch { [weak self] in self?.onAddressChange = nil }
  }

  /// Where every connection leads.
  package static let address = "192.0.2.1 port 5222"

  /// How a connection ends that is not closed by anybody.
  package static let brokenLine = TransportError(.lost, "the line broke")

  /// What every handshake comes to that succeeds.
  package static let security = TransportSecurity(
    version: "TLSv1.3", cipher: "TLS_AES_256_GCM_SHA384", channelBindings: ["tls-exporter": Array(0..<32)])
}
