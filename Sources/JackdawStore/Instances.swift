// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
import JackdawLoop

/// Which of the programs that use one account's database this one is: each that runs has a number of its own, the lowest that was
/// free when it began, and what it writes carries that number.
///
/// A number is a locked byte of a file beside the database. The lock ends with the program, however it ends: so it can
/// always be told which of those that wrote something still run.
@Client final class Instances {
  /// Programs that remain online (the prompt, scripts, agents), and single commands, which come and go and have numbers of their own.
  enum Kind: Sendable {
    case longRunning
    case command

    /// The lowest number of one.
    var first: Int { self == .longRunning ? 0 : StoreLimits.firstCommand }
  }

  private let file: DatabaseFile?
  let kind: Kind
  private var descriptor: Int32 = -1
  private var taken: Int?

  /// - Parameter file: the database; nil: one in memory, which nobody else has.
  init(file: DatabaseFile?, kind: Kind) {
    self.file = file
    self.kind = kind
  }

  isolated deinit {
    guard descriptor >= 0 else { return }
    // A program that is just being started has a copy of the descriptor, and with it the lock, for a moment longer.
    if let taken, taken >= 0 {
      var lock = Self.lock(taken)
      lock.l_type = Int16(F_UNLCK)
      _ = fcntl(descriptor, Self.setLock, &lock)
    }
    close(descriptor)
  }

  /// This program's number, taken at the first call. Where nothing can be locked (a folder that is not to be written to), it is
  /// one that nobody else's is, and that nobody takes over.
  var own: Int {
    if let taken { return taken }
    let number = take() ?? StoreLimits.unlockedInstance
    taken = number
    return number
  }

  /// Whether the program of this number runs, this one included.
  func isRunning(_ number: Int) -> Bool {
    if number == own { return true }
    guard descriptor >= 0 else { return false }
    var lock = Self.lock(number)
    return fcntl(descriptor, Self.getLock, &lock) == 0 && Int32(lock.l_type) != F_UNLCK
  }

  /// Whether another program runs that is no single command.
  var hasAnotherLongRunning: Bool {
    guard own >= 0, descriptor >= 0 else { return false }
    var lock = Self.lock(Kind.longRunning.first)
    lock.l_len = off_t(StoreLimits.firstCommand)
    return fcntl(descriptor, Self.getLock, &lock) == 0 && Int32(lock.l_type) != F_UNLCK
  }

  /// The folder may have been removed while the program runs, and others lock the bytes of another file now: whoever is to be told
  /// from them takes a number there.
  func followFile() {
    guard descriptor >= 0, let path = try? file?.prepareFolder() else { return }
    var own = stat()
    var present = stat()
    let isThere = stat(path + StoreLimits.lockSuffix, &present) == 0
    guard fstat(descriptor, &own) == 0, !isThere || own.st_ino != present.st_ino || own.st_dev != present.st_dev
    else { return }
    close(descriptor)
    descriptor = -1
    taken = nil
  }

  /// Whether any program runs that uses the database of `path`, but for one that only reads it.
  static func anyRuns(on path: String) -> Bool { isLocked(path, [(first: 0, count: 0)]) }

  /// Whether any runs that is no single command.
  static func anyLongRunning(on path: String) -> Bool {
    isLocked(path, [(first: 0, count: StoreLimits.firstCommand), (first: StoreLimits.furtherLongRunning, count: 0)])
  }

  /// - Parameter ranges: of numbers; without a count: all from the first on.
  private static func isLocked(_ path: String, _ ranges: [(first: Int, count: Int)]) -> Bool {
    let descriptor = Glibc.open(path + StoreLimits.lockSuffix, O_RDWR | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return ranges.contains { range in
      var lock = lock(range.first)
      lock.l_len = off_t(range.count)
      return fcntl(descriptor, getLock, &lock) == 0 && Int32(lock.l_type) != F_UNLCK
    }
  }

  /// Why nothing can be locked in the folder of `path`, whoever tries: an errno; nil: it can, or that cannot be found out.
  static func lackOfLocks(at path: String) -> Int32? {
    let descriptor = Glibc.open(path + StoreLimits.lockSuffix, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var lock = lock(Kind.longRunning.first)
    guard fcntl(descriptor, getLock, &lock) != 0 else { return nil }
    return [ENOLCK, ENOSYS, EOPNOTSUPP].contains(errno) ? errno : nil
  }

  // MARK: The file

  private func take() -> Int? {
    guard let file else { return kind.first }
    guard descriptor >= 0 || open(file) else { return nil }
    var number = kind.first
    while true {
      var lock = Self.lock(number)
      if fcntl(descriptor, Self.setLock, &lock) == 0 { return number }
      // Anything else than that somebody has it holds for all of them.
      guard errno == EAGAIN || errno == EACCES else { return nil }
      number += 1
      if number == StoreLimits.firstCommand, kind == .longRunning { number = StoreLimits.furtherLongRunning }
    }
  }

  private func open(_ file: DatabaseFile) -> Bool {
    guard let path = try? file.prepareFolder() else { return false }
    descriptor = Glibc.open(path + StoreLimits.lockSuffix, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
    return descriptor >= 0
  }

  private static func lock(_ number: Int) -> flock {
    var lock = flock()
    lock.l_type = Int16(F_WRLCK)
    lock.l_whence = Int16(SEEK_SET)
    lock.l_start = off_t(number)
    lock.l_len = 1
    return lock
  }

  // Locks of the open file and not of the process (fcntl(2)): they do not end with another descriptor of the same file. Glibc's
  // module does not have these two names.
  private static let getLock: Int32 = 36
  private static let setLock: Int32 = 37
}
