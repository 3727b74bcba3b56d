// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import CReadline
import JackdawCommands
import JackdawLoop

/// What is typed, on its way to readline.
extension Prompt {
  func readKeys() {
    // Readline echoes what it is given: while the terminal is stopped (Ctrl-S) keys stay where they are.
    let canDraw = screen.isWritable { [weak self] in
      guard let self, isShown else { return }
      inputWatch?.interest = .readable
    }
    guard canDraw || !isShown else {
      inputWatch?.interest = []
      return
    }
    // A resize that was handled in this turn may have read it already, and a read would wait.
    if isShown, terminal?.isReadable(within: 0) == false { return }
    guard isShown, let bytes = terminal.flatMap({ readTyped($0) }) else {
      if isShown { end() }
      return
    }
    // What the terminal answers is no sign of the user.
    if !bytes.isEmpty { delegate?.promptTouched() }
    if input.isPasting, bytes == [terminal?.keys.interrupt] {
      interrupt()
    } else {
      input.append(bytes)
    }
    // Readline draws as it did, whatever the window is by now. Only after what came was read, since a resize reads too.
    if isResized { resize() }
    handleKeys()
  }

  /// Feeds readline, a bounded number of bytes a turn so that a flood of keys does not stop the network.
  private func handleKeys() {
    guard screen.isWritable(else: { [weak self] in self?.scheduleKeys() }) else { return }
    var budget = TerminalLimits.keysPerTurn
    while isShown, input.hasKey, budget > 0 {
      budget -= 1
      if input.isPasting {
        if let paste = input.takePaste() { insert(paste) }
      } else if input.isPasteNext, !isCounting {
        beginPaste()
      } else if !handleTerminalKey() {
        bringLine()
        setReturnedAside()
        readline.pointee.rl_callback_read_char()
        jd_rl_flush()
      }
      takeEntered()
      takePressed()
    }
    guard isShown else { return }
    delegate?.promptTyped(isMessage: holdsMessage)
    awaitCharacter()
    refreshPrompt()
    scheduleKeys()
    offerReturned()
  }

  /// What stands on the input line would be sent.
  private var holdsMessage: Bool {
    guard jd_rl_end() > 0, jd_rl_searching() == 0 else { return false }
    guard let line = jd_rl_line() else { return false }
    // Nearly every line is seen to be one by its first byte.
    return line[0] != 0x2F || !PromptLine.isCommand(String(cString: line))
  }

  /// Goes on with what was typed already in the next turn.
  func scheduleKeys() {
    guard input.hasKey, !isKeyDue else { return }
    isKeyDue = true
    loop.nextTurn { [weak self] in
      self?.isKeyDue = false
      self?.handleKeys()
    }
  }

  /// Half a character is no key; a terminal that sends such bytes and nothing after them does not speak UTF-8.
  private func awaitCharacter() {
    characterTimer = nil
    if input.hasDropped, !hasToldOfBytes {
      hasToldOfBytes = true
      tell("The terminal sends characters that are not UTF-8: they are left out.")
    }
    guard input.isIncomplete else { return }
    characterTimer = loop.schedule(after: TerminalLimits.restOfCharacter) { [weak self] in
      self?.input.dropIncomplete()
      self?.awaitCharacter()
      self?.offerReturned()
    }
  }

  /// The next key is one that the terminal would turn into a signal, wherever it is typed.
  var isSignalNext: Bool {
    guard !input.isPasting, let key = input.first, key != 0, let keys = terminal?.keys, jd_rl_quotes_next() == 0
    else { return false }
    return key == keys.interrupt || key == keys.suspend || key == keys.quit
  }

  /// The keys that the terminal would turn into signals. Returns whether the next key was one.
  private func handleTerminalKey() -> Bool {
    guard let key = input.first, key != 0, let keys = terminal?.keys, jd_rl_quotes_next() == 0 else { return false }
    switch key {
    case keys.interrupt:
      _ = input.popFirst()
      interrupt()
    case keys.suspend:
      _ = input.popFirst()
      suspend()
    case keys.quit:
      hasEnded = true
    // Readline would leave the prompt behind on the screen.
    case keys.end where jd_rl_end() == 0 && jd_rl_expects_command() != 0:
      hasEnded = true
    default: return false
    }
    return true
  }

  /// A paste is text, whatever readline is in the middle of: that ends first. A key to be inserted as it is (Ctrl-V) would be the mark's first
  /// byte, and each newline behind it Enter; a search would take in what was pasted, and with a long text write beyond its memory.
  private func beginPaste() {
    bringLine()
    if jd_rl_searching() != 0 {
      // Readline's own way to end a search, with the line as it was before.
      input.putFirst(Self.endsSearch)
      readline.pointee.rl_callback_read_char()
      jd_rl_flush()
    } else if isIn(RL_STATE_VIMOTION), isIn(RL_STATE_NUMERICARG) {
      // And to end a command of vi's keys that has the number of a motion and waits for the motion (d2).
      input.putFirst(Self.endsMotion)
      readline.pointee.rl_callback_read_char()
    }
    readline.pointee.rl_callback_sigcleanup()
    input.takePasteMark()
  }

  /// Ctrl-G.
  private static let endsSearch: UInt8 = 0x07
  /// Escape, which is no motion.
  private static let endsMotion: UInt8 = 0x1B

  /// A number is typed for the next key (Alt-3): readline ends that by itself, but not where the number is a motion's.
  private var isCounting: Bool { isIn(RL_STATE_NUMERICARG) && !isIn(RL_STATE_VIMOTION) }

  private func isIn(_ state: Int32) -> Bool { readline.pointee.rl_readline_state.pointee & UInt(state) != 0 }

  private func insert(_ paste: PromptInput.Paste) {
    _ = readline.pointee.rl_insert_text(paste.text)
    drawChange()
    if paste.isCut { tell("The paste was too long: its end is missing.") }
  }

  private func takeEntered() {
    isEntering = true
    defer { isEntering = false }
    while !entered.isEmpty, isRunning {
      let line = entered.removeFirst()
      history.rewind()
      returned.beginEntering()
      defer { returned.endEntering() }
      guard !line.isEmpty else { continue }
      let isKept = delegate?.promptEntered(line) ?? false
      if isKept, let complaint = history.keep(line), isRunning { tell(complaint) }
      if isRunning { history.rewind() }
    }
    if hasEnded { end() }
  }
}
