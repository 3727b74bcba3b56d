// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop
package import JackdawProtocol

/// Up to where the account's devices have read: what others of them said is applied to the log, and what was read here is remembered
/// until they have been told. Several programs may use one store.
@Client package protocol ReadMarkStore: AnyObject {
  /// Calls each time that somebody has read further, by ``MessageLog/markRead(_:through:)`` of this program.
  func whenMarked(_ action: @escaping @Client () -> Void)

  /// Another device of ours has read up to these messages. Nothing becomes unread by it. What is not in the log waits for
  /// ``applyPending(isUpToDate:)``.
  /// - Parameter isUpToDate: the log has all that was said until now but in rooms: what comes from here on is newer.
  /// - Returns: the conversations of which a mark waits.
  func apply(_ marks: [DisplayedMark], isUpToDate: Bool) throws -> Set<JID>

  /// Applies the marks whose messages have come.
  /// - Parameter isUpToDate: as for ``apply(_:isUpToDate:)``.
  /// - Returns: the conversations of which a mark waits.
  func applyPending(isUpToDate: Bool) throws -> Set<JID>

  /// Applies the marks whose messages have come, when the log has all that was said in a room until now.
  /// - Returns: the conversations of which a mark waits.
  func applyPending(upToDate room: JID) throws -> Set<JID>

  /// Another device of ours has answered a call, or refused it: the message that proposed it does not count as unread any more.
  /// - Parameters:
  ///   - id: the call's.
  ///   - caller: a bare address.
  /// - Returns: whether an unread message proposes it.
  func callWasAnswered(_ id: String, of caller: JID) throws -> Bool

  /// What was read here and the other devices do not know: of each conversation the last message that somebody else wrote and that our
  /// server's archive, or the room's, has given an id. None that may stand before what another device said.
  /// - Parameter limit: no more than so many.
  func unpublished(limit: Int) throws -> [UnpublishedMark]

  /// The other devices know it.
  func wasPublished(_ mark: UnpublishedMark) throws
}

/// Up to which message a conversation was read (XEP-0490).
package struct DisplayedMark: Sendable, Equatable {
  /// The bare address whom the conversation is with; of private words in a room the room and the nick.
  package var conversation: JID
  /// The message's id in our server's archive; of one in a room as the log has it (``StanzaID/stored(_:in:)``).
  package var archiveID: String

  package init(conversation: JID, archiveID: String) {
    self.conversation = conversation
    self.archiveID = archiveID
  }
}

/// A mark that is to be published.
package struct UnpublishedMark: Sendable, Equatable {
  /// What the other devices are to be told.
  package var mark: DisplayedMark
  /// Up to this number of the log it says that all was read.
  package var number: Int64

  package init(_ mark: DisplayedMark, number: Int64) {
    self.mark = mark
    self.number = number
  }
}
