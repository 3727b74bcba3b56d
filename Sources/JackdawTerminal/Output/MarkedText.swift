// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// A text in which some places are marked, on its way through the escaper and the layout to the screen.
enum MarkedText {
  /// Stand before and behind what is marked. The escaper leaves none of those of the text.
  private static let (begin, end): (Unicode.Scalar, Unicode.Scalar) = ("\u{1}", "\u{2}")

  /// The lines of a text, safe to show, with marks that ``painted(_:_:)`` makes visible.
  /// - Parameter places: in bytes of UTF-8, in order.
  static func lines(_ text: String, marking places: [Range<Int>]) -> [String] {
    let bytes = Array(text.utf8)
    var lines = [""]
    func append(_ range: Range<Int>, isMarked: Bool) {
      guard !range.isEmpty else { return }
      for (number, line) in Escaper.lines(String(decoding: bytes[range], as: UTF8.self)).enumerated() {
        if number > 0 { lines.append("") }
        guard !line.isEmpty else { continue }
        lines[lines.count - 1] += isMarked ? "\(begin)\(line)\(end)" : line
      }
    }
    var done = 0
    for place in places where place.lowerBound >= done && place.upperBound <= bytes.count {
      append(done..<place.lowerBound, isMarked: false)
      append(place, isMarked: true)
      done = place.upperBound
    }
    append(done..<bytes.count, isMarked: false)
    return lines
  }

  /// Rows of the screen with their marks as colours. What is marked and broken over two rows is marked in both, and not between them.
  static func painted(_ rows: String, _ style: Style) -> String {
    let mark = style.sequence(.hit) ?? ""
    var output = ""
    output.reserveCapacity(rows.utf8.count + 64)
    var (isMarked, isIndent) = (false, false)
    for scalar in rows.unicodeScalars {
      if isIndent, scalar != " " {
        isIndent = false
        if isMarked { output += mark }
      }
      switch scalar {
      case begin:
        isMarked = true
        output += mark
      case end:
        isMarked = false
        output += Style.end
      case "\n":
        if isMarked { output += Style.end }
        output.unicodeScalars.append(scalar)
        isIndent = true
      default: output.unicodeScalars.append(scalar)
      }
    }
    return output
  }
}
