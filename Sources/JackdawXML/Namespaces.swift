// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// The namespaces of the core (RFC 6120, RFC 6121). A feature's namespaces stand in the feature's file.
package enum Namespace {
  /// A client's stanzas (RFC 6120 4.8.2).
  package static let client = "jabber:client"
  /// What servers send each other (RFC 6120 4.8.2).
  static let server = "jabber:server"
  /// The stream's own elements (RFC 6120 4.8.1).
  package static let streams = "http://etherx.jabber.org/streams"
  /// STARTTLS (RFC 6120 5).
  package static let tls = "urn:ietf:params:xml:ns:xmpp-tls"
  /// Authentication (RFC 6120 6).
  package static let sasl = "urn:ietf:params:xml:ns:xmpp-sasl"
  /// Authentication by the extensible profile (XEP-0388).
  package static let extensibleSASL = "urn:xmpp:sasl:2"
  /// Client state indication (XEP-0352), which is also switched on within a log-in (XEP-0386).
  package static let clientState = "urn:xmpp:csi:0"
  /// Resource binding (RFC 6120 7).
  package static let bind = "urn:ietf:params:xml:ns:xmpp-bind"
  /// The session of old servers (RFC 3921 3).
  package static let session = "urn:ietf:params:xml:ns:xmpp-session"
  /// Conditions of stream errors (RFC 6120 4.9.2).
  package static let streamErrors = "urn:ietf:params:xml:ns:xmpp-streams"
  /// Conditions of stanza errors (RFC 6120 8.3.2).
  package static let stanzaErrors = "urn:ietf:params:xml:ns:xmpp-stanzas"
  /// The roster (RFC 6121 2).
  package static let roster = "jabber:iq:roster"
  /// What rooms say of those who are in them, and what is private there (XEP-0045 7.5).
  package static let roomUser = "http://jabber.org/protocol/muc#user"
}
