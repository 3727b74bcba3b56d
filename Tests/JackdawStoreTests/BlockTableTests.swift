// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession
import Support
import Testing

@testable import JackdawStore

@Client @Suite("The kept block list", .onLoop) struct BlockTableTests {
  private let store = AccountStore.inMemory().blocked

  @Test("is none before one was kept, and then the last one, with its time")
  func kept() throws {
    #expect(try store.loadBlocked() == nil)
    let lists: [[String]] = [[], ["eve@example.net", "spam.example"], ["spam.example", "a@b/c"], []]
    for (number, list) in lists.enumerated() {
      let snapshot = BlockSnapshot(
        jids: Set(try list.map { try JID($0) }), time: Timestamp(milliseconds: Int64(number)))
      try store.keepBlocked(snapshot)
      #expect(try store.loadBlocked() == snapshot)
    }
  }
}
