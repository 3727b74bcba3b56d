// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession
import Testing

@testable import JackdawStore

/// alice's database in a folder of its own, for programs that use it side by side or one after the other.
@Client struct SharedDatabase {
  let folder = TemporaryFolder()
  let account: JID
  let bob: JID

  init() throws {
    account = try JID("alice@example.org")
    bob = try JID("bob@example.org")
  }

  /// A program that uses it; it ends with its store. Whatever is wrong fails the test.
  func program(isOneShot: Bool = false) -> AccountStore {
    AccountStore(directory: folder.path, account: account, isOneShot: isOneShot) { Issue.record("\($0)") }
  }

  /// What such a program says to bob.
  func ours(_ id: String) -> OutgoingMessage {
    OutgoingMessage(id: id, to: bob, body: "body of \(id)", time: Timestamp(milliseconds: 1_000))
  }

  /// Keeps messages of these ids in a program's outbox.
  /// - Returns: their numbers.
  func keep(_ store: AccountStore, _ ids: String...) throws -> [Int64] {
    try store.messages.keep(ids.map { OutboxRecord(ours($0)) }, from: account)
  }
}
