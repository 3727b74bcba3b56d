// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import ArgumentParser
import JackdawLoop

/// `chat`: the prompt, talking to somebody.
package struct ChatCommand: ClientCommand {
  package static let configuration = CommandConfiguration(
    commandName: "chat", abstract: "Open the prompt, talking to somebody.")
  package static let declaration = CommandDeclaration(
    place: .shell, arguments: [.name(.friend)],
    runsApart: true, accounts: .all, meanings: ["to", "talk", "open"],
    examples: [
      .init("chat bob@example.org", "Open the prompt, talking to Bob."),
      .init("chat Bob", "The same by a friend's name."),
    ])

  @Argument(help: ArgumentHelp("Whom to talk to: a JID, or a friend's name.", valueName: "jid"), completion: .declared)
  package var address: String?

  @Flag(help: RunCommand.keepGoingHelp)
  package var keepGoing = false

  @OptionGroup(title: SharedOptions.title) package var shared: SharedOptions
  package init() {}

  package var isLimited: Bool { false }

  @Client package func run(in context: CommandContext) async throws {
    try await context.application.talk(to: address, keepGoing: keepGoing)
  }
}

/// `run`: a script.
package struct RunCommand: ClientCommand {
  package static let configuration = CommandConfiguration(
    commandName: "run", abstract: "Run a script, line by line.",
    discussion: """
      A line that begins with / is a command; // sends a line that begins with /; # begins a comment; any other line is a \
      message to the current conversation, which /to sets. A last line without a newline counts. The first failure ends the \
      script. After a /to that failed nobody gets plain lines until another succeeds.

      ${NAME} is replaced by what /set gave it, or the environment. 'help scripts' has more.
      """)
  package static let declaration = CommandDeclaration(
    place: .shell, arguments: [.word(.file)],
    accounts: .all, meanings: ["script", "exec", "source"],
    examples: [
      .init("run night.jack", "Run the lines of a file."),
      .init("run --keep-going night.jack", "Go on after a line that fails."),
    ])

  @Argument(help: ArgumentHelp("The script; - is stdin.", valueName: "file"), completion: .file())
  package var file: String

  @Flag(help: Self.keepGoingHelp)
  package var keepGoing = false

  @OptionGroup(title: SharedOptions.title) package var shared: SharedOptions
  package init() {}

  /// What `--keep-going` does, wherever a script can be given.
  static let keepGoingHelp: ArgumentHelp =
    "In a script, go on after a failure; the code is that of the last one, and stderr says how many lines failed."

  package var isLimited: Bool { false }

  @Client package func run(in context: CommandContext) async throws {
    try await context.application.runScript(file, keepGoing: keepGoing)
  }
}
