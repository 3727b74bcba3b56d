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

  func name(of jid: JID) -> String? { friends?.item(for: jid)?.name }
  func isFriend(_ jid: JID) -> Bool { friends?.item(for: jid) != nil }
  func isOwn(_ jid: JID) -> Bool { session?.identity.account == jid.bare }
}
