// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Testing

@testable import JackdawStore

@Suite struct MigrationsTests {
  private func schema(_ database: Database) throws -> [String] {
    try database.all("SELECT name || ': ' || sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name") { $0.text(0) }
  }

  @Test func numbersAreConsecutive() {
    #expect(Migrations.all.map(\.number) == Array(1...Migrations.all.count))
  }

  /// A released migration is never edited, as databases that have taken it would differ from those to come. Each new one adds
  /// its fingerprint here.
  @Test func releasedMigrationsAreAsTheyWere() {
    let fingerprints = Migrations.all.map { migration in
      migration.script.description.utf8.reduce(UInt64(0xCBF2_9CE4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
    #expect(
      fingerprints == [
        7_313_589_337_641_454_399, 3_576_388_832_738_147_511, 10_962_157_742_526_049_755, 2_543_880_813_723_426_269,
        14_981_033_969_711_612_985, 6_104_620_342_418_629_368, 2_300_485_096_084_433_703, 17_816_390_476_700_454_033,
        461_698_676_109_806_063,
      ])
  }

  @Test(arguments: 0...Migrations.all.count)
  func aDatabaseOfAnyEarlierVersionArrivesAtTheSameSchema(version: Int) throws {
    let old = try Database(path: nil)
    try Migrations.apply(Array(Migrations.all.prefix(version)), to: old)
    #expect(try old.schemaVersion() == version)
    try Migrations.apply(to: old)
    let new = try Database(path: nil)
    try Migrations.apply(to: new)
    #expect(try schema(old) == schema(new))
    #expect(try old.schemaVersion() == Migrations.all.count)
  }

  @Test func aMigrationThatFailsLeavesTheDatabaseAsItWas() throws {
    let database = try Database(path: nil)
    let first = Migration(number: 1, script: "CREATE TABLE a (x)")
    let second = Migration(number: 2, script: "CREATE TABLE b (x); CREATE TABLE a (x)")
    #expect(throws: DatabaseError.self) { try Migrations.apply([first, second], to: database) }
    #expect(try database.schemaVersion() == 0)
    #expect(try schema(database) == [])
  }

  @Test func aSchemaFromTheFutureIsRefused() throws {
    let database = try Database(path: nil)
    try database.setSchemaVersion(Migrations.all.count)
    try Migrations.check(database)
    try database.setSchemaVersion(Migrations.all.count + 1)
    let error = try #require(#expect(throws: DatabaseError.self) { try Migrations.check(database) })
    #expect(error.code == .schemaFromTheFuture)
    #expect(error.description.hasPrefix("the database was written by a newer Jackdaw"))
  }
}
