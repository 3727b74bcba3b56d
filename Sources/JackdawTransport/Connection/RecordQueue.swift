// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop

/// What TLS has yet to encrypt, in pieces that the peer is to get whole or not at all: a record that arrives in part is nothing.
///
/// Prosody 0.12 goes on with a stream that is resumed where its parser stood on the connection before: half a stanza of that one makes
/// what follows unreadable (XEP-0198 5). What it has not read by then is torn all the same.
struct RecordQueue {
  private var bytes = OutputQueue()
  /// Of each piece, how many bytes of it wait; from `head` on.
  private var sizes: [Int] = []
  private var head = 0
  /// The first piece that waits has gone in part: nothing else may go before the rest.
  private(set) var isTorn = false

  /// Of all of them together.
  private(set) var count = 0
  var isEmpty: Bool { count == 0 }

  mutating func append(_ piece: [UInt8]) {
    bytes.append(piece)
    sizes.append(piece.count)
    count += piece.count
  }

  /// Takes from the front what goes into one record, or of a piece that is too large for one what goes into several.
  /// - Parameter body: is given it, and says whether it took it; else it stays.
  mutating func take(_ body: (UnsafeRawBufferPointer) -> Bool) {
    let taken = nextCount
    guard bytes.withBytes({ body(UnsafeRawBufferPointer(rebasing: $0.prefix(taken))) }) else { return }
    bytes.remove(first: taken)
    count -= taken
    isTorn = false
    var rest = taken
    while rest > 0 {
      guard sizes[head] <= rest else {
        sizes[head] -= rest
        isTorn = true
        break
      }
      rest -= sizes[head]
      head += 1
    }
    if head * 2 >= sizes.count {
      sizes.removeFirst(head)
      head = 0
    }
  }

  private var nextCount: Int {
    var count = 0
    for size in sizes[head...] {
      guard count + size <= TransportLimits.recordBytes else { break }
      count += size
    }
    return count > 0 ? count : min(sizes.dropFirst(head).first ?? 0, TransportLimits.encryptedAhead)
  }

  mutating func removeAll() {
    bytes.removeAll()
    (sizes, head, isTorn, count) = ([], 0, false, 0)
  }
}
