// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import ArgumentParser

/// What the parser threw: a request for help, or words that it could not make sense of.
struct UsageError {
  private let error: any Error
  private let root: any ParsableCommand.Type
  private let command: (any JackdawCommand.Type)?
  private let place: CommandPlace
  private let table: CommandTable

  /// - Parameter command: the one that the words name, as far as they do.
  init(_ error: any Error, of command: (any JackdawCommand.Type)?, in place: CommandPlace, table: CommandTable) {
    self.error = error
    root = place == .lines ? table.lineRoot : table.shellRoot
    self.command = command
    self.place = place
    self.table = table
  }

  /// The text that was asked for.
  /// - Throws: ``CommandFailure`` with code 64 when it was no request for a text.
  func text() throws(CommandFailure) -> String {
    guard root.exitCode(for: error).isSuccess else { throw CommandFailure(.usage, "usage", sentence) }
    let text = root.fullMessage(for: error)
    // The parser does not say what it was asked for: its help is known by being that.
    if let command, text == root.helpMessage(for: command) {
      return HelpPage(command: command, place: place, table: table).text()
    }
    return text == root.helpMessage() ? HelpPage(command: nil, place: place, table: table).text() : text
  }

  /// The parser's sentence in the manner of ours, with what helps on.
  private var sentence: String {
    var text = Self.joined(root.message(for: error))
    // Its guess may be as far away as one likes.
    if let guess = text.firstRange(of: ". Did you mean") { text = String(text[..<guess.lowerBound]) }
    if let advice = text.firstRange(of: ". Please") { text.replaceSubrange(advice, with: ": please") }
    text = text.prefix(1).lowercased() + text.dropFirst()
    guard let command else { return text }
    if text.hasPrefix("unknown option '"), let option = text.split(separator: "'").dropFirst().first {
      let known = table.options(of: command, in: place).map(\.name)
      if let near = Suggestion.nearest(to: String(option), among: known) { return text + "; did you mean '\(near)'?" }
      if command.declaration.wordsBeforeText != nil {
        return text + "; put '--' before a text that begins with '-'"
      }
    }
    return text.contains("argument") ? text + "; usage: " + table.usage(of: command, in: place) : text
  }

  /// A list of lines as one of words.
  private static func joined(_ text: String) -> String {
    let lines = text.split(separator: "\n")
    guard let first = lines.first, lines.count > 1 else { return text }
    return first + " " + lines.dropFirst().map { $0.drop { " -".contains($0) } }.joined(separator: ", ")
  }
}
