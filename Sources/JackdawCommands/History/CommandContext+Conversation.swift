// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession

/// A conversation at the prompt: what was said in it stands above what is said next.
extension CommandContext {
  /// Shows the last lines of a conversation, from what nobody has read on if that is more, and takes them for read. What is still to be
  /// presented comes by itself, behind them.
  func showConversation(with jid: JID) throws {
    let (log, conversation) = (try account().log, try account().conversation(of: jid))
    // Whom one talks to has a name, though nothing came from the server yet.
    _ = try account().knownFriends()
    // What is on the screen is read with all the rest: it is noted in a moment, which may be after this.
    for presenter in application.presenters { presenter.settle() }
    let end: Int64?
    let summary: ConversationSummary?
    do {
      end = try log.firstUnpresented(in: conversation)
      summary = try log.summary(of: conversation)
    } catch {
      // The store has reported its error. One can talk all the same.
      return
    }
    guard let summary else { return try showWhenRead(conversation) }
    if let session = try account().session { session.archive.prefer(conversation) {} }
    let count = min(max(summary.unread, application.settings.history.lines), CommandLimits.unreadLines)
    let page = try log.page(LogQuery(conversation: conversation, limit: count), before: end)
    let messages = Array(page.messages.reversed())
    show(messages, unread: summary.unread)
    if let last = messages.last, end == nil || summary.unread > 0 {
      try? log.markRead(conversation, through: max(last.number, summary.readThrough))
    }
  }

  /// What has been presented of a conversation is read.
  func markReadWhatIsShown(of jid: JID) throws {
    let (log, conversation) = (try account().log, try account().conversation(of: jid))
    for presenter in application.presenters { presenter.settle() }
    let end = try log.firstUnpresented(in: conversation)
    let last = try log.page(LogQuery(conversation: conversation, limit: 1), before: end).messages.first
    if let last { try log.markRead(conversation, through: last.number) }
  }

  /// Nothing of it is here: what the server has of it is shown once it is read.
  private func showWhenRead(_ conversation: JID) throws {
    guard let session = try account().session else { return }
    lines.shownFrom = nil
    session.archive.prefer(conversation) { [self] in showRead(conversation) }
  }

  /// What the server has of a conversation of which nothing was here has been read. Another account may have one with the same person open by
  /// then.
  func showRead(_ conversation: JID) {
    guard lines.shownFrom == nil, (try? isStillOpen(conversation)) == true else { return }
    // What has come meanwhile stands on the screen already.
    guard let last = try? account().log.summary(of: conversation)?.last.number, last < 1 else { return }
    try? showConversation(with: conversation)
  }

  /// Shows what stands around a message, which is marked, and takes it for read.
  func showConversation(around message: LoggedMessage) throws {
    let log = try account().log
    let query = LogQuery(conversation: message.conversation, limit: CommandLimits.conversationLines)
    let before = try log.page(query, before: message.number).messages.reversed()
    let after = try log.page(query, after: message.number).messages
    lines.shownFrom = before.first?.number ?? message.number
    for message in before { show(HistoryRow(message, part: .context(beginsGroup: false), isOfOne: true)) }
    var marked = message
    marked.foundText = message.shownText
    marked.hits = [0..<message.shownText.utf8.count]
    show(HistoryRow(marked, part: .hit(beginsGroup: false), isOfOne: true))
    for message in after { show(HistoryRow(message, part: .context(beginsGroup: false), isOfOne: true)) }
    if origin == .prompt { markRead(before + [message] + after) }
  }

  /// Takes a part of a conversation that has been shown for read, unless it would take what stands above it for read, too: all before the
  /// last message that is read counts as read. What is still to be presented comes by itself.
  private func markRead(_ shown: [LoggedMessage]) {
    guard let first = shown.first, let log = try? account().log else { return }
    for presenter in application.presenters { presenter.settle() }
    // Messages that could not be marked stay unread.
    do {
      let end = try log.firstUnpresented(in: first.conversation)
      let unread = LogQuery(conversation: first.conversation, isUnread: true, limit: 1)
      guard try log.page(unread, before: first.number).messages.isEmpty,
        let last = shown.last(where: { $0.number < end ?? .max }),
        let summary = try log.summary(of: first.conversation), last.number > summary.readThrough
      else { return }
      try log.markRead(first.conversation, through: last.number)
    } catch { return }
  }

  private func show(_ messages: [LoggedMessage], unread: Int) {
    // What the user has said meanwhile, from the shell or elsewhere, is not unread: what follows it begins another block.
    var blocks: [(first: Int64, count: Int)] = []
    var isWithin = false
    for message in messages {
      if message.isOutgoing { isWithin = false }
      guard unread > 0, message.isUnread else { continue }
      if isWithin { blocks[blocks.count - 1].count += 1 } else { blocks.append((message.number, 1)) }
      isWithin = true
    }
    // The first has those too that stand before what is shown.
    if !blocks.isEmpty { blocks[0].count = max(1, unread - blocks.dropFirst().reduce(0) { $0 + $1.count }) }
    for message in messages {
      show(HistoryRow(message, unread: blocks.first { $0.first == message.number }?.count, isOfOne: true))
    }
    lines.shownFrom = messages.first?.number ?? lines.shownFrom
  }
}
