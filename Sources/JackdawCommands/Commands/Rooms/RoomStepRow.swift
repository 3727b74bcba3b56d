// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
package import JackdawProtocol

/// Something in a room that was done and confirmed.
package struct RoomStepRow: CommandRow {
  /// The room's bare address.
  package var room: JID
  /// A word for programs.
  package var outcome: String
  /// Whom it was done to, a nick or an address; the user's own nick where they entered; nil: nobody.
  package var who: String?
  package var sentence: String
  /// What happened is shown as an event already, to those who read.
  private var isTold = false

  package init(_ room: JID, _ outcome: String, who: String? = nil, _ sentence: String) {
    self.room = room
    self.outcome = outcome
    self.who = who
    self.sentence = sentence
  }

  /// The same, silent where events are shown.
  @Client func unlessTold(_ context: CommandContext) -> RoomStepRow {
    var row = self
    row.isTold = context.application.showsArrivals
    return row
  }

  package var cells: [Cell] { isTold ? [] : [Cell(sentence, .sentence)] }

  private enum CodingKeys: String, CodingKey { case room, outcome, who }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(room.description, forKey: .room)
    try container.encode(outcome, forKey: .outcome)
    try container.encode(who, forKey: .who)
  }
}
