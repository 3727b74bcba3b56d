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
      receipts.said(message.id, in: conversation, at: clock.now, shown: out.shown)
    } else {
      receipts.answered(in: conversation)
    }
  }

  /// They have a message of the user's, or have read it.
  func showReceipt(_ state: MessageStateChanged) {
    guard isPrompt, verbosity > .quiet else { return }
    let isRead = state.state == .displayed
    let isNews =
      isRead
      ? receipts.displayed(state.id, in: state.to.bare, at: clock.now)
      : receipts.delivered(state.id, in: state.to.bare, at: clock.now)
    guard isNews, isRead || receiptsTimer == nil else { return }
    let window = isRead ? TerminalLimits.presenceWindow : TerminalLimits.receiptWindow
    receiptsTimer = clock.schedule(after: window) { [weak self] in self?.tellReceipts() }
  }

  private func tellReceipts() {
    receiptsTimer = nil
    for news in receipts.drain() {
      endRows()
      let person = person(news.conversation)
      let what = news.shown == out.shown ? "this" : "your last message"
      let verb = news.isRead ? "read" : "got"
      put(lines.notice((out.style.isSpoken ? "" : "✓ ") + "\(person.label) \(verb) \(what)."))
    }
  }
}
