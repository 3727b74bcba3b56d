// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// A line in words, quoted as in a shell: `'…'`, `"…"` and `\`.
package enum ShellWords {
  /// Splits `line` at spaces, tabs and newlines.
  /// - Parameters:
  ///   - variables: what `${NAME}` and `$?` stand for, but in single quotes and behind a backslash; nil: for themselves.
  ///     A value is part of the word that it stands in, whatever is in it.
  ///   - hasApostrophes: a `'` between two letters or digits, outside of quotes, is itself: who types `it's late, don't wait` quotes
  ///     nothing.
  /// - Throws: ``CommandFailure`` with code 65 when a quote is not closed, the line ends in a single backslash, or a variable has no
  ///   value.
  package static func split(
    _ line: String, _ variables: ScriptVariables? = nil, hasApostrophes: Bool = false
  ) throws(CommandFailure) -> [String] {
    try marked(line, variables, hasApostrophes: hasApostrophes).words
  }

  /// As ``split(_:_:hasApostrophes:)``.
  /// - Returns: the words, and the places of those that begin with a `-` which a variable's value has.
  static func marked(
    _ line: String, _ variables: ScriptVariables?, hasApostrophes: Bool = false
  ) throws(CommandFailure) -> (words: [String], dashed: Set<Int>) {
    var words: [String] = []
    var dashed: Set<Int> = []
    var word = String.UnicodeScalarView()
    var isInWord = false
    var quote: Unicode.Scalar?
    var previous: Unicode.Scalar?
    var expansion = variables.map { VariableExpansion($0, inWords: true) }
    var rest = line.unicodeScalars[...]
    while let scalar = rest.first {
      defer { previous = scalar }
      if scalar == "$", quote != "'", expansion != nil {
        let value = try expansion?.taken(from: &rest) ?? ""
        if word.isEmpty, value.hasPrefix("-") { dashed.insert(words.count) }
        word.append(contentsOf: value.unicodeScalars)
        isInWord = true
        continue
      }
      rest.removeFirst()
      switch (quote, scalar) {
      case ("'", "'"), ("\"", "\""):
        quote = nil
      case ("'", _):
        word.append(scalar)
      case (_, "\\"):
        guard let next = rest.popFirst() else {
          throw CommandFailure(.badInput, "bad-input", "The line ends in the middle of a '\\' escape.")
        }
        // Within double quotes a backslash is itself before anything that a shell need not be kept from.
        if quote == "\"", !"\"\\$`".unicodeScalars.contains(next) { word.append("\\") }
        word.append(next)
        isInWord = true
      case ("\"", _):
        word.append(scalar)
      case (nil, "'") where hasApostrophes && isApostrophe(between: previous, rest.first):
        word.append(scalar)
      case (nil, "'"), (nil, "\""):
        quote = scalar
        isInWord = true
      case (nil, " "), (nil, "\t"), (nil, "\n"):
        if isInWord { words.append(String(word)) }
        word = String.UnicodeScalarView()
        isInWord = false
      default:
        word.append(scalar)
        isInWord = true
      }
    }
    if let quote {
      // Most often it is an apostrophe, of somebody who thinks of no quotes.
      throw CommandFailure(
        .badInput, "bad-input",
        "The line has an opening \(quote) and no closing one. Type \\\(quote), outside of quotes, where you mean the sign itself."
      )
    }
    if isInWord { words.append(String(word)) }
    return (words, dashed)
  }

  /// Whether a `'` that stands between these is one of prose: `it's`.
  package static func isApostrophe(between previous: Unicode.Scalar?, _ next: Unicode.Scalar?) -> Bool {
    guard let previous, let next else { return false }
    return isOfWord(previous) && isOfWord(next)
  }

  private static func isOfWord(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .nonspacingMark,
      .spacingMark, .decimalNumber:
      true
    default: false
    }
  }

  /// `word` so that ``split(_:_:hasApostrophes:)`` gives it back as one word.
  package static func quoted(_ word: String) -> String {
    let isPlain = !word.isEmpty && !word.unicodeScalars.contains { " \t\n'\"\\$".unicodeScalars.contains($0) }
    if isPlain { return word }
    var quoted = "'"
    for scalar in word.unicodeScalars {
      if scalar == "'" { quoted += "'\\''" } else { quoted.unicodeScalars.append(scalar) }
    }
    return quoted + "'"
  }
}
