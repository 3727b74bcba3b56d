// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// A line in words, quoted as in a shell: `'…'`, `"…"` and `\`.
package enum ShellWords {
  /// Splits `line` at spaces, tabs and newlines.
  /// - Parameter variables: what `${NAME}` and `$?` stand for, but in single quotes and behind a backslash; nil: for themselves.
  ///   A value is part of the word that it stands in, whatever is in it.
  /// - Throws: ``CommandFailure`` with code 65 when a quote is not closed, the line ends in a single backslash, or a variable has no
  ///   value.
  package static func split(
    _ line: String, _ variables: ScriptVariables? = nil
  ) throws(CommandFailure) -> [String] {
    try marked(line, variables).words
  }

  /// As ``split(_:_:)``.
  /// - Returns: the words, and the places of those that begin with a `-` which a variable's value has.
  static func marked(
    _ line: String, _ variables: ScriptVariables?
  ) throws(CommandFailure) -> (words: [String], dashed: Set<Int>) {
    var words: [String] = []
    var dashed: Set<Int> = []
    var word = String.UnicodeScalarView()
    var isInWord = false
    var quote: Unicode.Scalar?
    var expansion = variables.map { VariableExpansion($0, inWords: true) }
    var rest = line.unicodeScalars[...]
    while let scalar = rest.first {
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
      throw CommandFailure(.badInput, "bad-input", "The line has an opening \(quote) and no closing one.")
    }
    if isInWord { words.append(String(word)) }
    return (words, dashed)
  }

  /// `word` so that ``split(_:)`` gives it back as one word.
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
