// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession

/// A store that keeps nothing, as on a full disk.
@Client final class FullStore: MessageStore {
  struct Full: Error {}
  var onBegunAnew: (@Client () -> Void)?
  func keep(_ messages: [OutboxRecord], from account: JID) throws -> [Int64] { throw Full() }
  func place(_ messages: [(number: Int64, id: String, place: StreamPlace?)], after mark: String?) throws -> Set<Int64> {
    throw Full()
  }
  func settle(_ outcomes: [MessageOutcome]) throws { throw Full() }
  func adopt() throws -> LeftMessages { throw Full() }
  func outbox() throws -> [OutboxItem] { throw Full() }
  func withdraw(_ id: String) throws -> Withdrawal? { throw Full() }
  func record(_ message: ArrivedMessage, movesMark: Bool, held: Int64?) throws -> MessageRecord { throw Full() }
  func hold(_ message: ArrivedMessage) throws -> Int64 { throw Full() }
  func noteShown(_ numbers: [Int64]) throws { throw Full() }
  func markShown(_ number: Int64) {}
  func archiveMark() throws -> String? { throw Full() }
  func keepArchiveMark(_ mark: String) throws { throw Full() }
}
