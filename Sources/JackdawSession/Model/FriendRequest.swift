// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop
package import JackdawProtocol

/// One open request of somebody who wants to see our presence (RFC 6121 3.1), with all that is known of who asks.
///
/// Every text in it is that person's own; each is cut to what ``SessionLimits`` allow.
package struct FriendRequest: Sendable, Equatable {
  /// Who asks; bare.
  package var jid: JID
  /// What they call themselves in the request (XEP-0172).
  package var nickname: String?
  /// What they wrote with it.
  package var message: String?
  /// The name on their vCard (XEP-0054).
  package var cardName: String?
  /// The SHA-1 of their picture in hexadecimal digits (XEP-0153).
  package var photo: String?
  /// Whether their vCard was asked for. It is once, whatever the answer.
  package var hasCard: Bool

  /// Texts that are too long are cut.
  package init(
    jid: JID, nickname: String? = nil, message: String? = nil, cardName: String? = nil, photo: String? = nil,
    hasCard: Bool = false
  ) {
    self.jid = jid.bare
    self.nickname = nickname.map { $0.cut(toBytes: SessionLimits.requesterName) }
    self.message = message.map { $0.cut(toBytes: SessionLimits.requestText) }
    self.cardName = cardName.map { $0.cut(toBytes: SessionLimits.requesterName) }
    self.photo = photo
    self.hasCard = hasCard
  }

  /// Takes in what a repetition of the request says more; what it says otherwise does not count.
  /// - Returns: whether anything was new.
  mutating func fill(from other: FriendRequest) -> Bool {
    let before = self
    nickname = nickname ?? other.nickname
    message = message ?? other.message
    photo = photo ?? other.photo
    return self != before
  }

  /// Takes in what their vCard says; nil: there is none.
  mutating func take(_ card: RequesterCard?) {
    hasCard = true
    if let name = card?.name { cardName = name.cut(toBytes: SessionLimits.requesterName) }
    photo = card?.photo ?? photo
  }
}

/// What the vCard of somebody who asks says of them.
package struct RequesterCard: Sendable, Equatable {
  /// Their name on it; not empty.
  package var name: String?
  /// The SHA-1 of their picture in hexadecimal digits.
  package var photo: String?

  package init(name: String?, photo: String?) {
    self.name = name
    self.photo = photo
  }
}

/// Where open requests are kept until they are answered, and whom we have asked. Errors are the store's; the session goes on without.
@Client package protocol FriendRequestStore: AnyObject {
  /// All that are kept, in the order in which they came.
  func loadRequests() throws -> [FriendRequest]
  /// Keeps some, in place of what was kept of the same people, and forgets those of others: all of it or nothing.
  func changeRequests(keep: [FriendRequest], forget: [JID]) throws
  /// Whether we have asked them to be friends, so that their own request needs no answer.
  func isInvited(_ jid: JID) throws -> Bool
  /// Keeps some as asked, and others not: all of it or nothing.
  func changeInvited(keep: [JID], forget: [JID]) throws
}
