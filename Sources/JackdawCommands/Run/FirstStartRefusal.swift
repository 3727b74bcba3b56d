// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawProtocol
import JackdawSession

/// Why a step of a first start came to nothing, by what helps.
enum FirstStartRefusal: Equatable {
  /// Another password does.
  case wrongPassword
  /// Another address does, or the same one later: what happened, and what to do next.
  case other(String)
  /// Nothing that can be typed does.
  case final(CommandFailure)

  /// - Parameter jid: the account that it was about.
  init(_ error: any Error, of jid: JID) {
    let failure = CommandFailure(error)
    guard !failure.isWrongPassword else {
      self = .wrongPassword
      return
    }
    guard let error = error as? ConnectionError, let advice = Self.advice(error, jid) else {
      self = .final(failure)
      return
    }
    self = .other("\(error.description) \(advice)")
  }

  /// What to do next; nil: nothing that can be typed helps.
  private static func advice(_ error: ConnectionError, _ jid: JID) -> String? {
    switch error.code {
    case .unresolved: "Check the address and your network."
    case .unreachable: "Check your network, or try again later."
    case .timedOut, .lost, .stalled, .serverGone: "Try again later."
    case .unsafe, .protocolViolation:
      (error.isUnverified ? "Your password was not sent. " : "") + "Check the address, or ask whoever runs the server."
    case .refused where error.condition == "conflict": "Choose another name."
    case .refused where error.condition == "missing-fields":
      "Answer by 'jackdaw account register \(jid.bare) --field NAME=VALUE'."
    case .refused, .authentication, .conflict: "Ask whoever runs \(jid.domain), or use another address."
    default: nil
    }
  }
}
