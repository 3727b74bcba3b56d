// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawProtocol

/// Messages of earlier times have been read from the archive into the log, and more may follow. None of them is told. JSON:
/// `archive-read`.
package struct ArchiveRead: ClientEvent, Equatable {
  package static let name = "archive-read"
  /// How many were new, since the walk began.
  package var messages: Int
  /// How far back it has come; nil: it had nothing to read.
  package var oldest: Timestamp?
  /// Everything that is wanted is here.
  package var complete: Bool
  package var topic: JID? { nil }

  package init(messages: Int = 0, oldest: Timestamp? = nil, complete: Bool = false) {
    self.messages = messages
    self.oldest = oldest
    self.complete = complete
  }

  private enum CodingKeys: String, CodingKey { case messages, oldest, complete }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(messages, forKey: .messages)
    try container.encode(oldest?.description, forKey: .oldest)
    try container.encode(complete, forKey: .complete)
  }
}
