// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop
package import JackdawProtocol

/// Where the session reads what was said while it had no stream, or on other devices: the account's archive (XEP-0313), which a
/// feature offers to ``Intake``.
@Client package protocol MessageHistory: AnyObject {
  /// Whether there may be an archive: false once the server has said that it keeps none.
  var mayBeOffered: Bool { get }
  /// Whether ``claimedID(of:)`` is a message's id in the archive on this stream, and nobody else's word (XEP-0359).
  var vouchesForIDs: Bool { get }
  /// What is said to be the archive's id of a message, whoever wrote that.
  func claimedID(of message: Message) -> String?
  /// What time it was by the archive's clock before this program was available for the first time; nil where the archive was known
  /// here, or its server does not say it.
  var loginTime: Timestamp? { get }

  /// One page, oldest first.
  /// - Throws: ``FeatureError`` with `.notOffered` where there is no archive, and with `.notFound` where it has no message (any more)
  ///   of the id in ``ArchiveQuery/after``; ``RequestError``.
  func page(_ query: ArchiveQuery) async throws -> ArchivePage

  /// Walks through all that matches `query`, oldest first.
  /// - Parameter each: is given each page; what it throws ends the walk.
  /// - Throws: as ``page(_:)``.
  func pages(_ query: ArchiveQuery, each: (ArchivePage) async throws -> Void) async throws -> ArchiveEnd

  /// Walks back through what matches `query`, from the newest on.
  /// - Parameters:
  ///   - limit: looks at no more messages than these.
  ///   - each: is given each page, and says whether it wants the one before it.
  /// - Throws: as ``page(_:)``.
  @discardableResult func pagesBackwards(
    _ query: ArchiveQuery, upTo limit: Int, each: ([ArchivedMessage]) -> Bool
  ) async throws -> ArchiveEnd
}
