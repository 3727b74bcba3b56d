// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import CReadline
import Glibc
package import JackdawCommands
package import JackdawLoop

/// The line at the bottom of the terminal: GNU readline on the loop, with what arrives printed above it.
///
/// Readline's callback interface is fed the bytes that were typed, so it never waits. Its state is global; there is one
/// prompt at a time.
@Client package final class Prompt: PromptControl {
  let loop: EventLoop
  let output: StandardStream
  weak var delegate: (any PromptDelegate)?
  let history: History

  /// Ctrl-C where there was nothing to clear: the user wants what runs to end.
  package var onInterrupt: (@Client () -> Void)?

  var terminal: PromptTerminal?
  var input = PromptInput()
  /// What readline handed over at Enter, dealt with when readline has returned.
  var entered: [String] = []
  var hasEnded = false
  var suggestions: [String] = []
  /// Lines that were entered and come back to the input line.
  var returned = ReturnedLines()

  /// What is shown beside the cursor.
  package private(set) var state = PromptState()
  private var shownText = ""
  /// Lines to print above, gathered during a turn.
  var pending = ""
  var printingIsDue = false
  /// What waits for these lines to be printed.
  var actions: [@Client () -> Void] = []
  private(set) var pauses = 0
  private var isKeyDue = false
  private var inputWatch: DescriptorWatch?
  var signalWatches: [SignalWatch] = []
  var suspendWatch: SignalWatch?
  var isSuspending = false

  /// Where readline's callbacks find the prompt.
  static weak var current: Prompt?

  /// - Parameters:
  ///   - output: stdout. Where it is no terminal, lines go to it as they are and the prompt stays on the terminal.
  ///   - historyFile: nil keeps no history across runs.
  package init(loop: EventLoop, output: StandardStream, delegate: any PromptDelegate, historyFile: String?) {
    self.loop = loop
    self.output = output
    self.delegate = delegate
    history = History(file: historyFile.map(HistoryFile.init(path:)))
  }

  var isRunning: Bool { terminal != nil }
  var isShown: Bool { isRunning && pauses == 0 && !isSuspending }

  /// Takes the terminal and shows the prompt.
  /// - Throws: ``CommandFailure`` when stdin is no terminal.
  package func start() throws(CommandFailure) {
    guard terminal == nil else { return }
    let terminal = try PromptTerminal()
    self.terminal = terminal
    Self.current = self
    terminal.give()
    Self.initializeReadline()
    let complaint = history.load()
    shownText = line(for: state)
    rl_callback_handler_install(shownText, Self.lineHandler)
    inputWatch = loop.watch(terminal.descriptor, .readable) { [weak self] _ in self?.readKeys() }
    watchSignals()
    if let complaint { tell(complaint) }
  }

  /// Gives the terminal back as it was, the prompt's line erased. May be called at any time and twice.
  package func stop() {
    guard isRunning else { return }
    printNow()
    if isShown { clearLine() }
    rl_callback_handler_remove()
    rl_deprep_terminal()
    jd_rl_flush()
    inputWatch?.cancel()
    inputWatch = nil
    unwatchSignals()
    terminal = nil
    pauses = 0
    isSuspending = false
    input.clear()
    leaveReturned()
    output.settle()
  }

  /// Shows another state beside the cursor.
  package func update(_ state: PromptState) {
    self.state = state
    refreshPrompt()
  }

  /// Draws the prompt anew if it reads otherwise now. While a search is going on it stays: the search uses its place.
  func refreshPrompt() {
    guard isShown, jd_rl_searching() == 0 else { return }
    let text = line(for: state)
    guard text != shownText else { return }
    shownText = text
    clearLine()
    rl_set_prompt(text)
    drawLine()
  }

  private func line(for state: PromptState) -> String {
    PromptLine(style: output.style, columns: terminal?.columns ?? 80).text(for: state)
  }

  // MARK: The line on the screen

  /// Erases the line being typed; the cursor is where it began.
  func clearLine() {
    rl_clear_visible_line()
    jd_rl_flush()
  }

  /// Draws the line being typed at the cursor, which is at the left edge.
  func drawLine() {
    rl_on_new_line()
    rl_redisplay()
    jd_rl_flush()
  }

  /// Leaves the terminal to somebody else, a question for a password say, until ``resume()``; Ctrl-Z is theirs, too.
  package func pause() {
    guard isRunning else { return }
    printNow()
    if isShown { leaveTerminal() }
    pauses += 1
    suspendWatch = nil
  }

  /// Takes the terminal back after ``pause()``, once for each, and prints what came meanwhile.
  package func resume() {
    guard isRunning, pauses > 0 else { return }
    pauses -= 1
    guard pauses == 0 else { return }
    watchSuspend()
    if isShown { takeTerminal() }
    printNow()
  }

  func leaveTerminal() {
    clearLine()
    rl_deprep_terminal()
    jd_rl_flush()
    inputWatch?.interest = []
  }

  func takeTerminal() {
    jd_rl_prepare(1)
    rl_resize_terminal()
    drawLine()
    refreshPrompt()
    inputWatch?.interest = .readable
    scheduleKeys()
    offerReturned()
  }

  // MARK: Keys

  private func readKeys() {
    guard isShown, let bytes = terminal?.read() else {
      if isShown { end() }
      return
    }
    if input.isPasting, bytes == [terminal?.keys.interrupt] {
      interrupt()
    } else {
      input.append(bytes)
    }
    handleKeys()
  }

  /// Feeds readline, a bounded number of bytes a turn so that a flood of keys does not stop the network.
  private func handleKeys() {
    var budget = TerminalLimits.keysPerTurn
    while isShown, !input.isEmpty, budget > 0 {
      budget -= 1
      if input.isPasting {
        if let paste = input.takePaste() { insert(paste) }
      } else if !handleTerminalKey() {
        rl_callback_read_char()
        jd_rl_flush()
      }
      takeEntered()
    }
    guard isShown else { return }
    refreshPrompt()
    scheduleKeys()
    offerReturned()
  }

  /// Goes on with what was typed already in the next turn.
  private func scheduleKeys() {
    guard !input.isEmpty, !isKeyDue else { return }
    isKeyDue = true
    loop.nextTurn { [weak self] in
      self?.isKeyDue = false
      self?.handleKeys()
    }
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

  private func insert(_ paste: PromptInput.Paste) {
    rl_insert_text(paste.text)
    rl_redisplay()
    jd_rl_flush()
    if paste.isCut { tell("the paste was too long: its end is missing") }
  }

  private func takeEntered() {
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

  /// The user or the terminal is gone.
  func end() {
    guard isRunning else { return }
    hasEnded = false
    entered = []
    stop()
    delegate?.promptEnded()
  }

  func tell(_ text: String) {
    write(EntryLayout(style: style, columns: columns).entry(time: "", label: .notice, lines: [Escaper.line(text)]))
  }
}
