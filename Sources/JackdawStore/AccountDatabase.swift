// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop

/// The database of one account, opened when it is first used: so it costs the start of the program nothing.
///
/// Chat goes on whatever happens to it. A damaged file is set aside and replaced by a new one, by this program or another that
/// uses it; when there can be no file, what is stored is kept in memory until the program ends. Each kind of trouble is told once.
@Client final class AccountDatabase {
  private enum State {
    /// - Parameter waits: whether opening may wait for a lock: who has waited for one in vain does not so again.
    case closed(waits: Bool)
    /// The file's, or, when that is of no use or none is wanted, one in memory.
    case open(Database)
  }

  /// What a database that had to be begun anew is to be given first.
  private enum Rescue { case none, due, running }

  /// Nil is memory.
  private let file: DatabaseFile?
  private let busyTimeout: Int32
  private let copies: OpenDatabases?
  let warn: @Client (StoreWarning) -> Void
  private var state = State.closed(waits: true)
  /// The primary codes that have been told.
  private var told: Set<DatabaseError.Code> = []
  private var hasToldOfOpenFolder = false
  /// Whoever puts into a new database what the damaged one had.
  private var rescuers: [@Client () -> Void] = []
  private var rescue = Rescue.none
  /// What the next transaction that writes does besides; see ``performLater(_:)``.
  private let rider = TransactionRider()
  /// What is in SQLite's write-ahead log is on its way into the file.
  private(set) var isCheckpointing = false
  /// Why what is stored is kept in memory, though a file was wanted; nil: it is not.
  private var trouble: DatabaseError?
  /// What is read is a copy of the file, in memory, and nothing can be changed.
  private var isCopy = false
  /// What is stored is kept in memory, though a file was wanted.
  var isTemporary: Bool { trouble != nil }
  /// Why nobody knows what is in the file, though there is one; nil: it is open, or there is none.
  var troubleWithFile: DatabaseError? { file?.exists == true ? trouble : nil }

  /// - Parameter copies: where a copy of a file that cannot be written to is kept to be read; nil: it is not read.
  init(
    file: DatabaseFile?, busyTimeout: Int32, copies: OpenDatabases? = nil,
    warn: @escaping @Client (StoreWarning) -> Void
  ) {
    self.copies = copies
    self.file = file
    self.busyTimeout = busyTimeout
    self.warn = warn
  }

  /// Runs `body` on the database.
  ///
  /// It is run a second time, on a new database, when the first one turns out to be damaged: so it must do nothing but use the
  /// database.
  /// - Throws: what failed; told already by `warn`.
  func perform<Result>(_ body: (Database) throws(DatabaseError) -> Result) throws(DatabaseError) -> Result {
    do {
      do {
        return try attempt(body)
      } catch  where error.meansDamage {
        try replaceDamaged(because: error)
        return try attempt(body)
      }
    } catch {
      // What cannot be done to the copy that is read is because of what is wrong with the file.
      if isCopy, let trouble, case .readOnly = error.code { throw trouble }
      if told.insert(error.code.primary).inserted { warn(StoreWarning(consequence: .notStored, cause: error)) }
      throw error
    }
  }

  /// Runs `body` on the database, for what may as well not be done: no other program's lock is waited for, and where it fails that is
  /// neither told nor put right.
  /// - Returns: nil where it failed.
  @discardableResult
  func performAtOnce<Result>(_ body: (Database) throws(DatabaseError) -> Result) -> Result? {
    guard let database = try? openIfNeeded() else { return nil }
    return try? database.withoutWaiting { () throws(DatabaseError) in try body(database) }
  }

  /// Has `body` run within the next transaction that writes, in place of what waits for one already. Where it fails that is not told.
  func performLater(_ body: @escaping (Database) throws(DatabaseError) -> Void) { rider.body = body }

  /// What ``performLater(_:)`` was given is not to be done any more.
  /// - Returns: false where it has been done.
  @discardableResult
  func forgetLater() -> Bool {
    defer { rider.body = nil }
    return rider.body != nil
  }

