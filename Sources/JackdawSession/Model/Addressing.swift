// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawProtocol

/// What kind of address a message goes to, and so which conversation it belongs to and who confirms it.
package enum Addressing: String, Sendable, Equatable {
  /// Somebody, on whatever device: their server takes it.
  case person
  /// All who are in a room (XEP-0045 7.4): it has arrived when the room reflects it.
  case room
  /// One occupant of a room, who may be nobody's contact (XEP-0045 7.5).
  case occupant

  /// The conversation of what is sent to an address.
  package func conversation(with jid: JID) -> JID { self == .occupant ? jid : jid.bare }
}
