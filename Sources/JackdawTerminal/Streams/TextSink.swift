// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawCommands
package import JackdawLoop

/// Where finished lines go: a standard stream, or the rows above the prompt.
@Client package protocol TextSink: AnyObject {
  /// The columns of the terminal behind it, nil when there is none. May change from one line to the next.
  var columns: Int? { get }
  var style: Style { get }
  /// How often something was shown there: the same number means that nothing came between.
  var shown: Int { get }
  /// Takes whole lines, each with its newline and safe to show. They go out in this turn of the loop or the next.
  func write(_ lines: String)
  /// Takes an entry as ``write(_:)`` takes its line.
  func write(_ entry: PlainEntry)
  /// Takes a line of the caller's own making, a JSON object with its newline, as ``write(_:)`` does.
  func write(line: [UInt8])
  /// Empties the screen, and keeps what stood on it above. Nothing where there is no screen of one's own.
  func clearScreen()
  /// Sends on what was taken, as far as the other side takes it at once.
  func settle()
  /// Runs an action as soon as all that was taken so far has been sent on; at once where it has, never where it cannot be.
  func whenOut(_ action: @escaping @Client () -> Void)
  /// So much waits for the other side that whoever can wait should.
  var holdsBack: Bool { get }
  /// Runs an action as soon as there is room, or nobody left to wait for; at once where that is so.
  func whenRoom(_ action: @escaping @Client () -> Void)
  /// Sends on all that was taken, and waits for it.
  /// - Parameter limit: how long it waits; nil: however long it takes.
  /// - Throws: when the other side is gone, full, or took nothing in time; when the task is cancelled.
  func flush(within limit: Duration?) async throws(CommandFailure)
}

extension TextSink {
  package func clearScreen() {}
  /// Where nobody is asked what stands above what.
  package var shown: Int { 0 }

  package func write(_ entry: PlainEntry) { write(entry.text) }

  package func write(line: [UInt8]) {
    write(String(decoding: line, as: UTF8.self))
  }

  /// A line that replaces the one before it, where there is a terminal; nil: takes it away.
  func write(progress text: String?) {
    guard let columns else { return }
    write("\r\u{1B}[2K" + (text.map { Escaper.line(String($0.prefix(columns - 1))) } ?? ""))
    settle()
  }

  /// Waits until all has gone out, and for some time that remarks have, on which nobody's work depends.
  func flush(beside errors: any TextSink) async throws(CommandFailure) {
    try await flush(within: nil)
    if errors !== self { try? await errors.flush(within: TerminalLimits.errorsWait) }
  }
}
