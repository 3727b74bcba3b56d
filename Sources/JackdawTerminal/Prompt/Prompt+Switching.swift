// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import CReadline
import Glibc
import JackdawCommands
import JackdawLoop
import JackdawProtocol

/// A key of a digit.
private let openByDigit: @convention(c) (Int32, Int32) -> Int32 = { _, key in
  // A key with the eighth bit is one with Alt too.
  let digit = Int(key & 0x7F) - 0x30
  return 1...9 ~= digit ? note(.number(digit)) : 0
}

/// Readline has handled a key; it is done when readline has returned.
private func note(_ key: SwitchKey) -> Int32 {
  Client.assumeIsolated { Prompt.current?.pressed = key }
  return 0
}

/// Other conversations: their keys, the line that is being typed in each, the terminal's title.
extension Prompt {
  // MARK: Keys

  /// Names the functions for .inputrc, before it is read.
  static func nameSwitchKeys() {
    // Readline keeps the pointers.
    _ = readline.pointee.rl_add_defun(strdup("jackdaw-next-unread"), { _, _ in note(.nextUnread) }, -1)
    _ = readline.pointee.rl_add_defun(strdup("jackdaw-reply"), { _, _ in note(.reply) }, -1)
    _ = readline.pointee.rl_add_defun(strdup("jackdaw-conversation"), openByDigit, -1)
    _ = readline.pointee.rl_add_defun(strdup("jackdaw-correct"), { _, _ in note(.correctLast) }, -1)
  }

  /// Binds the keys that the user has not bound to anything else. Among vi's keys they are those for inserting text; to Esc typed by
  /// itself, and to a letter after it, nothing changes.
  static func bindSwitchKeys() {
    for digit in 1...9 { jd_rl_bind_unless_changed("\u{1B}\(digit)", openByDigit, readline.pointee.rl_digit_argument) }
    jd_rl_bind_unless_changed("\u{1B}a", { _, _ in note(.nextUnread) }, nil)
    jd_rl_bind_unless_changed("\u{1B}r", { _, _ in note(.reply) }, readline.pointee.rl_revert_line)
    // As xterm and its like send Alt-Up, and as terminals do that send Esc before the key.
    for keys in ["\u{1B}[1;3A", "\u{1B}\u{1B}[A", "\u{1B}\u{1B}OA"] {
      jd_rl_bind_unless_changed(keys, { _, _ in note(.correctLast) }, nil)
    }
  }

  /// Does what a key asked for that readline handled.
  func takePressed() {
    guard let key = pressed else { return }
    pressed = nil
    if isRunning { delegate?.promptSwitches(key) }
  }

  // MARK: Drafts

  /// Another conversation was opened: what stands on the input line stays behind, what was left in that one comes. Behind a line that
  /// was entered more may have been typed already, and nothing is put before that.
  func openDraft(of conversation: ConversationKey?) {
    guard isShown, !isEntering else { return drafts.open(conversation) }
    // What a search has found is the line.
    if jd_rl_searching() != 0 { readline.pointee.rl_callback_sigcleanup() }
    let line = Drafts.Draft(text: String(cString: jd_rl_line()), point: Int(jd_rl_point()))
    let next = drafts.open(conversation, leaving: line)
    guard next != line else { return }
    returned.conversationChanged()
    // Draws, and so while the line is on the screen: on a row that was cleared it would leave the cursor where the line ended.
    readline.pointee.rl_free_line_state()
    clearLine()
    jd_rl_forget_line()
    history.rewind()
    readline.pointee.rl_replace_line(next.text, 1)
    jd_rl_set_point(Int32(next.point))
    drawPrompt()
  }

  /// Puts a draft on the input line that waited for it to be empty.
  func offerDraft() {
    guard drafts.isDue, mayOffer, let draft = drafts.takeDue() else { return }
    _ = readline.pointee.rl_insert_text(draft.text)
    jd_rl_set_point(Int32(draft.point))
    drawChange()
  }

  // MARK: The title

  /// Sets the title, where there is one and it is another one now. A terminal that takes nothing gets it with the next change.
  func refreshTitle() {
    guard isShown, setsTitle, !screen.holdsBack else { return }
    let text = TerminalTitle.text(for: state)
    guard text != shownTitle else { return }
    screen.write((shownTitle == nil ? TerminalTitle.save : "") + TerminalTitle.sequence(text))
    screen.settle()
    shownTitle = text
  }

  /// Gives the title back that was there before.
  func restoreTitle() {
    guard shownTitle != nil else { return }
    shownTitle = nil
    screen.write(TerminalTitle.restore)
    screen.settle()
  }
}
