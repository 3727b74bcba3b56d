// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession

/// The log before its beginning. A message has a number below one there, the lower the earlier it was written, with room between them:
/// so one conversation can be read in before the others, and all stand in the order of their times.
@Client final class EarlierTable: EarlierMessages {
  private let database: AccountDatabase
  private let instances: Instances
  private let quota: StrangersQuota

  init(_ database: AccountDatabase, _ instances: Instances, quota: StrangersQuota) {
    self.database = database
    self.instances = instances
    self.quota = quota
  }

  // MARK: The archive

  func walk(of conversation: JID?) throws -> ArchiveWalk {
    try database.perform { database throws(DatabaseError) in
      let name = conversation?.description
      if let walk = try Self.walk(name, database) { return walk }
      guard let name else { return ArchiveWalk() }
      if try Self.walk(nil, database)?.isComplete == true { return ArchiveWalk(isComplete: true) }
      // What came later is here.
      let archiveID = try database.first(
        """
        SELECT archive FROM message WHERE conversation = ? AND seq > ? AND archive IS NOT NULL ORDER BY seq LIMIT 1
        """, name, MessageTable.firstPlace
      ) { $0.optionalText(0) }
      return ArchiveWalk(archiveID: archiveID ?? nil)
    }
  }

  func keep(
    _ page: [ArrivedMessage], of conversation: JID?, _ walk: ArchiveWalk, before archiveID: String?, isComplete: Bool
  ) throws -> Int {
    try database.perform { database throws(DatabaseError) in
      let own = instances.own
      return try database.transaction { () throws(DatabaseError) in
        var batch = try EarlierBatch(before: walk.number, owner: own, quota: quota, database)
        let isAnyUnwanted = try Self.isAnyUnwanted(database)
        for index in page.indices.reversed() {
          if isAnyUnwanted, try Self.mustNotComeBack(page[index], database) { continue }
          try batch.insert(page[index], database)
        }
        try batch.finish(database)
        let known = try Self.walk(conversation?.description, database)
        if known == nil || known == walk {
          try database.run(
            """
            INSERT OR REPLACE INTO archive_walk (conversation, mark, number, is_complete)
            VALUES (?, ?, ?, ?)
            """, conversation?.description ?? "", archiveID ?? walk.archiveID, batch.first ?? walk.number, isComplete)
        }
        return batch.count
      }
    }
  }

  private static func walk(_ name: String?, _ database: Database) throws(DatabaseError) -> ArchiveWalk? {
    try database.first(
      "SELECT mark, number, is_complete FROM archive_walk WHERE conversation = ?", name ?? ""
    ) { ArchiveWalk(archiveID: $0.optionalText(0), number: $0.isNull(1) ? nil : $0.integer(1), isComplete: $0.flag(2)) }
  }

  /// Whether there is a message at all that must not come back.
  private static func isAnyUnwanted(_ database: Database) throws(DatabaseError) -> Bool {
    try database.first(
      """
      SELECT EXISTS (SELECT 1 FROM deleted) OR EXISTS (SELECT 1 FROM unkept) OR EXISTS (SELECT 1 FROM removed_message)
      """
    ) { $0.flag(0) } ?? false
  }

  /// It was deleted on purpose, is not to be kept, or was removed for want of room.
  private static func mustNotComeBack(
    _ message: ArrivedMessage, _ database: Database
  ) throws(DatabaseError) -> Bool {
    let isUnwanted = try database.first(
      """
      SELECT EXISTS (SELECT 1 FROM deleted WHERE conversation IN (?1, '') AND before > ?2)
        OR EXISTS (SELECT 1 FROM unkept WHERE conversation = ?1)
      """, message.conversation.description, message.time.milliseconds
    ) { $0.flag(0) }
    if isUnwanted == true { return true }
    if try MessageTable.wasOwnRemoved(message, database) { return true }
    guard let id = message.archiveID else { return false }
    return try Strangers.wasRemoved(id, database)
  }

  // MARK: Imports

  func keepImported(_ messages: [ArrivedMessage], before number: Int64?) throws -> ImportedBatch {
    try importing(messages, before: number, .writing)
  }

  func tryImport(_ messages: [ArrivedMessage]) throws -> ImportedBatch {
    try importing(messages, before: nil, .trying)
  }

  private func importing(
    _ messages: [ArrivedMessage], before number: Int64?, _ kind: Database.TransactionKind
  ) throws -> ImportedBatch {
    try database.perform { database throws(DatabaseError) in
      let own = instances.own
      return try database.transaction(kind) { () throws(DatabaseError) in
        var batch = try EarlierBatch(before: number, owner: own, quota: quota, database)
        try database.run("UPDATE beginning SET has_imports = 1")
        batch.isImport = true
        batch.mayLackIDs = true
        var conversations: Set<JID> = []
        for message in messages.reversed() where try batch.insert(message, database) {
          conversations.insert(message.conversation)
        }
        return ImportedBatch(count: batch.count, first: batch.first ?? number, conversations: conversations)
      }
    }
  }
}
