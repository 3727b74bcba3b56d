// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import CReadline
package import JackdawCommands
import JackdawLoop

/// Lines that come back to the input line.
extension Prompt {
  /// Puts a line that was entered back on the input line: at once if that is empty and nothing more was typed, else as soon as
  /// it is.
  /// - Parameter conversation: the one that it was for, while which is open it comes back; nil: nobody.
  package func putBack(_ line: String, to conversation: ConversationKey? = nil) {
    returned.add(line, to: conversation)
    loop.nextTurn { [weak self] in self?.offerReturned() }
  }

  /// Puts something on the input line that the user has just asked for, if that is empty and nothing comes back to it.
  package func offer(_ line: String) {
    guard isShown, !input.isPasting, entered.isEmpty, jd_rl_end() == 0, jd_rl_expects_command() != 0, !drafts.isDue,
      !returned.isDue(in: state.address)
    else { return }
    _ = readline.pointee.rl_insert_text(line)
    drawChange()
  }

  /// What is being typed is never changed: neither by what comes back, nor so that the one becomes part of the other.
  func offerReturned() {
    offerDraft()
    guard mayOffer, !returned.isEmpty, let line = returned.offer(in: state.address) else { return }
    _ = readline.pointee.rl_insert_text(line)
    // What the user entered has its answer first.
    if isSpoken, isLineAway { awaitQuiet() } else { drawChange() }
  }

  /// A `/` behind a line that has just come back begins a command, which is to help the line on its way.
  func setReturnedAside() {
    guard input.first == UInt8(ascii: "/"), jd_rl_searching() == 0, jd_rl_quotes_next() == 0,
      jd_rl_point() == jd_rl_end(),
      returned.setAside(String(cString: jd_rl_line()))
    else { return }
    clearLine()
    readline.pointee.rl_replace_line("", 1)
    jd_rl_set_point(0)
    // The key's own line.
    if isSpoken { bringLine() } else { drawLine() }
  }

  /// Nothing is being typed.
  var mayOffer: Bool {
    isShown && input.isEmpty && !input.isPasting && entered.isEmpty && jd_rl_end() == 0 && jd_rl_expects_command() != 0
  }

  /// What stands on the input line; nil: nothing. What a search has found nobody has typed.
  var typedLine: String? {
    jd_rl_end() > 0 && jd_rl_searching() == 0 ? String(cString: jd_rl_line()) : nil
  }

  /// The prompt is gone: what was not used stays on the screen, to be copied.
  /// - Parameter typed: what stood on the input line, which may be one that came back.
  func leaveUnsent(_ typed: String?) {
    for line in returned.takeAll(typed: typed) + drafts.takeAll() { tell("Not sent: " + line) }
  }
}
