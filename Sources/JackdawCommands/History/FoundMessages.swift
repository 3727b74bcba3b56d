// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawSession

/// What a search finds, each message once and the newest first, though the log finds one that was corrected by each of its texts: by a
/// correction's where that stands, before it comes to the message itself. A value that hears what the log finds, and says what is to be
/// shown next.
struct FoundMessages {
  /// Found by corrections, and the log has not come to them yet. Bounded by the corrections that are found: of most the message stands
  /// shortly before.
  private var waiting: [Int64: LoggedMessage] = [:]
  /// Corrected ones that were shown. Bounded by what is shown.
  private var shown: Set<Int64> = []

  /// The log found a message.
  /// - Returns: what is to be shown now, in order.
  mutating func take(_ message: LoggedMessage) -> [LoggedMessage] {
    guard message.foundText == nil else {
      let known = waiting[message.number]
      // What it says now is shown rather than what it said before.
      if known == nil || message.foundText == message.fate.correction { waiting[message.number] = message }
      return []
    }
    let before = drain { $0 > message.number }
    let found = waiting.removeValue(forKey: message.number) ?? message
    return before + (isNew(found) ? [found] : [])
  }

  /// The log has been looked through down to a number.
  /// - Returns: what is to be shown now, in order.
  mutating func passed(_ number: Int64) -> [LoggedMessage] { drain { $0 >= number } }

  /// The log finds no more.
  /// - Returns: what is to be shown still, in order.
  mutating func rest() -> [LoggedMessage] { drain { _ in true } }

  private mutating func drain(_ isDue: (Int64) -> Bool) -> [LoggedMessage] {
    guard !waiting.isEmpty else { return [] }
    let due = waiting.keys.filter(isDue).sorted(by: >)
    return due.compactMap { waiting.removeValue(forKey: $0) }.filter { isNew($0) }
  }

  private mutating func isNew(_ message: LoggedMessage) -> Bool {
    message.fate.correction == nil || shown.insert(message.number).inserted
  }
}
