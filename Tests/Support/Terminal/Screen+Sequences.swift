// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

extension Screen {
  /// Where in a control sequence the bytes stand.
  enum Parser: Sendable, Equatable {
    case ground
    case escape
    /// After ESC and one intermediate, as in `ESC ( B`.
    case escapeIntermediate
    case control(parameters: String)
    /// OSC, DCS, APC, PM, SOS: until BEL or ST.
    case string(introducer: String, content: String, escape: Bool)

    /// What is written now is characters, and not bytes of a sequence.
    var takesText: Bool {
      switch self {
      case .ground, .string: true
      case .escape, .escapeIntermediate, .control: false
      }
    }
  }

  /// Interprets what a program wrote. Sequences and characters may be split between calls.
  package mutating func receive(_ bytes: some Sequence<UInt8>) {
    for byte in bytes {
      if parser.takesText, byte >= 0x80 || !utf8.isEmpty {
        receiveUTF8(byte)
      } else {
        receive(Unicode.Scalar(byte))
      }
    }
  }

  private mutating func receiveUTF8(_ byte: UInt8) {
    if byte < 0x80 || (byte >= 0xC0 && !utf8.isEmpty) {
      // A broken character before a whole one.
      utf8 = []
      put("\u{FFFD}")
      receive(CollectionOfOne(byte))
      return
    }
    utf8.append(byte)
    let length = utf8[0] >= 0xF0 ? 4 : utf8[0] >= 0xE0 ? 3 : utf8[0] >= 0xC0 ? 2 : 1
    guard utf8.count >= length else { return }
    let scalars = Array(String(decoding: utf8, as: UTF8.self).unicodeScalars)
    utf8 = []
    for scalar in scalars { receive(scalar) }
  }

  private mutating func receive(_ scalar: Unicode.Scalar) {
    switch parser {
    case .ground: receiveInGround(scalar)
    case .escape: receiveAfterEscape(scalar)
    case .escapeIntermediate: parser = .ground
    case .control(let parameters):
      switch scalar.value {
      case 0x20...0x3F: parser = .control(parameters: parameters + String(scalar))
      case 0x40...0x7E:
        parser = .ground
        perform(scalar, parameters)
      case 0x1B: parser = .escape
      default: execute(scalar)
      }
    case .string(let introducer, let content, let escape):
      if scalar == "\u{7}" || (escape && scalar == "\\") {
        parser = .ground
        perform(string: content, of: introducer)
      } else if scalar == "\u{1B}" {
        parser = .string(introducer: introducer, content: content, escape: true)
      } else {
        parser = .string(introducer: introducer, content: content + String(scalar), escape: false)
      }
    }
  }

  private mutating func receiveInGround(_ scalar: Unicode.Scalar) {
    switch scalar.value {
    case 0x1B: parser = .escape
    case 0x9B: parser = .control(parameters: "")
    case 0x90, 0x98, 0x9D, 0x9E, 0x9F:
      parser = .string(
        introducer: "\u{1B}" + String(UnicodeScalar(UInt8(scalar.value - 0x40))), content: "", escape: false)
    case 0x00...0x1F, 0x7F...0x9F: execute(scalar)
    default: put(scalar)
    }
  }

  private mutating func execute(_ scalar: Unicode.Scalar) {
    switch scalar.value {
    case 0x07: bells += 1
    case 0x08:
      wrapPending = false
      cursorColumn = max(0, cursorColumn - 1)
    case 0x09:
      wrapPending = false
      cursorColumn = min(columns - 1, (cursorColumn / 8 + 1) * 8)
    case 0x0A, 0x0B, 0x0C, 0x84: lineFeed()
    case 0x85:
      lineFeed()
      cursorColumn = 0
    case 0x0D:
      wrapPending = false
      cursorColumn = 0
    default: break
    }
  }

  private mutating func receiveAfterEscape(_ scalar: Unicode.Scalar) {
    parser = .ground
    switch scalar {
    case "[": parser = .control(parameters: "")
    case "]", "P", "X", "^", "_": parser = .string(introducer: String(scalar), content: "", escape: false)
    case " ", "(", ")", "*", "+", "#", "%": parser = .escapeIntermediate
    case "7": saved = (cursorRow, cursorColumn, style)
    case "8": restoreCursor()
    case "D": lineFeed()
    case "E":
      lineFeed()
      cursorColumn = 0
    case "M": reverseLineFeed()
    case "c":
      let size = (columns: columns, rows: rows)
      self = Screen(columns: size.columns, rows: size.rows)
    case "=", ">", "\\": break
    default: ignored.append(String(scalar))
    }
  }

