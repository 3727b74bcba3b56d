// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc

/// The distinct names and namespaces of the arenas that share it; entry 0 is "".
///
/// A decoder adds entries while elements that came earlier may be read on another thread. That is no race: an entry is
/// written before any node refers to it, is never written again, and no reader looks at an entry that its nodes do not
/// name. All entries are initialised at once, so nobody needs a count.
final class NameTable: Sendable {
  // Sendable holds for the reason above; the memory is freed after the last decoder and the last arena let go.
  private nonisolated(unsafe) let entries: UnsafeMutablePointer<String>
  let capacity: Int

  init(capacity: Int) {
    self.capacity = capacity
    entries = .allocate(capacity: capacity)
    entries.initialize(repeating: "", count: capacity)
  }

  /// With the entries of a smaller one.
  convenience init(_ other: NameTable, capacity: Int) {
    self.init(capacity: capacity)
    entries.update(from: other.entries, count: other.capacity)
  }

  deinit {
    entries.deinitialize(count: capacity)
    entries.deallocate()
  }

  subscript(_ index: UInt32) -> String { entries[Int(index)] }

  /// Whether the entry is exactly this; spares the copy that the subscript makes.
  func entry(_ index: UInt32, is name: String) -> Bool {
    // Most have another length, which is known without a look at the bytes.
    let entry = entries + Int(index)
    return entry.pointee.utf8.count == name.utf8.count && entry.pointee.isExactly(name)
  }

  /// Writes an entry that no node refers to yet.
  func set(_ index: UInt32, _ name: String) { entries[Int(index)] = name }
}

extension String {
  /// Whether the bytes are the same. `==` follows canonical equivalence, by which U+212A is "K": no way to compare what
  /// a protocol calls identical.
  func isExactly(_ other: String) -> Bool {
    guard utf8.count == other.utf8.count else { return false }
    let same = utf8.withContiguousStorageIfAvailable { left in
      other.utf8.withContiguousStorageIfAvailable { right in left.isExactly(right) }
    }
    return (same ?? nil) ?? utf8.elementsEqual(other.utf8)
  }
}

extension UnsafeBufferPointer<UInt8> {
  func isExactly(_ other: UnsafeBufferPointer<UInt8>) -> Bool {
    guard count == other.count else { return false }
    guard let left = baseAddress, let right = other.baseAddress else { return true }
    return memcmp(left, right, count) == 0
  }

  /// Whether they are the UTF-8 of a text.
  package func isExactly(_ other: String) -> Bool {
    other.utf8.withContiguousStorageIfAvailable { isExactly($0) } ?? elementsEqual(other.utf8)
  }
}
