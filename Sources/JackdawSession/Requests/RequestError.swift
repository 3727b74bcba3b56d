// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawProtocol
package import JackdawXML

/// A request could not be made, or was not answered with a result.
package struct RequestError: Error, Sendable, CustomStringConvertible {
  /// An open code, to match.
  package struct Code: Hashable, Sendable {
    package let name: String
    package init(name: String) { self.name = name }
    /// The other side answered with a stanza error: ``RequestError/stanzaError`` says which.
    package static let refused = Code(name: "refused")
    /// The answer was neither a proper result nor a proper error.
    package static let malformedReply = Code(name: "malformed-reply")
    /// The answer exceeds a limit of ours.
    package static let leftOut = Code(name: "answer-left-out")
    package static let timedOut = Code(name: "timed-out")
    package static let cancelled = Code(name: "cancelled")
    /// The connection ended first; ``RequestError/cause`` says why.
    package static let connectionGone = Code(name: "connection-gone")
    /// It could not be sent; ``RequestError/cause`` says why.
    package static let notSent = Code(name: "not-sent")
    /// There is no id to track, or an empty one.
    package static let missingID = Code(name: "missing-id")
    /// The id that is given is not the one that the element has.
    package static let differentID = Code(name: "different-id")
    /// A request with this id is still waiting for its answer.
    package static let alreadyTracked = Code(name: "already-tracked")
    /// It is not an IQ of type get or set, or its `to` is not an address.
    package static let notARequest = Code(name: "not-a-request")
  }

  /// What went wrong, for programs to match.
  package var code: Code
  /// What the other side said, where it said something.
  package var stanzaError: StanzaError?
  /// What it sent with that besides: mostly the request, at times a form to fill in.
  package var returned: Element?
  package var cause: (any Error)?
  /// One sentence for people. May hold words from the network: to be shown through the escaper only.
  package var description: String

  /// - Parameter description: gets its full stop where it has none.
  package init(
    _ code: Code, _ description: String, stanzaError: StanzaError? = nil, returned: Element? = nil,
    cause: (any Error)? = nil
  ) {
    self.code = code
    self.description = Sentence.ended(description)
    self.stanzaError = stanzaError
    self.returned = returned
    self.cause = cause
  }
}

extension RequestError {
  /// A result that does not hold what was asked for.
  static var unexpectedPayload: RequestError {
    RequestError(.malformedReply, "The answer does not hold what was asked for.")
  }
}
