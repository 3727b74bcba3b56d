// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawSession

/// The rows that are collected for the answer to a command's request.
struct AnswerRows {
  /// As JSON. Bounded by ``CommandLimits/agentAnswer``.
  private var rows: [[UInt8]] = []
  private var bytes = 0
  /// They are more than an answer may have: none of them goes out.
  private(set) var isTooLong = false

  /// Whether a row is the `error` object of Docs/JSON.md.
  static func isError(_ row: [UInt8]) -> Bool { row.starts(with: errorStart) }

  private static let errorStart = Array(#"{"event":"error""#.utf8)

  /// Adds a row. Of errors no more than fit are kept: the last of those is enough for an answer.
  /// - Returns: false, once: there are too many.
  mutating func add(_ row: [UInt8]) -> Bool {
    bytes += row.count
    if bytes <= CommandLimits.agentAnswer {
      rows.append(row)
      return true
    }
    guard !isTooLong, !Self.isError(row) else { return true }
    isTooLong = true
    rows = []
    return false
  }

  /// All of them, with commas between.
  var joined: [UInt8] { Array(rows.joined(separator: [UInt8(ascii: ",")])) }

  /// The last that is an error.
  var error: [UInt8]? { rows.last { Self.isError($0) } }

  /// What the last error says.
  var errorText: String? {
    guard let error else { return nil }
    var reader = JSONReader(error)
    return (try? reader.value())?["text"].text
  }
}
