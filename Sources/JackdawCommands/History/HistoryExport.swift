// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession

/// Writes parts of the log to stdout as a file.
@Client struct HistoryExport {
  let history: HistoryReader
  let format: HistoryFormat
  private var context: CommandContext { history.context }

  init(history: HistoryReader, format: HistoryFormat) {
    self.history = history
    self.format = format
  }

  /// Writes what matches, in the order of the log.
  /// - Parameters:
  ///   - number: only what stands before it.
  ///   - last: no more than the last so many; nil: all.
  func write(_ query: LogQuery, before number: Int64?, last: Int?) async throws {
    switch format {
    case .text:
      try await history.each(query, before: number, last: last) { message in
        try await context.showNext(HistoryRow(message, part: .exported, isOfOne: query.conversation != nil))
      }
    case .json:
      let account = try context.account().jid.bare.description
      // All that is needed to make the same log of it elsewhere.
      var query = query
      query.hasAnnotations = true
      try await history.each(query, before: number, last: last) { message in
        try await write(
          HistoryRow(message).jsonLine(of: context.command, at: context.application.now(), account: account))
      }
    case .html: try await writePage(query, before: number, last: last)
    }
  }

  private func writePage(_ query: LogQuery, before number: Int64?, last: Int?) async throws {
    let own = try context.account().jid.bare
    let friends = try context.account().knownFriends() ?? []
    let names = Dictionary(friends.map { ($0.jid, $0.name) }) { first, _ in first }
    let name = { (jid: JID) -> String in jid == own ? "me" : (names[jid] ?? nil) ?? jid.description }
    var page = HistoryPage(name: name)
    let title = query.conversation.map { "Conversation with \(name($0))" } ?? "Conversations of \(own)"
    try await write(Array(HistoryPage.beginning(title).utf8))
    try await history.each(query, before: number, last: last) { message in
      try await write(Array(page.message(message, isOfOne: query.conversation != nil).utf8))
    }
    try await write(Array(HistoryPage.end.utf8))
  }

  /// Waits where nobody reads it.
  private func write(_ piece: [UInt8]) async throws {
    context.output.show(document: piece)
    try await context.output.makeRoom()
  }
}
