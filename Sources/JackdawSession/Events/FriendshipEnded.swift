// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawProtocol

/// We do not see somebody's presence any more, or a request of ours has ended. JSON: `friendship-ended`.
package struct FriendshipEnded: ClientEvent, Equatable {
  package static let name = "friendship-ended"
  /// Whose presence it is.
  package var jid: JID
  /// How it ended; its raw value is what JSON has.
  package enum Reason: String, Sendable, CaseIterable {
    /// They ended what was granted.
    case removed
    /// They refused a request of ours.
    case refused
    /// It ended while we were not told of it: they did so, or another client of ours.
    case unknown
  }
  /// Whose doing it was.
  package var reason: Reason
  /// True when it was a request of ours that ended, false when it was what had been granted.
  package var wasRequest: Bool
  /// What becomes of our entry: with `ask` it is for the user to say. An entry stays after all but a removal.
  package var policy: WhenRemoved
  package var topic: JID? { jid.bare }

  /// - Parameter wasRequest: nil: as the reason says.
  package init(jid: JID, _ reason: Reason, wasRequest: Bool? = nil, policy: WhenRemoved = .keep) {
    self.jid = jid
    self.reason = reason
    self.wasRequest = wasRequest ?? (reason == .refused)
    self.policy = policy
  }

  private enum CodingKeys: String, CodingKey { case jid, reason, policy }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(jid.description, forKey: .jid)
    try container.encode(reason.rawValue, forKey: .reason)
    try container.encode(policy.rawValue, forKey: .policy)
  }
}
