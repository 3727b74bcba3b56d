// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import ArgumentParser

/// What people are told of the table: overview, usage, options, help.
extension CommandTable {
  /// A line for each command of `place`, subcommands included, in the table's order; in lines, behind each command one for each thing
  /// that its aliases stand for.
  func overview(for place: CommandPlace) -> [HelpRow] {
    declared(for: place).flatMap { command -> [HelpRow] in
      let isGroup = command.declaration.bare != nil
      let own = isGroup ? [] : [HelpRow(usage(of: command, in: place), summary: command.summary)]
      return own + (place == .lines ? aliasRows(of: command) : [])
    }
  }

  /// `/w, /who`, and what they stand for.
  private func aliasRows(of command: any JackdawCommand.Type) -> [HelpRow] {
    var rows: [(words: [String], adding: [String])] = []
    for alias in command.declaration.aliases {
      if let index = rows.firstIndex(where: { $0.adding == alias.adding }) {
        rows[index].words.append(alias.word)
      } else {
        rows.append(([alias.word], alias.adding))
      }
    }
    return rows.map { row in
      let meant = ([typed(command, in: .lines)] + row.adding).joined(separator: " ")
      return HelpRow(row.words.map { "/" + $0 }.joined(separator: ", "), summary: "The same as '\(meant)'.")
    }
  }

  /// What stands for a group's subcommand.
  static let subcommand = "SUBCOMMAND"

  /// The command as it is typed, with its arguments, options left out: `/friends add JID …`.
  func usage(of command: any JackdawCommand.Type, in place: CommandPlace) -> String {
    let arguments =
      children(of: command, for: place).isEmpty
      ? CommandInfo(of: command).arguments.filter { $0.kind == .positional }.map(\.usage) : [Self.subcommand]
    return ([typed(command, in: place)] + arguments).joined(separator: " ")
  }

  /// The program's name.
  static let program = "jackdaw"

  /// `jackdaw friends add`, `/friends add`; nil: what stands before each of them.
  func typed(_ command: (any JackdawCommand.Type)?, in place: CommandPlace) -> String {
    var name = ""
    if let command { name = self.name(of: command) }
    return place == .lines ? "/" + name : name.isEmpty ? Self.program : Self.program + " " + name
  }

  /// An option as it is typed.
  struct Option: Equatable, Sendable {
    /// `--name`
    var name: String
    /// Whether the next word is its value.
    var takesValue: Bool
  }

  /// The long options that a command has in `place`.
  func options(of command: any ParsableCommand.Type, in place: CommandPlace) -> [Option] {
    Self.arguments(CommandInfo(of: command), in: place).compactMap { argument in
      guard let name = argument.names.first(where: { $0.hasPrefix("--") }) else { return nil }
      return Option(name: name, takesValue: argument.kind == .option)
    }
  }

  /// The options of the program's start.
  var startOptions: [Option] { options(of: ShellRoot<NoCommands>.self, in: .shell) }

  /// Without those that belong to the program's start and are none of a line's.
  static func arguments(_ info: CommandInfo, in place: CommandPlace) -> [CommandInfo.Argument] {
    info.arguments.filter { argument in
      place != .lines || argument.section != SharedOptions.title || argument.names == [SharedOptions.ofLines]
    }
  }
}
