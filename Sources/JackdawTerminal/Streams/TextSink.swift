// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawCommands
package import JackdawLoop

/// Where finished lines go: a standard stream, or the rows above the prompt.
@Client package protocol TextSink: AnyObject {
  /// The columns of the terminal behind it, nil when there is none. May change from one line to the next.
  var columns: Int? { get }
  var style: Style { get }
  /// Takes whole lines, each with its newline and safe to show. They go out in this turn of the loop or the next.
  func write(_ lines: String)
  /// Takes a line of the caller's own making, a JSON object with its newline, and sends it on at once.
  func write(line: [UInt8])
  /// Sends on what was taken, as far as the other side takes it at once.
  func settle()
  /// Runs an action as soon as all that was taken so far has been sent on; at once where it has.
  func whenOut(_ action: @escaping @Client () -> Void)
  /// Sends on all that was taken. Throws when the other side is gone, full, or takes nothing for long.
  func flush() throws(CommandFailure)
}

extension TextSink {
  package func write(line: [UInt8]) {
    write(String(decoding: line, as: UTF8.self))
    settle()
  }
}
