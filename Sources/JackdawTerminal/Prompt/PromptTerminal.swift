// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import CReadline
import Glibc
import JackdawCommands
import JackdawLoop

/// The terminal that the prompt is on, by a descriptor of its own where it can be opened anew.
@Client final class PromptTerminal {
  let descriptor: Int32
  private let input: UnsafeMutablePointer<FILE>
  private let drawing: UnsafeMutablePointer<FILE>

  /// - Throws: where stdin is no terminal, or it cannot be opened.
  init() throws(CommandFailure) {
    guard isatty(STDIN_FILENO) == 1 else {
      throw CommandFailure(.inputOutput, "no-terminal", "The standard input is not a terminal.")
    }
    // The descriptor of a terminal that controls another session cannot be opened by that name.
    let isOurs = tcgetpgrp(STDIN_FILENO) >= 0
    var descriptor = isOurs ? open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC) : -1
    if descriptor < 0 { descriptor = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3) }
    guard descriptor >= 0, let input = fdopen(descriptor, "r"), let drawing = jd_rl_outstream(Self.draw) else {
      throw CommandFailure(
        .inputOutput, "no-terminal", "The terminal cannot be opened: \(String(cString: strerror(errno))).")
    }
    self.descriptor = descriptor
    self.input = input
    var settings = termios()
    tcgetattr(descriptor, &settings)
    keys = withUnsafeBytes(of: settings.c_cc) {
      Keys(interrupt: $0[Int(VINTR)], suspend: $0[Int(VSUSP)], quit: $0[Int(VQUIT)], end: $0[Int(VEOF)])
    }
    self.drawing = drawing
  }

  /// Whether somebody else has the terminal now: the program is in the background. Where that cannot be told, nobody has.
  static func isOthers(_ descriptor: Int32) -> Bool {
    let group = tcgetpgrp(descriptor)
    return group > 0 && group != getpgrp()
  }

  /// Stops the process in the background, as reading from the terminal would, until it is in the foreground: before that the
  /// terminal's settings are those of somebody else. Where nobody could continue it, it is not stopped.
  static func awaitForeground() {
    var attempts = TerminalLimits.backgroundStops
    while attempts > 0, isOthers(STDIN_FILENO) {
      attempts -= 1
      raise(SIGTTIN)
    }
  }

  /// Keys that mean something to a terminal: Ctrl-C, Ctrl-Z, Ctrl-\ and Ctrl-D, unless the user has others (`stty`).
  struct Keys {
    var interrupt: UInt8
    var suspend: UInt8
    var quit: UInt8
    var end: UInt8
  }

  let keys: Keys

  /// Bytes that were typed before the prompt had the terminal, and are not read yet.
  private var typedAhead = 0

  var columns: Int { StandardStream.columns(of: descriptor) }

  /// 0 where nobody knows.
  var rows: Int {
    var size = winsize()
    return ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 ? Int(size.ws_row) : 0
  }

  /// Makes readline read and draw here. It keeps the streams, so they live as long as the process.
  func give() { jd_rl_set_streams(input, drawing) }

  /// What readline draws is for the queue, in its place among the lines. At exit, when there is no loop any more, nothing is drawn.
  private static let draw: @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>?, Int) -> Int = {
    _, bytes, count in
    guard EventLoop.main.isCurrentThread else { return count }
    // Readline's, and used before this returns.
    nonisolated(unsafe) let drawn = UnsafeRawBufferPointer(start: bytes, count: count)
    Client.assumeIsolated { Prompt.current?.screen.draw(drawn) }
    return count
  }

  /// To be called when readline has set the terminal's modes: until then it gathered lines, and kept the key that ends its input
  /// as a zero.
  func taken() {
    var count: Int32 = 0
    typedAhead = ioctl(descriptor, UInt(FIONREAD), &count) == 0 ? Int(count) : 0
  }

  /// What was typed, once the descriptor is readable. Nil when the terminal is gone.
  func read() -> [UInt8]? {
    var count = 0
    var bytes = [UInt8](unsafeUninitializedCapacity: TerminalLimits.keysPerTurn) { buffer, filled in
      repeat { count = Glibc.read(descriptor, buffer.baseAddress, buffer.count) } while count < 0 && errno == EINTR
      filled = max(count, 0)
    }
    for index in bytes.indices.prefix(typedAhead) where bytes[index] == 0 { bytes[index] = keys.end }
    typedAhead -= min(typedAhead, bytes.count)
    if count > 0 { return bytes }
    return count < 0 && errno == EAGAIN ? [] : nil
  }

  /// Whether something is typed, waiting for it up to `milliseconds`; -1 waits for ever.
  func isReadable(within milliseconds: Int32) -> Bool {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    while true {
      let ready = poll(&entry, 1, milliseconds)
      if ready >= 0 || errno != EINTR { return ready > 0 }
    }
  }
}
