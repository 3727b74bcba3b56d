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
  /// Where readline draws: the output, where that is the terminal.
  private(set) var screen: StandardStream
  var input = PromptInput()
  /// What readline handed over at Enter, dealt with when readline has returned.
  var entered: [String] = []
  var hasEnded = false
  var suggestions: [String] = []
  /// Lines that were entered and come back to the input line.
  var returned = ReturnedLines()
  /// What is typed in other conversations.
  var drafts = Drafts()
  /// A key for another conversation that readline has handled.
  var pressed: SwitchKey?
  /// Lines that were entered are being dealt with.
  var isEntering = false
  /// The title of the terminal is ours to set.
  let setsTitle: Bool
  /// Nil: it is as it was.
  var shownTitle: String?

  /// What is shown beside the cursor.
  package private(set) var state = PromptState()
  /// How often lines were printed, or a command stayed on the screen as it was typed.
  package internal(set) var shown = 0
  var shownText = ""
  /// The terminal's columns when the line was drawn.
  var drawnColumns = 0
  /// How often the terminal has not said in time where the cursor is.
  var lateReports = 0
  /// What the terminal says that it is, once it was asked.
  var identity: TerminalIdentity?
  /// The terminal takes control strings such as its title's, or leaves them out.
  let takesControlStrings: Bool
  var backgroundQuestion = BackgroundQuestion.notAsked
  /// Releases what was taken for the beginning of the answer.
  var backgroundTimer: LoopTimer?
  /// It was given time to say so when the terminal was left.
  var hasAwaitedReport = false
  /// Lines to print above, gathered during a turn.
  var pending = ""
  var printingIsDue = false
  /// What waits for these lines to be printed.
  var actions: [(end: Int, action: @Client () -> Void)] = []
  /// What waits for room behind them.
  var roomActions: [@Client () -> Void] = []
  private(set) var pauses = 0
  var isKeyDue = false
  /// Drops what has begun as a character when nothing follows.
  var characterTimer: LoopTimer?
  var hasToldOfBytes = false
  private var isRefreshDue = false
  /// The rows that the line is drawn on.
  var rows = LineRows()
  /// The user has set that a line is one row.
  private(set) var scrollsAlways = false
  /// The line is not on the screen, or stands above other lines; see ``leaveLine()``.
  var isLineAway = false
  /// Brings the prompt when nothing has been printed for a moment.
  var promptTimer: LoopTimer?
  var inputWatch: DescriptorWatch?
  var signalWatches: [SignalWatch] = []
  var suspendWatch: SignalWatch?
  var isSuspending = false

  /// Where readline's callbacks find the prompt.
  static weak var current: Prompt?

  /// - Parameters:
  ///   - output: stdout. Where it is no terminal, lines go to it as they are and the prompt stays on the terminal.
  ///   - historyFile: nil keeps no history across runs.
  ///   - setsTitle: the terminal's title says whom one talks to, where it has one.
  package init(
    loop: EventLoop, output: StandardStream, delegate: any PromptDelegate, historyFile: String?, setsTitle: Bool = true
  ) {
    self.loop = loop
    self.output = output
    screen = output
    self.delegate = delegate
    history = History(file: historyFile.map(HistoryFile.init(path:)))
    takesControlStrings = TerminalTitle.isTaken(by: getenv("TERM").map { String(cString: $0) })
    self.setsTitle = setsTitle && takesControlStrings
  }

  var isRunning: Bool { terminal != nil }
  var isShown: Bool { isRunning && pauses == 0 && !isSuspending }

  /// Takes the terminal and shows the prompt.
  /// - Throws: ``CommandFailure`` when stdin is no terminal.
  package func start() throws(CommandFailure) {
    guard terminal == nil else { return }
    PromptTerminal.awaitForeground()
    let terminal = try PromptTerminal()
    self.terminal = terminal
    if !output.isSameFile(as: STDIN_FILENO) { screen = StandardStream(terminal.descriptor, as: output) }
    Self.current = self
    terminal.give()
    Self.initializeReadline()
    let complaint = history.load()
    drawnColumns = terminal.columns
    shownText = line(for: state)
    isLineAway = isSpoken
    scrollsAlways = jd_rl_scrolls() != 0
    readline.pointee.rl_callback_handler_install(shownText, Self.lineHandler)
    terminal.taken()
    awaitQuiet()
    inputWatch = loop.watch(terminal.descriptor, .readable) { [weak self] _ in self?.readKeys() }
    watchSignals()
    if let complaint { tell(complaint) }
    refreshTitle()
    askForBackground()
  }

  /// Gives the terminal back as it was, the prompt's line erased; what was typed and not entered stays on the screen. May be called at
  /// any time and twice.
  package func stop() {
    guard isRunning else { return }
    printNow()
    let typed = typedLine
    if isShown { clearLine() }
    restoreTitle()
    awaitLateReport()
    readline.pointee.rl_callback_handler_remove()
    readline.pointee.rl_deprep_terminal()
    jd_rl_flush()
    inputWatch?.cancel()
    inputWatch = nil
    unwatchSignals()
    terminal = nil
    pauses = 0
    isSuspending = false
    input.clear()
    characterTimer = nil
    promptTimer = nil
    backgroundTimer = nil
    leaveUnsent(typed)
    settleScreen()
    output.settle()
  }

  /// Shows another state beside the cursor.
  package func update(_ state: PromptState) {
    let isOther = state.address != self.state.address
    self.state = state
    if isOther { openDraft(of: state.address) }
    refreshPrompt()
    refreshTitle()
  }

  /// Draws the prompt anew if it reads otherwise now. While a search is going on it stays: the search uses its place.
  ///
  /// A terminal that is stopped is not drawn on without end: it is done when there is room.
  func refreshPrompt() {
    guard isShown, !isSpoken, jd_rl_searching() == 0 else { return }
    guard !screen.holdsBack else { return refreshWhenRoom() }
    let text = line(for: state)
    guard text != shownText else { return }
    clearLine()
    drawPrompt()
  }

  /// Draws the prompt and the line behind it where the cursor is, at the left edge.
  func drawPrompt() {
    shownText = line(for: state)
    _ = readline.pointee.rl_set_prompt(shownText)
    drawLine()
    awaitQuiet()
  }

  private func refreshWhenRoom() {
    guard !isRefreshDue else { return }
    isRefreshDue = true
    screen.whenRoom { [weak self] in
      self?.isRefreshDue = false
      self?.refreshPrompt()
    }
  }

  func line(for state: PromptState) -> String {
    PromptLine(style: output.style, columns: terminal?.columns ?? 80).text(for: state)
  }

  // MARK: The line on the screen

  /// Erases the line being typed; the cursor is where it began.
  func clearLine() {
    if isSpoken { return leaveLine() }
    if isResized { clearResizedLine() } else { _ = readline.pointee.rl_clear_visible_line() }
    jd_rl_flush()
  }

  /// Draws the line being typed at the cursor, which is at the left edge.
  func drawLine() {
    if isSpoken {
      if promptTimer != nil { awaitQuiet() }
      return
    }
    _ = readline.pointee.rl_on_new_line()
    redisplay()
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
    settleScreen()
    awaitLateReport()
    readline.pointee.rl_deprep_terminal()
    settleScreen()
    inputWatch?.interest = []
  }

  /// Sets the modes of the terminal that somebody else has had.
  func prepareTerminal() {
    jd_rl_prepare(1)
    terminal?.taken()
  }

  func takeTerminal() {
    prepareTerminal()
    fit()
    drawLine()
    awaitQuiet()
    inputWatch?.interest = .readable
    refreshTitle()
    scheduleKeys()
    offerReturned()
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
