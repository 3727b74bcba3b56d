// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop

/// One step from an older schema to the next. Once released it is never edited: what was wrong with it is put right by a
/// further one.
struct Migration: Sendable {
  /// 1 is the first; there are no gaps.
  let number: Int
  /// Statements without parameters.
  let script: StaticString
}

/// All steps, and how a database takes those that it lacks.
///
/// A new kind of data is one file with its table's type and migration, one line here, and its place in ``CurrentSchema``.
enum Migrations {
  static let all = [
    RosterTable.migration,
    LoginTable.migration,
    CapabilityTable.migration,
    FriendRequestTable.migration,
    MessageTable.migration,
    OutboxTable.migration,
    StreamTable.migration,
    HeldMigration.migration,
    LogMigration.migration,
    IndexMigration.migration,
    StrangersMigration.migration,
    StrangersMigration.removal,
    HistoryMigration.migration,
    EarlierMigration.migration,
    RelationMigration.migration,
    ReadMarkMigration.migration,
    QuestionMigration.migration,
    PayloadMigration.migration,
    BlockTable.migration,
    UncountedMigration.migration,
    SubjectIndexMigration.migration,
    RoomTable.migration,
    RoomRelationMigration.migration,
    RoomQuotaMigration.migration,
    LoginTable.installation,
    LoginTable.keys,
    LoginTable.ticket,
    RoomTable.archive,
    InvitationMigration.migration,
    FailedRelationMigration.migration,
    RoomTable.position,
    ReadersMigration.migration,
    WithdrawnRelationMigration.migration,
    OverlapMigration.migration,
    OpenIndexMigration.migration,
    FateMigration.migration,
  ]

  /// Refuses a database that a later version of the program has changed: what this version would write into it might be
  /// wrong there. Writes nothing.
  static func check(_ database: Database, _ migrations: [Migration] = all) throws(DatabaseError) {
    let version = try database.schemaVersion()
    guard version <= migrations.count else {
      throw DatabaseError(
        code: .schemaFromTheFuture,
        message: "the database was written by a newer Jackdaw (schema \(version), this one knows \(migrations.count))")
    }
  }

  /// Takes the steps that the database lacks, all or none of them. A new database gets ``CurrentSchema`` at once.
  /// - Parameters:
  ///   - patience: how long another program is waited for that has an older database locked.
  ///   - isToEnd: whether this one is to end, and waits no longer.
  static func apply(
    _ migrations: [Migration] = all, to database: Database, patience: Duration = StoreLimits.migrationPatience,
    isToEnd: () -> Bool = { PendingSignals.askToEnd }
  ) throws(DatabaseError) {
    let version = try database.schemaVersion()
    guard version < migrations.count else { return }
    func begin() throws(DatabaseError) {
      try database.transaction { () throws(DatabaseError) in try takeSteps(migrations, database) }
    }
    // A new one is soon made.
    guard version > 0 else { return try begin() }
    // Another program may be at it: of a large database that takes longer than any other transaction. It is waited for in pieces, so that
    // a signal that is to end this one is heard.
    let end = ContinuousClock.now + patience
    while true {
      do {
        return try begin()
      } catch {
        guard case .busy = error.code, database.waitsForLocks, ContinuousClock.now < end, !isToEnd() else {
          throw error
        }
      }
    }
  }

  private static func takeSteps(_ migrations: [Migration], _ database: Database) throws(DatabaseError) {
    // Once more, as another Jackdaw may have been quicker.
    let version = try database.schemaVersion()
    if version == 0, migrations.count == all.count {
      try database.execute(CurrentSchema.script)
      return try database.setSchemaVersion(all.count)
    }
    for migration in migrations where migration.number > version {
      try database.execute(migration.script)
      try database.setSchemaVersion(migration.number)
    }
  }
}
