// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop

/// Lines from somewhere that is no prompt: a script, or what is piped into a command.
@Client package protocol LineSource: AnyObject {
  /// The next line, without its newline, as soon as there is one; nil at the end. A last line without a newline counts.
  /// - Throws: ``CommandFailure`` with code 65 where a line is too long or not UTF-8 (the call after that gives the line that
  ///   follows), 74 where reading fails, 130 when the task was cancelled (nothing is lost: the line comes at the next call).
  func nextLine() async throws(CommandFailure) -> String?

  /// The next line where it has been read; nil: ``nextLine()`` has to be asked, which may wait.
  /// - Throws: as ``nextLine()``.
  func readyLine() throws(CommandFailure) -> String?

  /// All that is left, where it is no text of lines.
  /// - Parameter limit: no more bytes than these.
  /// - Returns: nil where there are more.
  /// - Throws: ``CommandFailure`` with code 74 where reading fails, 130 when the task was cancelled.
  func rest(upTo limit: Int) async throws(CommandFailure) -> [UInt8]?
}

extension LineSource {
  package func readyLine() throws(CommandFailure) -> String? { nil }

  package func rest(upTo limit: Int) async throws(CommandFailure) -> [UInt8]? {
    var bytes: [UInt8] = []
    while let line = try await nextLine() {
      bytes += Array(line.utf8) + [0x0A]
      if bytes.count > limit { return nil }
    }
    return bytes
  }
}

/// A piece of somebody's input.
package enum InputPiece: Sendable, Equatable {
  case bytes([UInt8])
  /// There is no more.
  case end
  /// It cannot be read, and why: a sentence.
  case failed(String)
}

/// Input as it comes, piece by piece.
@Client package protocol PieceSource: AnyObject {
  /// The next piece, as soon as there is one. After the end and after a failure the same again. One caller at a time.
  /// - Throws: ``CommandFailure`` with code 130 when the task was cancelled; nothing is lost.
  func nextPiece() async throws(CommandFailure) -> InputPiece
}

extension CommandFailure {
  /// What ends a wait for input whose task was cancelled.
  package static let inputCancelled = CommandFailure(
    .interrupted, "interrupted", "Interrupted while waiting for input.")
}

/// Somebody who can be asked for a password, and for what is no secret.
@Client package protocol SecretAsking: AnyObject {
  /// Shows `prompt` on the terminal and returns what is typed, which the terminal does not show.
  /// - Throws: ``CommandFailure`` with code 130 at Ctrl-C or when the task is cancelled, 78 without a terminal, 74 when the
  ///   terminal fails or is closed.
  func askSecret(_ prompt: String) async throws(CommandFailure) -> String

  /// The same for what the terminal may show while it is typed.
  func askLine(_ prompt: String) async throws(CommandFailure) -> String

  /// A question is open: nothing takes long but the user.
  var isAsking: Bool { get }
}
