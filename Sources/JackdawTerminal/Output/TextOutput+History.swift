// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawCommands
import JackdawLoop
import JackdawProtocol
import JackdawSession

/// What of the log was shown last: a day is named once.
struct ShownHistory {
  /// `Monday, 2026-11-16`
  var day: String?
  /// In which conversation it was said, and to which account.
  var conversation: JID?
  var account: JID?
  /// A group of a search stands above.
  var hasGroup = false
  private var notes = NotesToSelf()
  private var number: Int64?

  /// Something of it is shown.
  var hasBegun: Bool { number != nil }

  /// Whether a row is a note of the user to themselves that stands above, in the same list.
  mutating func repeats(_ row: HistoryRow) -> Bool {
    if let number, row.message.number <= number { notes = NotesToSelf() }
    number = row.message.number
    // What was exported is for programs, and what begins something is needed.
    return notes.repeats(row.message.event) && row.part != .exported && row.unread == nil && !row.beginsGroup
  }
}

/// Messages of the log, as people read them: as they were shown when they came, under the day on which they were written.
extension TextOutput {
  func show(_ row: HistoryRow, of account: JID?) {
    if rows != nil { endRows() }
    if history.repeats(row) { return }
    begin(account)
    let lines = lines
    if row.beginsGroup {
      if history.hasGroup { put(lines.groupEnd) }
      history.hasGroup = true
    }
    let message = row.message
    let written = message.event.delayed ?? lines.now
    let isTerminal = out.columns != nil
    // At the prompt another conversation may stand above, if only another account's, of which these lines are to be told apart.
    let goesOn = !isPrompt || history.conversation == message.conversation && history.account == account?.bare
    if !goesOn { history.day = nil }
    (history.conversation, history.account) = (message.conversation, account?.bare)
    if isTerminal, row.isListed {
      let day = lines.localTime.day(written)
      earlierDay = day
      if history.day != day { begin(day: day) }
      history.day = day
    }
    defer { earlierDay = nil }
    if isTerminal, let unread = row.unread { put(lines.divider("\(unread) unread")) }
    let entry = lines.logged(
      row, from: sayer(message.event, of: account), to: person(message.event.to, of: account),
      underDay: isTerminal && row.isListed,
      isPlain: row.isOfOne && goesOn, isOpen: row.isOfOne, inviter: inviter(of: message.event),
      answered: answered(message, of: account), earlier: remarked(message, of: account))
    write(entry, in: layout)
    if case .failed(let reason) = message.state {
      put(lines.failedBefore(reason, time: entry.time))
    }
    if !message.fate.reactions.isEmpty {
      let reactions = message.fate.reactions.map { reaction in
        // In a room it is who they are there.
        let nick = message.isInRoom ? reaction.from.resource.map { TextLines.nick($0) } : nil
        var person = person(reaction.from, name: nick, of: account)
        if reaction.isOwn { person.isOwn = true }
        return (person: person, with: reaction.with)
      }
      put(lines.reactions(reactions, time: entry.time))
    }
  }
}

extension HistoryRow {
  /// It stands among its neighbours in time, and not with what was found elsewhere.
  var isListed: Bool { part == .line || isOfOne && part != .exported }

  fileprivate var beginsGroup: Bool {
    switch part {
    case .line, .exported: false
    case .hit(let begins), .context(let begins): begins
    }
  }
}

extension TextLines {
  /// A line between two messages, or two days.
  /// - Parameter text: safe to show.
  func divider(_ text: String) -> String {
    layout.style.paint(layout.style.isSpoken ? "\(text):" : "── \(text) ──", .mark) + "\n"
  }

  /// Between two groups of what was found.
  var groupEnd: String { layout.style.paint("--", .mark) + "\n" }

  /// A message of the log: as it was shown when it came, with what became of one of our own that did not arrive, and, in a search, its
  /// number.
  /// - Parameters:
  ///   - underDay: the day stands above.
  ///   - isPlain: whom a message of the user's own is for stands above.
  ///   - answered: of a reply, what it answers.
  ///   - earlier: of what says nothing by itself, which message it is about.
  func logged(
    _ row: HistoryRow, from: Person, to: @autoclosure () -> Person, underDay: Bool, isPlain: Bool,
    isOpen: Bool = false, inviter: Person? = nil, answered: EarlierWords? = nil,
    earlier: @autoclosure () -> EarlierWords = EarlierWords(unnamed: "a message")
  ) -> TextEntry {
    let message = row.message
    var event = message.event
    if message.isOutgoing { event.carbon = .sent }
    // What was searched for may stand in what was said before.
    if let text = message.foundText ?? (message.hits.isEmpty ? message.shownText : nil) {
      event.body = text
      // What was linked was said in the text that is gone.
      if text != message.event.body { event.payload?.links = [] }
      if message.encryption != event.payload?.encryption {
        event.payload = event.payload ?? MessagePayload()
        event.payload?.encryption = message.encryption
      }
    }
    // What asks for OTR is told by its words, which hide nothing.
    if message.encryption == "OTR", MessagePayload.asksForOTR(message.event.body) { event.body = message.event.body }
    event.relations = []
    var entry = self.message(
      event, from: from, to: to(), isPlain: isPlain, isOpen: isOpen, inviter: inviter,
      answered: answered)
    if let does = message.event.relations.lazy.compactMap({ Self.deed($0) }).first {
      let who = message.isOutgoing ? "You" : entry.label.text
      let place = message.isOutgoing && !isPlain ? " in the chat with \(addressee(event, to()))" : ""
      entry.say("\(who) \(does) \(earlier().text)\(Self.end(of: place))")
    }
    if let written = event.delayed {
      let time =
        row.part == .exported
        ? localTime.long(written) : underDay ? localTime.clock(written) : localTime.short(written, now: now)
      entry.time = Self.stamp(time, account)
    }
    switch message.state {
    case .waiting, .sent: entry.label.text += layout.style.isSpoken ? " (waiting)" : " …"
    case .failed: entry.label.text += layout.style.isSpoken ? " (not delivered)" : " ✗"
    case .server, .delivered, .displayed, nil: break
    }
    if let remark = message.remark { entry.label.text += " (\(remark))" }
    // Marks stand behind the text, but for what an action leaves out.
    let shift = event.body.hasPrefix("/me ") ? 4 : 0
    entry.hits =
      entry.isOurs
      ? []
      : message.hits.compactMap { hit in
        hit.upperBound > shift ? max(0, hit.lowerBound - shift)..<hit.upperBound - shift : nil
      }
    switch row.part {
    case .line, .exported: break
    case .hit: entry.time = "#\(message.number) " + entry.time
    case .context:
      entry.time = "#\(message.number) " + entry.time
      // As grep marks what stands around a line.
      if entry.label.separator == ": " { entry.label.separator = "- " }
    }
    return entry
  }
}
