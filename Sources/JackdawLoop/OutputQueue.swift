// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// Bytes on their way to a descriptor that takes them when it can. Taking from the front costs no copy of the rest.
package struct OutputQueue {
  private var bytes: [UInt8] = []
  private var head = 0

  /// An empty queue, which allocates nothing.
  package init() {}

  /// How many bytes wait.
  package var count: Int { bytes.count - head }
  package var isEmpty: Bool { count == 0 }

  /// Adds bytes; an empty queue takes the array over as it is.
  package mutating func append(_ more: [UInt8]) {
    if isEmpty, bytes.capacity < more.count {
      bytes = more
      head = 0
    } else {
      bytes.append(contentsOf: more)
    }
  }

  /// Adds bytes.
  package mutating func append(_ more: UnsafeRawBufferPointer) { bytes.append(contentsOf: more) }

  /// Adds the bytes of a text.
  package mutating func append(_ text: String) {
    // `append(contentsOf:)` of a text's UTF-8 goes through a copy of its own.
    let isAppended: Void? = text.utf8.withContiguousStorageIfAvailable { bytes.append(contentsOf: $0) }
    if isAppended == nil { bytes.append(contentsOf: text.utf8) }
  }

  /// Calls `body` with all that waits, which stays.
  package func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    bytes.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[head...])) }
  }

  /// Takes bytes that have gone out from the front.
  package mutating func remove(first count: Int) {
    head += count
    if head == bytes.count {
      bytes.removeAll(keepingCapacity: bytes.capacity <= LoopLimits.keptCapacity)
      head = 0
    } else if head >= LoopLimits.keptCapacity, head >= bytes.count / 2 {
      // Half is gone: moving the other half is paid for by what was taken.
      bytes.removeFirst(head)
      head = 0
    }
  }

  /// Forgets bytes at the end.
  package mutating func remove(last count: Int) {
    bytes.removeLast(count)
    remove(first: 0)
  }

  /// Forgets all that waits, and gives the memory back.
  package mutating func removeAll() {
    bytes = []
    head = 0
  }
}