  private mutating func perform(string content: String, of introducer: String) {
    if introducer.hasSuffix("]"), content.hasPrefix("0;") || content.hasPrefix("2;") {
      title = String(content.dropFirst(2))
    } else {
      ignored.append(introducer + content)
    }
  }

  private mutating func perform(_ final: Unicode.Scalar, _ parameters: String) {
    if parameters.hasPrefix("?") {
      let numbers = parameters.dropFirst().split(separator: ";").compactMap { Int($0) }
      switch final {
      case "h": modes.formUnion(numbers)
      case "l": modes.subtract(numbers)
      default: ignored.append("[" + parameters + String(final))
      }
      return
    }
    let numbers = parameters.split(separator: ";", omittingEmptySubsequences: false).map { Int($0) }
    func number(_ index: Int, or fallback: Int = 1) -> Int {
      guard index < numbers.count, let number = numbers[index], number > 0 else { return fallback }
      return number
    }
    if final != "m" { wrapPending = false }
    switch final {
    case "A": cursorRow = max(cursorRow >= scrollTop ? scrollTop : 0, cursorRow - number(0))
    case "B", "e": cursorRow = min(cursorRow <= scrollBottom ? scrollBottom : rows - 1, cursorRow + number(0))
    case "C", "a": cursorColumn = min(columns - 1, cursorColumn + number(0))
    case "D": cursorColumn = max(0, cursorColumn - number(0))
    case "E":
      cursorRow = min(rows - 1, cursorRow + number(0))
      cursorColumn = 0
    case "F":
      cursorRow = max(0, cursorRow - number(0))
      cursorColumn = 0
    case "G", "`": cursorColumn = min(columns, number(0)) - 1
    case "d": cursorRow = min(rows, number(0)) - 1
    case "H", "f":
      cursorRow = min(rows, number(0)) - 1
      cursorColumn = min(columns, number(1)) - 1
    case "J": eraseInDisplay(number(0, or: 0))
    case "K": eraseInLine(number(0, or: 0))
    case "L": insertLines(number(0))
    case "M": deleteLines(number(0))
    case "@": insertCells(number(0))
    case "P": deleteCells(number(0))
    case "X": erase(row: cursorRow, from: cursorColumn, to: min(columns, cursorColumn + number(0)))
    case "S": for _ in 0..<min(rows, number(0)) { scrollUp() }
    case "T": for _ in 0..<min(rows, number(0)) { scrollDown() }
    case "r":
      scrollTop = min(rows, number(0)) - 1
      scrollBottom = min(rows, number(1, or: rows)) - 1
      (cursorRow, cursorColumn) = (0, 0)
    case "s": saved = (cursorRow, cursorColumn, style)
    case "u": restoreCursor()
    case "m": selectStyle(parameters)
    case "c" where parameters == ">": answers.append("\u{1B}[>\(reflows ? 84 : 41);379;0c")
    case "n" where parameters == "6": answers.append("\u{1B}[\(cursorRow + 1);\(cursorColumn + 1)R")
    default: ignored.append("[" + parameters + String(final))
    }
  }

  private mutating func restoreCursor() {
    guard let saved else { return }
    (cursorRow, cursorColumn, style) = (min(saved.row, rows - 1), min(saved.column, columns - 1), saved.style)
    wrapPending = false
  }

  private mutating func selectStyle(_ parameters: String) {
    var rest = parameters.split(whereSeparator: { $0 == ";" || $0 == ":" })[...]
    if rest.isEmpty { style = Style() }
    while let first = rest.popFirst() {
      switch Int(first) ?? 0 {
      case 0: style = Style()
      case 1: style.bold = true
      case 2: style.dim = true
      case 3: style.italic = true
      case 4: style.underlined = true
      case 7: style.reversed = true
      case 22: (style.bold, style.dim) = (false, false)
      case 23: style.italic = false
      case 24: style.underlined = false
      case 27: style.reversed = false
      case 30...37, 90...97: style.foreground = String(first)
      case 39: style.foreground = nil
      case 40...47, 100...107: style.background = String(first)
      case 49: style.background = nil
      case 38, 48:
        let count = rest.first == "5" ? 2 : rest.first == "2" ? 4 : 1
        let colour = ([first] + rest.prefix(count)).joined(separator: ";")
        rest = rest.dropFirst(count)
        if first == "38" { style.foreground = colour } else { style.background = colour }
      default: ignored.append("[" + parameters + "m")
      }
    }
  }
}
