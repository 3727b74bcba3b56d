// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// What a word in a command's place names.
enum CommandNaming {
  /// A command or a group, and what the word stands for beyond its own words.
  struct Named {
    var command: any JackdawCommand.Type
    var adding: [String] = []
    /// The whole name or alias.
    var word: String
  }

  /// By its name or an alias. These win over whatever they are the beginning of.
  case exact(Named)
  /// The beginning of the names and aliases of these: one or several, each once.
  case beginning([Named])
  case nothing

  /// All that the word may name.
  var candidates: [Named] {
    switch self {
    case .exact(let named): [named]
    case .beginning(let all): all
    case .nothing: []
    }
  }

  /// What is named, where that is one thing only.
  var only: Named? { candidates.count == 1 ? candidates.first : nil }
}

extension CommandTable {
  /// What `word` names in `place`. Aliases and beginnings are for lines: in the shell only names are names.
  func naming(_ word: some StringProtocol, in place: CommandPlace) -> CommandNaming {
    if let command = command(named: word, for: place) {
      return .exact(CommandNaming.Named(command: command, word: command.word))
    }
    guard place == .lines, !word.isEmpty else { return .nothing }
    if let alias = aliases.first(where: { $0.word == word }) { return .exact(alias) }
    // Beginnings are for the prompt.
    let names = commands(for: place).filter { !$0.declaration.isOfScripts }.map {
      CommandNaming.Named(command: $0, word: $0.word)
    }
    let found = (names + aliases { !$0.isTypedWhole }).filter { $0.word.hasPrefix(word) }
    // What other programs call something else is no beginning: '/chat bob' is not meant to list the conversations.
    let meant = declared(for: place).filter { $0.declaration.meanings.contains { $0.word == word } }
    guard meant.isEmpty || found.contains(where: { named in meant.contains { $0 == named.command } }) else {
      return .nothing
    }
    return Self.beginning(with: word, found)
  }

  /// The subcommand of a group that `word` names. Where arguments may follow a group, its beginning may be one of those: there only
  /// whole words are subcommands.
  func naming(_ word: String, among children: [any JackdawCommand.Type], of bare: BareGroup) -> CommandNaming {
    if let child = children.first(where: { $0.word == word }) {
      return .exact(CommandNaming.Named(command: child, word: word))
    }
    if case .commandWithArguments = bare { return .nothing }
    let names = children.map { CommandNaming.Named(command: $0, word: $0.word) }
    return Self.beginning(with: word, word.isEmpty ? [] : names.filter { $0.word.hasPrefix(word) })
  }

  private static func beginning(with word: some StringProtocol, _ found: [CommandNaming.Named]) -> CommandNaming {
    var each: [CommandNaming.Named] = []
    for named in found where !each.contains(where: { $0.command == named.command && $0.adding == named.adding }) {
      each.append(named)
    }
    return each.isEmpty ? .nothing : .beginning(each)
  }

  /// The aliases that can be typed in lines.
  var aliases: [CommandNaming.Named] { aliases { _ in true } }

  private func aliases(_ isMeant: (CommandSynonym) -> Bool) -> [CommandNaming.Named] {
    declared(for: .lines).flatMap { command in
      command.declaration.aliases.filter(isMeant).map {
        CommandNaming.Named(command: command, adding: $0.adding, word: $0.word)
      }
    }
  }

  /// Each command and group that can be used in `place`, a group before its subcommands.
  func declared(for place: CommandPlace) -> [any JackdawCommand.Type] {
    commands(for: place).flatMap { [$0] + children(of: $0, for: place) }
  }
}
