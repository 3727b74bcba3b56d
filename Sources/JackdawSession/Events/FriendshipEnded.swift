// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawProtocol

/// Somebody does not let us see their presence any more, or refused our request. JSON: `friendship-ended`.
package struct FriendshipEnded: ClientEvent, Equatable {
  package static let name = "friendship-ended"
  /// Who ended it.
  package var jid: JID
  /// True when they refused a request of ours, false when they ended what was granted.
  package var wasRefusal: Bool
  package var topic: JID? { jid.bare }

  package init(jid: JID, wasRefusal: Bool) {
    self.jid = jid
    self.wasRefusal = wasRefusal
  }

  private enum CodingKeys: String, CodingKey { case jid, reason }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(jid.description, forKey: .jid)
    try container.encode(wasRefusal ? "refused" : "removed", forKey: .reason)
  }
}
