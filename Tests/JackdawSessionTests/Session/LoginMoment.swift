// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import Support
import Testing

/// A moment of a log-in at which the server does not go on.
enum LoginMoment: Sendable, CaseIterable, CustomTestStringConvertible {
  case header, features, proceed, handshake, secureHeader, mechanisms, challenge, success, lastHeader, lastFeatures,
    bind

  /// What this side says it was waiting for.
  var awaited: String {
    switch self {
    case .header, .secureHeader: "the server's stream header"
    case .features, .mechanisms: "the server's features"
    case .proceed: "the server's consent to TLS"
    case .handshake: "the TLS handshake"
    case .challenge, .success: "the server's answer to the log-in"
    case .lastHeader: "the server's stream header after the log-in"
    case .lastFeatures: "the server's features after the log-in"
    case .bind: "the server's answer to the request for a resource"
    }
  }

  /// The write of the client that the server does not answer, or not wholly.
  private var write: Int {
    switch self {
    case .header, .features: 1
    case .proceed: 2
    case .handshake: 0
    case .secureHeader, .mechanisms: 3
    case .challenge: 4
    case .success: 5
    case .lastHeader, .lastFeatures, .bind: 6
    }
  }

  /// As much of `reply` as the server still says.
  private func beginning(of reply: String) -> String {
    let mark: String
    switch self {
    case .header, .proceed, .handshake, .secureHeader, .challenge, .success, .lastHeader: return ""
    case .features, .mechanisms, .lastFeatures: mark = "<stream:features>"
    case .bind: mark = "<iq "
    }
    guard let end = reply.range(of: mark) else { return reply }
    return String(reply[..<end.lowerBound])
  }

  /// What the fixture's server does instead of going on.
  enum Failure: Sendable, CaseIterable { case silence, properEnd, brokenLine }

  /// Makes the next connection's server stop here.
  @Client func stop(_ fixture: SessionFixture, by failure: Failure) {
    if self == .handshake {
      fixture.handshake = failure == .silence ? .neverEnds : .fails(FakeConnector.brokenLine)
    }
    fixture.edit = { number, reply in
      guard number == write else { return .says(reply) }
      let rest = beginning(of: reply)
      switch failure {
      case .silence: return .says(rest)
      case .properEnd: return .hangsUp(rest)
      case .brokenLine: return .breaks
      }
    }
  }

  var testDescription: String { "\(self)" }
}

extension String {
  /// Where `part` is.
  func range(of part: String) -> Range<Index>? { ranges(of: part).first }
}
