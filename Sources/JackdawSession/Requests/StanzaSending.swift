// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop
package import JackdawXML

/// The way out for stanzas: what a feature or the ``IQTracker`` is given instead of the session.
@Client package protocol StanzaSending: AnyObject {
  /// Puts a stanza on its way to the server.
  /// - Throws: when it cannot be sent: no connection, or it holds what XML cannot carry.
  func send(_ element: Element) throws

  /// Makes one answer come in parts, should it be large; see ``StanzaParts``. Nil: no answer does any more. It ends with the
  /// connection.
  func takeParts(_ parts: StanzaParts?)
}

extension StanzaSending {
  /// Where whole stanzas come there are no parts.
  package func takeParts(_ parts: StanzaParts?) {}
}
