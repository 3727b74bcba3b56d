// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
import Testing

@testable import JackdawTerminal

/// Each test has a directory of its own.
@Suite final class HistoryFileTests {
  private let directory: String
  private var path: String { directory + "/history" }
  private var file: HistoryFile { HistoryFile(path: path) }

  init() {
    var template = Array("/tmp/jackdaw-history-XXXXXX".utf8CString)
    let made = template.withUnsafeMutableBufferPointer { $0.baseAddress.flatMap { mkdtemp($0) } != nil }
    #expect(made)
    directory = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit {
    unlink(path)
    unlink(directory + "/elsewhere")
    rmdir(directory)
  }

  private func write(_ text: String, to path: String, mode: mode_t = 0o600) throws {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC, mode)
    try #require(descriptor >= 0)
    defer { close(descriptor) }
    let bytes = Array(text.utf8)
    try #require(Glibc.write(descriptor, bytes, bytes.count) == bytes.count)
  }

  private func mode(of path: String) throws -> mode_t {
    var status = stat()
    try #require(stat(path, &status) == 0)
    return status.st_mode & 0o777
  }

  @Test("Without a file there is no history and no failure") func withoutAFileThereIsNoHistoryAndNoFailure() throws {
    #expect(try file.load().isEmpty)
  }

  @Test("Entries survive, of several lines and with backslashes too")
  func entriesSurviveOfSeveralLinesAndWithBackslashesToo() throws {
    let entries = ["one", "two\nlines", "back\\slash", "\\n", "ends with \\", "ünïcödé"]
    for entry in entries { try file.append(entry) }
    #expect(try file.load() == entries)
  }

  @Test("An entry that ends in a carriage return stays apart from the next")
  func anEntryThatEndsInACarriageReturnStaysApart() throws {
    for entry in ["one\r", "two", "three\r\nfour"] { try file.append(entry) }
    #expect(try file.load() == ["one\r", "two", "three\r\nfour"])
  }

  @Test("Only the user can read the file, whatever the umask") func onlyTheUserCanReadTheFile() throws {
    let before = umask(0)
    defer { umask(before) }
    try file.append("secret")
    #expect(try mode(of: path) == 0o600)
  }

  @Test("A file that others can read is closed to them") func aFileThatOthersCanReadIsClosedToThem() throws {
    try write("old\n", to: path)
    chmod(path, 0o644)
    #expect(try file.load() == ["old"])
    #expect(try mode(of: path) == 0o600)
  }

  @Test("No symbolic link is followed") func noSymbolicLinkIsFollowed() throws {
    try write("kept", to: directory + "/elsewhere")
    try #require(symlink(directory + "/elsewhere", path) == 0)
    #expect(throws: HistoryFile.Failure.self) { try file.append("x") }
    #expect(throws: HistoryFile.Failure.self) { try file.load() }
    #expect(try HistoryFile(path: directory + "/elsewhere").load() == ["kept"])
  }

  @Test("A file that is far beyond its limit is cut to the last entries")
  func aFileThatIsFarBeyondItsLimitIsCut() throws {
    let count = 3 * TerminalLimits.historyEntries
    try write((0..<count).map { "entry \($0)\n" }.joined(), to: path)
    let loaded = try file.load()
    #expect(loaded.count == TerminalLimits.historyEntries)
    #expect(loaded.last == "entry \(count - 1)")
    var status = stat()
    try #require(stat(path, &status) == 0)
    #expect(status.st_size < 20 * TerminalLimits.historyEntries)
    #expect(try mode(of: path) == 0o600)
    #expect(try file.load() == loaded)
  }

  @Test("An entry that a crash cut short harms no other") func anEntryThatACrashCutShortHarmsNoOther() throws {
    try write("whole\nhal", to: path)
    try file.append("next")
    #expect(try file.load() == ["whole", "hal", "next"])
  }

  @Test("A directory or a pipe in its place is a failure, not a hang")
  func aDirectoryOrAPipeInItsPlaceIsAFailure() throws {
    try #require(mkfifo(path, 0o600) == 0)
    #expect(throws: HistoryFile.Failure.self) { try file.append("x") }
    #expect(throws: HistoryFile.Failure.self) { try file.load() }
  }
}
