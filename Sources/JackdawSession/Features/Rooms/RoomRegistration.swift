// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawProtocol
import JackdawXML

/// How the user stands with a room that takes registrations (XEP-0045 7.10).
package enum RoomRegistration: Sendable, Equatable {
  /// The user is a member, of this nick where the room says so. From the network.
  case registered(nick: String?)
  /// What the room asks.
  case asks(RegistrationForm)

  /// The field of the nick that is to be reserved (XEP-0045 15.5.1).
  package static let nickField = "muc#register_roomnick"

  /// Reads a `<query/>`; nil when it is none, or cannot be read.
  init?(_ query: Element) {
    guard let form = try? RegistrationForm(query) else { return nil }
    if query.child("registered", RegistrationForm.namespace) != nil {
      self = .registered(nick: query.text(of: "username", RegistrationForm.namespace).nonEmpty)
    } else {
      self = .asks(form)
    }
  }
}
