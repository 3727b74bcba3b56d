// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawProtocol
package import JackdawXML

/// How a request ended. Every tracked request gets exactly one.
package enum RequestOutcome: Sendable {
  /// The answer, of type result.
  case reply(IQ)
  /// The answer, of type error, and what the other side sent with it besides: mostly the request, at times a form.
  case failed(StanzaError, returned: Element? = nil)
  /// Somebody who may answer did, but not in a way that RFC 6120 8.2.3 allows.
  case malformed(StanzaFormatError)
  /// Somebody who may answer did, and the answer exceeds a limit of ours: the text says which.
  case leftOut(String)
  /// No answer came in time. One that comes later is dropped.
  case timedOut
  /// Its task was cancelled, or it was removed: nobody wants the answer any more.
  case cancelled
  /// The connection ended first. Whether the request was carried out is not known.
  case connectionGone(any Error)

  /// The answer.
  /// - Throws: ``RequestError`` for every other outcome.
  package func get() throws(RequestError) -> IQ {
    switch self {
    case .reply(let iq): return iq
    case .failed(let error, let returned):
      throw RequestError(.refused, error.description, stanzaError: error, returned: returned, cause: error)
    case .malformed(let error):
      throw RequestError(.malformedReply, "The answer broke the protocol: \(error)", cause: error)
    case .leftOut(let reason):
      throw RequestError(.leftOut, "The answer is not one that this client takes: \(reason)")
    case .timedOut: throw .late
    case .cancelled: throw RequestError(.cancelled, "The request was cancelled.")
    case .connectionGone(let reason):
      throw RequestError(.connectionGone, "The connection ended before the answer: \(reason)", cause: reason)
    }
  }
}

extension RequestError {
  /// No answer came in time.
  static var late: RequestError { RequestError(.timedOut, "No answer came in time.") }
}
