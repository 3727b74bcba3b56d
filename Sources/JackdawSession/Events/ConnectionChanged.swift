// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawProtocol

/// The connection went up or down. JSON: `connection`.
package struct ConnectionChanged: ClientEvent, Equatable {
  /// `resumed`: online with the former stream (XEP-0198); `retrying`: a further try is planned; `offline`: none is.
  package enum State: String, Encodable, Sendable, CaseIterable { case connecting, online, resumed, offline, retrying }
  package static let name = "connection"
  /// How it is from now on.
  package var state: State
  /// One sentence why, where there is something to say.
  package var reason: String?
  /// Seconds until the next try.
  package var retryIn: Double?
  package var topic: JID? { nil }

  package init(state: State, reason: String? = nil, retryIn: Double? = nil) {
    self.state = state
    self.reason = reason
    self.retryIn = retryIn
  }

  private enum CodingKeys: String, CodingKey {
    case state, reason
    case retryIn = "retry_in"
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(state, forKey: .state)
    try container.encode(reason, forKey: .reason)
    try container.encode(retryIn, forKey: .retryIn)
  }
}
