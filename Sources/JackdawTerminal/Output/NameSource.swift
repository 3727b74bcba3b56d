// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop
package import JackdawProtocol
package import JackdawSession

/// What the lines that people read must know of an address, and of an earlier message. Somebody may be another one to each of the user's
/// accounts: where the account is known (`account`), what the others know does not count.
@Client package protocol NameSource: AnyObject {
  /// The entry of `jid`, whose resource does not count, in the contact list; nil when there is none.
  func friend(_ jid: JID, of account: JID?) -> RosterItem?
  /// Whether `jid`, whose resource does not count, is an account of the user's.
  func isOwn(_ jid: JID) -> Bool
  /// What the user calls a room; nil: nothing, or it is none.
  func room(_ jid: JID, of account: JID?) -> String?
  /// Whether somebody is in the contact list, and what they or a room are called: both of what most lines ask.
  func naming(_ jid: JID, of account: JID?) -> Naming
  /// Whether `jid` is a room's, as far as that is known.
  func isRoom(_ jid: JID) -> Bool
  /// Who somebody in a room is; nil: the user is not in it.
  func occupant(_ jid: JID, of account: JID?) -> OccupantIdentity?
  /// What one of several accounts is called; nil: there is one.
  func accountName(_ account: JID) -> String?
  /// The message that another one names by its id (`MessageLog.message(ofID:in:isOutgoing:)`); nil where it is not known.
  func message(ofID id: String, in conversation: JID, isOutgoing: Bool?, of account: JID) -> LoggedMessage?
}

extension NameSource {
  package func naming(_ jid: JID, of account: JID?) -> Naming {
    let friend = friend(jid, of: account)
    return Naming(isFriend: friend != nil, name: friend?.name ?? room(jid, of: account))
  }
}

/// What an address is called.
package struct Naming {
  /// It has an entry in the contact list.
  package var isFriend: Bool
  /// What the entry says, or what the user calls a room; nil: nothing.
  package var name: String?

  /// The defaults are for an unknown address.
  package init(isFriend: Bool = false, name: String? = nil) { (self.isFriend, self.name) = (isFriend, name) }
}

/// What is known of somebody in a room beside what they are called there.
package struct OccupantIdentity: Sendable, Equatable {
  /// The contact who it is, where the room shows addresses.
  package var contact: RosterItem?
  /// What somebody else there is called who could be taken for them.
  package var double: String?
  /// A contact who could be taken for them, and is somebody else; or may be: ``isAddressKnown``.
  package var resembled: RosterItem?
  /// The room shows their address.
  package var isAddressKnown: Bool

  package init(
    contact: RosterItem? = nil, double: String? = nil, resembled: RosterItem? = nil, isAddressKnown: Bool = false
  ) {
    self.contact = contact
    self.double = double
    self.resembled = resembled
    self.isAddressKnown = isAddressKnown
  }
}

/// Somebody in a line: what ``NameSource`` said of them.
package struct Person: Sendable, Equatable {
  /// The address that the rest was looked up for.
  package var jid: JID
  /// As given, unescaped.
  package var name: String?
  package var isFriend: Bool
  package var isOwn: Bool

  package init(_ jid: JID, name: String? = nil, isFriend: Bool = true, isOwn: Bool = false) {
    self.jid = jid
    self.name = name
    self.isFriend = isFriend
    self.isOwn = isOwn
  }

  /// The name, cut where it is long, or the bare address; safe to show.
  var label: String {
    if let name, !name.isEmpty { return Escaper.line(name.clipped(to: TerminalLimits.nameLength)) }
    return Escaper.address(jid.bare)
  }
}
