// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// Which address is tried when: the pure part of connecting (RFC 8305). Addresses of one target alternate between the
/// families, each gets a head start before the next is tried beside it, and a failure brings the next at once. Those at
/// which a log-in came to nothing before come after the others of their target. The next target's name is looked up when
/// its turn comes, so that in the usual case it never is. Every method tells what is to be done.
struct AddressRace: Sendable {
  /// One address that is or was tried.
  struct Attempt: Hashable, Sendable {
    var id: Int
    var address: SocketAddress
    var target: ConnectionTarget
  }

  enum Action: Equatable, Sendable {
    /// Look up the addresses of the target at this index.
    case lookUp(Int)
    /// Connect; with direct TLS go on to the handshake.
    case open(Attempt)
    /// Call ``AddressRace/waitElapsed()`` after this time, and not what an earlier `wait` asked for.
    case wait(Duration)
    /// It is decided: keep this one, drop all others.
    case win(Int)
    case fail(TransportError)

    static func == (left: Action, right: Action) -> Bool {
      switch (left, right) {
      case (.lookUp(let a), .lookUp(let b)): a == b
      case (.open(let a), .open(let b)): a == b
      case (.wait(let a), .wait(let b)): a == b
      case (.win(let a), .win(let b)): a == b
      case (.fail(let a), .fail(let b)): a.code == b.code && a.description == b.description
      default: false
      }
    }
  }

  private enum Stage {
    case connecting(Attempt)
    case securing(Attempt)
    /// Connected, for STARTTLS, and held back as long as another one makes TLS already.
    case standing(Attempt)

    var attempt: Attempt {
      switch self {
      case .connecting(let attempt), .securing(let attempt), .standing(let attempt): attempt
      }
    }
  }

  let targets: [ConnectionTarget]
  private let triedLast: [ConnectionPlace]
  private let domain: String
  private var nextTarget = 0
  private var isLookingUp = false
  /// Not yet tried addresses of the targets that were looked up.
  /// Bounded by the targets and the addresses that are taken of each.
  private var queue: [Attempt] = []
  /// Bounded by ``queue``.
  private var running: [Int: Stage] = [:]
  private var attemptCount = 0
  /// False while the last one tried has its head start.
  private var mayOpen = true
  /// Whether one that makes TLS still has its time, at the end of which ``waitElapsed()`` is called.
  private var isHandshakeAhead = false
  private var failures = ConnectionFailures()
  private(set) var isDecided = false
  /// When one has won: whether there are others, which may do where nothing comes of that one. Those that are tried last are none.
  private(set) var hasOthers = false

  /// - Parameters:
  ///   - targets: in the order in which they are to be tried; at least one.
  ///   - triedLast: as in ``ConnectionPlan/triedLast``; it does not change the order of the targets.
  init(domain: String, targets: [ConnectionTarget], triedLast: [ConnectionPlace] = []) {
    self.domain = domain
    self.targets = targets
    self.triedLast = triedLast
  }

  mutating func start() -> [Action] { advance() }

  /// The look-up of target `index` gave `addresses`, best first.
  mutating func addressesFound(_ addresses: [SocketAddress], target index: Int) -> [Action] {
    guard isLookingUp, index == nextTarget else { return [] }
    isLookingUp = false
    nextTarget += 1
    for address in order(addresses, of: targets[index]).prefix(TransportLimits.addressesPerTarget) {
      queue.append(Attempt(id: attemptCount, address: address, target: targets[index]))
      attemptCount += 1
    }
    return advance()
  }

  mutating func lookUpFailed(_ error: TransportError, target index: Int) -> [Action] {
    guard isLookingUp, index == nextTarget else { return [] }
    isLookingUp = false
    nextTarget += 1
    failures.add(error, at: nil)
    return advance()
  }

  mutating func waitElapsed() -> [Action] {
    guard !isDecided else { return [] }
    isHandshakeAhead = false
    if let id = standing { return win(id) }
    mayOpen = true
    return advance()
  }

  /// The TCP connection of an attempt stands.
  mutating func connected(_ id: Int) -> [Action] {
    guard !isDecided, case .connecting(let attempt)? = running[id] else { return [] }
    if !attempt.target.usesDirectTLS {
      // While a direct-TLS attempt ahead of this one is handshaking, this TCP connection waits, as it has STARTTLS still to come; but no
      // longer than that attempt's head start.
      guard isHandshakeAhead, running.values.contains(where: { if case .securing = $0 { true } else { false } })
      else { return win(id) }
      running[id] = .standing(attempt)
      return []
    }
    running[id] = .securing(attempt)
    isHandshakeAhead = true
    mayOpen = false
    return [.wait(TransportLimits.handshakeStagger)]
  }

