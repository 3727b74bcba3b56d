// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop
package import JackdawProtocol
import JackdawXML

/// Entity capabilities: our presence says, by a hash, what we can do; what our contacts can do is known by theirs.
///
/// Nothing is asked in a hurry: a hash that is not known is looked into once, some seconds after it came, at one of those who
/// announce it, and is then known for good.
@Client package final class EntityCapabilities: Feature {
  package nonisolated static let about = FeatureDescription(
    "XEP-0115", "Entity Capabilities", version: "1.6.0", discoFeatures: [Capabilities.namespace],
    scope: "announced with SHA-1; those of contacts verified with SHA-1, SHA-256 and SHA-512, and kept between log-ins")

  /// Who sees our capabilities asks what they stand for.
  package nonisolated static var needs: [any Feature.Type] { [ServiceDiscovery.self] }

  private let context: FeatureContext
  /// What contacts announce, each by their resources.
  private var announced: [JID: [JID: Capabilities]] = [:]
  /// Resources of all contacts.
  private var count = 0
  private var queue = CapabilityQueue()
  /// How many hashes that were not known each contact has announced, since when; kept over the streams of a session.
  private var unknown: [JID: (count: Int, since: MonotonicTime)] = [:]
  private var questions: [CapabilityHash: Task<Void, Never>] = [:]
  private var timer: LoopTimer?

  /// Begins with an empty cache; what earlier runs verified is asked of the store as it is needed.
  package init(_ context: FeatureContext) {
    self.context = context
    context.links.anySupports = { [weak self] feature, jid in
      guard let self else { return false }
      return announced[jid.bare]?.keys.contains { self.supports(feature, at: $0) == true } ?? false
    }
    context.links.extendPresence { [weak links = context.links] in links?.ownCapabilities?.element }
  }

  package func install(in routes: RouteTable) {
    routes.onPresence { [unowned self] in take($0) }
  }

  package func streamLost() {
    announced = [:]
    count = 0
    queue = CapabilityQueue()
    timer = nil
    for task in questions.values { task.cancel() }
    questions = [:]
  }

  /// What the client at this full JID can do; nil while that is not known.
  package func information(of jid: JID) -> DiscoveryInformation? {
    announced[jid.bare]?[jid].flatMap { context.links.capabilities.information(for: $0.hash) }
  }

  /// Whether the client at this full JID can do `feature`; nil while that is not known.
  package func supports(_ feature: String, at jid: JID) -> Bool? { information(of: jid)?.supports(feature) }

  // MARK: Theirs

  private func take(_ presence: Presence) {
    guard let from = presence.from, from != context.identity.bound else { return }
    switch presence.kind {
    case .available: arrived(presence, from)
    case .unavailable: left(from)
    case .subscribe, .subscribed, .unsubscribe, .unsubscribed, .probe, .error: break
    }
  }

  /// Strangers may send us presence too; they are not looked into.
  private func arrived(_ presence: Presence, _ from: JID) {
    guard context.links.showsPresence(from) else { return }
    guard let capabilities = presence.payloads.lazy.compactMap({ Capabilities($0) }).first else { return left(from) }
    let before = announced[from.bare]?[from]
    guard before != capabilities else { return }
    if before == nil {
      guard count < SessionLimits.resources,
        announced[from.bare]?.count ?? 0 < SessionLimits.resourcesPerContact
      else { return }
      count += 1
    }
    announced[from.bare, default: [:]][from] = capabilities
    guard context.links.capabilities.information(for: capabilities.hash) == nil, mayAsk(from.bare) else { return }
    queue.add(capabilities, from: from)
    if timer == nil, !queue.isEmpty {
      timer = context.clock.schedule(after: FeatureLimits.capabilityDelay) { [weak self] in self?.askNext() }
    }
  }

  /// Whether one more hash that is not known is looked into for this contact. Whoever makes hashes up, with true answers behind each, is
  /// not to drive out what is known of others.
  private func mayAsk(_ contact: JID) -> Bool {
    let now = context.clock.now
    var counted = unknown[contact] ?? (0, now)
    if now - counted.since >= DiscoveryLimits.capabilityWindow { counted = (0, now) }
    guard counted.count < DiscoveryLimits.newCapabilitiesOfContact else { return false }
    counted.count += 1
    if unknown.count >= DiscoveryLimits.countedContacts { unknown = [:] }
    unknown[contact] = counted
    return true
  }

  /// A bare JID's unavailable speaks for all of its resources.
  private func left(_ from: JID) {
    guard var resources = announced[from.bare] else { return }
    count -= resources.count
    if from.isBare { resources = [:] } else { resources[from] = nil }
    count += resources.count
    announced[from.bare] = resources.isEmpty ? nil : resources
  }

  // MARK: Asking

  private func askNext() {
    timer = nil
    while questions.count < FeatureLimits.capabilityRequests, let question = queue.next() {
      // The reference cycle ends with the answer or its deadline.
      questions[question.capabilities.hash] = Task(executorPreference: EventLoop.main) { await self.ask(question) }
    }
  }

  private func ask(_ question: CapabilityQueue.Question) async {
    let hash = question.capabilities.hash
    let isTrue: Bool
    do {
      let information = try await context.requests.information(
        of: question.jid, node: question.capabilities.discoveryNode, timeout: context.timeout)
      isTrue = context.links.capabilities.learn(information, as: hash)
      if !isTrue { context.remark("Ignored what \(question.jid) says it can do: it announced something else.") }
    } catch {
      isTrue = false
    }
    guard !Task.isCancelled else { return }
    questions[hash] = nil
    if isTrue { queue.answered(hash) } else { queue.failed(hash) }
    askNext()
  }
}
