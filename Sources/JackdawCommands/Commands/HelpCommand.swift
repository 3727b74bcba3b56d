// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import ArgumentParser
import JackdawLoop

/// `/help`: the commands, or one of them.
package struct HelpCommand: ClientCommand {
  package static let configuration = CommandConfiguration(
    commandName: "help", abstract: "Show the commands, or how to use one.")
  package static let declaration = CommandDeclaration(place: .lines, arguments: [.word(.command)], turn: .atOnce)

  @Argument(help: "The command.")
  package var command: [String] = []

  @OptionGroup(title: SharedOptions.title) package var shared: SharedOptions
  package init() {}

  @Client package func run(in context: CommandContext) async throws {
    let words = command.map { $0.hasPrefix("/") ? String($0.dropFirst()) : $0 }
    if words.isEmpty {
      for row in context.application.table.overview(for: .lines) { context.show(row) }
      return
    }
    guard case .text(let text) = try context.application.table.parse(line: words + ["--help"]) else { return }
    for row in HelpRow.lines(of: text) { context.show(row) }
  }
}

/// One line of help.
package struct HelpRow: CommandRow {
  /// How the command is written, or a whole line of a longer help text.
  package var usage: String
  /// What the command does, in the column beside it; nil for a line of text.
  package var summary: String?

  package init(_ usage: String, summary: String? = nil) {
    self.usage = usage
    self.summary = summary
  }

  /// A text, line by line.
  static func lines(of text: String) -> [HelpRow] {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { HelpRow(String($0)) }
  }

  package var cells: [Cell] { summary.map { [Cell(usage, .heading), Cell($0)] } ?? [Cell(usage)] }
}
