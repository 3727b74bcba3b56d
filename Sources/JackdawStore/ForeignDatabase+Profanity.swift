// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession

/// Profanity's `chatlog.db` (its `src/database.c`): one table, `ChatLogs`, whose columns of versions 1 to 3 of the schema are the same as
/// far as they are read here. `type` is `chat`, `muc` or `mucpm`; `timestamp` is ISO 8601 with the zone of the machine. A correction (XEP-0308)
/// is a row of its own, as it is a message of its own in our log.
extension ForeignDatabase {
  static func profanityRows(_ database: Database, after number: Int64) throws(DatabaseError) -> [ForeignRow] {
    try database.all(
      """
      SELECT id, type, from_jid, from_resource, to_jid, to_resource, stanza_id, message, timestamp FROM ChatLogs
      WHERE id > ? ORDER BY id LIMIT ?
      """, number, StoreLimits.foreignRows
    ) { row in
      ForeignRow(row) { row throws(MalformedRow) in
        switch try row.optionalForeignText(1, "type") {
        case "muc", "mucpm": return .room
        case "chat": break
        default: return .other
        }
        guard let text = try row.optionalForeignText(7, "message") else { return .other }
        guard let time = Timestamp(iso8601: try row.foreignText(8, "timestamp")) else {
          throw MalformedRow("has no time")
        }
        return .message(
          ForeignMessage(
            from: .init(try row.foreignText(2, "sender"), resource: try row.optionalForeignText(3, "resource")),
            to: .init(try row.foreignText(4, "recipient"), resource: try row.optionalForeignText(5, "resource")),
            kind: .chat, id: try row.optionalForeignText(6, "id"), text: text, time: time))
      }
    }
  }
}
