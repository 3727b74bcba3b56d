// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawProtocol

/// How a conversation stands, without what was said in it: for a list that is kept current while messages arrive.
package struct ConversationActivity: Sendable, Equatable {
  /// Whom it is with.
  package var conversation: JID
  /// The number of its newest message.
  package var last: Int64
  /// Of theirs, how many nobody has read; counted up to a bound, so that a flood costs no more the longer it lasts.
  package var unread: Int
  /// We have written in it ourselves.
  package var isAnswered: Bool

  package init(conversation: JID, last: Int64, unread: Int = 0, isAnswered: Bool = false) {
    self.conversation = conversation
    self.last = last
    self.unread = unread
    self.isAnswered = isAnswered
  }
}
