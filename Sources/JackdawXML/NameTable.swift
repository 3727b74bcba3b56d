// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc

/// The distinct names and namespaces of the arenas that share it; entry 0 is "".
///
/// A decoder adds entries while elements that came earlier may be read on another thread. That is no race: an entry is
/// written before any node refers to it, is never written again, and no reader looks at an entry that its nodes do not
/// name. All entries are initialised at once, so nobody needs a count.
final class NameTable: Sendable {
  private struct Entry {
    var text = ""
    /// Of letters, digits and hyphens, as ``XMLCharacters/isPlainName(_:)`` wants it.
    var isPlainName = false
    /// Each character may be written and stands for itself (``XMLEscape/isPlain(_:)``).
    var isPlainText = true
    /// Of ASCII alone.
    var isASCII = true
  }

  // Sendable holds for the reason above; the memory is freed after the last decoder and the last arena let go.
  private nonisolated(unsafe) let entries: UnsafeMutablePointer<Entry>
  let capacity: Int

  init(capacity: Int) {
    self.capacity = capacity
    entries = .allocate(capacity: capacity)
    entries.initialize(repeating: Entry(), count: capacity)
  }

  /// With the entries of a smaller one.
  convenience init(_ other: NameTable, capacity: Int) {
    self.init(capacity: capacity)
    entries.update(from: other.entries, count: min(other.capacity, capacity))
  }

  deinit {
    entries.deinitialize(count: capacity)
    entries.deallocate()
  }

  subscript(_ index: UInt32) -> String { entries[Int(index)].text }

  /// Whether the entry is exactly this; spares the copy that the subscript makes.
  @inline(__always)
  func entry(_ index: UInt32, is name: String) -> Bool {
    // Most have another length, which is known without a look at the bytes.
    let entry = entries + Int(index)
    guard entry.pointee.text.utf8.count == name.utf8.count else { return false }
    // Whatever else is canonically equivalent to ASCII is longer, as U+212A is than "K": of one length `==` says whether the bytes are the
    // same, and looks at none of them where the texts are short.
    return entry.pointee.isASCII ? entry.pointee.text == name : entry.pointee.text.isExactly(name)
  }

  /// Whether the entry is a name that is written as it is: known of each once, and not looked at anew in each element.
  func isPlainName(_ index: UInt32) -> Bool { entries[Int(index)].isPlainName }

  /// Whether the entry is a text that is written as it is, wherever it stands.
  func isPlainText(_ index: UInt32) -> Bool { entries[Int(index)].isPlainText }

  /// Writes an entry that no node refers to yet.
  func set(_ index: UInt32, _ name: String) {
    var name = name
    let (isPlainName, isPlainText, isASCII) = name.withUTF8 { bytes in
      (XMLCharacters.isPlainName(bytes), XMLEscape.isPlain(bytes), bytes.allSatisfy { $0 < 0x80 })
    }
    entries[Int(index)] = Entry(text: name, isPlainName: isPlainName, isPlainText: isPlainText, isASCII: isASCII)
  }

  /// Appends the entry's bytes as they are.
  @inline(__always)
  func append(_ index: UInt32, to output: inout [UInt8]) { output.append(exactly: entries[Int(index)].text) }
}

extension [UInt8] {
  /// Appends the bytes of a text. `append(contentsOf:)` of a text's UTF-8 goes through a copy of its own.
  @inline(__always)
  mutating func append(exactly text: String) {
    let isAppended: Void? = text.utf8.withContiguousStorageIfAvailable { append(contentsOf: $0) }
    if isAppended == nil { append(contentsOf: text.utf8) }
  }
}

extension String {
  /// Whether one of the bytes of its UTF-8 is this, which `utf8.contains(_:)` looks for by a call for each.
  package func holds(_ byte: UInt8) -> Bool {
    utf8.withContiguousStorageIfAvailable { $0.contains(byte) } ?? utf8.contains(byte)
  }

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
  func isExactly(_ other: String) -> Bool {
    other.utf8.withContiguousStorageIfAvailable { isExactly($0) } ?? elementsEqual(other.utf8)
  }
}
