// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import CReadline
import Glibc
import JackdawCommands
import JackdawLoop

extension Prompt {
  func watchSignals() {
    signalWatches = [
      loop.onSignal(SIGINT) { [weak self] in self?.interrupt() },
      loop.onSignal(SIGWINCH) { [weak self] in self?.resize() },
      loop.onSignal(SIGCONT) { [weak self] in self?.continued() },
      loop.onSignal(SIGTERM) { [weak self] in self?.end() },
      loop.onSignal(SIGHUP) { [weak self] in self?.end() },
      loop.onSignal(SIGQUIT) { [weak self] in self?.end() },
    ]
    watchSuspend()
  }

  func unwatchSignals() {
    signalWatches = []
    suspendWatch = nil
  }

  func watchSuspend() {
    suspendWatch = loop.onSignal(SIGTSTP) { [weak self] in self?.suspend() }
  }

  /// Ctrl-C: the line is emptied; where there was none, whoever runs something is told.
  func interrupt() {
    guard isShown else { return }
    let hadText = jd_rl_end() > 0 || jd_rl_searching() != 0 || input.isPasting
    input.interrupt()
    readline.pointee.rl_callback_sigcleanup()
    // Ends a search, and draws.
    readline.pointee.rl_free_line_state()
    clearLine()
    jd_rl_forget_line()
    readline.pointee.rl_replace_line("", 1)
    jd_rl_set_point(0)
    history.rewind()
    drawLine()
    awaitQuiet()
    refreshPrompt()
    returned.dropOffered()
    if !hadText { onInterrupt?() }
    offerReturned()
  }

  // MARK: Ctrl-Z

  /// Gives the session one turn of the loop to say goodbye for now, then stops the process.
  func suspend() {
    guard isRunning, !isSuspending else { return }
    if isShown { leaveTerminal() }
    restoreTitle()
    isSuspending = true
    delegate?.promptSuspends()
    loop.nextTurn { [weak self] in self?.stopProcess() }
  }

  /// Continued in the background, as by `bg`, it stops once more, as a program does that wants the terminal: that is the shell's,
  /// in the modes of its line editor.
  private func stopProcess(attempts: Int = TerminalLimits.backgroundStops) {
    guard isRunning, isSuspending else { return }
    settleScreen()
    output.settle()
    // Gives the signal its default action back: the shell sees a program that stopped as programs do.
    suspendWatch = nil
    // To this thread, so that it is stopped before the call returns.
    raise(SIGTSTP)
    if attempts > 1, let terminal, PromptTerminal.isOthers(terminal.descriptor) {
      // What may have come meanwhile to end the program goes first.
      return loop.nextTurn { [weak self] in self?.stopProcess(attempts: attempts - 1) }
    }
    watchSuspend()
    isSuspending = false
    if isShown { takeTerminal() }
    settle()
    delegate?.promptResumed()
  }

  /// Stopped and continued by somebody else: the shell has had the terminal in between.
  private func continued() {
    guard isShown, let terminal, tcgetpgrp(terminal.descriptor) == getpgrp() else { return }
    // Readline believes that the terminal is still in its mode.
    readline.pointee.rl_deprep_terminal()
    prepareTerminal()
    isLineAway = isSpoken
    fit()
    drawLine()
    awaitQuiet()
  }
}
