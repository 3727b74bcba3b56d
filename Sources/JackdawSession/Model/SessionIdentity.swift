// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop
package import JackdawProtocol
package import JackdawXML

/// Whose session it is.
@Client package final class SessionIdentity {
  /// The account's bare JID.
  package let account: JID
  /// The full JID that the server bound; nil before the first log-in.
  package internal(set) var bound: JID?
  /// `<stream:features/>` of the present stream.
  package internal(set) var streamFeatures: Element?

  /// What the server switched on as it bound the resource, by namespaces (XEP-0386).
  package internal(set) var switchedOn: Set<String> = []
  /// What it took us for when the present stream began (XEP-0352).
  package internal(set) var activityAtLogin = ClientActivity.active

  /// - Parameter account: whose session it is; a resource does not count.
  package init(account: JID) { self.account = account.bare }

  /// The server counts stanzas, if asked to (XEP-0198).
  package var offersStreamManagement: Bool { streamFeatures?.child("sm", StreamManagement.namespace) != nil }

  /// The server can send the roster's changes only (RFC 6121 2.6).
  package var rosterVersioning: Bool { streamFeatures?.child("ver", "urn:xmpp:features:rosterver") != nil }

  /// The server can approve subscription requests beforehand (RFC 6121 3.4).
  package var offersPreapproval: Bool { streamFeatures?.child("sub", "urn:xmpp:features:pre-approval") != nil }

  /// The rule of RFC 6121 2.1.6 and of everything that only our own account may tell us: no sender at all, or exactly
  /// our bare JID.
  package func isOwnAccount(_ sender: JID?) -> Bool { sender == nil || sender == account }

  /// What we are called in rooms where nothing else was chosen.
  package var ownNick: String { account.localpart ?? account.domain }

  /// What our own server says in its own name or in our account's.
  package func isOwnServer(_ sender: JID) -> Bool { sender == account || sender == account.server }
}
