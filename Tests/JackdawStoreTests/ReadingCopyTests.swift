// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
import JackdawLoop
import JackdawProtocol
import JackdawSession
import Support
import Testing

@testable import JackdawStore

/// Databases that can be read and not written to: on a read-only disk, in a folder of somebody else's.
@Client @Suite(.onLoop) struct ReadingCopyTests {
  private let folder = TemporaryFolder()
  private let file: DatabaseFile
  private var path: String { "\(folder.path)/\(file.name)" }

  init() throws { file = DatabaseFile(directory: folder.path, account: try JID("alice@example.org")) }

  /// As a program leaves it that was killed: what it wrote is in the write-ahead log, of which no index is there.
  private func leaveLog(_ script: StaticString) throws {
    let other = TemporaryFolder()
    let database = try Database(path: "\(other.path)/\(file.name)".madeEmpty)
    try database.execute("PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0;")
    try database.execute(script)
    for suffix in ["", "-wal"] { folder.write(other.contents(of: file.name + suffix), to: file.name + suffix) }
    withExtendedLifetime(database) {}
  }

  @Test("What stands in a log that was left behind is read, and nothing is made beside the file")
  func leftLog() throws {
    try leaveLog("CREATE TABLE note (text TEXT); INSERT INTO note VALUES ('in the log');")
    let names = folder.names
    #expect(names == [file.name, file.name + "-wal"])
    let copy = try Database.copyToRead(of: path, busyTimeout: 0)
    #expect(try copy.first("SELECT text FROM note") { $0.text(0) } == "in the log")
    #expect(folder.names == names)
    let error = #expect(throws: DatabaseError.self) { try copy.execute("DELETE FROM note") }
    #expect(error?.code.primary == .readOnly)
  }

  @Test("What an older version wrote is read as this one does")
  func olderSchema() throws {
    let database = try Database(path: path.madeEmpty)
    try Migrations.apply(Array(Migrations.all.prefix(9)), to: database)
    #expect(try Database.copyToRead(of: path, busyTimeout: 0).schemaVersion() == Migrations.all.count)
    #expect(try database.schemaVersion() == 9)
  }

  @Test("What can only be read is shown and found, and whoever would change it is told why that cannot be")
  func readAndNoMore() throws {
    let bob = try JID("bob@example.org")
    let account = try JID("alice@example.org")
    let message = OutgoingMessage(id: "m1", to: bob, body: "under the mat", time: Timestamp(milliseconds: 1_000))
    do {
      let store = AccountStore(directory: folder.path, account: account) { Issue.record("\($0)") }
      _ = try store.messages.keep([OutboxRecord(message)], from: account)
      try store.roster.replaceRoster(RosterSnapshot(version: "1", items: [RosterItem(jid: bob)]))
      store.close()
    }
    // Only root can give a file away; whoever else runs this has no file of another user's to try.
    guard chown(path, 12345, 12345) == 0 else { return }
    var warnings: [String] = []
    func store(readsCopy: Bool) -> AccountStore {
      AccountStore(directory: folder.path, account: account, readsCopy: readsCopy) { warnings.append("\($0)") }
    }

    let reading = store(readsCopy: true)
    try reading.log.requireReadable()
    #expect(try reading.log.page(LogQuery(), before: nil).messages.map(\.event.body) == ["under the mat"])
    while try reading.log.extendIndex(isWaitedFor: true) > 0 {}
    let query = LogQuery(words: SearchWords("mat"))
    #expect(try reading.log.page(query, before: nil).messages.count == 1)
    #expect(try reading.messages.outbox().map(\.message.id) == ["m1"])
    #expect(try reading.roster.loadRoster()?.items.map(\.jid) == [bob])
    for change in [
      { try reading.log.markRead(bob, through: 1) }, { _ = try reading.messages.withdraw("m1") },
      { try reading.log.requireStored() },
    ] as [@Client () throws -> Void] {
      let error = #expect(throws: DatabaseError.self) { try change() }
      #expect(error?.code == .foreignFile)
    }
    #expect(warnings == [])

    // What its owner changes is seen.
    try Database(path: path).execute("UPDATE roster_item SET name = 'Bob'")
    #expect(try reading.roster.loadRoster()?.items.map(\.name) == ["Bob"])

    // A session writes, and would send what is left in the file each time anew.
    let session = store(readsCopy: false)
    #expect(try session.messages.outbox().isEmpty)
    // Whom its names mean is not for another user to say.
    #expect(try session.roster.loadRoster()?.items ?? [] == [])
    #expect(warnings.count == 1)
  }
}

/// Another program has the database locked, and its schema is not made yet, or an older one.
extension ReadingCopyTests {
  @Test("A locked database without a schema is empty for who reads it, cannot be changed, and is used once it is free")
  func locked() throws {
    let bob = try JID("bob@example.org")
    let other = try Database(path: path.madeEmpty)
    try other.execute("PRAGMA journal_mode = WAL; BEGIN IMMEDIATE; CREATE TABLE note (text TEXT)")
    let store = AccountStore(
      directory: folder.path, account: try JID("alice@example.org"), readsCopy: true, busyTimeout: 0
    ) { Issue.record("\($0)") }
    try store.log.requireReadable()
    #expect(try store.log.page(LogQuery(), before: nil).messages.isEmpty)
    let error = #expect(throws: DatabaseError.self) { try store.log.markRead(bob, through: 1) }
    #expect(error?.isBusy == true)
    try other.execute("ROLLBACK")
    try store.log.markRead(bob, through: 1)
    try store.log.requireStored()
  }
}

extension String {
  /// An empty file of this path.
  fileprivate var madeEmpty: String {
    close(open(self, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600))
    return self
  }
}
