// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import ArgumentParser
import JackdawLoop
import JackdawProtocol
import JackdawSession

/// `/post`: an event of the script's own, for whoever reads the events or waits for it.
package struct PostCommand: ClientCommand {
  package static let configuration = CommandConfiguration(
    commandName: "post", abstract: "Tell of something of your own, as an event.",
    discussion: "Whoever reads the events sees it in its place among the others. Nothing goes to the server.")
  package static let declaration = CommandDeclaration(
    place: .lines, arguments: [.word(.nothing), .text(.nothing)], options: ["--from": .friend],
    meanings: ["emit", "event"],
    examples: [
      .init("post x-lunch In the kitchen", "Tell the scripts of an event.")
    ])

  @Argument(help: "Its name, which begins with 'x-'.")
  package var event: String

  @Argument(help: "What it says.")
  package var text: [String] = []

  @Option(help: ArgumentHelp("Whom it is about.", valueName: "jid"))
  package var from: String?

  @OptionGroup(title: SharedOptions.title) package var shared: SharedOptions
  package init() {}

  package func validate() throws {
    do {
      _ = try ScriptEvent(name: event)
    } catch {
      throw ValidationError("the name of an event of your own begins with '\(ScriptEvent.prefix)'")
    }
  }

  @Client package func run(in context: CommandContext) async throws {
    let topic: JID? = if let from { try await context.address(from) } else { nil }
    let session = try await context.session()
    try session.events.post(named: event, topic: topic, text: text.isEmpty ? nil : text.joined(separator: " "))
  }
}
