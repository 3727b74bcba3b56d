// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawXML

/// Between the end of SASL and the log-in that is done: SASL upgrade tasks (XEP-0480), the only ones of the extensible profile
/// (XEP-0388, `<continue/>`) that are known here.
extension StreamMachine {
  /// True while the server has a task for us that the log-in does not need: whatever goes wrong then is that task's fault.
  package var isUpgrading: Bool {
    if case .authenticating(let authentication) = state { authentication.isUpgrading } else { false }
  }

  /// `<continue/>` came.
  mutating func continued(_ element: Element, _ authentication: Authentication) throws(StreamFailure) -> [Action] {
    guard var upgrade = authentication.upgrade else {
      throw StreamFailure(.refused, sentence: "The server asks for more than a log-in, which this client cannot do.")
    }
    var next = authentication
    if !upgrade.isUnderWay, case .scram(var exchange) = next.exchange {
      // Nothing of the password goes to a server that has not shown that it knows it.
      try exchange.continued(try Self.additionalData(of: element))
      next.exchange = .scram(exchange)
    }
    let tasks =
      element.child("tasks", ExtensibleOffer.namespace)?.children.compactMap {
        $0.matches("task", ExtensibleOffer.namespace) ? $0.text : nil
      } ?? []
    let bytes = try upgrade.begin(tasks)
    next.upgrade = upgrade
    state = .authenticating(next)
    return [.send(bytes)]
  }

  /// Something of SASL's came that is neither the end of the log-in nor another `<continue/>`, while a task is being done.
  mutating func upgrading(
    _ element: Element, _ authentication: Authentication, _ before: SCRAMUpgrade
  ) throws(StreamFailure) -> [Action] {
    var (next, upgrade) = (authentication, before)
    switch element.name {
    case "failure":
      let condition = Self.condition(of: element)
      throw SCRAMUpgrade.failure(
        "The server could not do the upgrade to \(upgrade.mechanism)", condition: condition,
        peerText: Self.words(of: element, authentication).map(PeerText.cut))
    case "task-data":
      guard let password = authentication.login.password else { throw .noCrypto }
      let derivation = try upgrade.salted(element, password: password)
      next.upgrade = upgrade
      state = .authenticating(next)
      return [.deriveKeys(derivation)]
    case _:
      throw SCRAMUpgrade.failure("The server did not go on with the upgrade to \(upgrade.mechanism).")
    }
  }

  /// The keys are there.
  /// - Returns: nil: they are for the log-in itself.
  mutating func upgradeDerived(_ keys: SCRAMKeys, _ authentication: Authentication) -> [Action]? {
    guard var upgrade = authentication.upgrade, let bytes = upgrade.derived(keys) else { return nil }
    var next = authentication
    next.upgrade = upgrade
    state = .authenticating(next)
    return [.send(bytes)]
  }
}

extension StreamMachine.Authentication {
  var isUpgrading: Bool { upgrade?.isUnderWay ?? false }

  /// The upgrade to ask for when the log-in is done by `attempt`; nil: none.
  func upgrade(for attempt: SASLAttempt) -> SCRAMUpgrade? {
    guard case .extensible(let offer) = profile, login.password != nil, login.extras.asksForUpgrade else { return nil }
    return SCRAMUpgrade(tasks: offer.upgrades, offer: self.offer, attempt: attempt)
  }

  /// Keys for the proof. An upgrade is made of the password, which has to be what is proved then: kept keys say nothing of it, and a
  /// wrong one would shut the user out of the better mechanism.
  var usableKeys: SCRAMKeys? {
    guard let keys = login.memory.keys, upgrade == nil || !keys.areKept else { return nil }
    return keys
  }
}
