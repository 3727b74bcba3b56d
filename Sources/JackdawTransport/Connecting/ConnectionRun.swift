// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawHosts
import JackdawLoop

/// One call of ``Connector/connect(_:)``: does what ``AddressRace`` says, and ends exactly once.
@Client final class ConnectionRun {
  typealias Outcome = (transport: any Transport, security: TransportSecurity?)

  private let plan: ConnectionPlan
  private let loop: EventLoop
  private let clock: any LoopClock
  private let resolver: any NameResolving
  private var generator: any RandomNumberGenerator
  private let tlsContext: @Client () throws(TransportError) -> TLSContext

  private var continuation: CheckedContinuation<Void, any Error>?
  /// The winner, once `start`'s continuation was resumed without an error.
  private(set) var outcome: Outcome?
  private var race: AddressRace?
  /// Bounded by the addresses that are tried.
  private var attempts: [Int: ConnectionAttempt] = [:]
  /// Bounded by the targets.
  private var addressesByHost: [String: [SocketAddress]] = [:]
  /// Whether it was told that the servers are found.
  private var isFound = false
  private var lookUp: Task<Void, Never>?
  private var deadline: LoopTimer?
  private var wait: LoopTimer?

  init(
    _ plan: ConnectionPlan, loop: EventLoop, clock: any LoopClock, resolver: any NameResolving,
    generator: any RandomNumberGenerator, tlsContext: @escaping @Client () throws(TransportError) -> TLSContext
  ) {
    self.plan = plan
    self.loop = loop
    self.clock = clock
    self.resolver = resolver
    self.generator = generator
    self.tlsContext = tlsContext
  }

  func start(_ continuation: CheckedContinuation<Void, any Error>) {
    self.continuation = continuation
    deadline = clock.schedule(after: plan.timeout) { [weak self] in self?.deadlineReached() }
    if let targets = fixedTargets {
      begin(targets)
    } else if HostName.isValid(plan.domain) {
      lookUp = Task(executorPreference: loop) { [weak self] in await self?.lookUpServices() }
    } else {
      return finish(TransportError(.unresolved, "The domain is not a name that a server could have."))
    }
    // The first settings of a process take 2 ms, which pass while the network is busy.
    clock.nextTurn { [weak self] in _ = self?.tls() }
  }

  func cancel() { finish(CancellationError()) }

  // MARK: Where to

  /// The targets that need no SRV look-up: `--server`, or a domain that is an IP address.
  private var fixedTargets: [ConnectionTarget]? {
    let usesDirectTLS = plan.tls == .direct
    let port: UInt16 = usesDirectTLS ? 5223 : 5222
    if let server = plan.server {
      return [
        ConnectionTarget(
          host: server.host, port: server.port ?? port,
          usesDirectTLS: usesDirectTLS || plan.tls == .auto && server.port == 5223)
      ]
    }
    guard let address = HostPort(plan.domain), address.port == nil,
      SocketAddress(literal: address.host, port: port) != nil
    else { return nil }
    return [ConnectionTarget(host: address.host, port: port, usesDirectTLS: usesDirectTLS)]
  }

  private func lookUpServices() async {
    var lookup = ServiceLookup(directTLS: nil, startTLS: nil)
    if plan.tls != .starttls { lookup.directTLS = await resolver.services("_xmpps-client._tcp.\(plan.domain)") }
    if plan.tls != .direct {
      // Servers that did not say a word are not asked again: the domain itself is still to be looked up in the time
      // there is.
      if case .failed(.noAnswer)? = lookup.directTLS {
        lookup.startTLS = .failed(.noAnswer)
      } else {
        lookup.startTLS = await resolver.services("_xmpp-client._tcp.\(plan.domain)")
      }
    }
    guard continuation != nil else { return }
    do throws(TransportError) {
      let targets = try lookup.targets(domain: plan.domain, using: &generator)
      begin(targets)
    } catch {
      finish(error)
    }
  }

  private func begin(_ targets: [ConnectionTarget]) {
    var race = AddressRace(domain: plan.domain, targets: plan.order(targets), triedLast: plan.triedLast)
    let actions = race.start()
    self.race = race
    perform(actions)
  }

  private func lookUpAddresses(_ index: Int, _ target: ConnectionTarget) async {
    do throws(TransportError) {
      let addresses = try await resolver.addresses(of: target.host, port: target.port)
      addressesByHost[target.host] = addresses
      tellFound()
      advance { $0.addressesFound(addresses, target: index) }
    } catch {
      advance { $0.lookUpFailed(error, target: index) }
    }
  }

