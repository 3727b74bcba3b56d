// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop

/// Says on the terminal, where there is one, that a command of the shell or of a script waits for the network, once that takes long.
@Client final class WaitingNotice {
  private let output: any Output
  private let clock: any LoopClock
  private let text: @Client (_ seconds: Int) -> String?
  private var timer: LoopTimer?
  private var seconds = 0
  private var hasEnded = false

  /// - Parameter text: what is shown after so many seconds; nil: something else stands there.
  init(output: any Output, clock: any LoopClock, text: @escaping @Client (_ seconds: Int) -> String?) {
    self.output = output
    self.clock = clock
    self.text = text
  }

  /// The network is next; once is enough.
  func begin() {
    guard timer == nil, !hasEnded else { return }
    wait()
  }

  private func wait() {
    timer = clock.schedule(after: CommandLimits.silence) { [weak self] in
      guard let self else { return }
      seconds += 1
      if let text = text(seconds) { output.progress(text) }
      wait()
    }
  }

  /// Something is shown, or the command has ended: nothing more is said.
  func end() {
    hasEnded = true
    timer = nil
    if seconds > 0 { output.progress(nil) }
    seconds = 0
  }
}