  /// TLS stands on an attempt.
  mutating func secured(_ id: Int) -> [Action] {
    guard !isDecided, running[id] != nil else { return [] }
    return win(id)
  }

  mutating func attemptFailed(_ id: Int, _ error: TransportError) -> [Action] {
    guard !isDecided else { return [] }
    guard let stage = running.removeValue(forKey: id) else { return [] }
    failures.add(error, at: stage.attempt.address)
    if let id = standing { return win(id) }
    mayOpen = true
    return advance()
  }

  /// The time for all of it is over.
  /// - Parameter time: how long that was, for the message.
  mutating func deadlineReached(after time: Duration) -> [Action] {
    guard !isDecided else { return [] }
    isDecided = true
    if let error = failures.decisive { return [.fail(error)] }
    let reason: String
    let waiting = running.sorted { $0.key < $1.key }.map(\.value)
    if let securing = waiting.lazy.compactMap({ stage in
      if case .securing(let attempt) = stage { attempt } else { nil }
    }).first {
      reason = "\(securing.address) does not finish the TLS handshake"
    } else if let first = waiting.first {
      reason = "no answer from \(first.attempt.address)" + (waiting.count > 1 ? " and \(waiting.count - 1) more" : "")
    } else {
      reason = "the look-up of \(targets[min(nextTarget, targets.count - 1)].host) is not answered"
    }
    return [.fail(TransportError(.timedOut, "No connection to \(domain) in \(time.inSeconds): \(reason)."))]
  }

  private var standing: Int? {
    running.filter { if case .standing = $0.value { true } else { false } }.keys.min()
  }

  private mutating func win(_ id: Int) -> [Action] {
    isDecided = true
    hasOthers =
      running.contains { $0.key != id && !isTriedLast($0.value.attempt) } || queue.contains { !isTriedLast($0) }
      || targets.dropFirst(nextTarget).contains { !isTriedLast($0) }
    running = [:]
    queue = []
    return [.win(id)]
  }

  private mutating func advance() -> [Action] {
    guard !isDecided, mayOpen else { return [] }
    if !queue.isEmpty {
      let attempt = queue.removeFirst()
      running[attempt.id] = .connecting(attempt)
      mayOpen = false
      return [.open(attempt), .wait(headStart(of: attempt))]
    }
    if isLookingUp { return [] }
    if nextTarget < targets.count {
      isLookingUp = true
      return [.lookUp(nextTarget)]
    }
    guard running.isEmpty else { return [] }
    isDecided = true
    return [.fail(failures.summary(domain: domain))]
  }

  /// How long it is before the next one is tried beside it. One of which nothing came before takes connections at once: it is not
  /// to overtake one that is far away.
  private func headStart(of attempt: Attempt) -> Duration {
    let isLastNext = queue.first.map(isTriedLast) ?? targets.dropFirst(nextTarget).first.map(isTriedLast) ?? false
    return isLastNext && !isTriedLast(attempt) ? TransportLimits.handshakeStagger : TransportLimits.attemptStagger
  }

  private func isTriedLast(_ attempt: Attempt) -> Bool {
    triedLast.contains(ConnectionPlace(target: attempt.target, address: attempt.address))
  }

  private func isTriedLast(_ target: ConnectionTarget) -> Bool { triedLast.contains { $0.target == target } }

  /// Those of a target as they are tried this time.
  private func order(_ addresses: [SocketAddress], of target: ConnectionTarget) -> [SocketAddress] {
    let last = triedLast.filter { $0.target == target && addresses.contains($0.address) }.map(\.address)
    return Self.interleave(addresses.filter { !last.contains($0) }) + last
  }

  /// RFC 8305 section 4: the families by turns, beginning with the one that the resolver puts first.
  private static func interleave(_ addresses: [SocketAddress]) -> [SocketAddress] {
    guard let first = addresses.first else { return [] }
    let preferred = addresses.filter { $0.isIPv6 == first.isIPv6 }
    let others = addresses.filter { $0.isIPv6 != first.isIPv6 }
    var mixed: [SocketAddress] = []
    for index in 0..<max(preferred.count, others.count) {
      if index < preferred.count { mixed.append(preferred[index]) }
      if index < others.count { mixed.append(others[index]) }
    }
    return mixed
  }
}
