// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession
import JackdawTerminal

/// What lines say of an address: looked up in the friends of the session, once there is one.
@Client final class SessionNames: NameSource {
  weak var session: Session?

  private var friends: FriendManager? { session?.features[FriendManager.self] }

  func friend(_ jid: JID) -> RosterItem? { friends?.item(for: jid) }
  func isOwn(_ jid: JID) -> Bool { session?.identity.account == jid.bare }
}
