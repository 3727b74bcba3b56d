// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// Breaks a line into rows of a terminal, so that the terminal never does: where it breaks, the rest would stand at the
/// left edge and could be made to look like a line of our own.
///
/// The work grows with the length of the line and with nothing else, whatever somebody sends: each character is measured once
/// and looked at a few times (``looks``).
struct LineWrap {
  private var line: MeasuredLine
  /// How often a character was looked at, for tests.
  private(set) var looks = 0
  /// The word that was last asked about: where it ends, and from where on it is ASCII to its end.
  private var word = (end: 0, asciiStart: 0)

  private init(_ line: MeasuredLine) { self.line = line }

  /// Appends the rows of `text` (escaped, without newlines; the marks of ``MarkedText`` take no column), each in a look.
  /// - Parameters:
  ///   - first: the columns that the first row has.
  ///   - rest: the columns of every later row.
  ///   - separator: what stands between two rows.
  /// - Returns: how many rows there are, and the columns of the last one.
  @discardableResult static func append(
    _ text: String, to output: inout String, first: Int, rest: Int, separator: String, style: Style, look: Style.Look
  ) -> (rows: Int, columns: Int) {
    guard !text.isEmpty else { return (1, 0) }
    // Most lines are ASCII and fit: each byte is a column.
    if text.utf8.count <= first, Width.isASCII(text) {
      output += style.paint(text, look)
      return (1, text.utf8.count)
    }
    let rows = rows(text, first: first, rest: rest)
    for (number, row) in rows.enumerated() {
      if number > 0 { output += separator }
      output += style.paint(String(row), look)
    }
    return (rows.count, Width.of(rows.last ?? ""))
  }

  /// The rows of `text`.
  static func rows(_ text: String, first: Int, rest: Int) -> [Substring] {
    measuredRows(text, first: first, rest: rest).rows
  }

  /// The rows, and how often a character of the text was looked at.
  static func measuredRows(_ text: String, first: Int, rest: Int) -> (rows: [Substring], looks: Int) {
    guard !text.isEmpty else { return ([text[...]], 0) }
    var wrap = LineWrap(MeasuredLine(text, widest: max(rest, 2)))
    return (wrap.rows(first: first, rest: rest), wrap.looks)
  }

  private mutating func rows(first: Int, rest: Int) -> [Substring] {
    var rows: [Substring] = []
    var start = 0
    var room = first
    while start < line.count {
      let row = fill(from: start, room: max(room, 2))
      guard row.end < line.count else {
        rows.append(line[start..<line.count])
        break
      }
      let cut = breakpoint(of: row, widens: room < rest)
      rows.append(line[start..<withoutSpaces(start..<cut)])
      start = cut
      while start < line.count, line.isSpace(start) { start += 1 }
      room = rest
    }
    return rows
  }

  /// As much of the line as fits in a row.
  private struct Row {
    var start: Int
    /// The first character that does not fit.
    var end: Int
    /// Where the last word in it begins.
    var lastWord: Int
    /// Whether there is another word before that one.
    var hasWords: Bool
  }

  private mutating func fill(from start: Int, room: Int) -> Row {
    var row = Row(start: start, end: start, lastWord: start, hasWords: false)
    var used = 0
    var isInWord = false
    while row.end < line.count {
      looks += 1
      used += line.columns(row.end)
      if used > room { break }
      if line.isSpace(row.end) {
        row.hasWords = row.hasWords || isInWord
        row.lastWord = row.end + 1
      } else if !line.isMark(row.end) {
        isInWord = true
      }
      row.end += 1
    }
    return row
  }

  /// The end of the last word that fits; the middle of a word only where it is longer than a row. An address that a click
  /// opens is left whole, for the terminal to break: it holds no space, so what follows cannot pass for a line of ours.
  /// - Parameter widens: the next row has more room, so a first word that does not fit may wait for it.
  private mutating func breakpoint(of row: Row, widens: Bool) -> Int {
    if line.isSpace(row.end) { return row.end }
    if row.hasWords { return row.lastWord }
    if widens { return row.start }
    return endOfLink(row.lastWord) ?? max(row.end, row.start + 1)
  }

  /// Where the link ends that begins here. A word may look like one in each of its rows and be none, so it is read once.
  private mutating func endOfLink(_ start: Int) -> Int? {
    guard line.beginsLink(start) else { return nil }
    if start >= word.end {
      word = (start, start)
      while word.end < line.count, !line.isSpace(word.end) {
        looks += 1
        word.end += 1
        if !line.isASCII(word.end - 1) { word.asciiStart = word.end }
      }
    }
    return start >= word.asciiStart ? word.end : nil
  }

  /// Where the part ends without the spaces at its end.
  private mutating func withoutSpaces(_ part: Range<Int>) -> Int {
    var end = part.upperBound
    while end > part.lowerBound, line.isSpace(end - 1) {
      looks += 1
      end -= 1
    }
    return end
  }
}

/// A line whose characters can be asked for by number: how wide they are, and where in the text.
private struct MeasuredLine {
  /// One character of a line that is not ASCII.
  private struct Place {
    /// Where it begins, in bytes of the text.
    var start: Int
    var columns: Int
  }

  private let text: String
  private let bytes: [UInt8]
  /// One for each character, and one behind the last; empty for ASCII without marks, where each byte is a character of one column.
  private var places: [Place] = []
  let count: Int

  /// - Parameter widest: a character that takes more columns is broken into its scalars, for there is no longest one: a thousand
  ///   emoji that are joined, or leading letters of Hangul, are one character to Unicode, and many to a terminal.
  init(_ text: String, widest: Int) {
    self.text = text
    bytes = Array(text.utf8)
    guard bytes.contains(where: { $0 >= 0x80 || MarkedText.isMark($0) }) else {
      count = bytes.count
      return
    }
    places.reserveCapacity(bytes.count / 2)
    var start = 0
    for character in text {
      let columns = MarkedText.isMark(bytes[start]) ? 0 : Width.of(character)
      if columns <= widest {
        places.append(Place(start: start, columns: columns))
        start += character.utf8.count
        continue
      }
      for scalar in character.unicodeScalars {
        // The sign that makes an emoji of what stands before it makes that wider, too.
        places.append(Place(start: start, columns: scalar == "\u{FE0F}" ? 1 : Width.most(scalar)))
        start += scalar.utf8.count
      }
    }
    places.append(Place(start: start, columns: 0))
    count = places.count - 1
  }

  func columns(_ index: Int) -> Int { places.isEmpty ? 1 : places[index].columns }

  func isSpace(_ index: Int) -> Bool { bytes[start(index)] == 0x20 && isASCII(index) }

  func isMark(_ index: Int) -> Bool { MarkedText.isMark(bytes[start(index)]) }

  /// Whether the character is one scalar of ASCII.
  func isASCII(_ index: Int) -> Bool {
    places.isEmpty || places[index + 1].start == places[index].start + 1
  }

  /// Whether what begins there begins as links do, marks aside.
  func beginsLink(_ index: Int) -> Bool {
    let rest = bytes[start(index)...].lazy.filter { !MarkedText.isMark($0) }
    return Self.links.contains { rest.starts(with: $0) }
  }

  private static let links = ["https://", "http://", "xmpp:"].map { Array($0.utf8) }

  subscript(characters: Range<Int>) -> Substring {
    let first = text.utf8.index(text.startIndex, offsetBy: start(characters.lowerBound))
    let end = text.utf8.index(text.startIndex, offsetBy: start(characters.upperBound))
    return text[first..<end]
  }

  private func start(_ index: Int) -> Int { places.isEmpty ? index : places[index].start }
}
