// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import CReadline
import Glibc
package import JackdawCommands
package import JackdawLoop

/// Stdout or stderr, gathered into few writes. Nothing else in the program writes to a terminal: what readline draws goes this
/// way, too.
///
/// The reader is never waited for: what it does not take stays in a queue while the loop goes on. Whoever has much to write asks
/// ``holdsBack`` and waits for ``whenRoom(_:)``. What cannot wait is taken all the same, up to a bound; beyond it stdout
/// counts as failed, and stderr leaves lines out and says how many.
///
/// A reader that went away ends output quietly: nobody is left to be told, yet the exit code is 74, because a script must
/// not believe that all was printed (`set -o pipefail` shows it; `jackdaw history | head` looks as ever).
@Client package final class StandardStream: TextSink {
  package private(set) var style: Style
  private let looks: LookSettings
  /// Whether people read it as it comes.
  package let isTerminal: Bool
  /// Called once when nothing can be written any more, so that a program that only prints may end.
  package var whenBroken: (@Client (CommandFailure) -> Void)?

  private let descriptor: Int32
  /// Where what is written is read: a terminal that stands behind a pager, or the descriptor itself.
  private let screen: Int32
  private let name: String
  private let clock: any LoopClock
  private let output: QueuedOutput
  private let leavesOut: Bool
  private var leftOut = 0
  private var isDue = false

  /// - Parameters:
  ///   - screen: the terminal on which a pager shows what is written; nil: there is none between.
  ///   - name: what the stream is called in an error: `stdout`.
  ///   - looks: how text looks that is coloured.
  ///   - clock: whose turns gather the lines.
  ///   - other: a stream that was made before; one that is the same file is written in turn with it.
  ///   - leavesOut: where far too much waits, lines are left out; else the stream counts as failed.
  package init(
    descriptor: Int32, screen: Int32? = nil, name: String, colors: ColorChoice, looks: LookSettings = LookSettings(),
    environment: (String) -> String?, clock: any LoopClock,
    beside other: StandardStream? = nil, leavesOut: Bool = false
  ) {
    self.descriptor = descriptor
    self.screen = screen ?? descriptor
    self.name = name
    self.clock = clock
    self.leavesOut = leavesOut
    isTerminal = isatty(self.screen) == 1
    self.looks = looks
    style = Style(colors, isTerminal: isTerminal, looks: looks, environment: environment)
    if let other, other.isSameFile(as: descriptor) {
      output = other.output
    } else {
      output = QueuedOutput(descriptor)
    }
    // A reader that is gone is an error of `write`, not the end of the process.
    EventLoop.ignoreWriteSignals()
    output.whenFailed { [weak self] in self?.failed($0) }
  }

  /// A stream to another descriptor, as this one is but for that.
  init(_ descriptor: Int32, as other: StandardStream) {
    (self.descriptor, screen) = (descriptor, descriptor)
    (name, clock, leavesOut) = ("the terminal", other.clock, true)
    (isTerminal, style, looks) = (isatty(descriptor) == 1, other.style, other.looks)
    output = QueuedOutput(descriptor)
  }

  /// The colours are to suit the terminal's background, and nobody has said what that is.
  var awaitsBackground: Bool { isTerminal && style.suitsAnyBackground }

  /// The terminal's background is that: what is written from now on suits it.
  func adapt(to background: RGB) {
    guard awaitsBackground else { return }
    style = Style(style.colors, theme: background.isLight ? .light : .dark, looks: looks, isSpoken: style.isSpoken)
  }

  package var columns: Int? { isTerminal ? Self.columns(of: screen) : nil }

  /// The columns of a terminal; 80 where it does not say.
  static func columns(of descriptor: Int32) -> Int {
    var columns: Int32 = 0
    var rows: Int32 = 0
    guard jd_window_size(descriptor, &columns, &rows) == 0, columns > 0 else { return 80 }
    return Int(columns)
  }

  /// Whether a descriptor is of the same pipe, file or terminal.
  func isSameFile(as other: Int32) -> Bool { Self.isSameFile(descriptor, other) }

  /// Whether two descriptors are of the same pipe, file or terminal.
  package static func isSameFile(_ one: Int32, _ other: Int32) -> Bool {
    var (mine, theirs) = (stat(), stat())
    guard fstat(one, &mine) == 0, fstat(other, &theirs) == 0 else { return false }
    return mine.st_dev == theirs.st_dev && mine.st_ino == theirs.st_ino
  }

  // MARK: Writing

  package func write(_ lines: String) {
    guard hasPlace() else { return }
    output.append(lines)
    gather()
  }

  package func write(_ entry: PlainEntry) {
    guard hasPlace() else { return }
    output.append(entry)
    gather()
  }

  /// Bytes of the caller's own making: a line of JSON.
  package func write(line: [UInt8]) {
    guard hasPlace() else { return }
    output.append(line)
    gather()
  }

  /// What readline draws, which has to be complete.
  func draw(_ bytes: UnsafeRawBufferPointer) {
    output.append(bytes)
    gather()
  }

  private func gather() {
    if output.count >= TerminalLimits.writeBuffer {
      output.sendOn()
    } else if !isDue {
      isDue = true
      clock.nextTurn { [weak self] in
        self?.isDue = false
        self?.output.sendOn()
      }
    }
  }

  /// Whether something more is taken.
  private func hasPlace() -> Bool {
    guard output.failure == nil else { return false }
    guard output.count > TerminalLimits.waitingOutput else { return true }
    output.send()
    guard output.count > TerminalLimits.waitingOutput else { return true }
    guard leavesOut else {
      output.fail(EAGAIN)
      return false
    }
    leftOut += 1
    if leftOut == 1 { output.whenRoom { [weak self] in self?.tellLeftOut() } }
    return false
  }

  private func tellLeftOut() {
    output.append("jackdaw: Nobody read \(name), and \(leftOut) lines were left out.\n")
    leftOut = 0
    gather()
  }

  package func settle() { output.send() }

  /// Bytes that wait for the other side to take them.
  package var waiting: Int { output.count }

  /// Leaves out what waits, but for the rest of a line of which the other side has something.
  /// - Returns: how many bytes are left out.
  package func leaveOutLines() -> Int { output.leaveOutLines() }

  // MARK: Waiting

  package var holdsBack: Bool { output.holdsBack }
  package func whenOut(_ action: @escaping @Client () -> Void) { output.whenOut(action) }
  package func whenRoom(_ action: @escaping @Client () -> Void) { output.whenRoom(action) }

  /// Runs an action as soon as the other side takes something.
  /// - Returns: whether it does now: then the action is not run.
  func isWritable(else action: @escaping @Client () -> Void) -> Bool { output.isWritable(else: action) }

  package func flush(within limit: Duration?) async throws(CommandFailure) {
    output.send()
    let end = Latch(clock: clock)
    output.whenEmpty { end.open() }
    do {
      try await end.wait(for: limit)
    } catch {
      throw CommandFailure(.interrupted, "interrupted", "\(name) was not waited for any longer.")
    }
    if !output.isEmpty { output.fail(EAGAIN) }
    if let error = output.failure { throw failure(error) }
  }

  private func failed(_ error: Int32) {
    whenBroken?(failure(error))
    whenBroken = nil
  }

  private func failure(_ error: Int32) -> CommandFailure {
    switch error {
    case EPIPE: CommandFailure(.inputOutput, CommandFailure.brokenPipe, "Nobody reads \(name) any more.")
    case EAGAIN, EWOULDBLOCK: CommandFailure(.inputOutput, "timeout", "\(name) takes nothing.")
    default:
      CommandFailure(.inputOutput, "io-error", "Cannot write to \(name): \(String(cString: strerror(error))).")
    }
  }
}
