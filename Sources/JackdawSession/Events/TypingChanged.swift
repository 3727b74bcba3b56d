// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawProtocol

/// Somebody began or stopped to write to us (XEP-0085). JSON: `typing`.
package struct TypingChanged: ClientEvent, Equatable {
  /// The chat states of XEP-0085 5.1.
  package enum State: String, Encodable, Sendable, CaseIterable { case active, composing, paused, inactive, gone }
  package static let name = "typing"
  /// Who writes; the resource is the device they do it on.
  package var from: JID
  /// What they do, by the last that they told.
  package var state: State
  package var topic: JID? { from.bare }

  package init(from: JID, state: State) {
    self.from = from
    self.state = state
  }

  private enum CodingKeys: String, CodingKey { case from, state }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(from.description, forKey: .from)
    try container.encode(state, forKey: .state)
  }
}
