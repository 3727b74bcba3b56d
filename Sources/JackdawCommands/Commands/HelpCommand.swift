// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import ArgumentParser
import JackdawLoop

/// `/help`: a card with what one needs first, all commands, one of them, or a topic.
package struct HelpCommand: ClientCommand {
  package static let configuration = CommandConfiguration(
    commandName: "help", abstract: "Show what you need first, or help on a command or a topic.",
    discussion: """
      Topics: \(HelpTopic.allCases.map(\.rawValue).joined(separator: ", ")). A command can be named by an alias or by its beginning.
      """)
  package static let declaration = CommandDeclaration(
    place: .lines, arguments: [.word(.command)], turn: .atOnce,
    aliases: ["?"], meanings: ["man", "commands", "usage", "h"],
    examples: [
      .init("help", "What one needs first."),
      .init("help all", "All commands."),
      .init("help friends add", "One of them."),
    ])

  @Argument(help: ArgumentHelp("A command or a topic; 'all': all commands.", valueName: "name"))
  package var command: [String] = []

  @OptionGroup(title: SharedOptions.title) package var shared: SharedOptions
  package init() {}

  @Client package func run(in context: CommandContext) async throws {
    let request = try HelpRequest(command, in: .lines, of: context.application.table)
    for row in request.rows { context.show(row) }
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
