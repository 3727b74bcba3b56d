// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import ArgumentParser
import JackdawLoop

/// `/show`: a text that was folded on the screen, whole.
package struct ShowCommand: ClientCommand {
  package static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Print a long text whole, of which the prompt has shown the beginning.",
    discussion: """
      The line under the beginning of a long text names its number. The texts of the last 8 MB are kept. Scripts and JSON have \
      every text whole.
      """)
  package static let declaration = CommandDeclaration(
    place: .lines, arguments: [.word(.foldedText)], turn: .atOnce,
    meanings: ["unfold", "expand", "full"],
    examples: [
      .init("show", "The last one that was folded."),
      .init("show 3", "The text of number 3."),
    ])

  @Argument(help: ArgumentHelp("Which one; else the last.", valueName: "number"))
  package var number: Int?

  @OptionGroup(title: SharedOptions.title) package var shared: SharedOptions
  package init() {}

  /// Whoever reads it may take any time.
  package var isLimited: Bool { false }

  @Client package func run(in context: CommandContext) async throws {
    guard let text = context.output.unfolding(number) else {
      let what = number.map { "No text \($0)" } ?? "No text"
      throw CommandFailure(.badInput, "item-not-found", "\(what) is folded here, or it is too long ago.")
    }
    while text.printNext() {
      try Task.checkCancellation()
      try await context.output.makeRoom()
    }
  }
}
