// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// The bounds of the features, each with its reason.
package enum FeatureLimits {
  /// Questions about hashes that run side by side; they are never urgent.
  static let capabilityRequests = 3
  /// How long after a presence they begin: a single command is over by then, and the presences of a log-in are all here.
  static let capabilityDelay: Duration = .seconds(2)

  /// How long we are not shown for want of our own card, of which our presence names the picture. Some servers ask another one for cards,
  /// which may hang.
  static let ownCardPatience: Duration = .seconds(5)

  /// How long it is waited for who is blocked before somebody is asked to be a friend, where the server does not say; half of `--timeout`
  /// at most.
  static let blockListPatience: Duration = .seconds(5)
  /// The same for whether the server keeps stored messages for later; one that knows XEP-0013 says so at once.
  static let keepingPatience: Duration = .seconds(5)

  /// How long after the end of a room its bookmark is looked at: whoever ended it has removed theirs by then.
  static let endedRoomDelay: Duration = .seconds(2)
  /// How much longer than that leaving may wait for it.
  static let endedRoomFarewell: Duration = .seconds(1)

  /// Items of the node that says what was read which are asked for at log-in, the newest: 250 kilobytes.
  static let displayedItems = 1_000
  /// Bytes of a message's id in it: archives' ids have some dozens.
  static let displayedIDBytes = 1_024
  /// How long after a conversation was read further that is published: who reads line by line publishes once for many.
  static let displayedDelay: Duration = .seconds(2)
  /// Conversations that are published before others have their turn.
  static let displayedAtOnce = 100
  /// How long leaving may wait for what is still to be published; the rest is the next run's.
  static let displayedFarewell: Duration = .seconds(1)

  /// Bookmarks that are read: more rooms than anybody is in, and as many as there are items of such a node.
  static let bookmarks = 1_000
  /// Bytes of one of them as XML; clients write some hundred. A longer one is left out.
  static let bookmarkBytes = 16_384
  /// People with one affiliation that are read of a room's list: as many as fit into the largest stanza.
  static let roomMembers = 20_000
  /// What a server offers that is asked whether it has rooms.
  static let roomServices = 50
  /// Rooms asked for at a time of a service that gives its list in pages.
  static let roomPage = 100
  /// Rooms that are read of one service: the largest public ones have some thousand.
  static let foundRooms = 10_000
  /// Rooms that are asked what they say of themselves in one search, and how many at a time; few enough for the rate limits of services.
  static let describedRooms = 100
  static let describedAtOnce = 5

  /// How long after something was read its sender is told: who reads line by line tells once for many.
  static let markerDelay: Duration = .milliseconds(500)
  /// Conversations whose people are told before others have their turn.
  static let markersAtOnce = 100
  /// Conversations that another device has read further than they are known here, as the rest of them is on its way.
  static let awaitedMarkers = 200
  /// Milliseconds after which nobody waits for a receipt any more.
  static let receiptAge: Int64 = 7 * 86_400_000
  /// Who has not typed for so long has paused (XEP-0085 5.1).
  static let typingPause: Duration = .seconds(5)
  /// Who says that they type, and nothing more, has stopped by then.
  static let typingEnd: Duration = .seconds(30)
  /// Devices of people that type at a time, as many in rooms, and strangers whose clients tell such things. Anybody may.
  static let typists = 200
  /// Occupants of a room of whom it is told that they have read a message.
  static let readers = 200
  /// Messages of rooms that may be on their way into the log: more than a page of an archive has.
  static let roomMessagesUnderWay = 500
  /// How long what is about a message of ours waits until the room has said what it calls that. Then it goes by the sender's id.
  static let reflectionAwaited: Duration = .seconds(10)
  /// Calls that are remembered as told; who remembers none tells one twice.
  static let calls = 1_000
  /// How deep a formatted text is read.
  static let formattedDepth = 16
  /// How long after something unknown of one person the next is not told: a flood is one line a minute.
  static let unknownPause: Duration = .seconds(60)
  /// People of whom that is remembered.
  static let unknownSenders = 1_000

  /// Names that people gave themselves. Anybody may send one: beyond these those of contacts alone are kept.
  static let nicknames = 1_000
  /// Characters that are kept of such a name: more than anybody reads.
  static let nicknameText = 256
}
