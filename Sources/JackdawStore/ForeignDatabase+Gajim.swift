// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession

/// Gajim's `logs.db`, which has had two schemas.
extension ForeignDatabase {
  // MARK: Since 1.9

  /// From schema version 8 on (its `gajim/common/storage/archive/models.py`): `message.type` is 1 for chats, 2 for rooms, 3 for people in
  /// rooms; `direction` 1 for theirs, 2 for ours; `timestamp` seconds since 1970.
  static func gajimRows(_ database: Database, after number: Int64) throws(DatabaseError) -> [ForeignRow] {
    try database.all(
      """
      SELECT message.pk, message.type, message.direction, account.jid, remote.jid, message.resource, message.id,
        message.text, message.timestamp
      FROM message LEFT JOIN account ON account.pk = message.fk_account_pk
        LEFT JOIN remote ON remote.pk = message.fk_remote_pk
      WHERE message.pk > ? ORDER BY message.pk LIMIT ?
      """, number, StoreLimits.foreignRows
    ) { row in
      ForeignRow(row) { row throws(MalformedRow) in
        switch row.integer(1) {
        case 1: break
        case 2, 3: return .room
        default: return .other
        }
        // A file or a call has none.
        guard let text = try row.optionalForeignText(7, "text") else { return .other }
        let own = ForeignMessage.Address(try row.foreignText(3, "account"))
        let peer = try row.foreignText(4, "address")
        let time = try row.foreignTime(8)
        let id = try row.optionalForeignText(6, "id")
        switch row.integer(2) {
        case 1:
          let sender = ForeignMessage.Address(peer, resource: try row.optionalForeignText(5, "resource"))
          return .message(ForeignMessage(from: sender, to: own, kind: .chat, id: id, text: text, time: time))
        case 2:
          return .message(ForeignMessage(from: own, to: .init(peer), kind: .chat, id: id, text: text, time: time))
        default: throw MalformedRow("has no direction")
        }
      }
    }
  }

  // MARK: Until 1.8

  /// Up to schema version 7: `logs.kind` is 3 and 4 for what came, 5 and 6 for what was sent, 2 for rooms; the others are statuses
  /// and errors. `account_id` came with version 1, `message_id` with version 3. `jids.type` 1 is a room; somebody in one has its address
  /// with a nickname behind the slash.
  static func gajimLogReader(
    _ columns: Set<String>
  ) -> @Client (Database, Int64) throws(DatabaseError) -> [ForeignRow] {
    let query: StaticString =
      if columns.contains("message_id"), columns.contains("account_id") {
        """
        SELECT log_line_id, kind, peer.jid, peer.type, account.jid, message_id, message, time,
          EXISTS (SELECT 1 FROM jids WHERE type = 1 AND jid = substr(peer.jid, 1, instr(peer.jid, '/') - 1))
        FROM logs LEFT JOIN jids AS peer ON peer.jid_id = logs.jid_id LEFT JOIN jids AS account ON account.jid_id = logs.account_id
        WHERE log_line_id > ? ORDER BY log_line_id LIMIT ?
        """
      } else if columns.contains("account_id") {
        """
        SELECT log_line_id, kind, peer.jid, peer.type, account.jid, NULL, message, time,
          EXISTS (SELECT 1 FROM jids WHERE type = 1 AND jid = substr(peer.jid, 1, instr(peer.jid, '/') - 1))
        FROM logs LEFT JOIN jids AS peer ON peer.jid_id = logs.jid_id LEFT JOIN jids AS account ON account.jid_id = logs.account_id
        WHERE log_line_id > ? ORDER BY log_line_id LIMIT ?
        """
      } else {
        """
        SELECT log_line_id, kind, peer.jid, peer.type, NULL, NULL, message, time,
          EXISTS (SELECT 1 FROM jids WHERE type = 1 AND jid = substr(peer.jid, 1, instr(peer.jid, '/') - 1))
        FROM logs LEFT JOIN jids AS peer ON peer.jid_id = logs.jid_id
        WHERE log_line_id > ? ORDER BY log_line_id LIMIT ?
        """
      }
    return { database, number throws(DatabaseError) in
      try database.all(query, number, StoreLimits.foreignRows) { row in
        ForeignRow(row) { row throws(MalformedRow) in try gajimLogContent(row) }
      }
    }
  }

  private static func gajimLogContent(_ row: Row) throws(MalformedRow) -> ForeignRow.Content {
    let (isOutgoing, kind): (Bool, Message.Kind)
    switch row.integer(1) {
    case 2: return .room
    case 3: (isOutgoing, kind) = (false, .normal)
    case 4: (isOutgoing, kind) = (false, .chat)
    case 5: (isOutgoing, kind) = (true, .normal)
    case 6: (isOutgoing, kind) = (true, .chat)
    default: return .other
    }
    if row.integer(3) == 1 || row.flag(8) { return .room }
    guard let text = try row.optionalForeignText(6, "message") else { return .other }
    let own = try row.optionalForeignText(4, "account").map { ForeignMessage.Address($0) }
    let peer = ForeignMessage.Address(try row.foreignText(2, "address"))
    return .message(
      ForeignMessage(
        from: isOutgoing ? own : peer, to: isOutgoing ? peer : own, kind: kind,
        id: try row.optionalForeignText(5, "id"), text: text, time: try row.foreignTime(7)))
  }
}
