// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawProtocol

/// Whom to ask what is behind a hash: each hash once, however many announce it, and somebody else when the first one
/// asked does not answer, or lies (XEP-0115 5.4). A value: it sends nothing.
struct CapabilityQueue {
  /// A question to put.
  struct Question: Equatable {
    var capabilities: Capabilities
    var jid: JID
  }

  private struct Pending {
    /// What each of those who were not asked yet announced; one resource of each contact, so that nobody with many
    /// resources can be the only one asked.
    var candidates: [Question] = []
    /// Contacts that were asked.
    var asked: Set<JID> = []
    var isAsking = false
  }

  private var pending: [CapabilityHash: Pending] = [:]
  /// Hashes with somebody to ask, and nobody being asked.
  /// Bounded by the questions that are pending.
  private var ready: [CapabilityHash] = []

  /// Nothing is to be asked now.
  var isEmpty: Bool { ready.isEmpty }

  /// Somebody announces something that is not known.
  mutating func add(_ capabilities: Capabilities, from jid: JID) {
    let hash = capabilities.hash
    guard pending[hash] != nil || pending.count < DiscoveryLimits.unknownCapabilities else { return }
    var entry = pending[hash] ?? Pending()
    guard !entry.asked.contains(jid.bare), !entry.candidates.contains(where: { $0.jid.bare == jid.bare }),
      entry.asked.count + entry.candidates.count < DiscoveryLimits.capabilityAttempts
    else { return }
    entry.candidates.append(Question(capabilities: capabilities, jid: jid))
    if entry.candidates.count == 1, !entry.isAsking { ready.append(hash) }
    pending[hash] = entry
  }

  /// The next question, which is being asked from now on.
  mutating func next() -> Question? {
    guard let hash = ready.popLast(), var entry = pending[hash], !entry.candidates.isEmpty else { return nil }
    let question = entry.candidates.removeFirst()
    entry.asked.insert(question.jid.bare)
    entry.isAsking = true
    pending[hash] = entry
    return question
  }

  /// What is behind `hash` is known.
  mutating func answered(_ hash: CapabilityHash) {
    pending[hash] = nil
    ready.removeAll { $0 == hash }
  }

  /// Whoever was asked did not say what is behind `hash`: the next one will be asked. The hash is remembered, so that those
  /// who were asked are not asked again.
  mutating func failed(_ hash: CapabilityHash) {
    guard pending[hash]?.isAsking == true else { return }
    pending[hash]?.isAsking = false
    if pending[hash]?.candidates.isEmpty == false { ready.append(hash) }
  }
}
