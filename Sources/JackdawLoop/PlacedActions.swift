// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// What waits for a stream to have got to a place, counted in bytes from its beginning. Nothing is added for a place before one that is
/// there.
package struct PlacedActions {
  /// Not a tuple, which would have a function wrapped each time that it goes in or out.
  private struct Entry {
    let place: Int
    let action: @Client () -> Void
  }

  private var actions = FIFO<Entry>()

  package init() {}

  /// Adds what waits for the place.
  package mutating func append(at place: Int, _ action: @escaping @Client () -> Void) {
    actions.append(Entry(place: place, action: action))
  }

  /// Takes the next of those whose place is reached; nil: there is none. What it does may add others.
  package mutating func next(upTo place: Int) -> (@Client () -> Void)? {
    guard let first = actions.first, first.place <= place else { return nil }
    _ = actions.popFirst()
    return first.action
  }

  /// Forgets those of places behind this one.
  package mutating func removeAll(behind place: Int) { actions.removeAll { $0.place > place } }
}
