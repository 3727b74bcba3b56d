// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawProtocol
package import JackdawTransport

extension ConnectionKeeper {
  /// How a connection, or a try to make one, ended.
  package enum Ending: Sendable, Equatable {
    /// It may work the next time. The text says in one sentence why it ended.
    case mayRetry(String)
    /// Trying again by itself would do harm or no good: a wrong password, a conflict, a failed certificate.
    case final(String)

    var reason: String {
      switch self {
      case .mayRetry(let reason), .final(let reason): reason
      }
    }
  }
}

extension ConnectionKeeper.Ending {
  /// What a broken transport means for another try.
  package init(_ error: TransportError) {
    let finalCodes: Set<TransportError.Code> = [.certificate, .caFile, .notOffered]
    self = finalCodes.contains(error.code) ? .final(error.description) : .mayRetry(error.description)
  }

  /// What the end of a stream means for another try.
  /// - Parameter loggedIn: whether the stream had been ready. A server that breaks the protocol before that may not be
  ///   who it says it is, and is left alone; one that does later has stumbled over one stanza.
  package init(_ failure: StreamFailure, loggedIn: Bool) {
    /// Conditions that pass (RFC 6120 4.9.3, 8.3.3), whatever the family they are counted to.
    let passing: Set<String> = ["policy-violation", "resource-constraint", "internal-server-error"]
    let mayRetry =
      switch failure.code {
      case .authentication, .conflict: false
      case .protocolViolation: loggedIn
      case .refused: failure.condition.map(passing.contains) ?? false
      default: true
      }
    self = mayRetry ? .mayRetry(failure.description) : .final(failure.description)
  }
}
