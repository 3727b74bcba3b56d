// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawCommands
import JackdawLoop
import JackdawProtocol
import JackdawSession

/// That they have read what the user wrote.
extension TextOutput {
  /// A message stands on the screen.
  func noteForReceipts(_ message: MessageArrived, in conversation: JID, isOwn: Bool) {
    guard isPrompt else { return }
    if isOwn {
      news.receipts.said(message.id, in: conversation, at: clock.now, shown: out.shown)
    } else {
      news.receipts.answered(in: conversation)
    }
  }

  /// They have a message of the user's, or have read it.
  func showReceipt(_ state: MessageStateChanged) {
    guard isPrompt, verbosity > .quiet else { return }
    let isRead = state.state == .displayed
    if let nick = state.by?.resource {
      guard news.receipts.displayed(state.id, inRoom: state.to.bare, by: nick), receiptsTimer == nil else { return }
      // Others will have read it by then.
      receiptsTimer = clock.schedule(after: TerminalLimits.receiptWindow) { [weak self] in self?.tellReceipts() }
      return
    }
    let isNews =
      isRead
      ? news.receipts.displayed(state.id, in: state.to.bare, at: clock.now)
      : news.receipts.delivered(state.id, in: state.to.bare, at: clock.now)
    guard isNews, isRead || receiptsTimer == nil else { return }
    let window = isRead ? TerminalLimits.presenceWindow : TerminalLimits.receiptWindow
    receiptsTimer = clock.schedule(after: window) { [weak self] in self?.tellReceipts() }
  }

  func tellReceipts() {
    receiptsTimer = nil
    for news in self.news.receipts.drain() {
      endRows()
      let person = person(news.conversation)
      let what = news.shown == out.shown ? "this" : "your last message"
      let verb = news.isRead ? "read" : "got"
      let who = news.readers.isEmpty ? person.label : readers(news)
      put(lines.notice((out.style.isSpoken ? "" : "✓ ") + "\(who) \(verb) \(what)."))
    }
  }

  private func readers(_ news: ReceiptDigest.News) -> String {
    let readers = news.readers.map { nick in
      let occupant = try? news.conversation.with(resource: nick, isReceived: true)
      return TextLines.nick(nick, of: occupant.flatMap { names.occupant($0, of: account)?.contact })
    }
    let room = isOpen(news.conversation) ? "" : " (\(person(news.conversation).label))"
    return TextLines.naming(readers) + room
  }
}
