// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop
package import JackdawProtocol
package import JackdawSession

/// What is kept of one account between log-ins: one SQLite database, one part of it for each store that the session
/// declares.
///
/// Making one costs nothing; the file is opened, and made if need be, at the first use of any part.
@Client package final class AccountStore {
  package let roster: any RosterStore
  package let login: any LoginMemoryStore
  package let capabilities: any CapabilityStore
  package let friendRequests: any FriendRequestStore
  package let messages: any MessageStore
  package let streams: any StreamStore
  package let log: any MessageLog
  package let earlier: any EarlierMessages
  package let readMarks: any ReadMarkStore
  package let blocked: any BlockStore
  package let rooms: any RoomStore

  private let database: AccountDatabase

  /// - Parameters:
  ///   - directory: the folder of the databases; made, of mode 0700, when it is missing. Empty: there is none, and memory does.
  ///   - isOneShot: for a single command; else for a program that remains online.
  ///   - readsCopy: for what shows what is stored, without a session: a file that cannot be written to is read all the same, and what
  ///     would change it fails.
  ///   - databases: the run's, which are closed at its end.
  ///   - busyTimeout: how long a statement waits for another program's lock, in milliseconds.
  ///   - warn: is told once of each kind of trouble. The errors that the parts throw have been reported by it already.
  package convenience init(
    directory: String, account: JID, isOneShot: Bool = true, readsCopy: Bool = false,
    among databases: OpenDatabases? = nil, busyTimeout: Int32 = StoreLimits.busyTimeout,
    warn: @escaping @Client (StoreWarning) -> Void
  ) {
    let file = DatabaseFile(directory: directory, account: account)
    let database = AccountDatabase(
      file: file, busyTimeout: busyTimeout, copies: readsCopy ? databases ?? OpenDatabases() : nil, warn: warn)
    databases?.add(database)
    self.init(
      database: database,
      Instances(file: file, kind: isOneShot ? .command : .longRunning))
  }

  /// A store that is gone with the program: for an account that asked for it, and for tests.
  package static func inMemory() -> AccountStore {
    AccountStore(database: AccountDatabase(file: nil, busyTimeout: StoreLimits.busyTimeout) { _ in })
  }

  init(
    database: AccountDatabase, _ instances: Instances? = nil, quota: StrangersQuota = StrangersQuota(),
    roomQuota: Int = StoreLimits.roomBytes
  ) {
    let instances = instances ?? Instances(file: nil, kind: .longRunning)
    self.database = database
    roster = RosterTable(database)
    login = LoginTable(database)
    capabilities = CapabilityTable(database)
    friendRequests = FriendRequestTable(database)
    messages = MessageTable(database, instances, quota: quota)
    streams = StreamTable(database, instances)
    let history = HistoryTable(database, instances, roomQuota: roomQuota)
    log = history
    readMarks = history
    blocked = BlockTable(database)
    rooms = RoomTable(database)
    earlier = EarlierTable(database, instances, quota: quota)
  }

  /// Closes the file, which a later use opens again. Not needed for what was stored to be safe; it empties SQLite's log.
  package func close() { database.close() }
}

/// Trouble with an account's database, to be shown to the user.
package struct StoreWarning: Sendable, CustomStringConvertible {
  /// What the trouble means for what is stored.
  package enum Consequence: Sendable, Equatable {
    /// Something was not stored or not read; the next time may be better.
    case notStored
    /// What is stored from now on lasts until the program ends.
    case keptInMemory
    /// The damaged file was renamed to this path; a new one was begun.
    case startedAnew(damaged: String)
    /// Strangers wrote more than is kept of theirs: the oldest of it is gone.
    case strangersRemoved
    /// Others on the machine can put another file in the database's place: its folder is open to them.
    case exchangeable(folder: String)
  }

  /// What it means for the user's data.
  package var consequence: Consequence
  /// What SQLite or the system said; nil: nothing failed.
  package var cause: DatabaseError?

  /// Whether something that the user counts on is not on disk, or not where it was.
  package var isOfLoss: Bool {
    switch consequence {
    case .notStored, .keptInMemory, .startedAnew: true
    case .strangersRemoved, .exchangeable: false
    }
  }

  /// One sentence.
  package var description: String { Sentence.ended(words) }

  private var words: String {
    let cause = cause?.reason ?? "no reason is known"
    return switch consequence {
    case .notStored: "Not everything is stored: \(cause)"
    case .keptInMemory where [.schemaFromTheFuture, .noFolder, .noLocks].contains(self.cause?.code):
      "Nothing is stored on disk: \(cause)"
    case .keptInMemory: "Nothing is stored on disk until Jackdaw is started again: \(cause)"
    case .startedAnew(let damaged): "Started a new database, because \(cause); the old one is now '\(damaged)'"
    case .strangersRemoved:
      "People outside your contact list write more than is kept: their oldest messages are removed"
    case .exchangeable(let folder):
      "Others on this machine can change the folder '\(folder)', and so exchange what is stored there; 'chmod go-w' on it ends that"
    }
  }
}
