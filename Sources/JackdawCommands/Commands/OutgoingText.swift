// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawXML

/// A text that somebody wrote and others are to read: the body of a message, the words of a status.
enum OutgoingText {
  /// A text that XML cannot carry would cost the whole connection: refused here.
  /// - Throws: ``CommandFailure`` with code 65.
  static func checked(_ text: String) throws(CommandFailure) -> String {
    guard StanzaWriter.canCarry(text) else {
      throw CommandFailure(.badInput, "bad-input", "Your message holds a control character that cannot be sent.")
    }
    return text
  }
}
