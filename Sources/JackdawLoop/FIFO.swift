// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// A queue on an array: appending and taking the first are O(1) on average.
package struct FIFO<Element> {
  private var elements: [Element?] = []
  private var head = 0

  /// An empty queue, which allocates nothing.
  package init() {}

  /// How many elements there are.
  package var count: Int { elements.count - head }
  package var isEmpty: Bool { head == elements.count }
  /// The oldest element; nil: there is none.
  package var first: Element? { isEmpty ? nil : elements[head] }

  /// Adds an element behind all others.
  package mutating func append(_ element: Element) { elements.append(element) }

  /// Takes the oldest element out.
  package mutating func popFirst() -> Element? {
    guard !isEmpty else { return nil }
    let element = elements[head].take()
    head += 1
    if head == elements.count {
      elements.removeAll(keepingCapacity: true)
      head = 0
    } else if head >= 1024, head * 2 >= elements.count {
      elements.removeFirst(head)
      head = 0
    }
    return element
  }

  /// Takes out the elements for which `isUnwanted` says so.
  package mutating func removeAll(where isUnwanted: (Element) -> Bool) {
    elements = elements[head...].filter { element in element.map { !isUnwanted($0) } ?? false }
    head = 0
  }
}
