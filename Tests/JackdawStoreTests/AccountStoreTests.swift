// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
import JackdawLoop
import JackdawProtocol
import JackdawSession
import Support
import Testing

@testable import JackdawStore

@Client @Suite(.onLoop) struct AccountStoreTests {
  /// A store in a folder of its own, and what it warned of.
  @Client private final class Fixture {
    let folder = TemporaryFolder()
    let file: DatabaseFile
    var warnings: [StoreWarning] = []

    init() throws {
      file = DatabaseFile(directory: folder.path, account: try JID("a@b.example"))
    }

    var path: String { "\(folder.path)/\(file.name)" }

    func database() -> AccountDatabase {
      AccountDatabase(file: file, busyTimeout: 0) { [weak self] in self?.warnings.append($0) }
    }

    func store() -> AccountStore { AccountStore(database: database()) }
  }

  private let roster = RosterSnapshot(version: "1", items: [])

  @Test("no file is opened before the first use") func nothingIsOpenedBeforeTheFirstUse() throws {
    let fixture = try Fixture()
    let store = fixture.store()
    #expect(fixture.folder.names == [])
    _ = try store.login.loadMechanism()
    #expect(fixture.folder.names.contains(fixture.file.name))
  }

  @Test("what is stored is there the next time") func whatIsStoredIsThereTheNextTime() throws {
    let fixture = try Fixture()
    try fixture.store().roster.replaceRoster(roster)
    #expect(try fixture.store().roster.loadRoster() == roster)
    #expect(fixture.warnings.isEmpty)
    #expect(fixture.folder.names == [fixture.file.name], "closed, it leaves no log")
  }

  @Test("a closed store opens again") func aClosedStoreOpensAgain() throws {
    let fixture = try Fixture()
    let store = fixture.store()
    try store.roster.replaceRoster(roster)
    store.close()
    #expect(fixture.folder.names == [fixture.file.name])
    #expect(try store.roster.loadRoster() == roster)
  }

