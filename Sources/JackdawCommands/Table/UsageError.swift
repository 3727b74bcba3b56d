// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import ArgumentParser

/// What the parser threw: a request for help, or words that it could not make sense of.
struct UsageError {
  private let error: any Error
  private let root: any ParsableCommand.Type
  private let command: (any ParsableCommand.Type)?
  private let place: CommandPlace

  /// - Parameter command: the one that the words name, as far as they do.
  init(
    _ error: any Error, of root: any ParsableCommand.Type, command: (any ParsableCommand.Type)?, in place: CommandPlace
  ) {
    self.error = error
    self.root = root
    self.command = command
    self.place = place
  }

  /// The text that was asked for.
  /// - Throws: ``CommandFailure`` with code 64 when it was no request for a text.
  func text() throws(CommandFailure) -> String {
    guard root.exitCode(for: error).isSuccess else { throw CommandFailure(.usage, "usage", sentence) }
    return help(root.fullMessage(for: error))
  }

  /// The parser's sentence in the manner of ours, with what helps on.
  private var sentence: String {
    var text = Self.slashed(Self.joined(root.message(for: error)))
    // Its guess may be as far away as one likes.
    if let guess = text.firstRange(of: ". Did you mean") { text = String(text[..<guess.lowerBound]) }
    if let advice = text.firstRange(of: ". Please") { text.replaceSubrange(advice, with: ": please") }
    text = text.prefix(1).lowercased() + text.dropFirst()
    guard let command else { return text }
    if text.hasPrefix("unknown option '"), let option = text.split(separator: "'").dropFirst().first {
      let known = CommandTable.options(of: command, in: place).map(\.name)
      if let near = Suggestion.nearest(to: String(option), among: known) { return text + "; did you mean '\(near)'?" }
      if (command as? any ClientCommand.Type)?.wordsBeforeText != nil {
        return text + "; put '--' before a text that begins with '-'"
      }
    }
    return text.contains("argument") ? text + "; usage: " + CommandTable.usage(of: command, in: place) : text
  }

  /// The parser's help with what is the command's own before what every command has; of that, only one option is for lines.
  private func help(_ text: String) -> String {
    var text = withoutForeignCommands(Self.slashed(text))
    let heading = SharedOptions.title.uppercased() + ":\n"
    guard let start = text.firstRange(of: heading)?.lowerBound else { return text }
    let end = text[start...].firstRange(of: "\n\n")?.upperBound ?? text.endIndex
    var shared = text[start..<end].split(separator: "\n")
    if place == .lines { shared = shared.filter { !$0.hasPrefix(" ") || $0.hasPrefix("  --timeout") } }
    text.removeSubrange(start..<end)
    let block = shared.map { $0 + "\n" }.joined()
    guard let rest = text[start...].firstRange(of: "\n\n")?.upperBound else {
      return text + (text.hasSuffix("\n") ? "\n" : "\n\n") + block
    }
    text.insert(contentsOf: block + "\n", at: rest)
    return text
  }

  /// The parser's help on a group lists all of its commands: here go those that the place does not have.
  private func withoutForeignCommands(_ text: String) -> String {
    guard let command, let start = text.firstRange(of: "\nSUBCOMMANDS:\n")?.upperBound else { return text }
    let known = CommandTable.children(of: command, for: place).compactMap { $0.configuration.commandName }
    let end = text[start...].firstRange(of: "\n\n")?.lowerBound ?? text.endIndex
    var isKept = true
    let lines = text[start..<end].split(separator: "\n").filter { line in
      // Two spaces and the name; what is indented further goes on with the line before.
      if line.hasPrefix("  "), !line.hasPrefix("   ") {
        isKept = known.contains(String(line.dropFirst(2).prefix { $0 != " " }))
      }
      return isKept
    }
    return text[..<start] + lines.joined(separator: "\n") + text[end...]
  }

  /// A list of lines as one of words.
  private static func joined(_ text: String) -> String {
    let lines = text.split(separator: "\n")
    guard let first = lines.first, lines.count > 1 else { return text }
    return first + " " + lines.dropFirst().map { $0.drop { " -".contains($0) } }.joined(separator: ", ")
  }

  private static func slashed(_ text: String) -> String {
    text.split(separator: LineRoot.slash + " ", omittingEmptySubsequences: false).joined(separator: "/")
  }
}
