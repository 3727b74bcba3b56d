// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession

/// Invitations into rooms, which stand among the messages.
extension HistoryTable {
  func answerInvitation(_ number: Int64) throws {
    try database.perform { database throws(DatabaseError) in
      try database.transaction { () throws(DatabaseError) in
        let kept = try database.first("SELECT payload FROM message WHERE seq = ?", number) { $0.optionalText(0) } ?? nil
        guard var payload = Payloads.payload(kept), payload.content?.kind == .invitation else { return }
        payload.isAnswered = true
        try database.run("UPDATE message SET payload = ? WHERE seq = ?", Payloads.text(payload), number)
      }
    }
  }
}
