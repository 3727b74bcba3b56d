// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc

/// The help on a command: what it does, how it is used, lines of it, its own options; and what every command has, where that is asked
/// for. Only what there is in one place.
struct HelpPage {
  let command: (any JackdawCommand.Type)?
  let place: CommandPlace
  let table: CommandTable
  /// The options of every command are shown too.
  var showsAll = false

  /// Asks for the page with the options of every command.
  static let allOption = "--help-all"
  /// All that ask for a page.
  static let options: Set<String> = ["--help", "-h", allOption]

  /// The page, each line within `columns` where that can be.
  func text(columns: Int = Self.columns) -> String {
    let info = info
    let overview = [info.abstract, info.discussion].filter { !$0.isEmpty }.joined(separator: "\n\n")
    let start = overview.isEmpty ? "" : "OVERVIEW: \(overview)".wrapped(to: columns) + "\n\n"
    let also = synonyms.map { $0.wrapped(to: columns) + "\n" } ?? ""
    let page = start + "USAGE: \(usage(info))\n" + also + "\n"
    let lists = sections(info).filter { !$0.entries.isEmpty }.map { section in
      section.heading.uppercased() + ":\n" + section.entries.map { $0.text(columns) }.joined()
    }
    return page + ([examples(columns)].compactMap(\.self) + lists).joined(separator: "\n") + "\n" + ending(columns)
  }

  /// The aliases that lines have for it.
  private var synonyms: String? {
    guard place == .lines, let aliases = command?.declaration.aliases, !aliases.isEmpty, let command else { return nil }
    let name = table.typed(command, in: .lines)
    return "ALSO: "
      + aliases.map { alias in
        "/\(alias.word)" + (alias.adding.isEmpty ? "" : " (\(([name] + alias.adding).joined(separator: " ")))")
      }.joined(separator: ", ")
  }

  private func examples(_ columns: Int) -> String? {
    let examples = command.map { command in
      children.isEmpty
        ? Self.examples(of: command, in: place)
        : children.compactMap { Self.examples(of: $0, in: place).first }.prefix(Self.mostExamples)[...]
    }
    guard let examples, !examples.isEmpty else { return nil }
    return "EXAMPLES:\n"
      + examples.map { example in
        example.typed(in: place).wrapped(to: columns, indentation: 2) + "\n"
          + example.summary.wrapped(to: columns, indentation: 6) + "\n"
      }.joined()
  }

  /// A group shows the first of so many of its subcommands.
  private static let mostExamples = 3

  /// Those of a command that make sense in `place`.
  static func examples(of command: any JackdawCommand.Type, in place: CommandPlace) -> ArraySlice<CommandExample> {
    command.declaration.examples.filter { [.everywhere, place].contains($0.place) }[...]
  }

  /// What more can be asked for.
  private func ending(_ columns: Int) -> String {
    var lines = children.isEmpty ? [] : ["See '\(helpOnMore)' for detailed help."]
    if !showsAll {
      let known = place == .lines ? SharedOptions.ofLines : "--account and --json"
      lines.append("'\(Self.allOption)' shows the options of every command too, such as \(known).")
    }
    return lines.map { $0.wrapped(to: columns, indentation: HelpEntry.indentation) }.joined(separator: "\n")
  }

  private var info: CommandInfo {
    let start = CommandInfo(of: place == .lines ? LineRoot<NoCommands>.self : ShellRoot<NoCommands>.self)
    guard let command else { return start }
    var info = CommandInfo(of: command)
    // The program's start has it for each command below it.
    let version = start.arguments.filter { $0.names == [Self.version] }
    // A group has none of its own.
    if let child = children.first {
      info.arguments.insert(
        contentsOf: CommandInfo(of: child).arguments.filter { $0.section == SharedOptions.title }, at: 0)
    }
    info.arguments.insert(contentsOf: version, at: info.arguments.firstIndex(where: Self.isHelp) ?? 0)
    return info
  }

  private static let version = "--version"
  private static func isHelp(_ argument: CommandInfo.Argument) -> Bool { argument.names.last == "--help" }

  private var helpOnMore: String {
    let start = table.typed(nil, in: place) + (place == .lines ? "" : " ")
    return start + (["help"] + path + [CommandTable.subcommand]).joined(separator: " ")
  }

