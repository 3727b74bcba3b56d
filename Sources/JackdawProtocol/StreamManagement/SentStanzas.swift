// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawXML

/// Stanzas that were written and not acknowledged, oldest first. Taking some off costs what they are, not what stays.
struct SentStanzas: Sendable {
  private var stanzas: [Element] = []
  /// Those before it are gone, and only wait for their room to be given back.
  private var first = 0

  var count: Int { stanzas.count - first }

  /// All that are left, oldest first.
  var all: [Element] { Array(stanzas[first...]) }

  mutating func append(_ stanza: Element) { stanzas.append(stanza) }

  /// Takes the oldest ones off.
  /// - Parameter number: at most ``count``.
  mutating func removeFirst(_ number: Int) -> [Element] {
    let removed = Array(stanzas[first..<first + number])
    first += number
    if first * 2 >= stanzas.count {
      stanzas.removeFirst(first)
      first = 0
    }
    return removed
  }

  mutating func removeAll() -> [Element] { removeFirst(count) }
}