  @Test("the database file is private, and so are its journals") func theFileIsPrivateAndSoAreItsLogs() throws {
    let fixture = try Fixture()
    let store = fixture.store()
    try store.login.keepMechanism("SCRAM-SHA-256")
    #expect(fixture.folder.names.count == 3)
    for name in fixture.folder.names { #expect(fixture.folder.mode(of: name) == 0o600) }
    withExtendedLifetime(store) {}
  }

  @Test("two programs share one database") func twoInstancesShareOneDatabase() throws {
    let fixture = try Fixture()
    let (first, second) = (fixture.store(), fixture.store())
    try first.roster.replaceRoster(roster)
    try second.login.keepMechanism("PLAIN")
    let item = RosterItem(jid: try JID("c@d.example"))
    try second.roster.keep(item, version: "2")
    #expect(try first.login.loadMechanism() == "PLAIN")
    #expect(try first.roster.loadRoster() == RosterSnapshot(version: "2", items: [item]))
    #expect(fixture.warnings.isEmpty)
  }

  @Test("a locked database is reported once, and works again when it is free")
  func aLockedDatabaseIsToldOnceAndWorksAgainWhenItIsFree() throws {
    let fixture = try Fixture()
    let store = fixture.store()
    try store.roster.replaceRoster(roster)
    let other = try Database(path: fixture.path)
    try other.execute("BEGIN IMMEDIATE")
    for _ in 0..<3 {
      let error = #expect(throws: DatabaseError.self) { try store.login.keepMechanism("PLAIN") }
      #expect(error?.description == "The database is locked by another program.")
    }
    #expect(try store.roster.loadRoster() == roster, "reading goes on")
    try other.execute("COMMIT")
    try store.login.keepMechanism("PLAIN")
    #expect(try store.login.loadMechanism() == "PLAIN")
    #expect(fixture.warnings.map(\.consequence) == [.notStored])
  }

  @Test("a database that is locked when it is opened is opened later")
  func aDatabaseLockedAtItsOpeningIsOpenedLater() throws {
    let fixture = try Fixture()
    try fixture.store().login.keepMechanism("PLAIN")
    var other: Database? = try Database(path: fixture.path)
    try other?.execute("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE")
    let store = fixture.store()
    let error = #expect(throws: DatabaseError.self) { try store.login.loadMechanism() }
    #expect(error?.code.primary == .busy)
    other = nil
    #expect(try store.login.loadMechanism() == "PLAIN")
    #expect(fixture.warnings.map(\.consequence) == [.notStored])
  }

  @Test(
    "a corrupt database is put aside and never deleted",
    arguments: [
      [UInt8]("this is no database, but it is long enough to be taken for the header of one".utf8),
      [UInt8]("SQLite format 3\0".utf8) + [UInt8](repeating: 0xFF, count: 5000),
    ])
  func aCorruptDatabaseIsSetAsideAndNeverDeleted(garbage: [UInt8]) throws {
    let fixture = try Fixture()
    fixture.folder.write(garbage, to: fixture.file.name)
    let store = fixture.store()
    #expect(throws: DatabaseError.self) { try store.login.loadMechanism() }
    try store.login.keepMechanism("PLAIN")
    #expect(fixture.warnings.map(\.consequence) == [.startedAnew(damaged: fixture.path + ".corrupt-1")])
    #expect(fixture.folder.contents(of: fixture.file.name + ".corrupt-1") == garbage)
    store.close()
    #expect(try fixture.store().login.loadMechanism() == "PLAIN", "the new one is kept")
  }

  /// Where nobody knows how the account logged in last, no log-in is the first.
  @Test("the mechanism of a damaged database is unknown to each later program too")
  func theMechanismOfADamagedDatabaseIsUnknownToEachLaterProgramToo() throws {
    let fixture = try Fixture()
    fixture.folder.write([UInt8](repeating: 0xAA, count: 9_000), to: fixture.file.name)
    for _ in 0..<2 {
      let store = fixture.store()
      #expect(throws: DatabaseError.self) { try store.login.loadMechanism() }
      store.close()
    }
    #expect(fixture.warnings.count == 1)
    let store = fixture.store()
    try store.login.forgetMechanism()
    #expect(try store.login.loadMechanism() == nil)
  }

  @Test("the mechanism of a database that is damaged in use is kept")
  func theMechanismOfADatabaseThatIsDamagedInUseIsKept() throws {
    let fixture = try Fixture()
    let store = fixture.store()
    try store.login.keepMechanism("SCRAM-SHA-1")
    store.close()
    fixture.folder.write([UInt8](repeating: 0xAA, count: 9_000), to: fixture.file.name)
    #expect(try store.roster.loadRoster() == nil)
    #expect(fixture.warnings.map(\.consequence) == [.startedAnew(damaged: fixture.path + ".corrupt-1")])
    #expect(try fixture.store().login.loadMechanism() == "SCRAM-SHA-1")
  }

  @Test("that the last log-in was by the extensible profile is kept where the database is damaged in use")
  func installationOfADamagedDatabase() throws {
    let fixture = try Fixture()
    let store = fixture.store()
    var installation = Installation.fresh()
    installation.token = LoginToken(mechanism: "HT-SHA-256-EXPR", secret: "secret-token:x")
    try store.login.keepInstallation(installation)
    store.close()
    fixture.folder.write([UInt8](repeating: 0xAA, count: 9_000), to: fixture.file.name)
    #expect(try store.roster.loadRoster() == nil)
    #expect(try fixture.store().login.loadInstallation() == Installation(agent: installation.agent))
    // Who has taken the account away does not bring it back.
    try store.login.forgetMechanism()
    store.close()
    fixture.folder.write([UInt8](repeating: 0xAA, count: 9_000), to: fixture.file.name)
    #expect(try store.roster.loadRoster() == nil)
    #expect(try fixture.store().login.loadInstallation() == nil)
  }

  @Test("a program that knows the mechanism keeps it where another one found the damage")
  func theMechanismIsKeptByAProgramThatKnowsItWhereAnotherFoundTheDamage() throws {
    let fixture = try Fixture()
    let knowing = fixture.store()
    try knowing.login.keepMechanism("SCRAM-SHA-1")
    _ = try fixture.file.setAside()
    let finder = fixture.store()
    #expect(try finder.roster.loadRoster() == nil)
    // As it notes that nobody knows.
    try Database(path: fixture.path).execute("INSERT INTO login (id, mechanism) VALUES (1, '')")
    #expect(throws: DatabaseError.self) { try finder.login.loadMechanism() }
    #expect(try knowing.roster.loadRoster() == nil)
    #expect(try finder.login.loadMechanism() == "SCRAM-SHA-1")
  }

  /// Another program is just making the new one, and has it locked.
  @Test("what a new database is given first waits until it is not locked, and is then given once, whole")
  func rescueFromALockedDatabase() throws {
    let fixture = try Fixture()
    let (alice, bob) = (try JID("a@b.example"), try JID("bob@b.example"))
    let ours = ["one", "two"].map {
      OutboxRecord(OutgoingMessage(id: $0, to: bob, body: $0, time: Timestamp(milliseconds: 1_000)))
    }
    let store = fixture.store()
    _ = try store.messages.keep(ours, from: alice)
    try store.login.keepMechanism("SCRAM-SHA-1")
    var calls = 0
    store.messages.onBegunAnew = { [messages = store.messages] in
      calls += 1
      _ = try? messages.keep(ours, from: alice)
    }
    for name in fixture.folder.names { #expect(unlink("\(fixture.folder.path)/\(name)") == 0) }
    let other = fixture.store()
    #expect(try other.messages.outbox().isEmpty)
    let lock = try Database(path: fixture.path)
    try lock.execute("BEGIN IMMEDIATE")
    for _ in 0..<2 {
      let error = #expect(throws: DatabaseError.self) { try store.messages.keep([ours[0]], from: alice) }
      #expect(error?.code.primary == .busy)
    }
    #expect(calls == 0, "and nothing is put in before it")
    try lock.execute("COMMIT")
    #expect(try store.messages.outbox().map(\.message.id) == ["one", "two"])
    #expect(try other.messages.outbox().map(\.message.id) == ["one", "two"])
    #expect(try other.login.loadMechanism() == "SCRAM-SHA-1")
    #expect(calls == 1)
  }

  @Test("a database that turns out to be corrupt in use is put aside")
  func aDatabaseThatTurnsOutCorruptInUseIsSetAside() throws {
    let fixture = try Fixture()
    let items = try (0..<500).map { RosterItem(jid: try JID("friend\($0)@b.example"), name: "Friend \($0)") }
    let snapshot = RosterSnapshot(version: "1", items: items)
    try fixture.store().roster.replaceRoster(snapshot)
    // All pages but the first, which has the schema.
    let size = fixture.folder.contents(of: fixture.file.name).count
    fixture.folder.write([UInt8](repeating: 0xAA, count: size - 4096), to: fixture.file.name, at: 4096)
    let store = fixture.store()
    #expect(try store.roster.loadRoster() == nil)
    try store.roster.replaceRoster(snapshot)
    #expect(try store.roster.loadRoster() == snapshot)
    #expect(fixture.warnings.map(\.consequence) == [.startedAnew(damaged: fixture.path + ".corrupt-1")])
    #expect(
      fixture.warnings.first?.description.hasPrefix("Started a new database, because the database is damaged") == true)
  }

  @Test(
    "in a read-only folder the store is in memory, with one warning",
    arguments: ["/sys/kernel", "/proc/jackdaw", "/etc/passwd/jackdaw"])
  func inAReadOnlyFolderChatGoesOnInMemoryWithOneWarning(directory: String) throws {
    var warnings: [StoreWarning] = []
    let store = AccountStore(directory: directory, account: try JID("a@b.example")) { warnings.append($0) }
    try store.roster.replaceRoster(roster)
    try store.login.keepMechanism("PLAIN")
    #expect(try store.roster.loadRoster() == roster)
    #expect(try store.login.loadMechanism() == "PLAIN")
    #expect(warnings.map(\.consequence) == [.keptInMemory])
    #expect(warnings.first?.description.contains(directory) == true)
    #expect(warnings.first?.isOfLoss == true)
  }

  @Test("a database with a newer schema stays untouched, and the store is in memory")
  func aSchemaFromTheFutureStaysUntouchedAndChatGoesOnInMemory() throws {
    let fixture = try Fixture()
    let database = try Database(path: try fixture.file.prepare())
    try database.setSchemaVersion(Migrations.all.count + 1)
    let before = fixture.folder.contents(of: fixture.file.name)
    let store = fixture.store()
    #expect(throws: DatabaseError.self) { try store.login.loadMechanism() }
    try store.login.keepMechanism("PLAIN")
    #expect(try store.login.loadMechanism() == "PLAIN")
    #expect(throws: DatabaseError.self) { try store.login.forgetMechanism() }
    #expect(fixture.warnings.map(\.consequence) == [.keptInMemory])
    #expect(fixture.warnings.first?.description.contains("written by a newer Jackdaw") == true)
    #expect(fixture.folder.contents(of: fixture.file.name) == before)
    #expect(fixture.folder.names == [fixture.file.name])
  }

  @Test("a symbolic link is not followed, and the store is in memory")
  func aSymbolicLinkIsNotFollowedAndChatGoesOnInMemory() throws {
    let fixture = try Fixture()
    #expect(symlink("target", fixture.path) == 0)
    let store = fixture.store()
    try store.login.keepMechanism("PLAIN")
    #expect(try store.login.loadMechanism() == "PLAIN")
    #expect(fixture.warnings.map(\.consequence) == [.keptInMemory])
    #expect(fixture.folder.names == [fixture.file.name])
  }

  @Test("on a full disk the error is reported once and earlier data is intact")
  func onAFullDiskTheErrorIsToldOnceAndEarlierDataIsIntact() throws {
    let fixture = try Fixture()
    let database = fixture.database()
    let store = AccountStore(database: database)
    try store.roster.replaceRoster(roster)
    try database.perform { database throws(DatabaseError) in try database.execute("PRAGMA max_page_count = 1") }
    let large = RosterSnapshot(
      version: "2",
      items: try (0..<2000).map { RosterItem(jid: try JID("friend\($0)@b.example"), groups: ["Group \($0)"]) })
    for _ in 0..<3 {
      let error = #expect(throws: DatabaseError.self) { try store.roster.replaceRoster(large) }
      #expect(error?.code == .full)
    }
    #expect(try store.roster.loadRoster() == roster)
    #expect(fixture.warnings.map(\.consequence) == [.notStored])
    #expect(
      fixture.warnings.first?.description == "Not everything is stored: the disk is full (database or disk is full).")
    try database.perform { database throws(DatabaseError) in try database.execute("PRAGMA max_page_count = 100000") }
    try store.roster.replaceRoster(large)
    #expect(try store.roster.loadRoster() == large)
  }

