// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawProtocol
import JackdawSession

/// What others did to friendships, put together to one piece of news for each: servers tell it in several steps (RFC 6121 3.1 to
/// 3.3), one for each direction of the subscription. What a command of ours did, that command says itself.
struct FriendDigest {
  /// A friendship from before the first step to after the last.
  struct Change: Equatable {
    var jid: JID
    /// Nil: there was no entry.
    var before: RosterItem?
    /// Nil: there is none any more.
    var after: RosterItem?
    /// They ended it, or declined.
    var ending: FriendshipEnded?
    /// Whether a change of the entry came; else there was the ending alone.
    var hasEntries = false
  }

  /// Bounded by ``waiting``.
  private var changes: [JID: Change] = [:]
  /// In the order of their first step. Bounded by ``TerminalLimits/rememberedAddresses``.
  private var waiting: [JID] = []

  var hasNews: Bool { !waiting.isEmpty }

  /// Whether something waits that others did to this friendship.
  func hasNews(of jid: JID) -> Bool { changes[jid.bare] != nil }

  /// Whether they ended it, and our entry goes for that, as the user has set it.
  func endsByPolicy(_ jid: JID) -> Bool { changes[jid.bare]?.ending?.policy == .remove }

  /// A step of ours is no news, but for what follows from theirs.
  mutating func take(_ event: FriendChanged) {
    let jid = event.item.jid.bare
    let after = event.change == .removed ? nil : event.item
    guard !event.isOurs || endsByPolicy(jid), let place = place(of: jid) else { return }
    if changes[place]?.hasEntries == false { changes[place]?.before = event.before }
    changes[place]?.after = after
    changes[place]?.hasEntries = true
  }

  mutating func take(_ event: FriendshipEnded) {
    if let place = place(of: event.jid.bare) { changes[place]?.ending = event }
  }

  private mutating func place(of jid: JID) -> JID? {
    if changes[jid] != nil { return jid }
    guard waiting.count < TerminalLimits.rememberedAddresses else { return nil }
    waiting.append(jid)
    changes[jid] = Change(jid: jid)
    return jid
  }

  /// What changed since the last call, in its order.
  mutating func drain() -> [Change] {
    let drained = waiting.compactMap { changes[$0] }
    waiting = []
    changes = [:]
    return drained
  }
}
