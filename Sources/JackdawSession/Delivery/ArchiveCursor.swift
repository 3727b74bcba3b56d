// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop

/// Up to where everything of our server's archive (XEP-0313) is in the log: one for the session, so that what goes out and what
/// comes in speak of the same.
@Client final class ArchiveCursor {
  /// What is known of it.
  enum Position: Equatable {
    /// The store has not been read yet.
    case unread
    /// Nothing of the archive is known.
    case nothing
    /// The id of a message; ``ArchiveCursor/beginning``: the archive was empty.
    case at(String)
  }

  /// The id where an archive is that has no message: whatever will be in it is news.
  nonisolated static let beginning = ""

  private(set) var position = Position.unread
  /// From behind which id on the archive is read once more (``ArchiveOverlap``); nil: as the store says.
  private(set) var overlap: String?
  private let store: (any MessageStore)?

  init(store: (any MessageStore)?) { self.store = store }

  /// As the store has it; nil: nothing is known.
  var id: String? { if case .at(let id) = position { id } else { nil } }

  /// Reads the store's, once.
  /// - Throws: when the store cannot be read now.
  func read() throws {
    guard position == .unread else { return }
    position = try store?.archiveCursor().map { .at($0) } ?? .nothing
  }

  /// Everything up to there is in the log, which knows it already.
  func advance(to id: String, overlap: String? = nil) { (position, self.overlap) = (.at(id), overlap) }

  /// Has the store keep it. What is wrong with the store is told by it.
  func keep() {
    if let id { try? store?.keepArchiveCursor(id, overlap: overlap) }
  }
}
