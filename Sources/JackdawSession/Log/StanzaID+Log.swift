// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawProtocol

/// What the log calls a message by which an archive has it. Each archive has ids of its own: those of a room's stand behind its address.
extension StanzaID {
  /// - Parameter id: what the archive of a room calls the message.
  package static func stored(_ id: String, in room: JID) -> String { "\(room) \(id)" }

  /// - Parameter stored: what the log calls a message.
  /// - Returns: what the archive of a room calls it; nil: it is not one of that room's.
  package static func ofRoom(_ room: JID, _ stored: String) -> String? {
    let place = room.description + " "
    return stored.hasPrefix(place) ? String(stored.dropFirst(place.count)) : nil
  }
}
