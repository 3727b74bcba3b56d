// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawXML

/// Where stanzas go out: the connection of the moment, or an error when there is none.
@Client final class StanzaWire: StanzaSending {
  weak var connection: StreamConnection?

  func send(_ element: Element) throws {
    guard let connection else { throw ConnectionError(.lost, "there is no connection") }
    try connection.send(element)
  }

  func takeParts(_ parts: StanzaParts?) { connection?.takeParts(parts) }
}
