// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop
package import JackdawProtocol

/// Where messages go that are older than the log: what our server's archive has of earlier times, and what is imported. Each stands in
/// its place by its time, counts as read, and is presented to nobody.
@Client package protocol EarlierMessages: AnyObject {
  /// How far the archive was read backwards.
  /// - Parameter conversation: with whom; nil: everything.
  func walk(of conversation: JID?) throws -> ArchiveWalk

  /// Keeps a page of the archive, each message unless it is there already or was deleted on purpose.
  /// - Parameters:
  ///   - page: oldest first.
  ///   - walk: the walk that led there; nothing is noted of where it is where another program has gone on with it meanwhile.
  ///   - archiveID: the archive's id before which it goes on; nil: as before.
  ///   - isComplete: there is nothing before the page.
  /// - Returns: how many are new.
  func keep(
    _ page: [ArrivedMessage], of conversation: JID?, _ walk: ArchiveWalk, before archiveID: String?, isComplete: Bool
  ) throws -> Int

  /// Keeps messages from elsewhere, each unless it is there already: by its ids, or, without any, by sender, time and text.
  /// Everything that is there must have been made findable (``MessageLog/extendIndex(isWaitedFor:)``).
  /// - Parameters:
  ///   - messages: oldest first.
  ///   - number: they stand before it; nil: where their time says.
  func keepImported(_ messages: [ArrivedMessage], before number: Int64?) throws -> ImportedBatch

  /// What ``keepImported(_:before:)`` would do, of which nothing stays.
  func tryImport(_ messages: [ArrivedMessage]) throws -> ImportedBatch
}

/// What became of messages that were imported together.
package struct ImportedBatch: Sendable, Equatable {
  /// How many are new.
  package var count: Int
  /// The number of the first; where none is new, the one that they were to stand before.
  package var first: Int64?
  /// Whom the new ones were exchanged with.
  package var conversations: Set<JID>

  package init(count: Int, first: Int64?, conversations: Set<JID>) {
    self.count = count
    self.first = first
    self.conversations = conversations
  }
}

/// How far the archive was read backwards.
package struct ArchiveWalk: Sendable, Equatable {
  /// The archive's id before which it goes on; nil: from its end on.
  package var archiveID: String?
  /// What comes next stands before this number; nil: where its time says.
  package var number: Int64?
  /// There is nothing more.
  package var isComplete: Bool

  package init(archiveID: String? = nil, number: Int64? = nil, isComplete: Bool = false) {
    self.archiveID = archiveID
    self.number = number
    self.isComplete = isComplete
  }
}