  /// Does at once what ``performLater(_:)`` was given, if it was not done yet.
  func performWaiting() {
    guard rider.body != nil else { return }
    performAtOnce { database throws(DatabaseError) in try database.transaction { () throws(DatabaseError) in } }
    rider.body = nil
  }

  /// Calls `rescuer` each time that the database had to be begun anew, before anything else is done with the new one: what it
  /// knows of the old one it may put in.
  func onBegunAnew(_ rescuer: @escaping @Client () -> Void) { rescuers.append(rescuer) }

  /// Closes what is open, and so empties SQLite's log into the file. The next use opens it again; what was in memory is gone.
  func close() { close(waits: true) }

  private func close(waits: Bool) {
    state = .closed(waits: waits)
    trouble = nil
    isCopy = false
  }

  /// Opens what is to be read: the file, where one is wanted, or a copy of it.
  /// - Throws: why it is of no use; told already by `warn`.
  func requireReadable() throws(DatabaseError) {
    try perform { _ in }
    if let trouble, !isCopy { throw trouble }
  }

  /// Runs `body`, which adds to the copy that is read, if it is one, what is not in the file yet.
  func performOnCopyToo<Result>(
    _ body: (Database) throws(DatabaseError) -> Result
  ) throws(DatabaseError) -> Result {
    try perform { database throws(DatabaseError) in
      guard isCopy else { return try body(database) }
      try database.execute("PRAGMA query_only = OFF")
      defer { try? database.execute("PRAGMA query_only = ON") }
      return try body(database)
    }
  }

  /// Opens the file, where one is wanted.
  /// - Throws: why it is of no use; told already by `warn`.
  func requireFile() throws(DatabaseError) {
    try perform { _ in }
    if let trouble { throw trouble }
  }

  private func attempt<Result>(_ body: (Database) throws(DatabaseError) -> Result) throws(DatabaseError) -> Result {
    let database = try openIfNeeded()
    do {
      let result = try body(database)
      database.setPatience(true)
      if database.loggedPages >= StoreLimits.longLog { checkpoint(database) }
      return result
    } catch {
      if case .busy = error.code { database.setPatience(false) }
      throw error
    }
  }

  /// Has the log copied into the file by a connection of its own, beside the loop: a typed key would wait for the disk. What is written
  /// meanwhile is little, and done here, as the log begins anew only where all of it is in the file.
  private func checkpoint(_ database: Database) {
    guard !isCheckpointing, let path = database.path else { return }
    isCheckpointing = true
    EventLoop.main.start { [weak self, weak database] in
      // Where there is no thread, SQLite does it after one of the next commits.
      try? await EventLoop.main.offload { try Database(path: path, busyTimeout: 0).checkpoint() }
      self?.isCheckpointing = false
      database?.checkpoint()
    }
  }

  private func openIfNeeded() throws(DatabaseError) -> Database {
    if isCopy, isCopyOld { close(waits: false) }
    if case .open(let database) = state, database.hasMoved {
      // Another program found it damaged, and put it out of the way.
      beginAnew()
    }
    let database =
      switch state {
      case .open(let database): database
      // Where another part of the program has waited in vain, that was enough.
      case .closed(let waits):
        try open(waits: waits && file?.existingPath.map { copies?.holdsCopy(of: $0) ?? false } != true)
      }
    guard case .due = rescue else { return database }
    try rescue(into: database)
    return try openIfNeeded()
  }

  /// The file may be free by now that was locked, or is another one.
  private var isCopyOld: Bool {
    if case .busy? = trouble?.code { return true }
    guard let copies, let path = file?.existingPath else { return false }
    return !copies.isCurrent(path)
  }

  private func open(waits: Bool) throws(DatabaseError) -> Database {
    guard let file else { return try useMemory() }
    do {
      let database = try Database.ofAccount(path: try file.prepare(), busyTimeout: waits ? busyTimeout : 0)
      database.checkpointElsewhere()
      database.rider = rider
      state = .open(database)
      tellOfOpenFolder(file)
      return database
    } catch {
      let error = file.explained(error)
      // A damaged file is replaced, a locked one may be free the next time.
      if error.meansDamage { throw error }
      if case .busy = error.code {
        state = .closed(waits: false)
        return try lockedCopy(of: file, because: error)
      }
      return try useCopy(of: file, because: error)
    }
  }