  private var path: [String] {
    if let command { table.path(of: command) } else { [] }
  }

  private var children: [any JackdawCommand.Type] {
    if let command { table.children(of: command, for: place) } else { table.commands(for: place) }
  }

  /// The command with its arguments, and its options where they are not many. A group has no options.
  private func usage(_ info: CommandInfo) -> String {
    let isGroup = command != nil && !children.isEmpty
    let own = isGroup ? [] : info.arguments.filter { !Self.isHelp($0) && $0.names != [Self.version] }
    var shown = own
    if own.count > Self.longestUsage { shown = own.filter { $0.kind == .positional || !$0.isOptional } }
    let options = shown.count == own.count ? [] : ["[OPTION …]"]
    let subcommand = children.isEmpty ? [] : [CommandTable.subcommand]
    let words = (options + shown.map(\.usage) + subcommand).joined(separator: " ")
    let start = table.typed(command, in: place)
    return start.hasSuffix("/") || words.isEmpty ? start + words : start + " " + words
  }

  /// With more arguments and options than these, the options are left out of the usage.
  private static let longestUsage = 12

  private func sections(_ info: CommandInfo) -> [(heading: String, entries: [HelpEntry])] {
    let arguments = CommandTable.arguments(info, in: place)
    let shared = arguments.filter { $0.section != nil || Self.isHelp($0) || $0.names == [Self.version] }
    return [
      ("Arguments", arguments.filter { $0.kind == .positional }.map(HelpEntry.init)),
      ("Options", arguments.filter { $0.kind != .positional && !shared.contains($0) }.map(HelpEntry.init)),
      ("Subcommands", children.map { HelpEntry(label: $0.word, summary: $0.summary) }),
      (SharedOptions.title, showsAll ? shared.map(HelpEntry.init) : []),
    ]
  }

  /// As many as the user wants, or the terminal on stdout has.
  static var columns: Int {
    if let wanted = getenv("COLUMNS").flatMap({ Int(String(cString: $0)) }) { return wanted }
    var size = winsize()
    return ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 ? Int(size.ws_col) : 80
  }
}

/// A line of a list in the help: what is typed, and what it does in the column beside it.
struct HelpEntry {
  var label: String
  var summary: String

  static let indentation = 2
  static let column = 26

  /// - Parameter column: where the summaries begin.
  func text(_ columns: Int, column: Int = Self.column) -> String {
    let label = String(repeating: " ", count: Self.indentation) + label
    guard !summary.isEmpty else { return label + "\n" }
    let summary = summary.wrapped(to: columns, indentation: column)
    return label + (label.count < column ? summary.dropFirst(label.count) : "\n" + summary) + "\n"
  }
}

extension HelpEntry {
  init(_ argument: CommandInfo.Argument) {
    let value = argument.kind == .flag ? [] : [CommandInfo.Argument.placeholder(argument.valueName)]
    label = ([argument.names.joined(separator: ", ")].filter { !$0.isEmpty } + value).joined(separator: " ")
    let values = argument.values.isEmpty ? nil : "values: " + argument.values.joined(separator: ", ")
    let known = [values, argument.defaultValue.map { "default: " + $0 }].compactMap { $0 }.joined(separator: "; ")
    summary = [argument.abstract, known.isEmpty ? "" : "(\(known))"].filter { !$0.isEmpty }.joined(separator: " ")
  }
}

extension String {
  /// Broken at spaces into lines of at most so many columns, the indentation of each included. A word that is longer stays whole.
  func wrapped(to columns: Int, indentation: Int = 0) -> String {
    let width = max(1, columns - indentation)
    let lines = split(separator: "\n", omittingEmptySubsequences: false).flatMap { line -> [Substring] in
      var lines: [Substring] = []
      var rest = line
      while rest.count > width, let end = rest.prefix(width).lastIndex(of: " ") ?? rest.firstIndex(of: " ") {
        lines.append(rest[..<end])
        rest = rest[rest.index(after: end)...]
      }
      return lines + [rest]
    }
    let margin = String(repeating: " ", count: indentation)
    return lines.map { $0.isEmpty ? "" : margin + $0 }.joined(separator: "\n")
  }
}
