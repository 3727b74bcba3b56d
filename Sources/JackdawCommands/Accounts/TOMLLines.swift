// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// Where in a TOML text each key stands: the parser names the line of a syntax error only, and people need it for every error.
///
/// Knows what a configuration of ours is made of: tables by header, one key a line.
struct TOMLLines {
  /// One `[table]`. Lines count from 1.
  struct Table: Equatable {
    var path: [String]
    /// From its header to before the next header or the end.
    var lines: Range<Int>
  }

  /// The lines without their line feeds; the last is empty when the text ends in one.
  let lines: [String]
  /// Bounded by the user's own file.
  private(set) var tables: [Table] = []
  /// Bounded by the user's own file.
  private var numbers: [[String]: Int] = [:]

  init(_ text: String) {
    lines = text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false).map { String(Substring($0)) }
    var table: [String] = []
    for (index, line) in lines.enumerated() {
      let number = index + 1
      let trimmed = line.drop { $0 == " " || $0 == "\t" }
      if trimmed.hasPrefix("["), let end = trimmed.lastIndex(of: "]") {
        table = Self.keys(trimmed[..<end].dropFirst())
        endTable(before: number)
        tables.append(Table(path: table, lines: number..<number + 1))
        numbers[table] = number
      } else if !trimmed.hasPrefix("#"), let equals = trimmed.firstIndex(of: "=") {
        let path = table + Self.keys(trimmed[..<equals])
        if numbers[path] == nil { numbers[path] = number }
      }
    }
    endTable(before: lines.count + 1)
  }

  private mutating func endTable(before number: Int) {
    guard let last = tables.indices.last else { return }
    tables[last].lines = tables[last].lines.lowerBound..<number
  }

  /// The line of a key, or of the nearest table that it is in. Of a table that has no line of its own, as `account` where there is
  /// `[account.home]` alone, the first that names it.
  func line(of path: [String]) -> Int? {
    if numbers[path] == nil, let first = numbers.filter({ $0.key.starts(with: path) }).map(\.value).min() {
      return first
    }
    var path = path[...]
    while !path.isEmpty {
      if let line = numbers[Array(path)] { return line }
      path = path.dropLast()
    }
    return nil
  }

  /// The line where a key is given a value of its own, which is no table by a header; nil: there is none.
  func lineOfValue(_ path: [String]) -> Int? {
    guard let line = numbers[path], !tables.contains(where: { $0.path == path }) else { return nil }
    return line
  }

  /// Whether there is nothing but white space or a comment in a line.
  func isRemark(_ number: Int) -> Bool {
    let text = lines[number - 1].drop(while: \.isWhitespace)
    return text.isEmpty || text.hasPrefix("#")
  }

  /// The parts of a dotted key, without white space and quotes, and with what is escaped in them as it is meant.
  private static func keys(_ text: Substring) -> [String] {
    var keys: [String] = []
    var key = String.UnicodeScalarView()
    var quote: Unicode.Scalar?
    var rest = text.unicodeScalars
    while let scalar = rest.popFirst() {
      if let open = quote {
        if scalar == open {
          quote = nil
        } else if scalar == "\\", open == "\"" {
          if let meant = unescaped(&rest) { key.append(meant) }
        } else {
          key.append(scalar)
        }
      } else if scalar == "\"" || scalar == "'" {
        quote = scalar
      } else if scalar == "." {
        keys.append(String(key))
        key = String.UnicodeScalarView()
      } else if !scalar.properties.isWhitespace {
        key.append(scalar)
      }
    }
    return keys + [String(key)]
  }

  /// Takes what stands behind a backslash of a basic string.
  private static func unescaped(_ rest: inout Substring.UnicodeScalarView) -> Unicode.Scalar? {
    guard let sign = rest.popFirst() else { return nil }
    switch sign {
    case "b": return "\u{8}"
    case "t": return "\t"
    case "n": return "\n"
    case "f": return "\u{C}"
    case "r": return "\r"
    case "u", "U":
      let digits = rest.prefix(sign == "u" ? 4 : 8)
      rest.removeFirst(digits.count)
      return UInt32(String(digits), radix: 16).flatMap { Unicode.Scalar($0) }
    default: return sign
    }
  }
}
