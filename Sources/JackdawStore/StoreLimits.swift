// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// The bounds of the store.
package enum StoreLimits {
  /// How long a statement waits for another program that has the database locked, in milliseconds. The wait stops the whole
  /// client, prompt included, so it is no longer than people forgive, and many times what another Jackdaw needs for
  /// anything but a roster of tens of thousands. After one wait in vain there is none until the lock is gone, see ``Database``.
  package static let busyTimeout: Int32 = 250
  /// The same for a program that finds an older version's database, once after an update of Jackdaw: all who are started then wait for the
  /// first of them, which brings it up to date.
  static let migrationPatience = Duration.seconds(5)

  /// Answers to service discovery that are kept, those used last: some megabytes at most. A roster of thousands shows some
  /// hundred kinds and versions of clients.
  static let capabilities = 1_000

  /// Lists of groups that the entries of a contact list share while it is loaded: more than anybody has by hand.
  static let sharedGroups = 1_000

  /// Bytes of a file name before its suffix. Names have 255 on Linux, and `.sqlite3`, SQLite's `-wal` and our
  /// `.corrupt-N` come after it.
  static let fileNameBytes = 200

  /// Bytes that are kept of an address whose name would be longer, in front of its hash: enough to recognise it.
  static let hashedFileNameBytes = 100

  /// The number of the first single command; those below are of programs that remain online.
  static let firstCommand = 1_000
  /// The number of the first program that remains online beside all those below ``firstCommand``.
  static let furtherLongRunning = 1_000_000_000
  /// The number of a program that cannot lock one.
  static let unlockedInstance = -1
  /// What stands behind the database's name in that of the file with the locks.
  static let lockSuffix = "-lock"
  /// Pages in SQLite's write-ahead log that are copied into the file beside the loop; what SQLite takes for enough.
  static let longLog: Int32 = 1_000
  /// Pages at which that is not waited for any more.
  static let longestLog: Int32 = 2_000
  /// Messages of strangers that are kept, all of theirs together: months of what is sent unasked.
  static let strangersMessages = 5_000
  /// Bytes of their texts.
  static let strangersBytes = 10 << 20
  /// Bytes that a message's ids and its sender's address usually take beside its text, in the row and in indexes. What is more counts
  /// as text does, or they would be as much as their sender likes.
  static let usualBesideText = 512
  /// Days for which each is kept at most.
  static let strangersDays = 90
  /// Bytes of texts that others say in rooms: years of what is said in some.
  static let roomBytes = 256 << 20
  /// As how many of them what is said counts at least: a reaction and a single letter take room on the disk, too, and there may be any
  /// number of them.
  static let leastRoomBytes = 64
  /// Of how many that were removed the archive's ids are kept: twice as many as are read from it in one go after a log-in.
  static let removedRemembered = 20_000
  /// How far apart the times may be, in milliseconds, of a message as it came and as the server gives it again out of what it keeps:
  /// clocks differ, and a server notices a cut late.
  static let repetitionWindow: Int64 = 3_600_000
  /// The same of what a room without archive sends again to who comes back after a run that ended well: it is asked for what was said a
  /// minute before the last that was heard there, and its clock differs by no more.
  static let roomRepetitionWindow: Int64 = 60_000
  /// Messages that are remembered as given again on one stream: more than servers keep for somebody who is away.
  static let repetitionsRemembered = 10_000
  /// How far apart, in milliseconds, one message comes to two programs of an account that read what comes.
  static let besideWindow: Int64 = 10_000
  /// So many messages at the end of the log are compared with one that may have come to another program: more than come in that time.
  static let besideLookedAt: Int64 = 1_000
  /// So many messages before the last one of the archive that is known are looked through for where it is read on from: all that is behind
  /// that one is read once more.
  static let overtakenLookedAt: Int64 = 200
  /// Messages that are remembered as having come to another program too.
  static let besideRemembered = 1_000
  /// Letters and digits of the resource that is made up for this machine: nobody has two machines of one name by chance.
  static let resourceLength = 6

  /// Databases set aside side by side. More of them say that something keeps destroying them, and that new ones do not help.
  static let corruptFilesKept = 100

  /// Bytes of the texts of one statement that are not copied once more by SQLite: some messages of some length, and their
  /// addresses.
  static let boundTexts = 8_192
  /// Bytes of text of messages that are read in one go, and one message more.
  static let pageBytes = 2 << 20

  /// Messages that are looked at in one go while some are searched for: a few milliseconds.
  static let searchedAtOnce = 2_000
  /// Characters of a text in which SQLite marks what is found: it copies all that it has marked with each mark.
  static let markedByIndex = 4_096
  /// Messages that are added to the search index in one go, and bytes of their texts: a few milliseconds.
  static let indexedAtOnce = 250
  static let indexedBytesAtOnce = 128 << 10
  /// So many times as much where somebody waits for all of it: other programs that have something to write still wait for it.
  static let indexedPiecesIfWaitedFor = 4
  /// Marks of other devices that wait for their messages: one a conversation. More than there are items of the node that are read.
  static let pendingMarks = 2_000
  /// Corrections and retractions of a correction that are noted as about what that one corrects: more than anybody writes of one.
  static let resolvedAtOnce = 1_000
  /// Messages with the id that a correction names which are looked at for whose they are, newest first.
  static let namesakesLookedAt = 50
  /// Of messages with the same id, how many are compared with one that comes, or that it names, newest first. Programs that number what
  /// they send begin anew each time, but not so often while what comes again is still on its way.
  static let alikeLookedAt = 500
  /// Messages that are removed in one go.
  static let removedAtOnce = 500
  /// A reader that was not there for so long, in milliseconds, is not waited for: what it was not presented may be removed. 30 days.
  static let readerAwaited: Int64 = 30 * 86_400_000
  /// The same of a program's reader where somebody wants something gone: 2 days, in which one comes that comes every day.
  static let botAwaitedByWish: Int64 = 2 * 86_400_000
  /// How long ago a reader is noted to have been there, in milliseconds, before that it is there again is written down.
  static let readerNoted: Int64 = 3_600_000
  /// Two messages of an import that are further apart than this, in milliseconds, are not the same: twice what clocks may differ.
  static let stagedApart: Int64 = 20_000
  /// So many times as many as were asked for are imported in one go where no two of them are further apart.
  static let stagedBatchGrowth = 10
  /// Rows that are read from another program's database in one go.
  static let foreignRows = 500
  /// Bytes of a value in another program's database beyond which the row is not read: no stanza that arrives is as long.
  static let foreignTextBytes = 1 << 20
  /// Bytes of a row in another program's database beyond which SQLite is to refuse it.
  static let foreignRowBytes: Int32 = 64 << 20
  /// Unread messages of a conversation that are counted for a list of conversations.
  static let countedUnread = 10_000
  /// Pages of the search index that are merged in one go.
  static let mergedPages = 64
}
