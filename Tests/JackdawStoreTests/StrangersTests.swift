// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
import JackdawLoop
import JackdawProtocol
import JackdawSession
import Support
import Testing

@testable import JackdawStore

/// Anybody can write to anybody: what strangers may take of the log.
@Client @Suite("Strangers' messages") struct StrangersTests {
  private let shared: SharedDatabase
  private let warnings = Warnings()

  @Client private final class Warnings { var told: [StoreWarning.Consequence] = [] }

  init() throws { shared = try SharedDatabase() }

  /// A program that uses the database, with carol on its contact list.
  private func program(_ quota: StrangersQuota, hasRoster: Bool = true) throws -> AccountStore {
    let file = DatabaseFile(directory: shared.folder.path, account: shared.account)
    let database = AccountDatabase(file: file, busyTimeout: 250) { [warnings] in warnings.told.append($0.consequence) }
    let store = AccountStore(database: database, Instances(file: file, kind: .longRunning), quota: quota)
    if hasRoster {
      try store.roster.replaceRoster(
        RosterSnapshot(version: "1", items: [RosterItem(jid: try JID("carol@example.org"))]))
    }
    return store
  }

  /// Keeps one message of each of these people.
  private func receive(
    _ store: AccountStore, from people: String..., bytes: Int = 10, time: Int64? = nil, isCarbon: Bool = false
  ) throws {
    let own = try shared.account.with(resource: "here")
    let time = Timestamp(milliseconds: time ?? now)
    let messages = try people.map { name in
      let other = try JID("\(name)@example.org")
      let event = MessageArrived(
        id: nil, from: isCarbon ? own : other, to: isCarbon ? other : own, kind: .chat,
        body: String(repeating: "x", count: bytes), carbon: isCarbon ? .sent : nil)
      return ArrivedMessage(event, archiveID: nil, hasUniqueID: false, mayBeRepeated: false, time: time)
    }
    _ = try store.messages.record(messages, archiveCursor: nil)
  }

  private var now: Int64 { Int64(Glibc.time(nil)) * 1_000 }

  private func database() throws -> Database {
    try Database(path: shared.folder.path + "/" + DatabaseFile.name(for: shared.account))
  }

  /// The local parts of those whose messages are in the log, in its order.
  private func senders() throws -> [String] {
    try database().all("SELECT substr(conversation, 1, instr(conversation, '@') - 1) FROM message ORDER BY seq") {
      $0.text(0)
    }
  }

  @Test("share some room: the oldest go first, and never a contact's")
  func oldestGoFirst() throws {
    let store = try program(StrangersQuota(messages: 1_000, bytes: 400))
    try receive(store, from: "carol", bytes: 1_000)
    for number in 0..<5 { try receive(store, from: "mallory\(number)", "carol", bytes: 90) }
    // The fifth was too much; three quarters of the room stay in use.
    #expect(try senders().filter { $0 != "carol" } == ["mallory2", "mallory3", "mallory4"])
    #expect(try senders().count { $0 == "carol" } == 6)
    #expect(warnings.told == [.strangersRemoved])
    for number in 5..<20 { try receive(store, from: "mallory\(number)", bytes: 90) }
    #expect(warnings.told.count == 1, "once is enough")
  }

  @Test("take room by their ids and their senders' names, too, where these are long")
  func idsAndNames() throws {
    let store = try program(StrangersQuota(messages: 1_000, bytes: 20_000))
    let own = try shared.account.with(resource: "here")
    for number in 0..<20 {
      let from = try JID("mallory\(number)@example.org/" + String(repeating: "r", count: 1_000))
      let id = { (letter: String) in "\(number)" + String(repeating: letter, count: 1_000) }
      let event = MessageArrived(
        id: id("i"), from: from, to: own, kind: .chat, body: "x",
        relations: [.replies(to: id("a"), quote: nil), .replaces(id("b"))])
      let message = ArrivedMessage(
        event, archiveID: nil, hasUniqueID: false, mayBeRepeated: false, time: Timestamp(milliseconds: now))
      _ = try store.messages.record([message], archiveCursor: nil)
    }
    // Each takes two times four thousand and some bytes, but for what is usual.
    #expect(try senders() == ["mallory18", "mallory19"])
  }

