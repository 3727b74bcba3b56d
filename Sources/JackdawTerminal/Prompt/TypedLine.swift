// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// A row and a column of a terminal, both from 0.
struct CursorPosition: Equatable {
  var row: Int
  var column: Int
}

/// The line at the prompt up to its cursor, as readline draws it.
struct TypedLine {
  /// The prompt, what takes no column being between U+0001 and U+0002, and what is typed before the cursor.
  var prompt: String
  var text: String
  /// Readline draws one row, whatever is typed (`horizontal-scroll-mode`).
  var isOneRow = false

  /// Where the cursor stands, counted from the row and column where the prompt begins, in a terminal of so many columns.
  func cursor(columns: Int) -> CursorPosition {
    var pen = Pen(columns: max(columns, 2))
    var isHidden = false
    for scalar in prompt.unicodeScalars {
      switch scalar {
      case "\u{1}": isHidden = true
      case "\u{2}": isHidden = false
      default: if !isHidden { pen.put(scalar) }
      }
    }
    for scalar in text.unicodeScalars { pen.put(scalar) }
    return isOneRow ? CursorPosition(row: 0, column: pen.position.column) : pen.position
  }

  private struct Pen {
    let columns: Int
    var position = CursorPosition(row: 0, column: 0)

    init(columns: Int) { self.columns = columns }

    mutating func put(_ scalar: Unicode.Scalar) {
      switch scalar.value {
      case 0x0A: position = CursorPosition(row: position.row + 1, column: 0)
      case 0x09: for _ in 0..<TerminalLimits.tabStop - position.column % TerminalLimits.tabStop { advance(1) }
      // `^A`
      case 0..<0x20, 0x7F:
        advance(1)
        advance(1)
      default: advance(Width.of(scalar))
      }
    }

    /// A character that does not fit begins the next row; a row that is full is left at once, as readline leaves it.
    private mutating func advance(_ width: Int) {
      if position.column + width > columns { position = CursorPosition(row: position.row + 1, column: 0) }
      position.column += width
      if position.column == columns { position = CursorPosition(row: position.row + 1, column: 0) }
    }
  }
}

/// The line at the prompt after the terminal has got another width.
///
/// Some terminals wrap what they show anew, and the cursor goes with its character; others cut or widen their rows and
/// leave it in its row. What the terminal says of the cursor's column tells which, or else what it says that it is; where that
/// tells nothing, no row is taken for ours that might not be: what stands above is somebody's message.
struct ResizedLine {
  /// Where the cursor stood in the line as it was drawn.
  let drawn: CursorPosition
  /// Where it stands if the terminal has wrapped the line anew.
  let rewrapped: CursorPosition
  private let columns: Int

  init(_ line: TypedLine, drawnIn before: Int, now columns: Int) {
    drawn = line.cursor(columns: before)
    rewrapped = line.cursor(columns: columns)
    self.columns = columns
  }

  /// Where the cursor may be, counted from the line's beginning, in a terminal that does the one or the other.
  private struct Place {
    var row: Int
    var column: Int
    var isRewrapped: Bool
  }

  private var places: [Place] {
    var places = [
      Place(row: drawn.row, column: min(drawn.column, columns - 1), isRewrapped: false),
      Place(row: rewrapped.row, column: rewrapped.column, isRewrapped: true),
    ]
    // Behind a last row that is full now: tmux leaves the cursor there.
    if rewrapped.column == 0, rewrapped.row > 0 {
      places.append(Place(row: rewrapped.row - 1, column: columns - 1, isRewrapped: true))
    }
    return places
  }

  /// Those that have the column that the terminal says; some say that the cursor is beyond the last one.
  private func places(of cursor: CursorPosition) -> [Place] {
    places.filter { $0.column == min(cursor.column, columns - 1) }
  }

  /// The column tells nothing of the cursor's row in the line.
  func isUndecided(_ cursor: CursorPosition?) -> Bool {
    guard let cursor else { return false }
    return Set(places(of: cursor).map(\.row)).count > 1
  }

  /// How many rows above the cursor the line begins, at least.
  /// - Parameters:
  ///   - cursor: where the terminal says that the cursor is, from its upper left corner; nil: it does not say.
  ///   - rewraps: what is known of the terminal from elsewhere, for a cursor that ``isUndecided(_:)``.
  func rowsAbove(cursor: CursorPosition?, rewraps: Bool? = nil) -> Int {
    let least = places.map(\.row).min() ?? 0
    guard let cursor else { return least }
    var found = places(of: cursor)
    if isUndecided(cursor), let rewraps { found.removeAll { $0.isRewrapped != rewraps } }
    return min(found.map(\.row).min() ?? least, cursor.row)
  }
}
