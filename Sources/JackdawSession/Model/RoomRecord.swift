// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop
package import JackdawProtocol

/// When the user is called for what is said in a room.
package enum RoomNotify: String, Sendable, CaseIterable, Encodable {
  /// For everything.
  case always
  /// When their name is said.
  case mention
  case never
}

/// A room that the user has joined or bookmarked, as it is kept between runs.
package struct RoomRecord: Sendable, Equatable {
  /// The room's bare address.
  package var jid: JID
  /// What the user calls it; nil: nothing.
  package var name: String?
  /// Who the user is in it; nil: as everywhere.
  package var nick: String?
  /// What lets the user in, where it asks.
  package var password: String?
  /// It stands in the bookmarks that the server keeps (XEP-0402), as far as that is known.
  package var isBookmarked: Bool
  /// It is joined at each log-in.
  package var autojoin: Bool
  /// What other clients keep with the bookmark: the `<extensions/>` of XEP-0402 as XML, to be given back unchanged.
  package var extensions: String?
  /// Nil: as usual, ``RoomNotify/mention``.
  package var notify: RoomNotify?
  /// Whether it is told who comes and goes; nil: in small rooms.
  package var tellsOccupants: Bool?

  /// A room of which nothing else is kept; a resource of `jid` does not count.
  package init(_ jid: JID, nick: String? = nil) {
    self.jid = jid.bare
    self.nick = nick
    isBookmarked = false
    autojoin = false
  }
}

/// How far what was said in a room is known here, whatever the log still has of it.
package struct RoomPosition: Sendable, Equatable {
  /// The last message that a room was heard to send.
  package struct Heard: Sendable, Equatable {
    /// When the room says that it was said, or when it came.
    package var time: Timestamp
    /// Who said it; nil: the room itself.
    package var nick: String?
    /// What its sender called it.
    package var id: String?

    /// As the room said it.
    package init(time: Timestamp, nick: String?, id: String?) {
      self.time = time
      self.nick = nick
      self.id = id
    }
  }

  /// Where its archive ended when it was read to its end, for when the log has none of its ids; empty: there was nothing. What it
  /// gets from then on is news.
  package var archiveCursor: String?
  /// Behind what its archive is still to be read, as that was not finished; nil: nothing is missing. What came by itself since
  /// then is in the log all the same.
  package var archiveGap: String?
  /// Of a room without archive; nil: it was never heard.
  package var heard: Heard?

  /// Nothing is known.
  package init() {}
}

/// Keeps the rooms of an account.
@Client package protocol RoomStore: AnyObject {
  /// All of them, by address.
  func rooms() throws -> [RoomRecord]
  /// One of them.
  func room(_ jid: JID) throws -> RoomRecord?
  /// Adds it, or exchanges what was kept of it, but for how far it is known.
  func keep(_ room: RoomRecord) throws
  /// How far one of them is known; nil where it is not kept.
  func position(in room: JID) throws -> RoomPosition?
  /// Notes how far one of them is known; does nothing where it is not kept.
  func keep(_ position: RoomPosition, in room: JID) throws
  /// Forgets it; what was said there stays in the log.
  func forget(_ jid: JID) throws
}
