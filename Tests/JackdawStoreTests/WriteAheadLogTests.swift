// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
import JackdawLoop
import JackdawProtocol
import JackdawSession
import Support
import Testing

@testable import JackdawStore

/// What is committed gets from SQLite's write-ahead log into the file without holding up the loop.
@Client @Suite("The write-ahead log", .onLoop) struct WriteAheadLogTests {
  private let shared: SharedDatabase

  init() throws { shared = try SharedDatabase() }

  private var path: String { shared.folder.path + "/" + DatabaseFile.name(for: shared.account) }

  private func size(_ suffix: String = "") -> Int {
    var status = stat()
    return stat(path + suffix, &status) == 0 ? Int(status.st_size) : 0
  }

  private func open() -> (AccountStore, AccountDatabase) {
    let file = DatabaseFile(directory: shared.folder.path, account: shared.account)
    let database = AccountDatabase(file: file, busyTimeout: 250) { _ in }
    return (AccountStore(database: database, Instances(file: file, kind: .longRunning)), database)
  }

  /// Keeps so many bytes of a friend's texts.
  private func receive(_ store: AccountStore, kilobytes: Int) throws {
    let message = ArrivedMessage(
      MessageArrived(
        id: nil, from: try JID("carol@example.org"), to: shared.account, kind: .chat,
        body: String(repeating: "x", count: 100_000)),
      archiveID: nil, hasUniqueID: false, mayBeRepeated: false, time: Timestamp(milliseconds: 0))
    let messages = Array(repeating: message, count: kilobytes / 100)
    _ = try store.messages.record(messages, archiveCursor: nil)
  }

  @Test("is copied into the file beside the loop once it is long")
  func long() async throws {
    let (store, database) = open()
    try receive(store, kilobytes: 5_000)
    #expect(size("-wal") > 4_500_000)
    #expect(size() < 1_000_000)
    while database.isCheckpointing { try await EventLoop.main.offload {} }
    // All of it is there, so it begins anew.
    #expect(size() > 4_500_000)
    // Who only reads has it copied no second time.
    #expect(try store.messages.end().seq > 0)
    #expect(!database.isCheckpointing)
    let before = size("-wal")
    try receive(store, kilobytes: 1_000)
    #expect(size("-wal") == before)
  }

  @Test("and the file are all that has what is said: no temporary file takes what a statement changed")
  func statementsLeaveNothingElsewhere() throws {
    let (store, database) = open()
    try store.messages.postpone(
      (0..<3_000).map { number in
        ArrivedMessage(
          MessageArrived(
            id: "\(number)", from: shared.bob, to: shared.account, kind: .chat,
            body: String(repeating: "x", count: 1_000)),
          archiveID: nil, hasUniqueID: true, mayBeRepeated: true, time: Timestamp(milliseconds: 0))
      })
    try database.perform { database throws(DatabaseError) in
      try database.transaction { () throws(DatabaseError) in
        let waiting = try database.all("SELECT seq FROM message WHERE seq < 0") { $0.integer(0) }
        #expect(waiting.count == 3_000)
        // As each gets its place, which changes its key: SQLite keeps how the pages were until the statement has ended.
        for (place, number) in waiting.enumerated() {
          try database.run("UPDATE message SET seq = ?, archive = seq WHERE seq = ?", Int64(place + 1), number)
        }
        #expect(temporaryFiles() == [])
      }
    }
  }

  /// SQLite's temporary files that this process has open. They have no name any more.
  private func temporaryFiles() -> [String] {
    (0..<1_024).compactMap { number in
      var path = [CChar](repeating: 0, count: Int(PATH_MAX))
      guard readlink("/proc/self/fd/\(number)", &path, path.count - 1) > 0 else { return nil }
      let name = String(decoding: path.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
      return name.contains("/etilqs_") ? name : nil
    }
  }

  @Test("is copied at once where it is too long for that")
  func tooLong() throws {
    let (store, _) = open()
    try receive(store, kilobytes: 9_000)
    #expect(size() > 8_000_000)
  }
}