  @Test("are counted too, as many small ones take room as well")
  func areCounted() throws {
    let store = try program(StrangersQuota(messages: 8, bytes: 1_000_000))
    for number in 0..<9 { try receive(store, from: "mallory\(number)", bytes: 1) }
    #expect(try senders() == (3..<9).map { "mallory\($0)" })
  }

  @Test("are a stranger's no more once we have written to them, here or on another device, or they are on the list")
  func strangersNoMore() throws {
    let store = try program(StrangersQuota(messages: 4, bytes: 1_000_000))
    try receive(store, from: "bob", "dave", "erin", "mallory")
    _ = try shared.keep(store, "a")
    try receive(store, from: "dave", isCarbon: true)
    _ = try store.roster.keep(RosterItem(jid: try JID("erin@example.org")), version: "2")
    try receive(store, from: "bob", "dave", "erin", "m1", "m2", "m3", "m4")
    #expect(try senders() == ["bob", "dave", "erin", "bob", "dave", "bob", "dave", "erin", "m2", "m3", "m4"])
  }

  @Test("are oneself and one's own server never")
  func oneselfIsNone() throws {
    let store = try program(StrangersQuota(messages: 1, bytes: 1_000_000))
    for _ in 0..<3 { try receive(store, from: "alice") }
    let notice = MessageArrived(
      id: nil, from: try JID("example.org"), to: shared.account, kind: .normal, body: "maintenance at noon")
    let message = ArrivedMessage(
      notice, archiveID: nil, hasUniqueID: false, mayBeRepeated: false, time: Timestamp(milliseconds: 0))
    _ = try store.messages.record([message, message], archiveCursor: nil)
    #expect(try senders().count == 5)
  }

  @Test("stay where no contact list is known")
  func withoutAContactList() throws {
    let store = try program(StrangersQuota(messages: 1, bytes: 1), hasRoster: false)
    try receive(store, from: "mallory", "mallory", "mallory")
    #expect(try senders().count == 3)
  }

