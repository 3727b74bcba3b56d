// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawXML

/// A text that somebody wrote and others are to read: the body of a message, the words of a status.
enum OutgoingText {
  /// What the user is told once where something was left out of a text.
  static let cleaned = "Colours and control characters were left out of the text."

  /// A text that XML cannot carry would cost the whole connection: refused here.
  /// - Returns: it as others read it.
  /// - Throws: ``CommandFailure`` with code 65.
  static func checked(_ text: String) throws(CommandFailure) -> String {
    guard StanzaWriter.canCarry(text) else {
      throw CommandFailure(.badInput, "bad-input", "Your message holds a control character that cannot be sent.")
    }
    return StanzaWriter.asRead(text)
  }

  /// A text of `send`: without what steers a terminal, of which the user is told.
  /// - Parameters:
  ///   - emptiness: the exit code where nothing is left of it, or it is white space only.
  ///   - whenCleaned: called where something was left out.
  /// - Throws: ``CommandFailure``.
  @Client static func message(
    _ text: String, emptiness: ExitCode, whenCleaned: @Client () -> Void
  ) throws(CommandFailure) -> String {
    let plain = PipedText.withoutControls(text)
    if plain != nil { whenCleaned() }
    let body = plain ?? text
    guard !body.allSatisfy(\.isWhitespace) else {
      let condition = emptiness == .usage ? "usage" : "bad-input"
      throw CommandFailure(emptiness, condition, "There is nothing to send: the message is empty.")
    }
    return try checked(body)
  }
}
