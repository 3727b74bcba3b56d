// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession

/// Shows parts of the log, piece by piece: whatever its length, the keyboard and the network have their turn between two pieces.
@Client struct HistoryReader {
  let log: any MessageLog
  let context: CommandContext

  // MARK: In order

  /// Shows what matches, in the order of the log.
  /// - Parameters:
  ///   - number: only what stands before it.
  ///   - last: no more than the last so many; nil: all.
  ///   - isOfOne: nothing of another conversation stands beside it; nil: as the query has it.
  /// - Returns: the number of the first that was shown.
  @discardableResult
  func show(
    _ query: LogQuery, before number: Int64? = nil, last: Int? = nil, isOfOne: Bool? = nil
  ) async throws -> Int64? {
    try await each(query, before: number, last: last) { message in
      try await context.showNext(HistoryRow(message, isOfOne: isOfOne ?? (query.conversation != nil)))
    }
  }

  /// Hands over what matches, in the order of the log.
  /// - Parameters:
  ///   - number: only what stands before it.
  ///   - last: no more than the last so many; nil: all.
  /// - Returns: the number of the first.
  @discardableResult
  func each(
    _ query: LogQuery, before number: Int64? = nil, last: Int? = nil, _ take: (LoggedMessage) async throws -> Void
  ) async throws -> Int64? {
    var place: Int64?
    var first: Int64?
    if let last {
      guard let start = try await start(of: query, before: number, last: last) else { return nil }
      place = start - 1
    }
    repeat {
      let page = try log.page(query, after: place)
      for message in page.messages {
        if let number, message.number >= number { return first }
        first = first ?? message.number
        try await take(message)
      }
      place = page.next
      try await context.application.pause()
    } while place != nil
    return first
  }

  /// The number of the first of the last `count` that match; nil where nothing does.
  private func start(of query: LogQuery, before number: Int64?, last count: Int) async throws -> Int64? {
    var (left, first): (Int, Int64?) = (count, nil)
    var place = number
    repeat {
      var query = query
      query.limit = min(query.limit, left)
      let page = try log.page(query, before: place)
      left -= page.messages.count
      first = page.messages.last?.number ?? first
      place = page.next
      try await context.application.pause()
    } while left > 0 && place != nil
    return first
  }

  // MARK: Conversations

  /// Lists the conversations, those with unread messages alone if asked.
  func conversations(unreadOnly: Bool = false) async throws {
    let friends = try context.account().knownFriends() ?? []
    let names = Dictionary(friends.map { ($0.jid, $0.name) }) { first, _ in first }
    for var summary in try log.conversations() where !unreadOnly || summary.unread > 0 {
      // With what was said of it later.
      summary.last = try log.message(summary.last.number) ?? summary.last
      let time = summary.last.event.delayed.map { LocalTime.system.short($0, now: context.application.now()) } ?? ""
      try await context.showNext(
        ConversationRow(summary: summary, name: names[summary.conversation] ?? nil, time: time))
    }
  }

  // MARK: Search

  /// Shows what is found, the newest first, each with what stands around it.
  /// - Parameters:
  ///   - pattern: what must be in the text, where there are no words to be found.
  ///   - around: how many messages before and behind each.
  /// - Returns: how many were found.
  @discardableResult func search(
    _ query: LogQuery, _ pattern: TextPattern?, before number: Int64?, limit: Int, around: (before: Int, after: Int)
  ) async throws -> Int {
    try await makeFindable(query)
    var group = SearchGroup(around: around)
    var left = limit
    var notes = FoundNotes()
    let isForPeople = !context.application.settings.isJSON
    func take(_ some: [LoggedMessage]) async throws {
      for message in some where left > 0 {
        if isForPeople, notes.repeats(message) { continue }
        left -= 1
        let surroundings = try surroundings(of: message, around)
        if !group.takes(message, surroundings) {
          try await show(group)
          group = SearchGroup(message, surroundings, around: around)
        }
      }
    }
    var found = FoundMessages()
    if let number { try await find(correctedFrom: number, query, &found) }
    var place = number
    repeat {
      let page = try log.page(query, before: place)
      for message in page.messages where left > 0 {
        if let pattern {
          if let message = pattern.found(in: message) { try await take([message]) }
        } else {
          try await take(found.take(message))
        }
      }
      if let next = page.next { try await take(found.passed(next)) }
      place = left > 0 ? page.next : nil
      try await context.application.pause()
    } while place != nil
    try await take(found.rest())
    try await show(group)
    return limit - left
  }