  @Test("are kept for some time only, which the next start sees to")
  func keptForSomeTime() throws {
    let quota = StrangersQuota(messages: 100, bytes: 100_000, days: 90)
    var store: AccountStore? = try program(StrangersQuota(messages: 100, bytes: 100_000, days: 10_000_000))
    let day: Int64 = 86_400_000
    let now = now
    try receive(#require(store), from: "mallory", "carol", time: now - 91 * day)
    try receive(#require(store), from: "trudy", "carol", time: now - 89 * day)
    store = nil
    store = try program(quota)
    _ = try store?.messages.adopt()
    #expect(try senders() == ["carol", "trudy", "carol"])
    #expect(warnings.told.isEmpty)
  }

  @Test("that are removed are presented to nobody, and the log's numbers are not given twice")
  func removedOnesAreGone() throws {
    let store = try program(StrangersQuota(messages: 1_000, bytes: 100))
    let consumer = "listen"
    try store.messages.open(consumer, from: nil)
    try receive(store, from: "mallory", "carol", "trudy", bytes: 40)
    // Passed over: it stands below the cursor.
    try store.messages.present([LogPlace(seq: 2, beginning: 0), LogPlace(seq: 3, beginning: 0)], to: consumer)
    try receive(store, from: "walter", bytes: 200)
    #expect(try senders() == ["carol", "walter"])
    #expect(try database().first("SELECT count(*) FROM unpresented") { $0.integer(0) } == 0)
    let left = try store.messages.unpresented(to: consumer, after: nil, limit: 10)
    #expect(left.map(\.from.localpart) == ["walter"])
    try receive(store, from: "carol")
    #expect(try database().first("SELECT max(seq) FROM message") { $0.integer(0) } == 5)
  }

  @Test("that are removed are no news when the archive gives them once more")
  func removedOnesAreNoNews() throws {
    let store = try program(StrangersQuota(messages: 4, bytes: 1_000_000))
    let messages = try (0..<5).map { number in
      ArrivedMessage(
        MessageArrived(
          id: nil, from: try JID("mallory@example.org"), to: shared.account, kind: .chat, body: "\(number)"),
        archiveID: "a\(number)", hasUniqueID: false, mayBeRepeated: false, time: Timestamp(milliseconds: now))
    }
    #expect(try store.messages.record(messages, archiveCursor: nil).count == 5)
    #expect(try senders().count == 3)
    var again = messages
    for index in again.indices { again[index].mayBeRepeated = true }
    #expect(try store.messages.record(again, archiveCursor: "a4").allSatisfy { $0 == .known })
    // What waited for its place too.
    try store.messages.postpone([messages[0]])
    #expect(try store.messages.record(store.messages.postponed(limit: 10), archiveCursor: nil) == [.known])
    #expect(try senders().count == 3)
  }

  /// A file never gets smaller: what is removed at a page's end only has made it as large as the page.
  @Test(
    "of an archive's page, ten times as large as their room, do not make the file as large", arguments: [true, false])
  func largePages(isEarlier: Bool) throws {
    let quota = StrangersQuota(messages: 1_000, bytes: 1 << 20)
    let store = try program(quota)
    let (mallory, text) = (try JID("mallory@example.org"), String(repeating: "x", count: 200_000))
    let page = (0..<50).map { number in
      ArrivedMessage(
        MessageArrived(id: nil, from: mallory, to: shared.account, kind: .chat, body: "\(number)" + text),
        archiveID: "a\(number)", hasUniqueID: false, mayBeRepeated: false, time: Timestamp(milliseconds: now))
    }
    if isEarlier {
      _ = try store.earlier.keep(page, of: nil, ArchiveWalk(), before: "a0", isComplete: true)
    } else {
      _ = try store.messages.record(page, archiveCursor: "a49")
    }
    let size = try database().first(
      "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size"
    ) { Int($0.integer(0)) }
    #expect(try #require(size) < 3 * quota.bytes)
    #expect(try !senders().isEmpty)
  }

  @Test("of a database from before are counted when it is first opened")
  func thoseOfBefore() throws {
    let database = try Database(path: nil)
    try Migrations.apply(Array(Migrations.all.prefix(10)), to: database)
    try database.execute(
      """
      INSERT INTO roster (id, version) VALUES (1, 'v');
      INSERT INTO roster_item (jid, subscription, ask, approved) VALUES ('carol@x', 'both', 0, 0);
      INSERT INTO message (seq, conversation, sender, recipient, is_outgoing, kind, body, written, owner, is_open)
      VALUES (1, 'carol@x', 'carol@x/a', 'alice@x/b', 0, 'chat', 'hi', 0, 0, 0),
        (2, 'mallory@y', 'mallory@y/a', 'alice@x/b', 0, 'chat', 'ä€', 0, 0, 0),
        (3, 'alice@x', 'alice@x/c', 'alice@x/b', 0, 'chat', 'note', 0, 0, 0),
        (4, 'x', 'x', 'alice@x', 0, 'normal', 'maintenance', 0, 0, 0),
        (5, 'dave@y', 'dave@y', 'alice@x', 0, 'chat', 'hello', 0, 0, 0),
        (6, 'dave@y', 'alice@x', 'dave@y', 1, 'chat', 'hello', 0, 0, 0);
      """)
    try Migrations.apply(to: database)
    let counted = try database.all(
      "SELECT conversation || ' ' || strangers_bytes FROM message WHERE strangers_bytes IS NOT NULL"
    ) { $0.text(0) }
    #expect(counted == ["mallory@y 5"])
  }
}
