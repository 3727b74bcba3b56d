// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// How large an address may be.
package enum AddressLimits {
  /// Bytes of UTF-8 in one part of a JID, before and after preparation (RFC 7622 3.2 to 3.4).
  package static let partBytes = 1023
  /// Octets of a domain label in its ASCII form (RFC 5890 2.3.1, RFC 1035 2.3.4).
  package static let labelBytes = 63
  /// Octets of a domain in its ASCII form, dots included (RFC 1035 2.3.4: 255 on the wire).
  package static let domainBytes = 253
  /// Bytes of an XMPP URI: three parts of a JID, percent-encoded, and as much again for the query.
  package static let uriBytes = 20_000
  /// Characters of a wrong address that its error message repeats.
  package static let quotedCharacters = 80
}
