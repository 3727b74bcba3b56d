// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc

/// What a terminal would show after the bytes that a program wrote: enough of a VT100, as xterm and tmux have it, to
/// assert what a person sees.
///
/// Widths are those of `wcwidth`: each scalar for itself, so emoji joined by U+200D take the cells of each.
/// Resizing reflows where ``reflows`` says so. Unknown sequences are swallowed and kept in `ignored`.
package struct Screen: Sendable {
  /// How a cell is painted.
  package struct Style: Sendable, Equatable {
    package var bold = false
    package var dim = false
    package var italic = false
    package var underlined = false
    package var reversed = false
    /// The parameters of SGR that chose it, `31` or `38;5;208`; nil is the terminal's own colour.
    package var foreground: String?
    package var background: String?

    /// The terminal's own.
    package init(background: String? = nil) { self.background = background }
  }

  /// One column of one line; the second column of a wide character has an empty text.
  struct Cell: Sendable, Equatable {
    var text = " "
    var style = Style()
  }

  struct Row: Sendable {
    var cells: [Cell]
    /// The text went on in the next row because this one was full.
    var wrapped = false

    init(columns: Int) { cells = Array(repeating: Cell(), count: columns) }

    /// Without the spaces at its end. Asked of every row with each piece of output, so it is put together by the plainest means.
    var text: String {
      var count = cells.count
      while count > 0, cells[count - 1].text == " " { count -= 1 }
      return text(of: count)
    }

    /// With the spaces at its end.
    var wholeText: String { text(of: cells.count) }

    private func text(of count: Int) -> String {
      var text = ""
      for column in 0..<count { text += cells[column].text }
      return text
    }
  }

  package internal(set) var columns: Int
  package internal(set) var rows: Int
  /// From 0.
  package internal(set) var cursorRow = 0
  /// From 0; equal to `columns - 1` also while the next character would wrap.
  package internal(set) var cursorColumn = 0
  /// What was scrolled off the top, oldest first.
  package internal(set) var scrollback: [String] = []
  /// DEC private modes that are on: 2004 is bracketed paste, 25 (on at first) the cursor, 1049 the other screen.
  package internal(set) var modes: Set<Int> = [25]
  package internal(set) var bells = 0
  /// What OSC 0 or 2 set.
  package internal(set) var title: String?
  /// Sequences that mean nothing here, in the order of their coming, without their ESC.
  package internal(set) var ignored: [String] = []

  /// Whether lines are wrapped anew when the window gets another width; else they are cut, as by xterm.
  package var reflows = false
  /// Whether joined emoji are one picture of two columns, and signs that are to be shown as emoji have two; else each scalar has its
  /// own columns.
  package var joinsEmoji = false
  /// What the terminal has to say to the program: where the cursor is, when it is asked.
  package internal(set) var answers: [String] = []

  var grid: [Row]
  var style = Style()
  var wrapPending = false
  var scrollTop = 0
  var scrollBottom: Int
  var saved: (row: Int, column: Int, style: Style)?
  var parser = Parser.ground
  var utf8: [UInt8] = []

  /// An empty screen with the cursor at the top left.
  package init(columns: Int, rows: Int) {
    self.columns = columns
    self.rows = rows
    grid = Array(repeating: Row(columns: columns), count: rows)
    scrollBottom = rows - 1
  }

  /// What is visible, a string a row, without spaces at the ends.
  package var lines: [String] { grid.map(\.text) }

  /// Whether a visible row contains `text`.
  package func shows(_ text: String) -> Bool {
    // Most rows do not, which their bytes tell soonest: without optimisation a search by characters takes a hundred times as long.
    let isASCII = text.utf8.allSatisfy { $0 < 0x80 }
    return lines.contains { (!isASCII || strstr($0, text) != nil) && $0.contains(text) }
  }

  /// What is visible, without the empty rows at the bottom.
  package var text: String {
    var lines = lines
    while lines.last == "" { lines.removeLast() }
    return lines.joined(separator: "\n")
  }

  /// What is visible, rows that only continue a full one joined to it: long lines as they were written.
  package var unwrappedLines: [String] {
    var lines: [String] = []
    var continues = false
    for row in grid {
      // A full row's text keeps the spaces at its end.
      let text = row.wrapped ? row.wholeText : row.text
      if continues, let last = lines.indices.last { lines[last] += text } else { lines.append(text) }
      continues = row.wrapped
    }
    return lines
  }

  /// What was ever written and not erased: what scrolled off and what is visible.
  package var history: [String] { scrollback + lines }

  /// The row of the cursor.
  package var cursorLine: String { grid[cursorRow].text }

  /// How the first cell of the first visible occurrence of `text` (within one row) is painted; nil when not visible.
  package func style(of text: String) -> Style? {
    let wanted = Array(text)
    guard !wanted.isEmpty else { return nil }
    for row in grid {
      let visible = row.cells.filter { !$0.text.isEmpty }
      guard visible.count >= wanted.count else { continue }
      for start in 0...(visible.count - wanted.count)
      where zip(wanted, visible[start...]).allSatisfy({ String($0) == $1.text }) {
        return visible[start].style
      }
    }
    return nil
  }

  /// The window has another size now; rows that no longer fit above the cursor scroll off.
  package mutating func resize(columns: Int, rows: Int) {
    if reflows, columns != self.columns { reflow(columns: columns) }
    for index in grid.indices where columns != self.columns {
      if columns > self.columns {
        grid[index].cells += Array(repeating: Cell(), count: columns - self.columns)
      } else {
        grid[index].cells.removeLast(self.columns - columns)
      }
    }
    while grid.count > rows {
      if grid.count - 1 > cursorRow {
        grid.removeLast()
      } else {
        scrollback.append(grid.removeFirst().text)
        cursorRow -= 1
      }
    }
    while grid.count < rows { grid.append(Row(columns: columns)) }
    self.columns = columns
    self.rows = rows
    scrollTop = 0
    scrollBottom = rows - 1
    cursorColumn = min(cursorColumn, columns - 1)
    wrapPending = false
  }
}
