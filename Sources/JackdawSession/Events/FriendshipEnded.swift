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
  /// What becomes of our entry: with `ask` it is for the user to say. An entry stays after a refusal.
  package var policy: WhenRemoved
  package var topic: JID? { jid.bare }

  package init(jid: JID, wasRefusal: Bool, policy: WhenRemoved = .keep) {
    self.jid = jid
    self.wasRefusal = wasRefusal
    self.policy = policy
  }

  private enum CodingKeys: String, CodingKey { case jid, reason, policy }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(jid.description, forKey: .jid)
    try container.encode(wasRefusal ? "refused" : "removed", forKey: .reason)
    try container.encode(policy.rawValue, forKey: .policy)
  }
}
