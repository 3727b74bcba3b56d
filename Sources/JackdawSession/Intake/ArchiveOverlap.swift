// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol

/// From where on an archive is read once more. A server that works on several things at once may store, and deliver, what it has given a
/// lower id a moment after what has a higher one (ejabberd's ids are times): behind the last one that is known it would never be found.
struct ArchiveOverlap {
  /// The id behind which that is; nil: nothing has been read.
  private(set) var start: String?
  /// Whether it moves on with what is read.
  private let moves: Bool

  init(start: String? = nil, moves: Bool = true) { (self.start, self.moves) = (start, moves) }

  /// The next page has been read.
  mutating func took(_ page: ArchivePage) {
    guard moves else { return }
    // What is left out is told whenever it is read: nothing before it is read once more.
    guard page.isWhole else { return start = page.last ?? start }
    guard let newest = page.messages.last?.stamp.milliseconds else { return }
    let early = page.messages.last { $0.stamp.milliseconds <= newest - SessionLimits.overtakingMilliseconds }
    start = early?.archiveID ?? start
  }
}
