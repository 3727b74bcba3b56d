// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawProtocol

/// A feature could not do what it was asked to, for a reason that people are better told in its own words than in those of
/// the request that failed.
package struct FeatureError: Error, Sendable, CustomStringConvertible {
  /// An open code, to match.
  package struct Code: Hashable, Sendable {
    package let name: String
    package init(name: String) { self.name = name }
    /// The server, or the other side, does not have this.
    package static let notOffered = Code(name: "feature-not-implemented")
    /// It has it and does not want to.
    package static let refused = Code(name: "refused")
    /// There is nothing of this name or address.
    package static let notFound = Code(name: "item-not-found")
    /// What was asked for makes no sense; nothing has been sent.
    package static let badInput = Code(name: "bad-input")
  }

  /// To match.
  package var code: Code
  /// What the other side said, where it said something.
  package var stanzaError: StanzaError?
  /// One sentence for people. May hold words from the network: to be shown through the escaper only.
  package var description: String

  /// - Parameter description: gets its full stop where it has none.
  package init(_ code: Code, _ description: String, stanzaError: StanzaError? = nil) {
    self.code = code
    self.description = Sentence.ended(description)
    self.stanzaError = stanzaError
  }
}

extension RequestError {
  /// The other side said that it does not know such requests, or not from us.
  var meansNotOffered: Bool {
    stanzaError?.condition == "service-unavailable" || stanzaError?.condition == "feature-not-implemented"
  }
}
