// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawProtocol

/// Somebody was blocked or is no longer, here or on another device of ours. JSON: `block`.
package struct BlockChanged: ClientEvent, Equatable {
  /// Whether they are blocked from now on, or not any more.
  package enum Change: String, Encodable, Sendable, CaseIterable { case blocked, unblocked }
  package static let name = "block"
  /// A person, one device of theirs, or a whole server.
  package var jid: JID
  package var change: Change
  package var topic: JID? { jid.bare }

  package init(jid: JID, change: Change) {
    self.jid = jid
    self.change = change
  }

  private enum CodingKeys: String, CodingKey { case jid, change }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(jid.description, forKey: .jid)
    try container.encode(change, forKey: .change)
  }
}
