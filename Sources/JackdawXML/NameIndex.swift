// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc

/// Finds the entry of a ``NameTable`` for a name that libxml2 hands over.
///
/// libxml2 keeps each name once, in the dictionary of its context, so the address says which name it is and no
/// character is compared. The addresses, and with them this index, are good as long as the context is. That dictionary
/// never shrinks: the limits here are what bounds it, and ``isWorn`` tells when both should be exchanged.
struct NameIndex: ~Copyable {
  private struct Slot {
    var key: UInt
    var index: UInt32
  }

  let table: NameTable
  private let limits: DecoderLimits
  private let slots: UnsafeMutablePointer<Slot>
  private let mask: Int
  private var count = 1
  private var countBefore = 1
  private var bytes = 0

  init(limits: DecoderLimits) {
    self.limits = limits
    // Before a stanza there are at most `distinctNames`, and it may bring as many again. The slots are at least twice
    // as many, so that searches end soon.
    let capacity = 2 * max(limits.distinctNames, Self.leastNames)
    table = NameTable(capacity: capacity)
    var slotCount = 64
    while slotCount < 2 * capacity { slotCount *= 2 }
    mask = slotCount - 1
    slots = .allocate(capacity: slotCount)
    slots.initialize(repeating: Slot(key: 0, index: 0), count: slotCount)
  }

  /// What the stream's opening tag alone may need.
  private static let leastNames = 16

  deinit { slots.deallocate() }

  /// Whether so many names have gathered that the next stanza had better find an empty table.
  var isWorn: Bool { count > limits.distinctNames || bytes > DecoderSizes.nameBytesInUse }

  /// From here on names count as those of another stanza.
  mutating func beginStanza() { countBefore = count }

  /// The entry for a name; 0 for nil. Nil when it exceeds a limit.
  @inline(__always)
  mutating func index(_ name: UnsafePointer<UInt8>?) -> UInt32? {
    guard let name else { return 0 }
    return find(UInt(bitPattern: name), name, prefix: "")
  }

  /// The entry for `xml:` and this name.
  mutating func indexWithXMLPrefix(_ name: UnsafePointer<UInt8>) -> UInt32? {
    // No address has its uppermost bit set, so this is a key of its own.
    find(UInt(bitPattern: name) | 1 << (UInt.bitWidth - 1), name, prefix: "xml:")
  }

  @inline(__always)
  private mutating func find(_ key: UInt, _ name: UnsafePointer<UInt8>, prefix: String) -> UInt32? {
    var slot = Self.hash(key) & mask
    while slots[slot].key != 0 {
      if slots[slot].key == key { return slots[slot].index }
      slot = (slot + 1) & mask
    }
    return insert(key, name, prefix, at: slot)
  }

  @inline(never)
  private mutating func insert(_ key: UInt, _ name: UnsafePointer<UInt8>, _ prefix: String, at slot: Int) -> UInt32? {
    let length = strlen(UnsafeRawPointer(name).assumingMemoryBound(to: CChar.self))
    guard count - countBefore < max(limits.distinctNames, Self.leastNames), count < table.capacity,
      length <= limits.nameBytes
    else { return nil }
    // An empty string is no other name than none at all.
    if length == 0 { return 0 }
    let index = UInt32(count)
    table.set(index, prefix + String(decoding: UnsafeBufferPointer(start: name, count: length), as: UTF8.self))
    slots[slot] = Slot(key: key, index: index)
    count += 1
    bytes += length
    return index
  }

  /// Addresses differ in their lower bits, names lying close together; the multiplication spreads them upwards.
  private static func hash(_ key: UInt) -> Int {
    Int(truncatingIfNeeded: (key &* 0x9E37_79B9_7F4A_7C15) >> 40)
  }
}