  /// Finds messages before `number` by corrections of them that stand behind it.
  private func find(correctedFrom number: Int64, _ query: LogQuery, _ found: inout FoundMessages) async throws {
    guard query.words != nil else { return }
    var query = query
    query.correctionsFrom = number
    var place: Int64?
    repeat {
      let page = try log.page(query, before: place)
      // One that does not count stands behind the number itself.
      for message in page.messages where message.number < number { _ = found.take(message) }
      place = page.next
      try await context.application.pause()
    } while place != nil
  }

  private func show(_ group: SearchGroup) async throws {
    for row in group.rows { try await context.showNext(row) }
  }

  private func surroundings(
    of message: LoggedMessage, _ around: (before: Int, after: Int)
  ) throws -> [LoggedMessage] {
    var messages: [LoggedMessage] = []
    if around.before > 0 {
      let query = LogQuery(conversation: message.conversation, limit: around.before)
      messages = try log.page(query, before: message.number).messages.reversed()
    }
    if around.after > 0 {
      let query = LogQuery(conversation: message.conversation, limit: around.after)
      messages += try log.page(query, after: message.number).messages
    }
    return messages
  }

  /// What came since the index was last extended is added to it.
  private func makeFindable(_ query: LogQuery) async throws {
    guard query.words != nil else { return }
    var isTold = false
    let pauses = LogPauses(context.application)
    while case let left = try log.extendIndex(isWaitedFor: true), left > 0 {
      if left > CommandLimits.indexedSilently, !isTold {
        isTold = true
        context.output.notice("\(left) messages are indexed for the search; this takes some seconds, once.")
      }
      try await pauses.pause()
    }
  }
}

extension TextPattern {
  /// A message in which it is, in what it says now rather than in what it said first; nil: it is in neither.
  fileprivate func found(in message: LoggedMessage) -> LoggedMessage? {
    var found = message
    if let now = message.fate.correction, let hits = places(in: now) {
      (found.hits, found.foundText) = (hits, now)
    } else if let hits = places(in: message.event.body) {
      found.hits = hits
    } else {
      return nil
    }
    return found
  }
}

/// What is found and what stands around it, as far as it belongs together.
struct SearchGroup {
  private var messages: [Int64: LoggedMessage] = [:]
  /// Bounded by ``messages``, those by ``CommandLimits/groupLength``.
  private var hits: Set<Int64> = []
  private var conversation: JID?
  private let hasContext: Bool

  init(around: (before: Int, after: Int)) { hasContext = around.before + around.after > 0 }

  init(_ hit: LoggedMessage, _ surroundings: [LoggedMessage], around: (before: Int, after: Int)) {
    self.init(around: around)
    conversation = hit.conversation
    add(hit, surroundings)
  }

  /// Takes a hit where what stands around it touches what is there.
  /// - Returns: whether it does.
  mutating func takes(_ hit: LoggedMessage, _ surroundings: [LoggedMessage]) -> Bool {
    let touches = messages[hit.number] != nil || surroundings.contains { messages[$0.number] != nil }
    let hasRoom = messages.count < CommandLimits.groupLength
    guard hasContext, hasRoom, hit.conversation == conversation, touches else { return false }
    add(hit, surroundings)
    return true
  }

  private mutating func add(_ hit: LoggedMessage, _ surroundings: [LoggedMessage]) {
    for message in surroundings where !hits.contains(message.number) { messages[message.number] = message }
    messages[hit.number] = hit
    hits.insert(hit.number)
  }

  /// In the order of the log.
  var rows: [HistoryRow] {
    messages.values.sorted { $0.number < $1.number }.enumerated().map { place, message in
      let begins = place == 0 && hasContext
      return HistoryRow(
        message, part: hits.contains(message.number) ? .hit(beginsGroup: begins) : .context(beginsGroup: begins))
    }
  }
}

/// Notes of the user to themselves that a search has found: the log has each as it was written and as it came back, under one id, and
/// people are shown one of them.
private struct FoundNotes {
  /// Bounded by what a search may find.
  private var ids: Set<String> = []

  mutating func repeats(_ message: LoggedMessage) -> Bool {
    guard message.event.from.bare == message.event.to.bare, let id = message.event.id else { return false }
    return !ids.insert(id).inserted
  }
}
