// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// A stanza breaks its RFC so that it cannot be handled.
package struct StanzaFormatError: Error, Sendable, Equatable, CustomStringConvertible {
  /// A sentence for people, without the peer's words.
  package var description: String

  /// What has to be sent back, where the RFC demands an answer and says whom to give it to: an error `bad-request` to a
  /// get or set with an id and a valid sender, or to an iq of no known type (RFC 6120 8.2.3). Never to a result or an
  /// error.
  package var answer: IQ?

  package init(description: String, answer: IQ? = nil) {
    self.description = description
    self.answer = answer
  }

  static func not(_ name: String) -> StanzaFormatError {
    StanzaFormatError(description: "An element is not the \(name) that was expected.")
  }
}
