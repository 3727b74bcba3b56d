// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// A contact as a link proposes it: `xmpp:bob@example.org?roster;name=Bob;group=Friends` (XEP-0147 5.1, XEP-0379 for
/// `preauth`, which is left to servers). Name and groups are the words of whoever wrote the link.
package struct ContactLink: Sendable, Equatable {
  /// Always bare.
  package var jid: JID
  /// Nil where the link gives none.
  package var name: String?
  package var groups: [String]
  /// The account that the link is meant for; nil: any.
  package var account: JID?

  /// - Throws: ``XMPPURIError`` for a link that is no proposal of a contact.
  package init(_ link: XMPPURI) throws(XMPPURIError) {
    switch link.action {
    case nil, "subscribe", "roster", "message": break
    case "join", "invite": throw XMPPURIError("leads to a room, and a room cannot be a friend")
    case .some(let action): throw XMPPURIError("asks for '\(action)', which adds nobody")
    }
    jid = link.jid.bare
    account = link.account?.bare
    name = nil
    groups = []
    guard link.action == "subscribe" || link.action == "roster" else { return }
    name = link.value(of: "name").flatMap { $0.isEmpty ? nil : $0 }
    groups = link.parameters.filter { $0.key == "group" && !$0.value.isEmpty }.map(\.value)
  }
}
