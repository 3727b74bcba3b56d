// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import ArgumentParser

/// What people are told of the table: overview, usage, options.
extension CommandTable {
  /// A line for each command of `place`, subcommands included, in the table's order.
  static func overview(for place: CommandPlace) -> [HelpRow] {
    commands(for: place).flatMap { command -> [HelpRow] in
      let children = children(of: command, for: place)
      return (children.isEmpty ? [command] : children).map { command in
        HelpRow(usage(of: command, in: place), summary: command.configuration.abstract)
      }
    }
  }

  /// The command as it is typed, with its arguments, options left out: `/friends add <jid> ...`.
  static func usage(of command: any ParsableCommand.Type, in place: CommandPlace) -> String {
    let start = place == .lines ? "/" : "jackdaw "
    let arguments = children(of: command, for: place).isEmpty ? arguments(of: command) : ["<subcommand>"]
    return start + ([name(of: command)] + arguments).joined(separator: " ")
  }

  /// The arguments in the parser's usage line, a bracketed one whole.
  private static func arguments(of command: any ParsableCommand.Type) -> [String] {
    var tokens: [String] = []
    var depth = 0
    for word in command.usageString(includeHidden: false).split(whereSeparator: \.isWhitespace) {
      if depth > 0, let last = tokens.indices.last { tokens[last] += " " + word } else { tokens.append(String(word)) }
      depth += word.count { $0 == "[" } - word.count { $0 == "]" }
    }
    let name = command.configuration.commandName ?? ""
    return tokens.drop { $0.lowercased() == "usage:" || $0 == name }.filter { token in
      !token.hasPrefix("-") && !token.hasPrefix("[-") && token != "<options>" && token != "[<options>]"
    }
  }

  /// An option as it is typed.
  struct Option: Equatable, Sendable {
    /// `--name`
    var name: String
    /// Whether the next word is its value.
    var takesValue: Bool
  }

  /// The long options that a command has in `place`: read from its help, which is made from the declarations.
  static func options(of command: any ParsableCommand.Type, in place: CommandPlace) -> [Option] {
    var options: [Option] = []
    var isInShared = false
    // Wide enough for one line each.
    for line in command.helpMessage(columns: 10_000).split(separator: "\n", omittingEmptySubsequences: false) {
      if !line.hasPrefix(" ") { isInShared = line == SharedOptions.title.uppercased() + ":" }
      guard line.hasPrefix("  -") else { continue }
      let words = line.split(separator: " ")
      guard let index = words.firstIndex(where: { $0.hasPrefix("--") }) else { continue }
      let name = String(words[index])
      if isInShared, place == .lines, name != "--timeout" { continue }
      let takesValue = index + 1 < words.count && words[index + 1].hasPrefix("<")
      options.append(Option(name: name, takesValue: takesValue))
    }
    return options
  }
}
