// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop
package import JackdawXML

/// The way out for stanzas: what a feature or the ``IQTracker`` is given instead of the session.
@Client package protocol StanzaSending: AnyObject {
  /// Puts a stanza on its way to the server.
  /// - Throws: when it cannot be sent: no connection, or it holds what XML cannot carry.
  func send(_ element: Element) throws

  /// Answers somebody's request. Answers to strangers, and those to others, stop before they take the room of what we say ourselves.
  /// - Parameter isForStranger: it is for somebody who may not see our presence.
  /// - Throws: as ``send(_:)``; a ``ConnectionError`` with the code `stalled` where there is no room.
  func answer(_ element: Element, isForStranger: Bool) throws

  /// Makes one answer come in parts, should it be large; see ``StanzaParts``. Nil: no answer does any more. It ends with the
  /// connection.
  func takeParts(_ parts: StanzaParts?)
}

extension StanzaSending {
  /// Where nothing is counted there is room.
  package func answer(_ element: Element, isForStranger: Bool) throws { try send(element) }

  /// Where whole stanzas come there are no parts.
  package func takeParts(_ parts: StanzaParts?) {}
}
