// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import CReadline
import Glibc
import JackdawLoop

/// At exit there may be no loop and no isolation any more.
private let restoreTerminal: @convention(c) () -> Void = {
  readline.pointee.rl_deprep_terminal()
  guard EventLoop.main.isCurrentThread else { return }
  Client.assumeIsolated {
    Prompt.current?.restoreTitle()
    Prompt.current?.settleScreen()
  }
}

/// What readline calls.
extension Prompt {
  private static var isInitialized = false

  /// Sets readline up and reads .inputrc, once a process.
  static func initializeReadline() {
    guard !isInitialized else { return }
    isInitialized = true
    jd_rl_configure(
      programName,
      { _ in Client.assumeIsolated { Prompt.current?.nextKey() ?? EOF } },
      { Client.assumeIsolated { Prompt.current?.hasKey() == true ? 1 : 0 } },
      { _, _, _ in Client.assumeIsolated { Prompt.current?.completions() } },
      { _, _, _ in Client.assumeIsolated { Prompt.current?.listSuggestions() } })
    nameSwitchKeys()
    initializeAsUTF8()
    // Not before: readline asks nobody what the terminal can do where somebody else draws.
    jd_rl_redisplay_by { Client.assumeIsolated { Prompt.current?.redisplay() } }
    bindSwitchKeys()
    for map in [jd_rl_emacs_map(), jd_rl_vi_insert_map(), jd_rl_vi_command_map()] {
      jd_rl_replace(
        readline.pointee.rl_newline,
        { count, key in Client.assumeIsolated { Prompt.current?.accept(count, key) ?? 0 } },
        map)
      // Ctrl-O and Alt-#, which end with Enter.
      jd_rl_replace(
        readline.pointee.rl_operate_and_get_next,
        { count, key in
          Client.assumeIsolated {
            Prompt.current?.accept(count, key, by: readline.pointee.rl_operate_and_get_next) ?? 0
          }
        }, map)
      jd_rl_replace(
        readline.pointee.rl_insert_comment,
        { count, key in
          Client.assumeIsolated {
            Prompt.current?.accept(count, key, by: readline.pointee.rl_insert_comment, isMessage: true) ?? 0
          }
        }, map)
      _ = readline.pointee.rl_bind_keyseq_in_map(
        "\u{1B}[200~",
        { _, _ in
          Client.assumeIsolated { Prompt.current?.input.pasteBegan() }
          return 0
        }, map)
    }
    // Alt-Enter, which by default changes to vi's keys for good.
    jd_rl_bind_unless_changed(
      "\u{1B}\r", { _, _ in readline.pointee.rl_insert_text("\n") }, readline.pointee.rl_vi_editing_mode)
    if !StandardStream.isSameFile(STDIN_FILENO, STDERR_FILENO) { jd_rl_silence() }
    // A program that ends without a word still leaves a terminal that can be typed at.
    atexit(restoreTerminal)
  }

  /// For `$if jackdaw` in .inputrc. Readline keeps the pointer.
  private static let programName = strdup("jackdaw")

  /// Readline takes its character set from the environment, where a session without a locale says ASCII; XMPP and today's
  /// terminals speak UTF-8. It looks there again for each line, so the environment is changed for good, which suits the
  /// programs that we start and feed with UTF-8.
  private static func initializeAsUTF8() {
    setlocale(LC_CTYPE, "")
    if jd_codeset_is_utf8() == 0 {
      setenv("LC_ALL", "C.UTF-8", 1)
      setlocale(LC_CTYPE, "C.UTF-8")
    }
    // One Tab shows what there is, unless .inputrc says otherwise.
    _ = readline.pointee.rl_variable_bind("show-all-if-ambiguous", "on")
    _ = readline.pointee.rl_initialize()
  }

  /// A line is complete; nil at Ctrl-D on an empty one. The line is readline's gift, to be freed.
  static let lineHandler: @convention(c) (UnsafeMutablePointer<CChar>?) -> Void = { line in
    let text = line.map { String(cString: $0) }
    free(line)
    Client.assumeIsolated {
      guard let prompt = Prompt.current else { return }
      if let text { prompt.entered.append(text) } else { prompt.hasEnded = true }
    }
  }

  /// The next byte for readline. It asks for one more than has come only where it cannot do otherwise (`skip-csi-sequence`, say):
  /// what does not follow at once is not waited for, since the loop stands still meanwhile.
  private func nextKey() -> Int32 {
    if let byte = input.popFirst() { return Int32(byte) }
    guard let terminal, terminal.isReadable(within: TerminalLimits.restOfSequence), let bytes = readTyped(terminal)
    else {
      return EOF
    }
    input.append(bytes)
    return input.popFirst().map { Int32($0) } ?? EOF
  }

  /// Whether more was typed already: readline then inserts a run of letters at once, and tells ESC from a key that begins
  /// with it. Such a run ends before a key of the terminal's, which would be none of readline's and do nothing.
  private func hasKey() -> Bool {
    if !input.hasKey, let terminal, terminal.isReadable(within: 0), let bytes = readTyped(terminal) {
      input.append(bytes)
    }
    return input.hasKey && !isSignalNext
  }

  /// Enter. A command stays on the screen as it was typed, above what it prints; a message vanishes, since it comes back
  /// as a line with its time and sender.
  /// - Parameters:
  ///   - usual: how readline does it.
  ///   - isMessage: what it makes of the line is no command.
  private func accept(
    _ count: Int32, _ key: Int32, by usual: @convention(c) (Int32, Int32) -> Int32 = readline.pointee.rl_newline,
    isMessage: Bool = false
  ) -> Int32 {
    let isCommand = !isMessage && PromptLine.isCommand(String(cString: jd_rl_line()))
    if isCommand { shown += 1 }
    guard !isSpoken else {
      defer {
        isLineAway = true
        awaitQuiet()
      }
      return usual(count, key)
    }
    if isCommand { return usual(count, key) }
    clearLine()
    // Keeps readline from drawing the line and moving below it.
    let echoes = readline.pointee.rl_tty_set_echoing(0)
    defer { _ = readline.pointee.rl_tty_set_echoing(echoes) }
    return usual(count, key)
  }
}
