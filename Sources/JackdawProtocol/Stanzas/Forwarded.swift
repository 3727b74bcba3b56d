// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawXML

/// A message that is passed on within another stanza (XEP-0297), and when it was first sent.
///
/// Anybody can pass on anything: that it was really said is only for the one to believe who knows who wraps it.
package struct Forwarded: Sendable {
  /// The namespace of XEP-0297.
  package static let namespace = "urn:xmpp:forward:0"

  /// What is passed on, in the words of whoever passes it on.
  package var message: Message
  /// By the clock of whoever passes it on; nil where that one does not say it (XEP-0203).
  package var stamp: Timestamp?

  /// Reads the one `<forwarded/>` in `wrapper`, and the one message in it.
  /// - Throws: when there are none or several (XEP-0297 4: a stanza each), or the message is none.
  package init(in wrapper: Element) throws(StanzaFormatError) {
    guard let forwarded = Self.only("forwarded", Self.namespace, in: wrapper),
      let stanza = Self.only("message", Namespace.client, in: forwarded)
    else { throw StanzaFormatError(description: "It does not hold exactly one message.") }
    message = try Message(stanza)
    stamp = forwarded.children.lazy.compactMap { Delay($0) }.first?.stamp
  }

  /// The child of this name, if there is exactly one.
  private static func only(_ name: String, _ namespace: String, in element: Element) -> Element? {
    var only: Element?
    for child in element.children where child.matches(name, namespace) {
      guard only == nil else { return nil }
      only = child
    }
    return only
  }
}
