// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawProtocol
package import JackdawSession

/// What became of a message that was sent. For JSON only: in text nothing is said of success.
package struct SentRow: CommandRow {
  package var id: String
  /// Whom the message went to.
  package var to: JID
  /// The last that is known of it.
  package var state: DeliveryState
  package var cells: [Cell] { [] }

  private enum CodingKeys: String, CodingKey { case id, to, state }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(id, forKey: .id)
    try container.encode(to.description, forKey: .to)
    try container.encode(state, forKey: .state)
  }
}
