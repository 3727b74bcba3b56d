// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

extension Screen {
  /// Another width, as VTE, kitty, foot and tmux take it: what went on in the next row because one was full is one line, and
  /// is broken anew; the cursor goes with its character. What has scrolled off stays as it is.
  mutating func reflow(columns: Int) {
    var rewrapped: [Row] = []
    var cursor = (row: 0, column: 0)
    var start = grid.startIndex
    let last = grid.lastIndex { !$0.text.isEmpty } ?? 0
    while start <= max(last, cursorRow) {
      var end = start
      while grid[end].wrapped, end + 1 < grid.endIndex { end += 1 }
      var line = grid[start...end].flatMap(\.cells)
      let offset = (start...end).contains(cursorRow) ? (cursorRow - start) * self.columns + cursorColumn : nil
      while let cell = line.last, cell == Cell(), line.count > (offset ?? -1) + 1 { line.removeLast() }
      let first = rewrapped.count
      let rows = Self.rows(of: line, columns: columns, cursor: offset)
      rewrapped += rows.rows
      if let place = rows.cursor { cursor = (first + place.row, place.column) }
      start = end + 1
    }
    while rewrapped.count > rows { scrollback.append(rewrapped.removeFirst().text); cursor.row -= 1 }
    while rewrapped.count < rows { rewrapped.append(Row(columns: columns)) }
    grid = rewrapped
    self.columns = columns
    (cursorRow, cursorColumn) = (max(0, cursor.row), min(cursor.column, columns - 1))
    wrapPending = false
  }

  /// The rows of one line, and where the cell at an offset of it stands.
  private static func rows(
    of line: [Cell], columns: Int, cursor: Int?
  ) -> (rows: [Row], cursor: (row: Int, column: Int)?) {
    var rows = [Row(columns: columns)]
    var column = 0
    var place: (row: Int, column: Int)?
    for (index, cell) in line.enumerated() {
      let isWide = index + 1 < line.count && line[index + 1].text.isEmpty
      if column + (isWide ? 2 : 1) > columns {
        rows[rows.count - 1].wrapped = true
        rows.append(Row(columns: columns))
        column = 0
      }
      rows[rows.count - 1].cells[column] = cell
      if index == cursor { place = (rows.count - 1, column) }
      column += 1
    }
    return (rows, place)
  }
}

extension Screen {
  /// What is to be said to the program now.
  mutating func takeAnswers() -> String {
    defer { answers = [] }
    return answers.joined()
  }
}