  /// Names alone lead nowhere: the servers are found when the first address of one is known.
  private func tellFound() {
    guard !isFound, continuation != nil, let targets = race?.targets else { return }
    isFound = true
    plan.onProgress?(.found(targets.map(\.description)))
  }

  /// The addresses of a target where they are known already: it is one, or its host had another port before.
  private func knownAddresses(_ target: ConnectionTarget) -> [SocketAddress]? {
    if let literal = SocketAddress(literal: target.host, port: target.port) { return [literal] }
    return addressesByHost[target.host]?.map { address in
      var address = address
      address.port = target.port
      return address
    }
  }

  // MARK: The race

  private func advance(_ step: (inout AddressRace) -> [AddressRace.Action]) {
    guard continuation != nil, race != nil,
      let actions = race.map({ race in
        var race = race
        defer { self.race = race }
        return step(&race)
      })
    else { return }
    perform(actions)
  }

  private func perform(_ actions: [AddressRace.Action]) {
    var left = actions[...]
    while let action = left.popFirst(), continuation != nil {
      switch action {
      case .lookUp(let index):
        guard let target = race?.targets[index] else { return }
        if let addresses = knownAddresses(target) {
          tellFound()
          left += race?.addressesFound(addresses, target: index) ?? []
        } else {
          lookUp = Task(executorPreference: loop) { [weak self] in await self?.lookUpAddresses(index, target) }
        }
      case .open(let attempt):
        do throws(TransportError) {
          attempts[attempt.id] = try open(attempt)
        } catch {
          left += race?.attemptFailed(attempt.id, error) ?? []
        }
      case .wait(let duration):
        wait = clock.schedule(after: duration) { [weak self] in self?.advance { $0.waitElapsed() } }
      case .win(let id):
        let winner = attempts.removeValue(forKey: id)
        if let winner, let transport = winner.takeTransport() {
          plan.onChoice?(winner.place, race?.hasOthers ?? false)
          succeed((transport, winner.security))
        } else {
          finish(TransportError(.lost, "The server of \(plan.domain) hung up."))
        }
      case .fail(let error):
        finish(error)
      }
    }
  }

  private func open(_ attempt: AddressRace.Attempt) throws(TransportError) -> ConnectionAttempt {
    let (domain, readPerTurn, tickets, loop, clock) = (plan.domain, plan.readPerTurn, plan.tickets, loop, clock)
    return try ConnectionAttempt(
      attempt, loop: loop,
      makeTransport: { [weak self] socket in
        guard let tls = self?.tls() else { return nil }
        return TCPTransport(
          socket: socket, domain: domain, tls: tls, tickets: tickets, loop: loop, clock: clock, readPerTurn: readPerTurn
        )
      },
      onEvent: { [weak self] in self?.happened($0, attempt) })
  }

  private func happened(_ event: ConnectionAttempt.Event, _ attempt: AddressRace.Attempt) {
    switch event {
    case .connected:
      plan.onProgress?(.connected(attempt.address.description))
      advance { $0.connected(attempt.id) }
    case .secured: advance { $0.secured(attempt.id) }
    case .failed(let error):
      attempts[attempt.id] = nil
      advance { $0.attemptFailed(attempt.id, error) }
    }
  }

  /// The TLS settings; without them everything ends.
  private func tls() -> TLSContext? {
    do throws(TransportError) {
      return try tlsContext()
    } catch {
      finish(error)
      return nil
    }
  }

  // MARK: The end

  private func deadlineReached() {
    guard race == nil else { return advance { $0.deadlineReached(after: self.plan.timeout) } }
    let time = plan.timeout.inSeconds
    finish(
      TransportError(.timedOut, "No connection to \(plan.domain) in \(time): DNS did not answer."))
  }

  private func succeed(_ outcome: Outcome) {
    self.outcome = outcome
    finish(nil)
  }

  /// Lets go of all but the winner.
  private func finish(_ error: (any Error)?) {
    guard let continuation else { return }
    self.continuation = nil
    deadline?.cancel()
    wait?.cancel()
    lookUp?.cancel()
    for attempt in attempts.values { attempt.abort() }
    attempts = [:]
    if let error { continuation.resume(throwing: error) } else { continuation.resume() }
  }
}
