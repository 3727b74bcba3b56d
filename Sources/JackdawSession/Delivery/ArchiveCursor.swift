// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop

/// The id up to which the log has everything of our server's archive (XEP-0313). Delivery and intake share the session's one.
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

  /// The cursor of an archive that was found empty: whatever will be in it is news.
  nonisolated static let beginning = ""

  private(set) var position = Position.unread
  /// The next read of the archive begins behind this id (``ArchiveOverlap``); nil: the store knows it.
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

  /// Everything up to `id` is in the log. The store is given the cursor with the messages, or by ``keep()``.
  func advance(to id: String, overlap: String? = nil) { (position, self.overlap) = (.at(id), overlap) }

  /// Has the store keep it. The store reports its errors itself.
  func keep() {
    if let id { try? store?.keepArchiveCursor(id, overlap: overlap) }
  }
}
