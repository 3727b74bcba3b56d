// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawProtocol
import JackdawSession

/// The reactions to one message, of which each person's last one counts (XEP-0444). In a room whoever takes another one's nick is somebody
/// else, and who is renamed is not (XEP-0421). Each costs the same, however many there are: a room may send as many as it likes.
struct Reactions {
  /// In the order of their coming; nil: another one took its place. Bounded by what is kept of a conversation.
  private var entries: [MessageFate.Reactions?] = []
  /// The place of the one of each who is known by the room's word. Bounded by ``entries``.
  private var ofOccupants: [String: Int] = [:]
  /// The place of the one of each of whom the room does not say who they are. Bounded by ``entries``.
  private var ofNames: [JID: Int] = [:]
  /// The places of those of all who are or were called so, whether they count or not. Bounded by ``entries``.
  private var called: [JID: [Int]] = [:]
  /// The place of the user's own.
  private var own: Int?

  /// Those that count.
  var all: [MessageFate.Reactions] { entries.compactMap { $0 } }

  /// - Parameters:
  ///   - reactions: all that somebody has there now; none: they are taken back.
  ///   - occupant: who that is by the room's word; nil: it does not say.
  mutating func take(_ reactions: MessageFate.Reactions, of occupant: String?) {
    if reactions.isOwn, let place = own { entries[place] = nil }
    if let occupant {
      if let place = ofOccupants[occupant] { entries[place] = nil }
      if let place = ofNames[reactions.from] { entries[place] = nil }
    } else {
      for place in called.removeValue(forKey: reactions.from) ?? [] { entries[place] = nil }
    }
    guard !reactions.with.isEmpty else { return }
    let place = entries.count
    entries.append(reactions)
    if let occupant { ofOccupants[occupant] = place } else { ofNames[reactions.from] = place }
    called[reactions.from, default: []].append(place)
    if reactions.isOwn { own = place }
  }
}
