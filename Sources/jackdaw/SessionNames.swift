// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession
import JackdawTerminal

/// What lines say of an address: looked up in the friends of the sessions, once there are any.
@Client final class SessionNames: NameSource {
  private struct Known {
    weak var session: Session?
  }

  /// In the order of their making.
  private var known: [Known] = []

  func add(_ session: Session) { known.append(Known(session: session)) }

  /// That of the first account which has one.
  func friend(_ jid: JID) -> RosterItem? {
    for known in known {
      if let item = known.session?.features[FriendManager.self].item(for: jid) { return item }
    }
    return nil
  }

  func isOwn(_ jid: JID) -> Bool { known.contains { $0.session?.identity.account == jid.bare } }
}
