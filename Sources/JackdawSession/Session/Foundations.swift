// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// A specification that Jackdaw keeps to below its features: what all of them stand on.
package struct Foundation: Sendable {
  /// What it is, and how much of it is done.
  package var about: FeatureDescription
  /// The file below `Sources/` to begin reading at; it names the specification.
  package var file: String

  init(
    _ specification: String, _ title: String, version: String? = nil, _ scope: String, partly: Bool = false,
    in file: String
  ) {
    about = FeatureDescription(specification, title, version: version, scope: scope, isPartial: partly)
    self.file = file
  }
}

extension FeatureList {
  /// What is no feature, since there is no session without it, or since it is the other modules' affair. Nothing at run time
  /// asks for it: `Docs/XEPS.md` and `Docs/jackdaw.doap` do.
  package static let foundations: [Foundation] = [
    Foundation(
      "RFC 2782", "DNS SRV", "records ordered by priority and weight; the target '.' is a refusal",
      in: "JackdawTransport/Names/ServiceLookup.swift"),
    Foundation(
      "RFC 4616", "SASL PLAIN", "within verified TLS, where nothing better is offered",
      in: "JackdawProtocol/SASL/PlainMessage.swift"),
    Foundation(
      "RFC 5122", "XMPP IRIs and URIs", "links are taken wherever an address is",
      in: "JackdawProtocol/Addresses/XMPPURI.swift"),
    Foundation(
      "RFC 5802", "SCRAM", "SHA-1, SHA-256 (RFC 7677) and SHA-512, with and without channel binding",
      in: "JackdawProtocol/SASL/SCRAMExchange.swift"),
    Foundation(
      "RFC 5929", "Channel bindings for TLS", "tls-server-end-point, and tls-unique for old servers on TLS 1.2",
      in: "JackdawTransport/TLS/ChannelBinding.swift"),
    Foundation(
      "RFC 6120", "XMPP core",
      "a client's streams, STARTTLS, SASL, resource binding, stanzas and errors; TLS is a must",
      in: "JackdawProtocol/Stream/StreamMachine.swift"),
    Foundation(
      "RFC 7590", "Use of TLS in XMPP",
      "TLS 1.2 and newer with forward secrecy, and never without a verified certificate",
      in: "JackdawTransport/TLS/TLSContext.swift"),
    Foundation(
      "RFC 7622", "XMPP addresses", "whole, with the profiles of PRECIS", in: "JackdawProtocol/Addresses/JID.swift"),
    Foundation(
      "RFC 8305", "Happy eyeballs", "addresses of both families raced",
      in: "JackdawTransport/Connecting/AddressRace.swift"),
    Foundation(
      "RFC 8446", "TLS 1.3", "connections are resumed by tickets, each used once; nothing is sent early (0-RTT)",
      in: "JackdawTransport/TLS/TLSSession+Tickets.swift"),
    Foundation(
      "RFC 9266", "Channel bindings for TLS 1.3", "tls-exporter", in: "JackdawTransport/TLS/ChannelBinding.swift"),
    Foundation(
      "RFC 9525", "Service identity in TLS", "names of the certificate's subjectAltName; the common name says nothing",
      in: "JackdawTransport/TLS/CertificateNames.swift"),
    Foundation(
      "XEP-0004", "Data Forms", version: "2.13.2", "read, answered and sent, where a feature has use for one",
      in: "JackdawProtocol/Stanzas/DataForm.swift"),
    Foundation(
      "XEP-0048", "Bookmarks", version: "1.2", "rooms read and converted to XEP-0402, never written; no web pages",
      partly: true, in: "JackdawSession/Features/Rooms/LegacyBookmarks.swift"),
    Foundation(
      "XEP-0049", "Private XML Storage", version: "1.2", "the bookmarks of old clients read; nothing is written",
      partly: true, in: "JackdawSession/Features/Rooms/LegacyBookmarks.swift"),
    Foundation(
      "XEP-0059", "Result Set Management", version: "1.0", "pages read onwards, and the last one", partly: true,
      in: "JackdawProtocol/Stanzas/ResultSet.swift"),
    Foundation(
      "XEP-0068", "Field Standardization for Data Forms", version: "1.3.0", "forms are known by their FORM_TYPE",
      in: "JackdawProtocol/Stanzas/DataForm.swift"),
    Foundation(
      "XEP-0082", "XMPP Date and Time Profiles", version: "1.1.1", "dates and times read and written",
      in: "JackdawProtocol/Stanzas/Timestamp.swift"),
    Foundation(
      "XEP-0091", "Legacy Delayed Delivery", version: "1.4", "read, never written", partly: true,
      in: "JackdawProtocol/Stanzas/Delay.swift"),
    Foundation(
      "XEP-0128", "Service Discovery Extensions", version: "1.0.1", "read and shown by 'info'; none is sent",
      partly: true,
      in: "JackdawSession/Discovery/DiscoveryInformation.swift"),
    Foundation(
      "XEP-0147", "XMPP URI Scheme Query Components", version: "1.2",
      "'friends add' takes names and groups of a link, 'send' its text, all else its address alone",
      partly: true, in: "JackdawProtocol/Addresses/XMPPURI.swift"),
    Foundation(
      "XEP-0198", "Stream Management", version: "1.6.3",
      "acknowledgements both ways, and resumption, by a later run of the program too",
      in: "JackdawProtocol/StreamManagement/StreamManagement.swift"),
    Foundation(
      "XEP-0201", "Best Practices for Message Threads", version: "1.1",
      "threads are kept, and given to programs; none is sent", partly: true,
      in: "JackdawSession/Features/Messages/MessageTexts.swift"),
    Foundation(
      "XEP-0223", "Persistent Storage of Private Data via PubSub", version: "1.1.1",
      "bookmarks and what was read; a server that cannot keep it private is not given it",
      in: "JackdawSession/Features/PrivateNode.swift"),
    Foundation(
      "XEP-0245", "The /me Command", version: "1.0", "written as any message, shown as an action",
      in: "JackdawTerminal/Output/TextLines.swift"),
    Foundation(
      "XEP-0297", "Stanza Forwarding", version: "1.0",
      "read in copies and archives, believed from our own server alone",
      partly: true, in: "JackdawProtocol/Stanzas/Forwarded.swift"),
    Foundation(
      "XEP-0305", "XMPP Quickstart", version: "0.3", "the last stream header and the bind request go out together",
      partly: true, in: "JackdawProtocol/Stream/StreamMachine.swift"),
    Foundation(
      "XEP-0334", "Message Processing Hints", version: "0.4.0",
      "'store' and 'no-store' are written on what has no text of its own; what comes with them is logged as if it had none",
      partly: true,
      in: "JackdawSession/Features/Messages/DeliveryReceipts.swift"),
    Foundation(
      "XEP-0368", "SRV records for XMPP over TLS", version: "1.1.0", "direct TLS and STARTTLS mixed; ALPN and SNI",
      in: "JackdawTransport/Names/ServiceLookup.swift"),
    Foundation(
      "XEP-0386", "Bind 2", version: "1.1.0",
      "a resource bound with the log-in, stanzas counted and carbons switched on with it, where no resource was asked for",
      in: "JackdawProtocol/Stream/StreamMachine+Extensible.swift"),
    Foundation(
      "XEP-0388", "Extensible SASL Profile", version: "1.0.4",
      "used where it is offered, and demanded from then on; streams go on with the log-in (XEP-0198); no tasks but upgrades (XEP-0480)",
      partly: true,
      in: "JackdawProtocol/Stream/StreamMachine+Extensible.swift"),
    Foundation(
      "XEP-0411", "Bookmarks Conversion", version: "1.1.0",
      "where the server keeps the old places of bookmarks in step, one of them is read",
      in: "JackdawSession/Features/Rooms/LegacyBookmarks.swift"),
    Foundation(
      "XEP-0440", "SASL Channel-Binding Type Capability", version: "1.0.0", "the best type that both sides have",
      in: "JackdawProtocol/SASL/MechanismChoice.swift"),
    Foundation(
      "XEP-0474", "SASL SCRAM Downgrade Protection", version: "0.5.0", "the server's hash over its offer is checked",
      in: "JackdawProtocol/SASL/DowngradeHash.swift"),
    Foundation(
      "XEP-0480", "SASL Upgrade Tasks", version: "0.2.0",
      "a server that asks for it is given keys for SCRAM-SHA-256 or SCRAM-SHA-512, the best that it has not, by a log-in with the password",
      in: "JackdawProtocol/SASL/SCRAMUpgrade.swift"),
    Foundation(
      "XEP-0484", "Fast Authentication Streamlining Tokens", version: "0.2.0",
      "tokens bound to the TLS connection, kept for the account on this machine, taken back by 'account logout'",
      in: "JackdawProtocol/SASL/LoginToken.swift"),
  ]
}
