// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawProtocol
import JackdawXML

/// Which handlers look for payloads of which namespaces, or at messages of which kinds, so that a message goes only to those that it may
/// concern.
struct PayloadSeekers {
  /// A handler, as one bit.
  typealias Seeker = UInt64

  /// That of all handlers that look at every message.
  static let everyMessages: Seeker = 1 << 63

  /// Bounded by the features.
  private var looked: [(namespace: String, seeker: Seeker)] = []
  /// Those that look at every message, and at those of a kind, by its ``place(of:)``.
  private var lookedAt = Array(repeating: everyMessages, count: Message.Kind.allCases.count)
  private var count = 0
  /// By namespace. Made with the first message, which most single commands never see.
  private var seekers: [String: Seeker]?
  /// The namespaces of the last payloads that were looked at, and who looks for one of them: a client's messages mostly have the same.
  /// Bounded by what one stanza may have.
  private var last: (namespaces: [String], seeker: Seeker) = ([], 0)

  /// Another handler, which looks for payloads of these namespaces.
  mutating func add(_ namespaces: [String]) -> Seeker {
    let seeker = next()
    for namespace in namespaces { looked.append((namespace, seeker)) }
    (seekers, last) = (nil, ([], 0))
    return seeker
  }

  /// Another handler, which looks at messages of these kinds.
  mutating func add(_ kinds: [Message.Kind]) -> Seeker {
    let seeker = next()
    for kind in kinds { lookedAt[Self.place(of: kind)] |= seeker }
    return seeker
  }

  private mutating func next() -> Seeker {
    precondition(1 << count < Self.everyMessages, "more handlers than bits")
    defer { count += 1 }
    return 1 << count
  }

  /// All that look for one of a message's payloads, those that look at messages of its kind, and those that look at every message.
  mutating func all(concernedBy message: Message) -> Seeker {
    let ofKind = lookedAt[Self.place(of: message.kind)]
    return message.payloads.isEmpty ? ofKind : ofKind | all(lookingFor: message.payloads)
  }

  private mutating func all(lookingFor payloads: [Element]) -> Seeker {
    if payloads.elementsEqual(last.namespaces, by: { $0.namespace == $1 }) { return last.seeker }
    let known = seekers ?? Dictionary(looked.map { ($0.namespace, $0.seeker) }) { $0 | $1 }
    seekers = known
    let namespaces = payloads.map(\.namespace)
    last = (namespaces, namespaces.reduce(0) { $0 | (known[$1] ?? 0) })
    return last.seeker
  }

  private static func place(of kind: Message.Kind) -> Int {
    switch kind {
    case .normal: 0
    case .chat: 1
    case .groupchat: 2
    case .headline: 3
    case .error: 4
    }
  }
}
