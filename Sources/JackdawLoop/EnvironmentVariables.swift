// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// The variables of a process's environment, in their order.
///
/// A list, as there are some dozens and few are looked up. The first dictionary of a process costs a tenth of a millisecond: Swift searches
/// the whole program for the conformance of its keys.
package struct EnvironmentVariables: Sendable, ExpressibleByDictionaryLiteral {
  /// Of a name that comes twice the first counts, as for getenv(3). Bounded by who makes them.
  package private(set) var entries: [(name: String, value: String)] = []

  /// None.
  package init() {}

  /// Those that are written, in their order.
  package init(dictionaryLiteral elements: (String, String)...) {
    entries = elements.map { (name: $0.0, value: $0.1) }
  }

  /// Those of a dictionary, in no particular order.
  package init(_ variables: [String: String]) { entries = variables.map { ($0.key, $0.value) } }

  /// What a variable is; nil: it is not set.
  package subscript(name: String) -> String? {
    get { entries.first { $0.name == name }?.value }
    set {
      entries.removeAll { $0.name == name }
      if let newValue { entries.append((name, newValue)) }
    }
  }

  /// Adds one behind the others.
  package mutating func append(_ name: String, _ value: String) { entries.append((name, value)) }

  /// All but this one.
  package func without(_ name: String) -> EnvironmentVariables {
    var others = self
    others[name] = nil
    return others
  }
}

extension EnvironmentVariables: Equatable {
  package static func == (left: Self, right: Self) -> Bool {
    left.entries.count == right.entries.count && left.entries.allSatisfy { right[$0.name] == $0.value }
  }
}
