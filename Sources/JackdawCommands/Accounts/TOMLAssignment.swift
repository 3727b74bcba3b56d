// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// A line `key = value` of a TOML text, taken apart so that its value can be exchanged and all the rest stays: the indentation, the
/// space around the `=`, the comment behind it.
struct TOMLAssignment {
  private let indent: Substring
  /// As written.
  let key: Substring
  private let equals: Substring
  /// The space and the comment after the value.
  private let rest: Substring

  /// Nil where the line is none, or its value goes on in the next one.
  init?(_ line: String) {
    guard let sign = line.firstIndex(of: "=") else { return nil }
    let start = line.firstIndex { !$0.isWhitespace } ?? sign
    guard start < sign, line[start] != "#", let keyEnd = line[start..<sign].lastIndex(where: { !$0.isWhitespace })
    else { return nil }
    let value = line[line.index(after: sign)...].drop(while: \.isWhitespace)
    guard let rest = Self.afterValue(value) else { return nil }
    let comment = rest.drop(while: \.isWhitespace)
    guard comment.isEmpty || comment.hasPrefix("#") else { return nil }
    indent = line[..<start]
    key = line[start...keyEnd]
    equals = line[line.index(after: keyEnd)..<value.startIndex]
    self.rest = rest
  }

  /// The line with another key and value.
  func with(_ entry: TOMLText.Entry) -> String { "\(indent)\(entry.key)\(equals)\(entry.value)\(rest)" }

  /// The line with another key and value in front, of the same indentation, without the comment.
  func beside(_ entry: TOMLText.Entry) -> String { "\(indent)\(entry.key) = \(entry.value)" }

  /// What follows a value: a string, a list, or a bare word. Nil: the value does not end in this line.
  private static func afterValue(_ text: Substring) -> Substring? {
    var rest = text
    var depth = 0
    repeat {
      guard let first = rest.first else { return nil }
      switch first {
      case "\"", "'":
        guard let after = afterString(rest, first) else { return nil }
        rest = after
      case "[":
        depth += 1
        rest = rest.dropFirst()
      case "]":
        depth -= 1
        rest = rest.dropFirst()
      case _ where depth > 0: rest = rest.dropFirst()
      default: rest = rest.drop { !$0.isWhitespace && $0 != "#" }
      }
    } while depth > 0
    return rest
  }

  private static func afterString(_ text: Substring, _ quote: Character) -> Substring? {
    var rest = text.dropFirst()
    while let character = rest.popFirst() {
      if character == quote { return rest }
      if character == "\\", quote == "\"" { rest = rest.dropFirst() }
    }
    return nil
  }
}