  @Test("an in-memory store touches no file") func anInMemoryStoreTouchesNoFile() throws {
    let store = AccountStore.inMemory()
    try store.roster.replaceRoster(roster)
    #expect(try store.roster.loadRoster() == roster)
    #expect(try AccountStore.inMemory().roster.loadRoster() == nil, "each is one of its own")
  }

  @Test("closing the store leaves no descriptor open") func closingLeavesNoDescriptor() throws {
    let fixture = try Fixture()
    let store = fixture.store()
    try store.login.keepMechanism("PLAIN")
    #expect(descriptors(in: fixture.folder.path) == 3, "the file and its two logs")
    store.close()
    #expect(descriptors(in: fixture.folder.path) == 0)
    fixture.folder.write([UInt8](repeating: 0xAA, count: 100), to: fixture.file.name)
    _ = try store.login.loadMechanism()
    #expect(fixture.warnings.count == 1)
    store.close()
    #expect(descriptors(in: fixture.folder.path) == 0, "none of the damaged file either")
  }

  /// How many descriptors of this process belong to files in `folder`.
  private func descriptors(in folder: String) -> Int {
    (0..<Int32(1024)).count { descriptor in
      var target = [CChar](repeating: 0, count: 512)
      let count = readlink("/proc/self/fd/\(descriptor)", &target, target.count)
      return String(decoding: target.prefix(max(0, count)).map(UInt8.init(bitPattern:)), as: UTF8.self).hasPrefix(
        folder + "/")
    }
  }

  @Test(
    "that others can exchange the database, as its folder is open to them, is told once",
    arguments: [0o777, 0o1777, 0o755])
  func openFolder(mode: mode_t) throws {
    let fixture = try Fixture()
    #expect(chmod(fixture.folder.path, mode) == 0)
    let store = fixture.store()
    try store.roster.replaceRoster(roster)
    store.close()
    #expect(try store.roster.loadRoster() == roster)
    #expect(fixture.warnings.map(\.consequence) == (mode == 0o777 ? [.exchangeable(folder: fixture.folder.path)] : []))
  }
}
