// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop
package import JackdawProtocol
package import JackdawSession

/// What the lines that people read must know of an address, and of an earlier message.
@Client package protocol NameSource: AnyObject {
  /// The entry of `jid`, whose resource does not count, in the contact list; nil when there is none.
  func friend(_ jid: JID) -> RosterItem?
  /// Whether `jid`, whose resource does not count, is the user's own.
  func isOwn(_ jid: JID) -> Bool
  /// What the user calls a room; nil: nothing, or it is none.
  func room(_ jid: JID) -> String?
  /// What somebody else is called who is in the room with this occupant, and could be taken for them; nil: nobody.
  func double(of occupant: JID) -> String?
  /// The message that another one names by its id (`MessageLog.message(ofID:in:isOutgoing:)`); nil where it is not known.
  func message(ofID id: String, in conversation: JID, isOutgoing: Bool?, of account: JID) -> LoggedMessage?
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
