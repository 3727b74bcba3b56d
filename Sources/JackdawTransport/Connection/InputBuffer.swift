// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// Memory that reads go to, taken at the first use and kept for the next.
struct InputBuffer: ~Copyable {
  private let capacity: Int
  private var memory: UnsafeMutableRawBufferPointer?

  init(capacity: Int) { self.capacity = capacity }

  deinit { memory?.deallocate() }

  mutating func space() -> UnsafeMutableRawBufferPointer {
    if let memory { return memory }
    let taken = UnsafeMutableRawBufferPointer.allocate(byteCount: capacity, alignment: 16)
    memory = taken
    return taken
  }
}
