// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop

/// Finds the server of a domain and connects: SRV records, addresses, racing, direct TLS.
@Client package final class Connector: Connecting {
  private let loop: EventLoop
  private let clock: any LoopClock
  private let resolver: any NameResolving
  private let generator: any RandomNumberGenerator
  private let systemTrust: TLSContext.Trust
  /// The TLS settings by the certificates they trust, which are read again only where they are others by now.
  /// Bounded by the authorities that the accounts name.
  private var contexts: [TLSContext.Trust: TLSContext] = [:]

  /// - Parameters:
  ///   - clock: for the deadline and the stagger; the loop's own if nil.
  ///   - resolver: the system's if nil.
  ///   - generator: draws among SRV records of the same priority.
  package convenience init(
    loop: EventLoop, clock: (any LoopClock)? = nil, resolver: (any NameResolving)? = nil,
    generator: any RandomNumberGenerator = SystemRandomNumberGenerator()
  ) {
    self.init(loop: loop, clock: clock, resolver: resolver, generator: generator, systemTrust: .system)
  }

  init(
    loop: EventLoop, clock: (any LoopClock)?, resolver: (any NameResolving)?, generator: any RandomNumberGenerator,
    systemTrust: TLSContext.Trust
  ) {
    self.loop = loop
    self.clock = clock ?? loop
    self.resolver = resolver ?? SystemResolver(loop: loop)
    self.generator = generator
    self.systemTrust = systemTrust
  }

  /// See ``Connecting/connect(_:)``. A connection that was made with direct TLS has ``Transport/isNegotiating`` set
  /// already.
  package func connect(_ plan: ConnectionPlan) async throws -> (transport: any Transport, security: TransportSecurity?)
  {
    try Task.checkCancellation()
    let run = ConnectionRun(plan, loop: loop, clock: clock, resolver: resolver, generator: generator) {
      [self] () throws(TransportError) in try tlsContext(plan.caFile)
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { run.start($0) }
    } onCancel: { [loop] in
      Task(executorPreference: loop) { await run.cancel() }
    }
    guard let outcome = run.outcome else { throw CancellationError() }
    return outcome
  }

  /// See ``Connecting/onAddressChange(_:)``. Costs one descriptor.
  package func onAddressChange(_ action: @escaping @Client (AddressChange) -> Void) -> AddressWatch? {
    AddressWatch.begin(on: loop, action)
  }

  private func tlsContext(_ caFile: String?) throws(TransportError) -> TLSContext {
    let trust = caFile.map { TLSContext.Trust.file($0) } ?? systemTrust
    let known = contexts[trust]
    if let known, known.isCurrent { return known }
    do throws(TransportError) {
      let context = try TLSContext(trust)
      contexts[trust] = context
      return context
    } catch {
      // A file that is just being exchanged is no reason to give an account up that was online.
      guard let known else { throw error }
      return known
    }
  }
}
