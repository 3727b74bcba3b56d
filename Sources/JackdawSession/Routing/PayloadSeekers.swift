// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawProtocol
import JackdawXML

/// Which handlers look for payloads of which namespaces, or at messages of which kinds, so that a message goes only to those that it may
/// concern.
struct PayloadSeekers {
  /// Some of the handlers: a bit for each, by its place in their order, the lowest for the first.
  typealias Places = UInt64

  /// Which messages a handler sees.
  enum Interest {
    case everyMessage
    case kinds([Message.Kind])
    /// Those that hold a payload of one of these namespaces.
    case payloads([String])
  }

  /// Those that look at messages of a kind, or at every one, by its ``place(of:)``.
  private var looking = Array(repeating: Places(0), count: Message.Kind.allCases.count)
  /// By namespace.
  private var seekers: [String: Places] = [:]
  /// The namespaces of the last payloads that were looked at, and who looks for one of them: a client's messages mostly have the same.
  /// Bounded by what one stanza may have.
  private var last: (namespaces: [String], seekers: Places) = ([], 0)

  /// - Parameter interests: of all handlers, in their order.
  init(_ interests: [Interest]) {
    precondition(interests.count <= Places.bitWidth, "more handlers than bits")
    for (number, interest) in interests.enumerated() {
      let seeker: Places = 1 << number
      switch interest {
      case .everyMessage: for place in looking.indices { looking[place] |= seeker }
      case .kinds(let kinds): for kind in kinds { looking[Self.place(of: kind)] |= seeker }
      case .payloads(let namespaces): for namespace in namespaces { seekers[namespace, default: 0] |= seeker }
      }
    }
  }

  /// All that look for one of a message's payloads, those that look at messages of its kind, and those that look at every message.
  mutating func all(concernedBy message: Message) -> Places {
    let ofKind = looking[Self.place(of: message.kind)]
    return message.payloads.isEmpty ? ofKind : ofKind | all(lookingFor: message.payloads)
  }

  private mutating func all(lookingFor payloads: [Element]) -> Places {
    if payloads.elementsEqual(last.namespaces, by: { $0.namespace == $1 }) { return last.seekers }
    let namespaces = payloads.map(\.namespace)
    last = (namespaces, namespaces.reduce(0) { $0 | (seekers[$1] ?? 0) })
    return last.seekers
  }

  /// All that stand in a part of the order.
  static func all(in range: Range<Int>) -> Places { (.max << range.lowerBound) & ~(.max << range.upperBound) }

  /// All that stand behind a place.
  static func all(behind place: Int) -> Places { (.max &<< place) &<< 1 }

  /// Where the first of some handlers stands; nil: there is none.
  static func first(of places: Places) -> Int? { places == 0 ? nil : places.trailingZeroBitCount }

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
