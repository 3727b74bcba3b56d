// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop

/// The terminal is asked once what its background is, where the colours depend on it and nothing else says it. Nobody waits for the
/// answer: it is taken out of what is typed whenever it comes, and the lines from then on have other colours.
extension Prompt {
  /// What is known of the question.
  enum BackgroundQuestion {
    case notAsked
    /// - Parameters:
    ///   - since: when.
    ///   - held: the last typed bytes, which may be the beginning of the answer; released when nothing follows.
    case asked(since: MonotonicTime, held: [UInt8])
    case answered
  }

  /// Asks, where the answer makes a difference.
  func askForBackground() {
    guard case .notAsked = backgroundQuestion, output.awaitsBackground, !isSpoken, takesControlStrings else { return }
    backgroundQuestion = .asked(since: loop.now, held: [])
    screen.write(BackgroundReport.question)
  }

  /// What was typed, without the terminal's own answers among it. Nil when the terminal is gone.
  func readTyped(_ terminal: PromptTerminal) -> [UInt8]? {
    guard var bytes = terminal.read() else { return nil }
    dropLateReport(from: &bytes)
    return bytes
  }

  /// Takes the answer out of what was typed.
  func takeBackground(from bytes: inout [UInt8]) {
    guard case .asked(let since, let held) = backgroundQuestion else { return }
    backgroundTimer = nil
    bytes = held + bytes
    switch BackgroundReport.take(from: &bytes) {
    case .nothing: backgroundQuestion = .asked(since: since, held: [])
    case .answer(let color):
      backgroundQuestion = .answered
      guard let color else { return }
      output.adapt(to: color)
      loop.nextTurn { [weak self] in self?.refreshPrompt() }
    case .beginning(let beginning):
      // Later it is a key of the user's, and not to be late.
      guard loop.now - since < TerminalLimits.backgroundReport else {
        bytes += beginning
        backgroundQuestion = .asked(since: since, held: [])
        return
      }
      backgroundQuestion = .asked(since: since, held: beginning)
      backgroundTimer = loop.schedule(after: TerminalLimits.restOfReport) { [weak self] in self?.releaseHeld() }
    }
  }

  /// It was no beginning of an answer.
  private func releaseHeld() {
    guard case .asked(let since, let held) = backgroundQuestion, !held.isEmpty else { return }
    backgroundQuestion = .asked(since: since, held: [])
    input.append(held)
    scheduleKeys()
  }

  /// An answer may be on its way: who reads from the terminal next is not to get it.
  var mayGetBackground: Bool {
    guard case .asked(let since, _) = backgroundQuestion else { return false }
    return loop.now - since < TerminalLimits.backgroundReport
  }
}
