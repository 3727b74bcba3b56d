// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Support
import Testing

@testable import JackdawTransport

/// What goes into one TLS record begins and ends with a piece: a cut in the middle of a record leaves the peer nothing of it.
@Suite struct RecordQueueTests {
  private func taken(_ queue: inout RecordQueue) -> [UInt8] {
    var taken: [UInt8] = []
    queue.take {
      taken = Array($0)
      return true
    }
    return taken
  }

  private func piece(_ byte: UInt8, _ count: Int) -> [UInt8] { Array(repeating: byte, count: count) }

  @Test("as many whole pieces as a record holds, in order")
  func whole() {
    var queue = RecordQueue()
    for number in 0..<200 { queue.append(piece(UInt8(number), 100 + number)) }
    var records: [[UInt8]] = []
    while !queue.isEmpty { records.append(taken(&queue)) }
    #expect(records.count == 3)
    #expect(records.allSatisfy { $0.count <= TransportLimits.recordBytes })
    #expect(records.flatMap { $0 } == (0..<200).flatMap { piece(UInt8($0), 100 + $0) })
    for (record, next) in zip(records, records.dropFirst()) { #expect(record.last != next.first) }
  }

  @Test("a piece that is exactly as large as a record goes alone, one that is larger begins a record of its own")
  func large() {
    var queue = RecordQueue()
    let sizes = [10, TransportLimits.recordBytes, 10, TransportLimits.recordBytes + 1, 10]
    for (number, size) in sizes.enumerated() { queue.append(piece(UInt8(number), size)) }
    #expect((0..<5).map { _ in taken(&queue).count } == sizes)
    #expect(queue.isEmpty)
  }

  @Test("a piece beyond what is encrypted at once is taken in parts, and its rest begins anew with what fits behind it")
  func huge() {
    var queue = RecordQueue()
    queue.append(piece(1, TransportLimits.encryptedAhead + 5))
    queue.append(piece(2, 7))
    #expect(taken(&queue).count == TransportLimits.encryptedAhead)
    #expect(queue.count == 12 && queue.isTorn)
    #expect(taken(&queue) == piece(1, 5) + piece(2, 7))
    #expect(!queue.isTorn)
    #expect(taken(&queue) == [])
  }

  @Test("what was not taken stays, and can be forgotten")
  func stays() {
    var queue = RecordQueue()
    queue.append(piece(1, 3))
    queue.take { _ in false }
    #expect(queue.count == 3)
    queue.removeAll()
    #expect(queue.isEmpty && taken(&queue) == [])
    queue.append(piece(2, 3))
    #expect(taken(&queue) == piece(2, 3))
  }
}
