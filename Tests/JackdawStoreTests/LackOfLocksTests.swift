// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
import JackdawLoop
import JackdawProtocol
import Support
import Testing

@testable import JackdawStore

@Client @Suite("A file system without locks", .onLoop)
struct LackOfLocksTests {
  private let folder = TemporaryFolder()

  private func file() throws -> DatabaseFile {
    let file = DatabaseFile(directory: folder.path, account: try JID("alice@example.org"))
    _ = try file.prepare()
    return file
  }

  @Test(
    "is named where SQLite says that another program has the file, or that the disk failed, and nowhere else",
    arguments: [
      (DatabaseError.Code.busy, DatabaseError.Code.noLocks), (.inputOutput, .noLocks), (.corrupt, .corrupt),
      (.full, .full), (.readOnly, .readOnly),
    ])
  func named(code: DatabaseError.Code, explained: DatabaseError.Code) throws {
    let error = DatabaseError(code: code, message: "?")
    let told = try file().explained(error, lackOfLocks: { _ in ENOLCK })
    #expect(told.code == explained && !told.isBusy)
    if explained == .noLocks {
      #expect(told.description.contains(folder.path) && told.description.contains("--data-dir"))
    }
    #expect(try file().explained(error, lackOfLocks: { _ in nil }).code == code)
  }

  @Test("is told from one that has them, whoever has a file of it locked")
  func thisOne() throws {
    let file = try file()
    let path = try #require(file.existingPath)
    #expect(Instances.lackOfLocks(at: path) == nil)
    let other = Instances(file: file, kind: .longRunning)
    #expect(other.own == 0 && Instances.lackOfLocks(at: path) == nil)
    #expect(other.isRunning(0) && Instances.anyRuns(on: path))
  }
}
