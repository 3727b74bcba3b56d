// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// A text in which some places are marked, on its way through the escaper and the layout to the screen.
enum MarkedText {
  /// Stand before and behind what is marked. The escaper leaves none of those of the text.
  private static let (hit, end): (Unicode.Scalar, Unicode.Scalar) = ("\u{1}", "\u{2}")

  /// Whether a byte of a line is one of the marks, which take no column.
  static func isMark(_ byte: UInt8) -> Bool { 0x01...0x07 ~= byte }

  private static func mark(_ look: StyledText.Look) -> Unicode.Scalar {
    switch look {
    case .strong: "\u{3}"
    case .emphasis: "\u{4}"
    case .strike: "\u{5}"
    case .code: "\u{6}"
    case .quote: "\u{7}"
    }
  }

  private static func look(of mark: Unicode.Scalar) -> Style.Look? {
    switch mark {
    case hit: .hit
    case "\u{3}": .strong
    case "\u{4}": .emphasis
    case "\u{5}": .strike
    case "\u{6}": .code
    case "\u{7}": .faint
    default: nil
    }
  }

  /// The lines of a text, safe to show, with marks that ``painted(_:_:)`` makes visible.
  /// - Parameter places: in bytes of UTF-8, in order.
  static func lines(_ text: String, marking places: [Range<Int>]) -> [String] {
    lines(text, marking: places.map { ($0, String(hit)) })
  }

  /// The same with the styles of the text.
  static func lines(_ text: String, styling spans: [StyledText.Span]) -> [String] {
    lines(
      text,
      marking: spans.map { span in
        (span.range, span.looks.reduce(into: "") { $0.unicodeScalars.append(mark($1)) })
      })
  }

  private static func lines(_ text: String, marking places: [(range: Range<Int>, marks: String)]) -> [String] {
    let bytes = Array(text.utf8)
    var lines: [String] = []
    var (start, next, done) = (0, 0, 0)
    while start <= bytes.count {
      let lineEnd = bytes[start...].firstIndex(of: 0x0A) ?? bytes.count
      var insertions: [(index: Int, text: String)] = []
      while next < places.count, places[next].range.lowerBound < lineEnd {
        let (range, marks) = places[next]
        if range.lowerBound >= done, range.upperBound <= bytes.count {
          let first = max(range.lowerBound, start)
          var last = min(range.upperBound, lineEnd)
          // Spaces at the end of a line are left out where it is broken there, and no mark is to stand behind them alone.
          if last == lineEnd { while last > first, bytes[last - 1] == 0x20 || bytes[last - 1] == 0x09 { last -= 1 } }
          if first < last { insertions += [(first, marks), (last, String(end))] }
          // It goes on in the next line.
          if range.upperBound > lineEnd { break }
          done = range.upperBound
        }
        next += 1
      }
      lines.append(Escaper.line(bytes[start..<lineEnd], inserting: insertions))
      start = lineEnd + 1
    }
    return lines
  }

  /// Rows of the screen with their marks as colours. What is marked and broken over two rows is marked in both, and not between them.
  static func painted(_ rows: String, _ style: Style) -> String {
    var output = ""
    output.reserveCapacity(rows.utf8.count + 64)
    var (present, isIndent): (String?, Bool) = (nil, false)
    for scalar in rows.unicodeScalars {
      if isIndent, scalar != " " {
        isIndent = false
        output += present ?? ""
      }
      if let look = look(of: scalar) {
        // One behind the other they add up.
        let begin = style.sequence(look) ?? ""
        present = (present ?? "") + begin
        output += begin
        continue
      }
      switch scalar {
      case end:
        present = nil
        output += Style.end
      case "\n":
        if present != nil { output += Style.end }
        output.unicodeScalars.append(scalar)
        isIndent = true
      default: output.unicodeScalars.append(scalar)
      }
    }
    return output
  }
}
