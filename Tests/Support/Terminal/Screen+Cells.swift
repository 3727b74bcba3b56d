// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

extension Screen {
  /// Writes one character at the cursor.
  mutating func put(_ scalar: Unicode.Scalar) {
    let width = Self.width(of: scalar)
    guard width > 0, !joinsEmoji || !continuesEmoji(scalar) else {
      attach(scalar)
      if joinsEmoji, scalar == "\u{FE0F}" { widen() }
      return
    }
    if wrapPending || cursorColumn + width > columns {
      grid[cursorRow].wrapped = true
      lineFeed()
      cursorColumn = 0
    }
    detachWide(at: cursorColumn)
    detachWide(at: cursorColumn + width - 1)
    grid[cursorRow].cells[cursorColumn] = Cell(text: String(scalar), style: style)
    if width == 2 { grid[cursorRow].cells[cursorColumn + 1] = Cell(text: "", style: style) }
    if cursorColumn + width < columns {
      cursorColumn += width
    } else {
      cursorColumn = columns - 1
      wrapPending = true
    }
  }

  /// A mark without width joins the character before the cursor.
  private mutating func attach(_ scalar: Unicode.Scalar) {
    var column = wrapPending ? cursorColumn : cursorColumn - 1
    if column >= 0, grid[cursorRow].cells[column].text.isEmpty { column -= 1 }
    if column >= 0 { grid[cursorRow].cells[column].text.unicodeScalars.append(scalar) }
  }

  /// The column of the character before the cursor.
  private var columnBefore: Int? {
    var column = wrapPending ? cursorColumn : cursorColumn - 1
    if column >= 0, grid[cursorRow].cells[column].text.isEmpty { column -= 1 }
    return column >= 0 ? column : nil
  }

  private func continuesEmoji(_ scalar: Unicode.Scalar) -> Bool {
    guard let column = columnBefore, let last = grid[cursorRow].cells[column].text.unicodeScalars.last else {
      return false
    }
    return last == "\u{200D}" || scalar.properties.isEmojiModifier && last.properties.isEmojiModifierBase
  }

  /// The character before the cursor gets a second column.
  private mutating func widen() {
    guard !wrapPending, let column = columnBefore, column == cursorColumn - 1 else { return }
    grid[cursorRow].cells[cursorColumn] = Cell(text: "", style: style)
    if cursorColumn + 1 < columns { cursorColumn += 1 } else { wrapPending = true }
  }

  /// Half of a wide character is about to be overwritten: the other half becomes a space.
  private mutating func detachWide(at column: Int) {
    guard column < columns else { return }
    if grid[cursorRow].cells[column].text.isEmpty, column > 0 { grid[cursorRow].cells[column - 1].text = " " }
    if column + 1 < columns, grid[cursorRow].cells[column + 1].text.isEmpty {
      grid[cursorRow].cells[column + 1].text = " "
    }
  }

  mutating func lineFeed() {
    wrapPending = false
    if cursorRow == scrollBottom { scrollUp() } else { cursorRow = min(rows - 1, cursorRow + 1) }
  }

  mutating func reverseLineFeed() {
    wrapPending = false
    if cursorRow == scrollTop { scrollDown() } else { cursorRow = max(0, cursorRow - 1) }
  }

  mutating func scrollUp() {
    let row = grid.remove(at: scrollTop)
    if scrollTop == 0 { scrollback.append(row.text) }
    grid.insert(Row(columns: columns), at: scrollBottom)
  }

  mutating func scrollDown() {
    grid.remove(at: scrollBottom)
    grid.insert(Row(columns: columns), at: scrollTop)
  }

  mutating func insertLines(_ count: Int) {
    guard (scrollTop...scrollBottom).contains(cursorRow) else { return }
    for _ in 0..<min(count, scrollBottom - cursorRow + 1) {
      grid.remove(at: scrollBottom)
      grid.insert(Row(columns: columns), at: cursorRow)
    }
  }

  mutating func deleteLines(_ count: Int) {
    guard (scrollTop...scrollBottom).contains(cursorRow) else { return }
    for _ in 0..<min(count, scrollBottom - cursorRow + 1) {
      grid.remove(at: cursorRow)
      grid.insert(Row(columns: columns), at: scrollBottom)
    }
  }

  mutating func insertCells(_ count: Int) {
    let count = min(count, columns - cursorColumn)
    grid[cursorRow].cells.removeLast(count)
    grid[cursorRow].cells.insert(contentsOf: Array(repeating: blank, count: count), at: cursorColumn)
  }

  mutating func deleteCells(_ count: Int) {
    let count = min(count, columns - cursorColumn)
    grid[cursorRow].cells.removeSubrange(cursorColumn..<cursorColumn + count)
    grid[cursorRow].cells += Array(repeating: blank, count: count)
  }

  mutating func eraseInLine(_ part: Int) {
    switch part {
    case 0: erase(row: cursorRow, from: cursorColumn, to: columns)
    case 1: erase(row: cursorRow, from: 0, to: cursorColumn + 1)
    case 2: erase(row: cursorRow, from: 0, to: columns)
    default: break
    }
  }

  mutating func eraseInDisplay(_ part: Int) {
    switch part {
    case 0:
      eraseInLine(0)
      for row in grid.indices where row > cursorRow { erase(row: row, from: 0, to: columns) }
    case 1:
      eraseInLine(1)
      for row in 0..<cursorRow { erase(row: row, from: 0, to: columns) }
    case 2: for row in grid.indices { erase(row: row, from: 0, to: columns) }
    case 3: scrollback = []
    default: break
    }
  }

  mutating func erase(row: Int, from start: Int, to end: Int) {
    for column in start..<end { grid[row].cells[column] = blank }
    if end == columns { grid[row].wrapped = false }
  }

  /// Erasing paints with the background in use.
  private var blank: Cell { Cell(text: " ", style: Style(background: style.background)) }

  /// Columns that a scalar takes: 0, 1 or 2.
  static func width(of scalar: Unicode.Scalar) -> Int {
    if scalar.isASCII || scalar == "\u{AD}" { return 1 }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: break
    }
    if scalar.properties.isEmojiPresentation { return 2 }
    switch scalar.value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF,
      0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6,
      0x1F3FB...0x1F3FF, 0x20000...0x3FFFD:
      return 2
    case 0x1160...0x11FF: return 0
    default: return 1
    }
  }
}
