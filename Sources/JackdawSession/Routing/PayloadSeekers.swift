// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawProtocol
import JackdawXML

/// Which handlers look for payloads of which namespaces, so that a message goes only to those that it may concern.
struct PayloadSeekers {
  /// A handler, as one bit.
  typealias Seeker = UInt64

  /// That of all handlers that look at every message.
  static let everyMessages: Seeker = 1 << 63

  /// Bounded by the features.
  private var looked: [(namespace: String, seeker: Seeker)] = []
  private var count = 0
  /// By namespace. Made with the first message, which most single commands never see.
  private var seekers: [String: Seeker]?

  /// Another handler, which looks for payloads of these namespaces.
  mutating func add(_ namespaces: [String]) -> Seeker {
    precondition(1 << count < Self.everyMessages, "more handlers than bits")
    let seeker: Seeker = 1 << count
    count += 1
    for namespace in namespaces { looked.append((namespace, seeker)) }
    seekers = nil
    return seeker
  }

  /// All that look for one of these payloads, and those that look at every message.
  mutating func all(concernedBy payloads: [Element]) -> Seeker {
    guard !payloads.isEmpty else { return Self.everyMessages }
    let known = seekers ?? Dictionary(looked.map { ($0.namespace, $0.seeker) }) { $0 | $1 }
    seekers = known
    return payloads.reduce(Self.everyMessages) { $0 | (known[$1.namespace] ?? 0) }
  }
}
