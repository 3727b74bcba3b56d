// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawCommands

/// Texts that were folded at the prompt, the newest of them kept for `/show`, up to a budget of bytes.
struct FoldedTexts {
  /// What was folded, as it came.
  enum Content {
    case entry(TextEntry)
    /// A row of a command.
    case row([Cell])

    fileprivate var bytes: Int {
      switch self {
      case .entry(let entry): entry.label.text.utf8.count + entry.body.utf8.count
      case .row(let cells): cells.reduce(0) { $0 + $1.text.utf8.count }
      }
    }
  }

  /// Counts from 1; never given twice.
  private var last = 0
  private var kept: [(number: Int, content: Content)] = []
  private var bytes = 0

  /// Keeps a text; older ones make room for it.
  /// - Returns: its number.
  mutating func add(_ content: Content) -> Int {
    last += 1
    kept.append((last, content))
    bytes += Self.cost(content)
    while bytes > TerminalLimits.foldedBytes, kept.count > 1 { bytes -= Self.cost(kept.removeFirst().content) }
    return last
  }

  /// The text of this number; nil: the last one.
  func content(_ number: Int?) -> Content? {
    guard let number else { return kept.last?.content }
    return kept.first { $0.number == number }?.content
  }

  /// The numbers of those that are kept.
  var numbers: [Int] { kept.map(\.number) }

  /// What a text takes in memory, with what is around it.
  private static func cost(_ content: Content) -> Int { content.bytes + 256 }
}

/// Finished lines, as many of them as are shown of one text at the prompt.
struct FoldedRows {
  var shown: String
  /// How many rows are not shown.
  var hidden: Int

  /// - Parameter lines: whole lines, each with its newline.
  init(_ lines: String) {
    var rows = 0
    var end: String.Index?
    var text = lines
    text.makeContiguousUTF8()
    let view = text.utf8
    var index = view.startIndex
    while index < view.endIndex {
      let next = view.index(after: index)
      if view[index] == 0x0A {
        rows += 1
        if rows == TerminalLimits.foldedRows { end = next }
      }
      index = next
    }
    hidden = max(0, rows - TerminalLimits.foldedRows)
    shown = hidden > 0 ? String(text[..<(end ?? text.endIndex)]) : text
  }

  /// Rows of all kinds: those that are shown and those that are not.
  var count: Int {
    hidden > 0 ? hidden + TerminalLimits.foldedRows : shown.utf8.reduce(0) { $0 + ($1 == 0x0A ? 1 : 0) }
  }
}
