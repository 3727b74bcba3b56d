// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// Breaks a line into rows of a terminal, so that the terminal never does: where it breaks, the rest would stand at the
/// left edge and could be made to look like a line of our own.
enum LineWrap {
  /// The rows of `text` (escaped, without newlines).
  /// - Parameters:
  ///   - first: the columns that the first row has.
  ///   - rest: the columns of every later row.
  static func rows(_ text: String, first: Int, rest: Int) -> [Substring] {
    if Width.of(text) <= first { return [text[...]] }
    var rows: [Substring] = []
    var remainder = text[...]
    var room = first
    while !remainder.isEmpty {
      let fitting = Width.end(of: remainder, within: max(room, 2))
      if fitting == remainder.endIndex {
        rows.append(remainder)
        break
      }
      let cut = breakpoint(of: remainder, before: fitting, widens: room < rest)
      rows.append(trimmed(remainder[..<cut]))
      remainder = remainder[cut...].drop { $0 == " " }
      room = rest
    }
    return rows
  }

  /// The end of the last word that fits; the middle of a word only where it is longer than a row. An address that a click
  /// opens is left whole, for the terminal to break: it holds no space, so what follows cannot pass for a line of ours.
  /// - Parameter widens: the next row has more room, so a first word that does not fit may wait for it.
  private static func breakpoint(of text: Substring, before limit: String.Index, widens: Bool) -> String.Index {
    if text[limit] == " " { return limit }
    let space = text[..<limit].lastIndex(of: " ")
    let wordStart = space.map { text.index(after: $0) } ?? text.startIndex
    if text[..<wordStart].contains(where: { $0 != " " }) { return wordStart }
    if widens { return text.startIndex }
    if let end = endOfLink(text[wordStart...]) { return end }
    return max(limit, text.index(after: text.startIndex))
  }

  private static func endOfLink(_ text: Substring) -> String.Index? {
    guard text.hasPrefix("https://") || text.hasPrefix("http://") || text.hasPrefix("xmpp:") else { return nil }
    let word = text.prefix { $0 != " " }
    return Width.isASCII(word) ? word.endIndex : nil
  }

  private static func trimmed(_ row: Substring) -> Substring {
    var row = row
    while row.last == " " { row.removeLast() }
    return row
  }
}
