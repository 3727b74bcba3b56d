// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// Reads CSV (RFC 4180) row by row; a line feed alone ends a row too. A row that is wrong does not spoil the next.
struct CSVReader {
  /// One row, or why it is none.
  struct Row: Equatable {
    /// The line that it begins in, from 1.
    var line: Int
    var fields: Result<[String], ContactProblem>
  }

  private let bytes: [UInt8]
  private var index = 0
  private var line = 1
  /// How often a byte was looked at, for tests.
  private(set) var looks = 0
  /// Bytes that rows looked at in vain, behind the line that they begin in.
  private var lookedInVain = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The next row; nil at the end. Empty lines are none.
  mutating func next() -> Row? {
    while skipLineEnd() {}
    guard index < bytes.count else { return nil }
    let first = line
    let start = index
    do throws(ContactProblem) {
      var fields: [String] = []
      repeat { fields.append(try field()) } while take(0x2C)
      guard skipLineEnd() || index == bytes.count else {
        throw ContactProblem("has something behind a closing quote")
      }
      return Row(line: first, fields: .success(fields))
    } catch {
      // An open quote may have taken all the rest with it: what follows its line is still to be read.
      let reached = index
      index = bytes[start...].firstIndex(of: 0x0A).map { $0 + 1 } ?? bytes.count
      lookedInVain += max(0, reached - index)
      line = first + 1
      return Row(line: first, fields: .failure(error))
    }
  }

  private mutating func field() throws(ContactProblem) -> String {
    guard take(0x22) else {
      let start = index
      while index < bytes.count, bytes[index] != 0x2C, !isLineEnd { index += 1 }
      looks += index - start
      return try text(bytes[start..<index])
    }
    var quoted: [UInt8] = []
    while index < bytes.count {
      let byte = bytes[index]
      index += 1
      looks += 1
      if byte == 0x22, !take(0x22) { return try text(quoted[...]) }
      if byte == 0x0A {
        // Where each line opens a quote that none closes, each row would be read to the end of the file: once as much as the
        // whole file is enough, and from then on a row ends with its line.
        guard lookedInVain <= bytes.count else { break }
        line += 1
      }
      quoted.append(byte)
    }
    throw ContactProblem("has an opening quote and no closing one")
  }

  private func text(_ bytes: ArraySlice<UInt8>) throws(ContactProblem) -> String {
    guard let text = String(validating: bytes, as: UTF8.self) else { throw ContactProblem("is not UTF-8") }
    return text
  }

  private var isLineEnd: Bool {
    bytes[index] == 0x0A || bytes[index] == 0x0D && index + 1 < bytes.count && bytes[index + 1] == 0x0A
  }

  private mutating func skipLineEnd() -> Bool {
    guard index < bytes.count, isLineEnd else { return false }
    index += bytes[index] == 0x0D ? 2 : 1
    line += 1
    return true
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard index < bytes.count, bytes[index] == byte else { return false }
    index += 1
    return true
  }
}
