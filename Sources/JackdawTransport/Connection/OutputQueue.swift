// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// Bytes on their way out. Taking from the front costs no copy of the rest.
struct OutputQueue {
  private var bytes: [UInt8] = []
  private var head = 0

  var count: Int { bytes.count - head }
  var isEmpty: Bool { count == 0 }

  mutating func append(_ more: [UInt8]) {
    if isEmpty, bytes.capacity < more.count {
      bytes = more
      head = 0
    } else {
      bytes.append(contentsOf: more)
    }
  }

  mutating func append(_ more: UnsafeRawBufferPointer) { bytes.append(contentsOf: more) }

  func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    bytes.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[head...])) }
  }

  mutating func remove(first count: Int) {
    head += count
    if head == bytes.count {
      bytes.removeAll(keepingCapacity: bytes.capacity <= TransportLimits.keptCapacity)
      head = 0
    } else if head >= TransportLimits.keptCapacity, head >= bytes.count / 2 {
      // Half is gone: moving the other half is paid for by what was taken.
      bytes.removeFirst(head)
      head = 0
    }
  }

  mutating func removeAll() {
    bytes = []
    head = 0
  }
}
