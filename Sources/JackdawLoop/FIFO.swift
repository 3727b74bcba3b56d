// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// A queue on an array: appending and taking the first are O(1) on average.
///
/// It is inlinable: used from another module as it is, each call would look up what an element is, and copy it by that.
package struct FIFO<Element> {
  @usableFromInline var elements: [Element?] = []
  @usableFromInline var head = 0

  /// An empty queue, which allocates nothing.
  @inlinable package init() {}

  /// How many elements there are.
  @inlinable package var count: Int { elements.count - head }
  @inlinable package var isEmpty: Bool { head == elements.count }
  /// The oldest element; nil: there is none.
  @inlinable package var first: Element? { isEmpty ? nil : elements[head] }

  /// Adds an element behind all others.
  @inlinable package mutating func append(_ element: Element) { elements.append(element) }

  /// Takes the oldest element out.
  @inlinable package mutating func popFirst() -> Element? {
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
  @inlinable package mutating func removeAll(where isUnwanted: (Element) -> Bool) {
    elements = elements[head...].filter { element in element.map { !isUnwanted($0) } ?? false }
    head = 0
  }
}
