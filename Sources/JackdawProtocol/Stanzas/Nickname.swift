// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawXML

/// What a user calls themselves, in requests for subscription and elsewhere (XEP-0172). It proves nothing about who
/// they are.
package struct Nickname: Sendable, Hashable {
  /// The namespace of XEP-0172.
  package static let namespace = "http://jabber.org/protocol/nick"

  /// From the network: to be shown through the escaper only, and together with the address.
  package var text: String

  package init(_ text: String) {
    self.text = text
  }

  /// nil when the element is none, or empty.
  package init?(_ element: Element) {
    guard element.matches("nick", Self.namespace) else { return nil }
    text = element.text
    guard !text.isEmpty else { return nil }
  }

  /// The element `nick` of ``namespace`` (XEP-0172 3).
  package var element: Element {
    Element("nick", Self.namespace, text: text)
  }
}
