// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
import JackdawLoop
import JackdawProtocol
import Testing

@testable import JackdawStore

/// Which of several programs one is.
@Client @Suite struct InstancesTests {
  private let folder = TemporaryFolder()
  private let file: DatabaseFile

  init() throws { file = DatabaseFile(directory: folder.path, account: try JID("alice@example.org")) }

  @Test("Each program has the lowest number that is free") func eachHasTheLowestNumberThatIsFree() {
    let first = Instances(file: file, kind: .longRunning)
    var second: Instances? = Instances(file: file, kind: .longRunning)
    let third = Instances(file: file, kind: .longRunning)
    #expect([first.own, second?.own, third.own] == [0, 1, 2])
    #expect(first.isRunning(1) && third.isRunning(1) && first.isRunning(0))
    second = nil
    #expect(!first.isRunning(1))
    #expect(Instances(file: file, kind: .longRunning).own == 1)
  }

  @Test("Commands do not take the numbers of programs that keep running")
  func commandsDoNotTakeThePlacesOfThoseThatStay() {
    let command = Instances(file: file, kind: .command)
    let staying = Instances(file: file, kind: .longRunning)
    #expect(command.own == StoreLimits.firstCommand)
    #expect(staying.own == 0)
    #expect(staying.isRunning(StoreLimits.firstCommand))
  }

  @Test("Single commands are not taken for a program that remains online")
  func whetherOneStays() {
    let path = folder.path + "/alice@example.org.sqlite3"
    #expect(!Instances.anyLongRunning(on: path) && !Instances.anyRuns(on: path))
    let command = Instances(file: file, kind: .command)
    #expect(command.own == StoreLimits.firstCommand)
    #expect(!Instances.anyLongRunning(on: path) && Instances.anyRuns(on: path))
    var staying: Instances? = Instances(file: file, kind: .longRunning)
    #expect(staying?.own == 0)
    #expect(Instances.anyLongRunning(on: path))
    staying = nil
    #expect(!Instances.anyLongRunning(on: path))
    // One beside so many others that it has a number beyond the commands'.
    let others = open(path + "-lock", O_RDWR | O_CLOEXEC)
    defer { close(others) }
    var lock = flock()
    (lock.l_type, lock.l_whence) = (Int16(F_WRLCK), Int16(SEEK_SET))
    (lock.l_start, lock.l_len) = (off_t(StoreLimits.furtherLongRunning + 3), 1)
    // F_OFD_SETLK, as the instances' own.
    #expect(fcntl(others, 37, &lock) == 0)
    #expect(Instances.anyLongRunning(on: path))
  }

  /// However many there are, none has another's, and none is taken for a single command. Nearly all are one descriptor here: a
  /// process may have no more than 1,024.
  @Test("There is a number for each program") func thereIsANumberForEach() {
    let first = Instances(file: file, kind: .longRunning)
    #expect(first.own == 0)
    let others = open("\(folder.path)/alice@example.org.sqlite3-lock", O_RDWR | O_CLOEXEC)
    defer { close(others) }
    var lock = flock()
    (lock.l_type, lock.l_whence) = (Int16(F_WRLCK), Int16(SEEK_SET))
    (lock.l_start, lock.l_len) = (1, off_t(StoreLimits.firstCommand - 3))
    // F_OFD_SETLK, as the instances' own.
    #expect(fcntl(others, 37, &lock) == 0)
    let last = (0..<5).map { _ in Instances(file: file, kind: .longRunning) }
    let further = StoreLimits.furtherLongRunning
    #expect(last.map(\.own) == [998, 999, further, further + 1, further + 2])
    #expect(([1, 500, 997] + last.map(\.own)).allSatisfy { first.isRunning($0) })
    #expect(!first.isRunning(StoreLimits.firstCommand))
  }

  /// Opening and closing the file once more drops no lock, as it would with the process's own.
  @Test("Numbers stay locked though the program opens and closes the lock file again")
  func numbersAreKeptWhateverElseIsOpened() throws {
    let first = Instances(file: file, kind: .longRunning)
    #expect(first.own == 0)
    #expect(folder.mode(of: "alice@example.org.sqlite3-lock") == 0o600)
    _ = folder.contents(of: "alice@example.org.sqlite3-lock")
    #expect(Instances(file: file, kind: .longRunning).own == 1)
  }

  @Test("Where files cannot be locked no program is taken for dead")
  func whereNothingCanBeLockedNobodyIsTakenForDead() throws {
    let nowhere = DatabaseFile(directory: "/proc/jackdaw", account: try JID("alice@example.org"))
    let instances = Instances(file: nowhere, kind: .longRunning)
    #expect(instances.own == StoreLimits.unlockedInstance)
    #expect(instances.isRunning(instances.own))
  }
}
