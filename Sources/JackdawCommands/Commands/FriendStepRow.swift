// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawProtocol

/// One step of a friendship that was done and confirmed.
package struct FriendStepRow: CommandRow {
  /// Whom the friendship is with.
  package var jid: JID
  /// A word for programs.
  package var outcome: String
  package var sentence: String
  package var cells: [Cell] { [Cell(sentence, .sentence)] }

  private enum CodingKeys: String, CodingKey { case jid, outcome }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(jid.description, forKey: .jid)
    try container.encode(outcome, forKey: .outcome)
  }
}
