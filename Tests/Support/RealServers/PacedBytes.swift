// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// The bytes that a ``FaultProxy`` has read and not passed on, and when each may be passed on.
///
/// What is due is one stretch, however many pieces of the pace it holds: a wake-up that comes late passes all that is due by
/// then. So the time that a stream takes follows from its length, not from how late timers fire or what a `send` costs.
package struct PacedBytes {
  private var bytes: [UInt8] = []
  /// Where what waits begins.
  private var start = 0
  /// When the bytes up to an index may pass, in rising order.
  private var pieces: [(due: Int64, end: Int)] = []
  private var firstPiece = 0
  /// When the last byte that was taken may pass, also when it has.
  private var lastDue: Int64?

  package init() {}

  package var isEmpty: Bool { start == bytes.count }

  /// How many bytes wait.
  package var count: Int { bytes.count - start }

  /// When the next byte may pass; nil when none waits.
  package var due: Int64? { isEmpty ? nil : pieces[firstPiece].due }

  /// Takes bytes that were read at `now` (nanoseconds, as all times here), cut into the pieces of the pace.
  package mutating func append(_ new: some Collection<UInt8>, _ pace: FaultProxy.Pace, now: Int64) {
    let (delay, interval) = (Self.nanoseconds(pace.delay), Self.nanoseconds(pace.interval))
    bytes += new
    var end = bytes.count - new.count
    while end < bytes.count {
      end = min(end + max(1, pace.bytes), bytes.count)
      let due = max(now + delay, lastDue.map { $0 + interval } ?? now)
      pieces.append((due, end))
      lastDue = due
    }
  }

  /// All that may pass at `now`.
  package func ready(at now: Int64) -> ArraySlice<UInt8> {
    var end = start
    for piece in pieces[firstPiece...] {
      guard piece.due <= now else { break }
      end = piece.end
    }
    return bytes[start..<end]
  }

  /// The first `count` bytes have been passed on.
  package mutating func removeFirst(_ count: Int) {
    start += count
    while firstPiece < pieces.count, pieces[firstPiece].end <= start { firstPiece += 1 }
    if isEmpty { (bytes, start, pieces, firstPiece) = ([], 0, [], 0) }
  }

  private static func nanoseconds(_ duration: Duration) -> Int64 { Int64(duration / .nanoseconds(1)) }
}
