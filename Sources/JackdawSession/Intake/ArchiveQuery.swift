// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawProtocol

/// Which messages of an archive are wanted (XEP-0313 4.1), and how many at once.
package struct ArchiveQuery: Sendable, Hashable {
  /// Only the conversation with them: a bare JID means all of their devices. Nil: everybody's.
  package var with: JID?
  /// From this moment on, by the archive's clock.
  package var start: Timestamp?
  /// Up to this moment, by the archive's clock.
  package var end: Timestamp?
  /// Those behind the one of this archive id.
  package var after: String?
  /// Those before the one of this archive id, the newest of them. Does not count together with ``after``.
  package var before: String?
  /// Messages of one page: 1 to ``ArchiveLimits/page``, and the nearest of these where it is none of them.
  package var limit: Int
  /// Give the newest ones, and not the oldest. Does not count together with ``after``.
  package var takesNewest: Bool
  /// Whose archive: a room's; nil: our own account's.
  package var archive: JID?

  package init(
    with: JID? = nil, start: Timestamp? = nil, end: Timestamp? = nil, after: String? = nil, before: String? = nil,
    limit: Int = ArchiveLimits.page, takesNewest: Bool = false
  ) {
    self.with = with
    self.start = start
    self.end = end
    self.after = after
    self.before = before
    self.limit = limit
    self.takesNewest = takesNewest
  }

  var boundedLimit: Int { min(max(limit, 1), ArchiveLimits.page) }

}

/// A part of an archive, oldest first.
package struct ArchivePage: Sendable {
  /// Those that can be read, in the archive's order.
  package var messages: [ArchivedMessage]
  /// Nothing that matches the query comes behind these; of the newest ones: nothing before them.
  package var isComplete: Bool
  /// The archive id to go on after; nil in an empty page. It may be that of a message that was left out since it
  /// could not be read.
  package var last: String?
  /// The archive id to go on before; as ``last``.
  package var first: String?
  /// Nothing of it was left out as it exceeds a limit.
  package var isWhole: Bool

  package init(
    messages: [ArchivedMessage], isComplete: Bool, last: String?, first: String? = nil, isWhole: Bool = true
  ) {
    self.messages = messages
    self.isComplete = isComplete
    self.last = last
    self.first = first
    self.isWhole = isWhole
  }
}

/// A message that the archive kept.
package struct ArchivedMessage: Sendable {
  /// What the archive calls it; as ``InboundMessage/archiveID`` of the same message when it came.
  package var archiveID: String
  /// When the archive got it; never in the future.
  package var stamp: Timestamp
  /// As it was sent or received, `from` and `to` set, and one of them ours. What else is in it are the words of its sender:
  /// nothing that is wrapped in it has been unwrapped, and no stamp or id in it is to be believed.
  package var message: Message

  package init(archiveID: String, stamp: Timestamp, message: Message) {
    self.archiveID = archiveID
    self.stamp = stamp
    self.message = message
  }
}

/// How a walk through an archive ended.
package enum ArchiveEnd: Sendable, Hashable {
  /// Everything that matches the query has been seen.
  case complete
  /// So many had been seen as were wanted at most.
  case limit
  /// The archive said that there is more, and gave none of it.
  case stuck
}
