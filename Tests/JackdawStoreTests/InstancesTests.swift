// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import Testing

@testable import JackdawStore

/// Which of several programs one is.
@Client @Suite struct InstancesTests {
  private let folder = TemporaryFolder()
  private let file: DatabaseFile

  init() throws { file = DatabaseFile(directory: folder.path, account: try JID("alice@example.org")) }

  @Test func eachHasTheLowestNumberThatIsFree() {
    let first = Instances(file: file, kind: .staying)
    var second: Instances? = Instances(file: file, kind: .staying)
    let third = Instances(file: file, kind: .staying)
    #expect([first.own, second?.own, third.own] == [0, 1, 2])
    #expect(first.isRunning(1) && third.isRunning(1) && first.isRunning(0))
    second = nil
    #expect(!first.isRunning(1))
    #expect(Instances(file: file, kind: .staying).own == 1)
  }

  @Test func commandsDoNotTakeThePlacesOfThoseThatStay() {
    let command = Instances(file: file, kind: .command)
    let staying = Instances(file: file, kind: .staying)
    #expect(command.own == StoreLimits.firstCommand)
    #expect(staying.own == 0)
    #expect(staying.isRunning(StoreLimits.firstCommand))
  }

  /// However many there are, none has another's, and none is taken for a single command.
  @Test func thereIsANumberForEach() {
    let many = (0..<StoreLimits.firstCommand + 5).map { _ in Instances(file: file, kind: .staying) }
    let numbers = many.map(\.own)
    #expect(Set(numbers).count == numbers.count)
    #expect(!numbers.contains(StoreLimits.firstCommand))
    #expect(many.allSatisfy { many[0].isRunning($0.own) })
  }

  /// Opening and closing the file once more drops no lock, as it would with the process's own.
  @Test func numbersAreKeptWhateverElseIsOpened() throws {
    let first = Instances(file: file, kind: .staying)
    #expect(first.own == 0)
    #expect(folder.mode(of: "alice@example.org.sqlite3-lock") == 0o600)
    _ = folder.contents(of: "alice@example.org.sqlite3-lock")
    #expect(Instances(file: file, kind: .staying).own == 1)
  }

  @Test func whereNothingCanBeLockedNobodyIsTakenForDead() throws {
    let nowhere = DatabaseFile(directory: "/proc/jackdaw", account: try JID("alice@example.org"))
    let instances = Instances(file: nowhere, kind: .staying)
    #expect(instances.own == StoreLimits.unlockedInstance)
    #expect(instances.isRunning(instances.own))
  }
}
