// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// A place in the message log, in which everything stands in the order in which it is to be read.
package struct LogPlace: Sendable, Hashable, Comparable {
  /// Counts up.
  package var seq: Int64
  /// How often the log had to be begun anew before: the numbers begin anew with it.
  package var beginning: Int { Int(count) }
  /// So small that an event with a place needs no memory of its own as any event (``MessageArrived/place``).
  private let count: Int32

  /// A place in a log, of whichever beginning.
  package init(seq: Int64, beginning: Int = 0) {
    self.seq = seq
    count = Int32(clamping: beginning)
  }

  package static func < (one: LogPlace, other: LogPlace) -> Bool {
    (one.beginning, one.seq) < (other.beginning, other.seq)
  }
}
