// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// How much is kept of what a message carries beside its text.
package enum PayloadLimits {
  /// Bytes of a subject, of a description, of the words of an invitation: what people read at a glance.
  static let textBytes = 1_024
  /// Bytes of a thread's or a call's id, of a name, a language, a namespace: clients' have some dozens.
  static let nameBytes = 256
  /// Bytes of an address outside of XMPP: what browsers take.
  static let linkBytes = 2_048
  /// Bytes of an XMPP address: the longest there may be (RFC 7622 3.1).
  static let addressBytes = 3_071
  /// Addresses, contacts and namespaces of one message.
  static let items = 10
}
