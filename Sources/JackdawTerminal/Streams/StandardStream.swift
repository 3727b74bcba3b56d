// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import CReadline
import Glibc
package import JackdawCommands
package import JackdawLoop

/// Stdout or stderr, gathered into few writes. Beside readline, which draws the line being typed, nothing else in the
/// program writes to a terminal.
///
/// A reader that went away ends output quietly: nobody is left to be told, yet the exit code is 74, because a script must
/// not believe that all was printed (`set -o pipefail` shows it; `jackdaw history | head` looks as ever). A descriptor that
/// somebody made non-blocking is waited for, shortly in passing and longer at ``flush()``; what it has not taken is kept.
@Client package final class StandardStream: TextSink {
  package let style: Style
  /// Whether people read it as it comes.
  package let isTerminal: Bool
  /// Called once when nothing can be written any more, so that a program that only prints may end.
  package var whenBroken: (@Client (CommandFailure) -> Void)?

  private let descriptor: Int32
  private let name: String
  private let clock: any LoopClock
  private var buffer: [UInt8] = []
  private var failure: CommandFailure?
  private var isDue = false
  /// What waits for the buffer to be empty.
  private var actions: [@Client () -> Void] = []
  /// The other side took nothing for a whole wait: do not wait again in passing until it does.
  private var isStalled = false

  /// - Parameters:
  ///   - name: what the stream is called in an error: `stdout`.
  ///   - clock: whose turns gather the lines.
  package init(
    descriptor: Int32, name: String, colors: ColorChoice, environment: (String) -> String?, clock: any LoopClock
  ) {
    self.descriptor = descriptor
    self.name = name
    self.clock = clock
    isTerminal = isatty(descriptor) == 1
    style = Style(colors, isTerminal: isTerminal, environment: environment)
    // A reader that is gone is an error of `write`, not the end of the process.
    EventLoop.ignoreWriteSignals()
  }

  package var columns: Int? { isTerminal ? Self.columns(of: descriptor) : nil }

  /// The columns of a terminal; 80 where it does not say.
  static func columns(of descriptor: Int32) -> Int {
    var columns: Int32 = 0
    var rows: Int32 = 0
    guard jd_window_size(descriptor, &columns, &rows) == 0, columns > 0 else { return 80 }
    return Int(columns)
  }

  package func write(_ lines: String) {
    guard failure == nil else { return }
    buffer.append(contentsOf: lines.utf8)
    if buffer.count >= TerminalLimits.writeBuffer {
      settle()
    } else if !isDue {
      isDue = true
      clock.nextTurn { [weak self] in
        self?.isDue = false
        self?.settle()
      }
    }
  }

  /// Bytes of the caller's own making, sent on at once: a line of JSON.
  package func write(line: [UInt8]) {
    guard failure == nil else { return }
    buffer.append(contentsOf: line)
    settle()
  }

  package func settle() {
    send(within: isStalled ? .zero : TerminalLimits.passingWait)
    isStalled = !buffer.isEmpty
    if buffer.count > TerminalLimits.waitingOutput { fail(EAGAIN) }
  }

  package func whenOut(_ action: @escaping @Client () -> Void) {
    guard failure == nil else { return }
    if buffer.isEmpty { action() } else { actions.append(action) }
  }

  package func flush() throws(CommandFailure) {
    send(within: TerminalLimits.flushWait)
    if !buffer.isEmpty { fail(EAGAIN) }
    if let failure { throw failure }
  }

  private func send(within patience: Duration) {
    guard failure == nil, !buffer.isEmpty else { return }
    var sent = 0
    while sent < buffer.count {
      let count = buffer.withUnsafeBytes { bytes in
        Glibc.write(descriptor, bytes.baseAddress?.advanced(by: sent), bytes.count - sent)
      }
      if count > 0 {
        sent += count
        continue
      }
      let error = errno
      if error == EINTR { continue }
      if error == EAGAIN || error == EWOULDBLOCK {
        guard waitUntilWritable(patience) else { break }
        continue
      }
      fail(error)
      return
    }
    buffer.removeFirst(sent)
    guard buffer.isEmpty, !actions.isEmpty else { return }
    let due = actions
    actions = []
    for action in due { action() }
  }

  private func waitUntilWritable(_ patience: Duration) -> Bool {
    var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    let milliseconds = Int32(patience / .milliseconds(1))
    while true {
      let ready = poll(&entry, 1, milliseconds)
      if ready >= 0 || errno != EINTR { return ready > 0 }
    }
  }

  private func fail(_ error: Int32) {
    buffer = []
    actions = []
    let failure: CommandFailure
    switch error {
    case EPIPE:
      failure = CommandFailure(.inputOutput, CommandFailure.brokenPipe, "nobody reads \(name) any more")
    case EAGAIN, EWOULDBLOCK:
      failure = CommandFailure(.inputOutput, "timeout", "\(name) takes nothing")
    default:
      failure = CommandFailure(.inputOutput, "io-error", "cannot write to \(name): \(String(cString: strerror(error)))")
    }
    self.failure = failure
    whenBroken?(failure)
    whenBroken = nil
  }
}

extension CommandFailure {
  /// The condition of an output whose reader went away; nobody needs a sentence about it.
  package static let brokenPipe = "broken-pipe"
}
