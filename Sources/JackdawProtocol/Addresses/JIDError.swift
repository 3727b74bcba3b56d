// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// A text is not an address.
package struct JIDError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The text as it was given. From the network, often: to be shown through the escaper only.
  package var text: String
  /// What is wrong with it, to follow the text in a sentence: "has no domain".
  package var reason: String

  package init(text: String, reason: String) {
    self.text = text
    self.reason = reason
  }

  /// A sentence for people; a very long text is cut short.
  package var description: String {
    guard !text.isEmpty else { return "An empty text is not an address." }
    let short = text.unicodeScalars.prefix(AddressLimits.quotedCharacters)
    let ellipsis = short.endIndex < text.unicodeScalars.endIndex ? "…" : ""
    return "'\(String(short))\(ellipsis)' is not an address: it \(reason)."
  }
}
