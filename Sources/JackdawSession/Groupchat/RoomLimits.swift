// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// Limits of rooms, each with its reason.
package enum RoomLimits {
  /// Rooms that are joined or about to be. A list of bookmarks may have been filled by anybody's client.
  package static let rooms = 500
  /// Occupants that are known, of all rooms together: at some 400 bytes each they take 40 MB. Those beyond are not known by name.
  static let occupants = 100_000
  /// Bytes of a nick, as of any resource (RFC 7622 3.4).
  package static let nick = 1_023
  /// Bytes that are kept of an occupant's id: what is longer than the hash that XEP-0421 proposes comes from nobody who means well.
  static let occupantID = 256
  /// Bytes that are kept of a topic.
  package static let topic = 4_096
  /// How long a room has to let somebody in.
  static let entering: Duration = .seconds(30)
  /// How long a room has to say that somebody left; then they have.
  static let leaving: Duration = .seconds(5)
  /// The pauses before a room is tried again: 15 s, then twice as long each time, up to 16 min.
  static let firstPause: Duration = .seconds(15)
  static let doublings = 6
  /// Nicks that are tried where one is taken and the user did not choose it.
  static let nicksTried = 4
  /// How often it is looked whether the user is still in a room in which nothing happens (XEP-0410 recommends no less).
  static let quiet: Duration = .seconds(600)
  /// How long a room has to answer that.
  static let seatPatience: Duration = .seconds(60)
  /// How long what a room is may take to be known before it is joined.
  static let informationPatience: Duration = .seconds(15)
  /// How long after a log-in it may take until the user is shown; then rooms are joined all the same.
  static let shownPatience: Duration = .seconds(2)
  /// Messages of a room that is joined for the first time that are asked for.
  static let firstMessages = 20
  /// Messages that are read from a room's archive at a time at most, as what is said meanwhile waits for them. The rest follows
  /// after a pause.
  static let missedMessages = 5_000
  /// Milliseconds before the last message that is known, and that an archive has no more, from which on it is read: clocks differ, but not
  /// by a day, and of a room that lost one message of years not all is news.
  static let agedMilliseconds: Int64 = 86_400_000
  /// Messages of the log among which one is looked for that an archive kept without its id.
  static let recognised = 100
  /// How long it may take until it is kept that something was said in a room without archive, so that not every message has it
  /// written.
  static let positionPause: Duration = .seconds(10)
  /// Milliseconds by which a room's clock may be behind ours.
  static let clockDifference: Int64 = 60_000
  /// Messages that come while a room's archive is read, and wait for it, of one room.
  static let heldMessages = 200
  /// How long the messages of before may take to come after joining a room without archive.
  static let historyPatience: Duration = .seconds(5)
  /// Up to so many occupants it is looked whether two are called alike.
  static let comparedNicks = 200
  /// Up to so many occupants it is told who comes and goes, and they are told that the user is typing and has read, unless the user says
  /// otherwise.
  static let toldOccupants = 20
}
