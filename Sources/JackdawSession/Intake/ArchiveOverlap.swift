// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol

/// Where the next read of an archive begins, before the last known id. A server that handles several stanzas at once may store, and
/// deliver, a message with a lower id a moment after one with a higher id (ejabberd's ids are times): behind the last known id it would
/// never be found.
struct ArchiveOverlap {
  /// The id behind which that is; nil: nothing has been read.
  private(set) var start: String?
  /// Whether it moves on with what is read.
  private let moves: Bool

  init(start: String? = nil, moves: Bool = true) { (self.start, self.moves) = (start, moves) }

  /// The next page has been read.
  mutating func took(_ page: ArchivePage) {
    guard moves else { return }
    // A message that was left out is reported each time that it is read: nothing before it is read again.
    guard page.isWhole else { return start = page.last ?? start }
    guard let newest = page.messages.last?.stamp.milliseconds else { return }
    let early = page.messages.last { $0.stamp.milliseconds <= newest - SessionLimits.overtakingMilliseconds }
    start = early?.archiveID ?? start
  }
}
