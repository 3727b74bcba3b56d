// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawCommands
import JackdawLoop

/// Long texts at the prompt: their beginning is shown, the whole when asked for.
extension TextOutput {
  /// Whether somebody sits there whose screen a text must not fill.
  var folds: Bool { isPrompt && out.columns != nil }

  /// Writes a text; at the prompt its beginning, if it is long. What is not shown of one that is much longer than that is not even
  /// looked at: how many lines it has is estimated.
  func write(_ entry: TextEntry, in layout: EntryLayout) {
    guard folds else {
      if let line = entry.plain(layout) { return out.write(line) }
      return put(entry.lines(layout))
    }
    if entry.isSpoiler, !entry.isOurs {
      var head = entry
      head.body = "/show \(folded.add(.entry(entry)))"
      head.hits = []
      return put(head.lines(layout))
    }
    let total = entry.body.utf8.count
    guard total > TerminalLimits.foldedHead else {
      let rows = FoldedRows(entry.lines(layout))
      return write(rows, hidden: rows.hidden, .entry(entry))
    }
    let head = entry.body.unicodeScalars.prefix(TerminalLimits.foldedHead / 4)
    let rows = FoldedRows(entry.lines(of: Substring(head), layout))
    let estimated = rows.count * total / max(1, head.reduce(0) { $0 + UTF8.width($1) })
    write(rows, hidden: max(1, estimated - min(rows.count, TerminalLimits.foldedRows)), .entry(entry), isEstimate: true)
  }

  /// Writes the lines of a command's row in the same way.
  func write(_ lines: String, of cells: [Cell]) {
    guard folds else { return put(lines) }
    let rows = FoldedRows(lines)
    write(rows, hidden: rows.hidden, .row(cells))
  }

  private func write(
    _ rows: FoldedRows, hidden: Int, _ content: @autoclosure () -> FoldedTexts.Content, isEstimate: Bool = false
  ) {
    guard hidden > 0 else { return put(rows.shown) }
    let number = folded.add(content())
    let count = isEstimate ? "about " + Self.grouped(Self.rounded(hidden)) : Self.grouped(hidden)
    let words = "\(count) more line\(hidden == 1 ? "" : "s"): /show \(number)"
    put(rows.shown + out.style.paint(EntryLayout.foldMark + words, .mark) + "\n")
  }

  /// The first two digits, the rest zeros.
  private static func rounded(_ number: Int) -> Int {
    var unit = 1
    while number / unit >= 100 { unit *= 10 }
    return number / unit * unit
  }

  /// `18,000`
  private static func grouped(_ number: Int) -> String {
    var text = ""
    for (place, digit) in String(number).reversed().enumerated() {
      if place > 0, place % 3 == 0 { text.insert(",", at: text.startIndex) }
      text.insert(digit, at: text.startIndex)
    }
    return text
  }

  // MARK: Output

  package var foldedNumbers: [Int] { folded.numbers }

  package func unfolding(_ number: Int?) -> (any Unfolding)? {
    folded.content(number).map { WholeText($0, on: self) }
  }

  fileprivate func show(whole content: FoldedTexts.Content, _ part: Substring) {
    endRows()
    switch content {
    case .entry(let entry): put(entry.lines(of: part, lines.layout))
    case .row(let cells):
      let row = TableLayout.Row(cells)
      var layout = TableLayout(style: out.style, columns: out.columns ?? TerminalLimits.usualColumns)
      layout.widen(for: row)
      put(layout.lines(of: row))
    }
  }
}

/// A text that was folded, printed piece by piece.
@Client private final class WholeText: Unfolding {
  private let content: FoldedTexts.Content
  private let output: TextOutput
  /// What is still to be printed of an entry's body.
  private var rest: Substring

  init(_ content: FoldedTexts.Content, on output: TextOutput) {
    self.content = content
    self.output = output
    rest = if case .entry(let entry) = content { entry.body[...] } else { "" }
  }

  func printNext() -> Bool {
    let end = endOfPiece()
    let piece = rest[..<end]
    rest = rest[end...]
    // The newline between two pieces belongs to neither.
    if !rest.isEmpty { rest = Substring(rest.unicodeScalars.dropFirst()) }
    let isWhole = end == piece.base.endIndex
    output.show(whole: content, piece)
    return !isWhole
  }

  /// At a newline, so that no line is parted: the last one in the piece, or, where there is none, the next one.
  private func endOfPiece() -> Substring.Index {
    let bytes = rest.utf8
    guard let limit = bytes.index(bytes.startIndex, offsetBy: TerminalLimits.unfoldedPiece, limitedBy: bytes.endIndex)
    else { return bytes.endIndex }
    return bytes[..<limit].lastIndex(of: 0x0A) ?? bytes[limit...].firstIndex(of: 0x0A) ?? bytes.endIndex
  }
}
