// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import ArgumentParser

/// What people are told of the table: overview, usage, options, help.
extension CommandTable {
  /// A line for each command of `place`, subcommands included, in the table's order.
  func overview(for place: CommandPlace) -> [HelpRow] {
    leaves(for: place).map { HelpRow(usage(of: $0, in: place), summary: $0.summary) }
  }

  /// The command as it is typed, with its arguments, options left out: `/friends add <jid> ...`.
  func usage(of command: any JackdawCommand.Type, in place: CommandPlace) -> String {
    let arguments =
      children(of: command, for: place).isEmpty
      ? CommandInfo(of: command).arguments.filter { $0.kind == .positional }.map(\.usage) : ["<subcommand>"]
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

  // MARK: For the manual page

  /// Asks for the table of lines as JSON, as `--experimental-dump-help` gives that of the shell: for Docs/manual.py.
  package static let lineTableOption = "--experimental-dump-line-help"

  /// The table of lines, and before it the words of those commands that are for the shell alone.
  var lineTable: String {
    let ofLines = Set(leaves(for: .lines).map { name(of: $0) })
    let others = leaves(for: .shell).map { name(of: $0) }.filter { !ofLines.contains($0) }
    let list = others.map { "\"\($0)\"" }.joined(separator: ", ")
    return "{\n  \"shellOnly\" : [\(list)]," + lineRoot._dumpHelp().dropFirst()
  }
}
