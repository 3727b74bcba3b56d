// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession

/// Notes what was read, once for all that came in a turn.
@Client final class ReadMarks {
  private let account: Account
  private let clock: any LoopClock
  /// Bounded by the conversations that are open within a turn.
  private var marks: [JID: Int64] = [:]
  /// Called with a conversation of which it was noted.
  var onNoted: (@Client (JID) -> Void)?

  init(account: Account, clock: any LoopClock) {
    self.account = account
    self.clock = clock
  }

  /// All of a conversation up to the message of this number is read.
  func add(_ conversation: JID, _ number: Int64) {
    let isFirst = marks.isEmpty
    marks[conversation] = max(number, marks[conversation] ?? 0)
    if isFirst { clock.nextTurn { [weak self] in self?.settle() } }
  }

  /// Notes it now: before the program ends.
  func settle() {
    // The store has reported its error.
    for (conversation, number) in marks {
      try? account.log.markRead(conversation, through: number)
      onNoted?(conversation)
    }
    marks = [:]
  }
}
