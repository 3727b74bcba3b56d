// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawProtocol

/// Something was done with an account at its server.
package struct AccountStepRow: CommandRow {
  /// What was done with the account.
  package enum Change: String, Encodable, Sendable, CaseIterable {
    case registered, unregistered
    case passwordChanged = "password-changed"
    case tokenRevoked = "token-revoked"
    /// The server does not know.
    case tokenRemoved = "token-removed"
    case keysRemoved = "keys-removed"
  }

  /// The account, bare.
  package var jid: JID
  /// What the server confirmed.
  package var change: Change
  /// What the configuration file calls it, where it has just been added.
  package var name: String?

  /// One confirmed step for one account.
  package init(_ jid: JID, _ change: Change, name: String? = nil) {
    self.jid = jid.bare
    self.change = change
    self.name = name
  }

  package var cells: [Cell] {
    switch change {
    case .registered: [Cell("Registered \(jid)\(stored).")]
    case .unregistered: [Cell("Removed the account \(jid) from its server.")]
    case .passwordChanged: [Cell("Changed the password of \(jid).")]
    case .tokenRevoked: [Cell("The server took back the token of \(jid) on this machine.")]
    case .tokenRemoved: [Cell("Removed the token of \(jid) from this machine.")]
    case .keysRemoved: [Cell("Removed the keys of \(jid) from this machine.")]
    }
  }

  private var stored: String {
    guard let name else { return "" }
    return name == jid.description ? ", and added it to the configuration" : ", and configured it as '\(name)'"
  }

  private enum CodingKeys: String, CodingKey { case jid, change, name }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(jid.description, forKey: .jid)
    try container.encode(change, forKey: .change)
    try container.encode(name, forKey: .name)
  }
}
