// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession

/// Whom examples name.
extension CommandContext {
  /// A word that `/to` takes as it stands: for the contact whom the user talked with last, else for another contact, else a name that is
  /// not the user's own.
  var examplePerson: String {
    let account = try? account()
    let friends = account?.knownFriends() ?? []
    let recent = lines.recent.order.first { jid in friends.contains { $0.jid == jid } }
    let first = friends.map(\.jid).min { $0.description < $1.description }
    let entry = friends.first { $0.jid == recent ?? first }
    let words = entry.map { [$0.name, $0.jid.localpart, $0.jid.description].compactMap(\.self) } ?? []
    let known = words.first { word in
      !word.contains { $0.isWhitespace || "'\"\\".contains($0) }
        && (try? Self.jid(word) ?? Self.friend(word, among: friends)) == entry?.jid
    }
    return known ?? (account?.jid.localpart == "bob" ? "alice" : "bob")
  }

  /// Nobody is talked to, and somebody has to be.
  var nobodyPicked: CommandFailure {
    CommandFailure(.usage, Conversation.nobodyPicked, Conversation.pick(examplePerson))
  }
}
