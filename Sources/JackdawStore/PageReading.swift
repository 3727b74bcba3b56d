// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawProtocol
import JackdawSession

/// Rows on their way to becoming a page: as many as were asked for, of as much text as is read in one go.
struct PageReading {
  private let query: LogQuery
  /// How many rows the statement is to give at most.
  let room: Int
  private var messages: [LoggedMessage] = []
  private var bytes = 0
  private var count = 0
  private var number: Int64 = 0
  private var hasMore = false

  init(_ query: LogQuery) {
    self.query = query
    // One more tells whether there is more; whoever asks may have typed the largest number there is.
    room = query.isEverything ? min(query.limit, .max - 1) + 1 : StoreLimits.searchedAtOnce
  }

  /// The page, with what was said of its messages later.
  func page(_ database: Database) throws(DatabaseError) -> LogPage {
    var page = LogPage(messages: messages, next: hasMore || count == room ? number : nil)
    try Relations.annotate(&page.messages, database)
    try HistoryTable.correctStates(of: &page.messages, database)
    return page
  }

  /// - Parameter accept: looks at what has the right sender and time.
  /// - Returns: whether there is room for more.
  mutating func take(_ row: Row, _ accept: (inout LoggedMessage) -> Bool = { _ in true }) -> Bool {
    count += 1
    if messages.count == query.limit || bytes > StoreLimits.pageBytes {
      hasMore = true
      return false
    }
    number = row.integer(0)
    guard query.accepts(row), var message = HistoryTable.message(in: row), query.accepts(message), accept(&message)
    else { return true }
    bytes += message.event.textBytes
    messages.append(message)
    return true
  }
}

extension LogQuery {
  /// Every message of the conversation, or of all, matches.
  fileprivate var isEverything: Bool {
    sender == nil && since == nil && until == nil && words == nil && !isUnread
  }

  /// By what costs little to look at.
  fileprivate func accepts(_ row: Row) -> Bool {
    let written = row.integer(6)
    if let since, written < since.milliseconds { return false }
    if let until, written >= until.milliseconds { return false }
    return !isUnread || row.flag(12)
  }

  /// Whether a message that was found by a correction was itself written in the time that is asked for.
  func accepts(timeOf message: LoggedMessage) -> Bool {
    guard let written = message.event.delayed?.milliseconds else { return true }
    return since.map { written >= $0.milliseconds } ?? true && until.map { written < $0.milliseconds } ?? true
  }

  fileprivate func accepts(_ message: LoggedMessage) -> Bool {
    guard let sender else { return true }
    if isSenderUser, message.isOutgoing { return true }
    return message.event.from == sender || message.event.from.bare == sender
  }
}
