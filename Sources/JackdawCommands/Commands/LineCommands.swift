// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import ArgumentParser
import JackdawLoop

/// `/to`: whom plain lines go to.
package struct ToCommand: ImmediateCommand {
  package static let configuration = CommandConfiguration(
    commandName: "to", abstract: "Talk to somebody: plain lines go there from now on.")
  package static let declaration = CommandDeclaration(
    place: .lines, arguments: [.name(.friend)], picksConversation: true)

  @Argument(help: ArgumentHelp("A JID, or a friend's name.", valueName: "jid"))
  package var address: String

  @OptionGroup(title: SharedOptions.title) package var shared: SharedOptions
  package init() {}

  @Client package func runAtOnce(in context: CommandContext) throws {
    let jid = try context.knownAddress(address)
    context.lines.conversation = .with(jid)
    if context.origin == .prompt { try context.showConversation(with: jid) }
  }

  /// The words that pick `address`, as if they had been typed.
  static func words(for address: String) -> [String] { [word, address] }
}

/// `/close`: nobody is talked to any more.
package struct CloseCommand: ImmediateCommand {
  package static let configuration = CommandConfiguration(commandName: "close", abstract: "End the conversation.")
  package static let declaration = CommandDeclaration(place: .lines, picksConversation: true)

  @OptionGroup(title: SharedOptions.title) package var shared: SharedOptions
  package init() {}

  @Client package func runAtOnce(in context: CommandContext) throws { context.lines.conversation = .none }
}

/// `/quit`: leaves.
package struct QuitCommand: ImmediateCommand {
  package static let configuration = CommandConfiguration(commandName: "quit", abstract: "Leave.")
  package static let declaration = CommandDeclaration(place: .lines)

  @OptionGroup(title: SharedOptions.title) package var shared: SharedOptions
  package init() {}

  @Client package func runAtOnce(in context: CommandContext) throws { context.lines.leave() }
}

/// `/reconnect`: tries now.
package struct ReconnectCommand: ClientCommand {
  package static let configuration = CommandConfiguration(
    commandName: "reconnect", abstract: "Connect now, without waiting for the next try.")
  package static let declaration = CommandDeclaration(place: .lines, turn: .atOnce)

  @OptionGroup(title: SharedOptions.title) package var shared: SharedOptions
  package init() {}

  @Client package func run(in context: CommandContext) async throws {
    try await context.application.reconnectNow(context.account())
  }
}

/// `/sleep`: waits, while what arrives goes on being printed.
package struct SleepCommand: ClientCommand {
  package static let configuration = CommandConfiguration(commandName: "sleep", abstract: "Wait some seconds.")
  package static let declaration = CommandDeclaration(place: .lines, arguments: [.word(.nothing)])

  @Argument(help: "How long.")
  package var seconds: Double

  @OptionGroup(title: SharedOptions.title) package var shared: SharedOptions
  package init() {}

  package func validate() throws {
    if !(seconds >= 0 && seconds < CommandLimits.longestWait) {
      throw ValidationError("'\(seconds)' is no number of seconds")
    }
  }

  package var isLimited: Bool { false }

  @Client package func run(in context: CommandContext) async throws {
    try await context.application.clock.sleep(for: .seconds(seconds))
  }
}
