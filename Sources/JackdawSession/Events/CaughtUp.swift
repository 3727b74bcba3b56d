// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawProtocol

/// Messages that others sent while there was no connection have been read from the archive; each is told next. JSON: `caught-up`.
package struct CaughtUp: ClientEvent, Equatable {
  package static let name = "caught-up"
  /// How many they are.
  package var messages: Int
  package var topic: JID? { nil }

  package init(messages: Int) { self.messages = messages }
}
