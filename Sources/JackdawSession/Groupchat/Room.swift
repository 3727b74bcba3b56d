// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop
package import JackdawProtocol

/// State of the service discovery query that follows a room's configuration change.
enum RoomInquiry {
  case none
  case asking
  /// The configuration has changed again meanwhile: the answer may describe the one before.
  case outdated
}

/// What is to happen where a room does not exist, which entering it makes (XEP-0045 10.1.2).
enum RoomMaking {
  /// It is made as its service makes rooms.
  case asItsServiceDoes
  /// It is made, and whoever joins it configures it.
  case configured
  /// It is not made: it is entered only so that something is said there, which nobody would hear.
  case never
}

/// A room that the user is in, or wants to be: who else is there, and what it is about.
@Client package final class Room {
  /// Its bare address.
  package let jid: JID
  /// What is kept of it between runs.
  package internal(set) var record: RoomRecord
  /// What the user is called there; before the room has said it, what is asked for.
  package internal(set) var nick: String
  /// What it is about; nil: it has not said yet.
  package internal(set) var topic: RoomTopic?
  /// What it is and can do; nil: it has not said.
  package internal(set) var information: DiscoveryInformation?
  /// ``information`` is from an earlier visit, and may have changed: it is refreshed on entry, and kept if the query fails.
  var isInformationOld = false
  /// State of the service discovery query after a configuration change (XEP-0045 10.2.1).
  var inquiry = RoomInquiry.none
  /// It was made by the user's entering it (XEP-0045 10.1).
  package internal(set) var isNew = false
  /// It shows everybody the addresses of all.
  package internal(set) var showsAddresses = false

  var seat = RoomSeat()
  var table = OccupantTable()
  var history: RoomHistory
  /// How far its archive is read.
  var reading = RoomReading()
  /// The end of the pause after which it is read again.
  var rereading: LoopTimer?
  /// How far what was said in it is known.
  var position = RoomPosition()
  /// Until ``position`` is kept in the store; nil: it is there.
  var keeping: LoopTimer?
  /// A message of the user's that it has reflected in part.
  var pieces: MessagePieces?
  /// New nicks of occupants who were renamed, whose presence comes next. Bounded by ``RoomLimits/toldOccupants``.
  var expected: Set<String> = []
  /// While the room is being entered, the deadline; before it is tried again, the end of the pause.
  var timer: LoopTimer?
  /// The nick was chosen by the user: no other is tried in its place.
  var isNickChosen = false
  var nicksTried = 0
  var making = RoomMaking.asItsServiceDoes
  /// The user asked to be in it since the last stream was lost: what is read of bookmarks may be older.
  var isAskedFor = false
  /// The user has been in it since they wanted to be.
  var hasBeenInside = false
  /// It is being left as another device left it while there was no stream.
  var isLeftElsewhere = false
  /// The id of the presence that asks for another nick, and that nick.
  var renaming: (id: String, nick: String)?
  let entering = WaitingList<Void>()
  let leaving = WaitingList<Void>()
  let renamed = WaitingList<Void>()
  /// When something last came from it.
  var lastHeard: MonotonicTime
  /// It is being asked whether the user is still there.
  var isProbing = false

  init(_ record: RoomRecord, nick: String, now: MonotonicTime) {
    jid = record.jid
    self.record = record
    self.nick = nick
    lastHeard = now
    history = RoomHistory()
  }

  /// A gateway makes it of a channel of IRC, as biboumi's identity says (XEP-0030): nothing but text comes through.
  package var isOnIRC: Bool { information?.has(category: "conference", type: "irc") == true }
  /// The user is in it.
  package var isInside: Bool { seat.state == .inside }
  /// The user is in it or wants to be.
  package var isWanted: Bool { seat.isWanted }
  /// Everybody who is there and known, by nick.
  package var occupants: [Occupant] { table.sorted }
  /// How many are there.
  package var occupantCount: Int { table.count }
  /// The user, as the room sees them.
  package var own: Occupant? { table[nick] }
  /// Somebody who is there; nil: nobody is called that.
  package func occupant(_ nick: String) -> Occupant? { table[nick] }

  /// Somebody else there whose nick looks like this one, but for case, spaces and signs; nil: nobody, or there are too many to be
  /// compared at each message.
  package func double(of nick: String) -> String? {
    guard table.count <= RoomLimits.comparedNicks else { return nil }
    let key = NameLikeness.key(nick)
    guard !key.isEmpty else { return nil }
    return table.nicks.filter { $0 != nick && NameLikeness.key($0) == key }.min()
  }

  /// The user's own place in it; nil where no address can be made of the nick, which the room or another client may have
  /// chosen.
  var place: JID? { try? jid.with(resource: nick, isReceived: true) }

  /// It keeps what is said in it (XEP-0313), and vouches for its ids (XEP-0359).
  var hasArchive: Bool {
    guard let information else { return false }
    return information.supports("urn:xmpp:mam:2") && information.supports(StanzaID.namespace)
  }

  /// Ids of occupants are its own word (XEP-0421).
  var vouchesForOccupants: Bool { information?.supports(RoomPresence.occupantIDNamespace) ?? false }

  /// Whether it is told who comes and goes.
  package var tellsOccupants: Bool { record.tellsOccupants ?? (table.count <= RoomLimits.toldOccupants) }
}

/// How far it is known what was said in a room.
enum RoomHistory {
  /// Nothing is known of what comes.
  case unknown
  /// The room sends what was said before, and then its topic. What it sends up to the last message that was heard there is known.
  case coming(LoopTimer, RoomPosition.Heard?)
  /// Its archive is read; what comes meanwhile waits.
  case reading([InboundMessage])
  /// All is known: what comes is new.
  case current

  init() { self = .unknown }
}
