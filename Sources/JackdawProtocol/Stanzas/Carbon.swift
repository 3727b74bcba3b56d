// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawXML

/// A copy of a message that another device of the account sent or got (XEP-0280).
package enum Carbon {
  /// Of version 2, the only one.
  package static let namespace = "urn:xmpp:carbons:2"

  /// Whether this payload of a message is a copy of another message.
  package static func isOne(_ element: Element) -> Bool {
    element.matches("sent", namespace) || element.matches("received", namespace)
  }

  /// Whether a message holds such a copy.
  package static func isHeld(by message: Message) -> Bool { message.payloads.contains(where: isOne) }
}
