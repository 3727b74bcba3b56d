// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession

/// What sentences call somebody.
struct CalledPerson: Sendable, Equatable {
  /// Who it is.
  let jid: JID
  /// What the user calls them; nil: nothing, or they are no contact.
  let contactName: String?

  /// The name by which the user knows them, else the address: where it is plain who is meant.
  var name: String { contactName ?? jid.description }
  /// With the address, where that decides what is done.
  var nameAndAddress: String { contactName.map { "\($0) (\(jid))" } ?? jid.description }
}

extension CommandContext {
  /// What somebody is called, by the contact list as it is known now. A single device of theirs goes by its address.
  func called(_ jid: JID) -> CalledPerson {
    guard let account = try? account() else { return CalledPerson(jid: jid, contactName: nil) }
    return Self.called(jid, by: account)
  }

  /// The same by the contact list of one of several accounts.
  static func called(_ jid: JID, by account: Account) -> CalledPerson {
    guard jid.resource == nil else { return CalledPerson(jid: jid, contactName: nil) }
    let entry =
      if let session = account.session {
        session.features[FriendManager.self].recall() ? session.features[FriendManager.self].item(for: jid) : nil
      } else {
        account.knownFriends()?.first { $0.jid == jid }
      }
    return CalledPerson(jid: jid, contactName: entry?.name.flatMap { $0.isEmpty ? nil : $0 })
  }
}
