// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawProtocol

/// A resource of a contact came, went or changed. JSON: `presence`.
package struct PresenceChanged: ClientEvent, Equatable {
  package static let name = "presence"
  /// The resource, a full JID; bare where a contact's server speaks for all of them.
  package var from: JID
  /// `available`, `chat`, `away`, `xa`, `dnd` or `unavailable`.
  package var show: String
  package var status: String?
  package var priority: Int8
  package var topic: JID? { from.bare }

  package init(from: JID, show: String, status: String?, priority: Int8) {
    self.from = from
    self.show = show
    self.status = status
    self.priority = priority
  }

  private enum CodingKeys: String, CodingKey { case from, show, status, priority }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(from.description, forKey: .from)
    try container.encode(show, forKey: .show)
    try container.encode(status, forKey: .status)
    try container.encode(priority, forKey: .priority)
  }
}
