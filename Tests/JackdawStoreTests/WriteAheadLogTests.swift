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
    return (AccountStore(database: database, Instances(file: file, kind: .staying)), database)
  }

  /// Keeps so many bytes of a friend's texts.
  private func receive(_ store: AccountStore, kilobytes: Int) throws {
    let messages = try (0..<kilobytes / 100).map { _ in
      ArrivedMessage(
        MessageArrived(
          id: nil, from: try JID("carol@example.org"), to: shared.account, kind: .chat,
          body: String(repeating: "x", count: 100_000)),
        archiveID: nil, hasUniqueID: false, mayBeRepeated: false, time: Timestamp(milliseconds: 0))
    }
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

  @Test("is copied at once where it is too long for that")
  func tooLong() throws {
    let (store, _) = open()
    try receive(store, kilobytes: 9_000)
    #expect(size() > 8_000_000)
  }
}
