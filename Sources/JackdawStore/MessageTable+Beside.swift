// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession

/// What comes to several programs of the account at once and has nothing that names it alone: neither an id of the archive, nor one
/// that its sender gives to no other message.
extension MessageTable {
  /// Where another program that runs has just logged such a message; nil: none has.
  /// - Parameters:
  ///   - next: the number that it would get.
  ///   - search: that of the transaction.
  func loggedBeside(
    _ message: ArrivedMessage, before next: Int64, _ search: inout BesideSearch, _ own: Int, _ database: Database
  ) throws(DatabaseError) -> KnownMessage? {
    guard message.archiveID == nil, !message.hasUniqueID, !message.mayBeRepeated else { return nil }
    let hasAnotherLongRunning = search.hasAnotherLongRunning ?? instances.hasAnotherLongRunning
    search.hasAnotherLongRunning = hasAnotherLongRunning
    guard hasAnotherLongRunning else { return nil }
    let event = message.event
    let alike = try database.all(
      """
      SELECT seq, owner FROM message INDEXED BY message_stanza
      WHERE stanza IS ?1 AND seq >= ?2 AND seq > -1099511627776 AND conversation = ?3 AND sender = ?4
        AND is_outgoing = ?5 AND kind = ?6 AND body = ?7 AND (is_outgoing = 0 OR carbon IS NOT NULL)
        AND archive IS NULL AND is_unique = 0 AND is_late = 0 AND owner <> ?8 AND abs(received - ?9) <= ?10
        -- What is sent to each of two devices is two. A room sends one to each device.
        AND (kind = 'groupchat' OR recipient = ?11 OR ?12 OR instr(recipient, '/') = 0)
      ORDER BY seq
      """, event.id, max(1, next - StoreLimits.besideLookedAt), message.conversation.description,
      event.from.description, event.carbon == .sent, event.kind.rawValue, event.body, own,
      message.received.milliseconds, StoreLimits.besideWindow, event.to.description, event.to.resource == nil
    ) { KnownMessage(seq: $0.integer(0), owner: Int($0.integer(1))) }
    guard let found = alike.first(where: { !search.matched.contains($0.seq) && instances.isRunning($0.owner) }) else {
      return nil
    }
    search.matched.insert(found.seq)
    return found
  }
}

/// What one transaction knows of what other programs logged.
struct BesideSearch {
  /// What was found so for others: two alike are two.
  var matched: Set<Int64>
  /// Whether another program runs, once that was asked. It need not be asked again: who begins while the transaction holds the lock has
  /// logged nothing before.
  var hasAnotherLongRunning: Bool?
}
