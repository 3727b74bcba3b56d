// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawCommands

/// A line as far as it is typed, split into words as a shell does: `'…'`, `"…"` and `\`; a `'` within a word is itself. Unlike the
/// splitter of whole lines it forgives a quote that is still open, since the one who types is not done.
struct TypedWords: Equatable {
  /// The whole words before the one at the end, unquoted.
  var words: [String]
  /// The word at the end, unquoted; empty after a space.
  var partial: String
  /// Where that word begins, quotes included: bytes from the line's start.
  var start: Int
  /// The quote that is open at the end.
  var quote: Character?

  /// Splits a command line.
  init(command line: String) {
    var words: [String] = []
    var word: String?
    var start = 0
    var quote: Unicode.Scalar?
    var isEscaped = false
    var offset = 0
    var previous: Unicode.Scalar?
    var rest = line.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      defer { previous = scalar }
      let position = offset
      offset += UTF8.width(scalar)
      let isSpace = scalar == " " || scalar == "\t" || scalar == "\n"
      if word == nil, !isSpace {
        word = ""
        start = position
      }
      if isEscaped {
        // Between double quotes a backslash stands for itself, but before what it can take the meaning from.
        if quote == "\"", scalar != "\"", scalar != "\\" { word?.unicodeScalars.append("\\") }
        word?.unicodeScalars.append(scalar)
        isEscaped = false
      } else if scalar == "\\", quote != "'" {
        isEscaped = true
      } else if let open = quote {
        if scalar == open { quote = nil } else { word?.unicodeScalars.append(scalar) }
      } else if scalar == "'", ShellWords.isApostrophe(between: previous, rest.first) {
        word?.unicodeScalars.append(scalar)
      } else if scalar == "'" || scalar == "\"" {
        quote = scalar
      } else if isSpace {
        if let done = word { words.append(done) }
        word = nil
      } else {
        word?.unicodeScalars.append(scalar)
      }
    }
    self.words = words
    partial = word ?? ""
    self.start = word == nil ? offset : start
    self.quote = quote.map { Character($0) }
  }

  /// Splits a line that is a message: at spaces only, since prose has apostrophes.
  init(message line: String) {
    let start = line.utf8.lastIndex { $0 == 0x20 || $0 == 0x0A }.map { line.utf8.index(after: $0) } ?? line.startIndex
    words = line[..<start].split { $0 == " " || $0 == "\n" }.map(String.init)
    partial = String(line[start...])
    self.start = line.utf8.distance(from: line.startIndex, to: start)
    quote = nil
  }

  /// `word` as it is to be typed so that it is one word: in the quote that is open, else with backslashes.
  /// - Parameter ends: the word is complete, and a quote is closed.
  static func quoted(_ word: String, in quote: Character? = nil, ends: Bool = true) -> String {
    switch quote {
    case "\"":
      return "\"" + escaping(word) { $0 == "\"" || $0 == "\\" } + (ends ? "\"" : "")
    case "'" where !word.contains("'"):
      return "'" + word + (ends ? "'" : "")
    default:
      if word.isEmpty { return ends ? "''" : "" }
      return escaping(word) { " \t\n'\"\\".unicodeScalars.contains($0) }
    }
  }

  private static func escaping(_ word: String, _ needsIt: (Unicode.Scalar) -> Bool) -> String {
    var output = ""
    for scalar in word.unicodeScalars {
      if needsIt(scalar) { output.unicodeScalars.append("\\") }
      output.unicodeScalars.append(scalar)
    }
    return output
  }
}
