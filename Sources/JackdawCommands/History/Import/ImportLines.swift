// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
import JackdawLoop

/// Lines of a file or of stdin, of which no more is held than one.
@Client final class ImportLines {
  private let path: String
  private let descriptor: Int32
  private let input: (any LineSource)?
  /// What was read and not given yet. Bounded by ``CommandLimits/importedLineBytes`` and a piece.
  private var buffer: [UInt8] = []
  private var start = 0
  private var isAtEnd = false
  private var isTooLong = false
  /// Of the last line that was given, from 1.
  private(set) var number: Int64 = 0

  /// - Throws: ``CommandFailure`` with code 65 when it cannot be read.
  init(path: String) throws(CommandFailure) {
    self.path = path
    input = nil
    descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw ImportFile.unreadable(path, errno) }
  }

  init(_ input: any LineSource) {
    self.input = input
    path = "stdin"
    descriptor = -1
  }

  isolated deinit { if descriptor >= 0 { close(descriptor) } }

  /// The next line, or what is wrong with it; nil: that was all.
  /// - Throws: ``CommandFailure`` where reading fails; `CancellationError`.
  func next() async throws -> Result<String, ImportProblem>? {
    number += 1
    guard let input else { return try nextOfFile() }
    do throws(CommandFailure) {
      return try await input.nextLine().map { .success(number == 1 ? Self.unmarked($0) : $0) }
    } catch {
      guard error.code == .badInput else { throw error }
      return .failure(error.condition == "too-long" ? Self.tooLong : Self.notText)
    }
  }

  private func nextOfFile() throws(CommandFailure) -> Result<String, ImportProblem>? {
    var searched = start
    while true {
      if let end = buffer[searched...].firstIndex(of: 0x0A) {
        defer { start = end + 1 }
        return line(start..<end)
      }
      searched = buffer.endIndex
      if isAtEnd {
        guard start < buffer.endIndex || isTooLong else { return nil }
        defer { start = buffer.endIndex }
        return line(start..<buffer.endIndex)
      }
      if searched - start > CommandLimits.importedLineBytes {
        isTooLong = true
        start = searched
      }
      buffer.removeFirst(start)
      searched -= start
      start = 0
      try fill()
    }
  }

  private func line(_ range: Range<Int>) -> Result<String, ImportProblem> {
    if isTooLong || range.count > CommandLimits.importedLineBytes {
      isTooLong = false
      return .failure(Self.tooLong)
    }
    guard let text = String(validating: buffer[range], as: UTF8.self) else { return .failure(Self.notText) }
    let line = text.utf8.last == 0x0D ? String(text.unicodeScalars.dropLast()) : text
    return .success(number == 1 ? Self.unmarked(line) : line)
  }

  private func fill() throws(CommandFailure) {
    let size = 1 << 16
    var piece = [UInt8](repeating: 0, count: size)
    while true {
      let count = read(descriptor, &piece, size)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw ImportFile.unreadable(path, errno) }
      isAtEnd = count == 0
      buffer += piece.prefix(count)
      return
    }
  }

  /// Without the mark that some editors put in front.
  private static func unmarked(_ line: String) -> String {
    line.unicodeScalars.first == "\u{FEFF}" ? String(line.unicodeScalars.dropFirst()) : line
  }

  private static let tooLong = ImportProblem("is too long")
  private static let notText = ImportProblem("is not UTF-8")
}