  /// Where the file is to be read and no more, one that cannot be written to does; else memory takes its place.
  private func useCopy(of file: DatabaseFile, because error: DatabaseError) throws(DatabaseError) -> Database {
    guard error.leavesFileReadable, let path = file.existingPath else { return try useMemory(because: error) }
    // Whom a name means is not for another user to say.
    guard let copies else {
      return try useMemory(because: error, rosterOf: error.code.primary == .foreignFile ? nil : path)
    }
    do {
      return try useCopy(of: path, among: copies, because: error)
    } catch let failure {
      return try useMemory(because: failure.code == .schemaFromTheFuture ? failure : error)
    }
  }

  /// A file whose schema is still to be made, or brought up to date, while another program has it locked, is read as it is.
  private func lockedCopy(of file: DatabaseFile, because error: DatabaseError) throws(DatabaseError) -> Database {
    guard let copies, let path = file.existingPath, !PendingSignals.askToEnd,
      let copy = try? useCopy(of: path, among: copies, because: error)
    else { throw error }
    return copy
  }

  private func useCopy(
    of path: String, among copies: OpenDatabases, because error: DatabaseError
  ) throws(DatabaseError) -> Database {
    let copy = try copies.copy(of: path) { () throws(DatabaseError) in
      try Database.copyToRead(of: path, isLocked: error.isBusy, busyTimeout: busyTimeout)
    }
    state = .open(copy)
    isCopy = true
    trouble = error
    return copy
  }

  /// Once is enough.
  private func tellOfOpenFolder(_ file: DatabaseFile) {
    guard !hasToldOfOpenFolder, file.isFolderOpen else { return }
    hasToldOfOpenFolder = true
    warn(StoreWarning(consequence: .exchangeable(folder: file.directory)))
  }

  /// Puts a damaged file out of the way.
  private func replaceDamaged(because error: DatabaseError) throws(DatabaseError) {
    // Closed first: what SQLite would write at its closing belongs to the damaged file.
    beginAnew()
    guard let file else { return }
    do {
      let aside = try file.setAside()
      warn(StoreWarning(consequence: .startedAnew(damaged: aside), cause: error))
    } catch {
      try useMemory(because: error)
    }
  }

  private func beginAnew() {
    state = .closed(waits: true)
    // Should the new one be damaged in turn while it is filled, once is enough.
    if case .none = rescue { rescue = .due }
  }

  /// Has all rescuers put in what they know, in one go: nobody finds a part of it.
  /// - Throws: that another program has the new one locked: nothing is done with it before.
  private func rescue(into database: Database) throws(DatabaseError) {
    func callAll() {
      rescue = .running
      for rescuer in rescuers { rescuer() }
      rescue = .none
    }
    do {
      try database.transaction { () throws(DatabaseError) in callAll() }
    } catch {
      if case .busy = error.code {
        rescue = .due
        // Who has waited in vain does so once.
        database.setPatience(false)
        throw error
      }
      // Each by itself then, so that what can be put in is, and what cannot is told.
      callAll()
    }
  }

  @discardableResult
  private func useMemory(
    because error: DatabaseError? = nil, rosterOf path: String? = nil
  ) throws(DatabaseError) -> Database {
    let database = try Database.ofAccount(path: nil, busyTimeout: busyTimeout)
    // Contacts are shown without a connection, too, and changed at the server alone.
    if let path { try? RosterTable.bring(from: path, into: database, busyTimeout: busyTimeout) }
    database.rider = rider
    state = .open(database)
    if let error {
      trouble = error
      told.insert(error.code.primary)
      warn(StoreWarning(consequence: .keptInMemory, cause: error))
    }
    return database
  }
}

extension DatabaseError {
  /// The file may be whole, and is only not to be written to by us.
  fileprivate var leavesFileReadable: Bool { [.readOnly, .cannotOpen, .foreignFile, .noLocks].contains(code.primary) }

  /// Whether the file is of no use any more.
  fileprivate var meansDamage: Bool {
    switch code {
    case .corrupt, .notADatabase: true
    default: false
    }
  }
}
