// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// The members of an object of JSON, in their order; of a key that comes twice the last counts.
///
/// A list, for the reason that `EnvironmentVariables` is one.
package struct JSONObject: Sendable, ExpressibleByDictionaryLiteral {
  /// Bounded by the text that they were read from.
  package private(set) var members: [(key: String, value: JSONValue)] = []

  /// An object without members.
  package init() {}

  /// The members that are written, in their order.
  package init(dictionaryLiteral elements: (String, JSONValue)...) {
    members = elements.map { (key: $0.0, value: $0.1) }
  }

  /// What it has under a key; nil: nothing.
  package subscript(key: String) -> JSONValue? { members.last { $0.key == key }?.value }

  mutating func append(_ key: String, _ value: JSONValue) { members.append((key, value)) }
}

extension JSONObject: Hashable {
  /// In whatever order they stand.
  package static func == (left: Self, right: Self) -> Bool {
    left.members.allSatisfy { right[$0.key] == left[$0.key] } && right.members.allSatisfy { left[$0.key] != nil }
  }

  package func hash(into hasher: inout Hasher) {
    // What the same members in another order come to, too.
    hasher.combine(members.isEmpty)
  }
}
