// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc

/// The help on a command, laid out as the parser lays out its own: but with what is the command's own before what every command
/// has, and with what there is in one place only.
struct HelpPage {
  let command: (any JackdawCommand.Type)?
  let place: CommandPlace
  let table: CommandTable

  /// The page, each line within `columns` where that can be.
  func text(columns: Int = Self.columns) -> String {
    let info = info
    let overview = [info.abstract, info.discussion].filter { !$0.isEmpty }.joined(separator: "\n\n")
    let start = overview.isEmpty ? "" : "OVERVIEW: \(overview)".wrapped(to: columns) + "\n\n"
    let page = start + "USAGE: \(usage(info))\n\n"
    let sections = sections(info).filter { !$0.entries.isEmpty }.map { section in
      section.heading.uppercased() + ":\n" + section.entries.map { $0.text(columns) }.joined()
    }
    return page + sections.joined(separator: "\n")
      + (children.isEmpty ? "" : "\n  See '\(helpOnMore)' for detailed help.")
  }

  private var info: CommandInfo {
    let start = CommandInfo(of: place == .lines ? LineRoot<NoCommands>.self : ShellRoot<NoCommands>.self)
    guard let command else { return start }
    var info = CommandInfo(of: command)
    // The program's start has it for each command below it.
    let version = start.arguments.filter { $0.names == [Self.version] }
    info.arguments.insert(contentsOf: version, at: info.arguments.firstIndex(where: Self.isHelp) ?? 0)
    return info
  }

  private static let version = "--version"
  private static func isHelp(_ argument: CommandInfo.Argument) -> Bool { argument.names.last == "--help" }

  private var helpOnMore: String {
    let start = table.typed(nil, in: place) + (place == .lines ? "" : " ")
    return start + (["help"] + path + ["<subcommand>"]).joined(separator: " ")
  }

  private var path: [String] {
    if let command { table.path(of: command) } else { [] }
  }

  private var children: [any JackdawCommand.Type] {
    if let command { table.children(of: command, for: place) } else { table.commands(for: place) }
  }

  /// The command with its arguments, and its options where they are not many.
  private func usage(_ info: CommandInfo) -> String {
    let own = info.arguments.filter { !Self.isHelp($0) && $0.names != [Self.version] }
    var shown = own
    if own.count > Self.longestUsage { shown = own.filter { $0.kind == .positional || !$0.isOptional } }
    let options = shown.count == own.count ? [] : [shown.isEmpty ? "<options>" : "[<options>]"]
    let subcommand = children.isEmpty ? [] : ["<subcommand>"]
    let words = (options + shown.map(\.usage) + subcommand).joined(separator: " ")
    let start = table.typed(command, in: place)
    return start.hasSuffix("/") || words.isEmpty ? start + words : start + " " + words
  }

  /// With more arguments and options than these, the options are left out of the usage.
  private static let longestUsage = 12

  private func sections(_ info: CommandInfo) -> [(heading: String, entries: [HelpEntry])] {
    let arguments = CommandTable.arguments(info, in: place)
    return [
      ("Arguments", arguments.filter { $0.kind == .positional }.map(HelpEntry.init)),
      ("Options", arguments.filter { $0.kind != .positional && $0.section == nil }.map(HelpEntry.init)),
      (SharedOptions.title, arguments.filter { $0.section != nil }.map(HelpEntry.init)),
      ("Subcommands", children.map { HelpEntry(label: $0.word, summary: $0.summary) }),
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
private struct HelpEntry {
  var label: String
  var summary: String

  static let indentation = 2
  static let column = 26

  func text(_ columns: Int) -> String {
    let label = String(repeating: " ", count: Self.indentation) + label
    guard !summary.isEmpty else { return label + "\n" }
    let summary = summary.wrapped(to: columns, indentation: Self.column)
    return label + (label.count < Self.column ? summary.dropFirst(label.count) : "\n" + summary) + "\n"
  }
}

extension HelpEntry {
  init(_ argument: CommandInfo.Argument) {
    let value = argument.kind == .flag ? [] : ["<\(argument.valueName)>"]
    label = ([argument.names.joined(separator: ", ")].filter { !$0.isEmpty } + value).joined(separator: " ")
    let values = argument.values.isEmpty ? nil : "values: " + argument.values.joined(separator: ", ")
    let known = [values, argument.defaultValue.map { "default: " + $0 }].compactMap { $0 }.joined(separator: "; ")
    summary = [argument.abstract, known.isEmpty ? "" : "(\(known))"].filter { !$0.isEmpty }.joined(separator: " ")
  }
}

extension String {
  /// Broken at spaces into lines of at most so many columns, the indentation of each included. A word that is longer stays whole.
  fileprivate func wrapped(to columns: Int, indentation: Int = 0) -> String {
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
