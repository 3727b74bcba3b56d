// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawProtocol

/// Of whom the server says nothing more. What they said last holds no longer, and that they have gone nobody said.
extension PresenceBoard {
  /// We saw them before and do not now: a server need not send their `unavailable` after a step of ours (RFC 6121 3.3.2).
  func noted(_ change: FriendChanged) {
    let after = change.change == .removed ? nil : change.item
    guard Self.isSeen(change.before), !Self.isSeen(after) else { return }
    forget(change.item.jid.bare)
  }

  private static func isSeen(_ item: RosterItem?) -> Bool {
    SubscriptionState(item, theyAsked: false).ours == .subscribed
  }

  /// Nothing comes from who is blocked (XEP-0191 3.3), and nobody repeats what they said meanwhile when they are not any more.
  func noted(_ change: BlockChanged) {
    if unheard.count < SessionLimits.departures { unheard.insert(change.jid) }
    switch change.change {
    case .blocked: forget(change.jid)
    case .unblocked: meetAgain(change.jid)
    }
  }

  /// Whether they may have come or gone on this stream without our being told.
  func mayBeUnheard(_ contact: JID) -> Bool {
    !unheard.isEmpty && unheard.contains { $0.bare == contact || $0.localpart == nil && $0.domain == contact.domain }
  }
}
