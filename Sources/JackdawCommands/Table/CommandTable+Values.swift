// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// Values of variables among the words of a script's command.
extension CommandTable {
  /// Whoever writes a script settles what a line does: a value is a text or an argument there, and no option, which might name further
  /// recipients (`--also=`) or show a help text in the message's place.
  /// - Parameters:
  ///   - words: those of a line, without its slash.
  ///   - values: the places of those that begin with the `-` of a value.
  /// - Returns: the words, with a `--` where a value begins the text of the line, or of the command that it runs, and as one word with
  ///   the option that it belongs to.
  /// - Throws: ``CommandFailure`` with code 65 where a value would be an option all the same.
  func words(_ words: [String], withoutOptionsAt values: Set<Int>) throws(CommandFailure) -> [String] {
    let values = values.filter { words[$0] != "-" }
    guard !values.isEmpty else { return words }
    var standing = words
    // As no word of a line is: neither a command nor an option.
    for place in values { standing[place] = "\0" }
    guard let prepared = try? WordPreparation(standing, in: .lines, of: self), let command = prepared.command else {
      // What is wrong with the command itself is told when it is read.
      if !values.contains(0), (try? WordPreparation(words, in: .lines, of: self))?.command == nil { return words }
      throw Self.isAnOption
    }
    let text = prepared.words.firstIndex(of: "--").map { $0 + 1 } ?? prepared.words.endIndex
    // In a line the text is all that is left of it.
    let begin = words.count - (prepared.words.count - text)
    var before = Array(words[..<begin])
    for place in values.filter({ $0 < begin }).sorted(by: >) {
      // The number of a message, say: no command has one as an option.
      if words[place].dropFirst().first?.isNumber == true { continue }
      guard place > 0, !values.contains(place - 1), before[place - 1].hasPrefix("--"), takesValue(before[place - 1])
      else { throw Self.isAnOption }
      before[place - 1] += "=" + before.remove(at: place)
    }
    let rest = words[begin...]
    if command.declaration.runsCommand {
      let nested = Set(values.filter { $0 >= begin }.map { $0 - begin })
      return before + (try self.words(Self.withoutSlash(Array(rest)), withoutOptionsAt: nested))
    }
    return values.contains(begin) && !before.contains("--") ? before + ["--"] + rest : before + rest
  }

  private static let isAnOption = CommandFailure(
    .badInput, "bad-input",
    "A value that begins with '-' would be taken for an option: put '--' before it."
  )
}
