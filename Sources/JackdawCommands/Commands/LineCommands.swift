// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import ArgumentParser
import JackdawLoop
import JackdawProtocol

/// `/to`: whom plain lines go to.
package struct ToCommand: ImmediateCommand {
  package static let configuration = CommandConfiguration(
    commandName: "to", abstract: "Talk to somebody: plain lines go there from now on.",
    discussion: """
      Whom is an address, or the name of a friend as your contact list has it. The prompt names them, shows the last lines of the \
      conversation, and how many are unread.

      A plain line goes to whom the last '/to' before it named, whatever happens until it is sent. A '/to' that fails ends the \
      conversation: what you type then is not sent to whoever was there before, but stays on the input line (a script fails) until \
      another '/to' succeeds. '/close' ends it too. Names are looked up on this machine, so '/to' does not wait for the server; in a \
      script it does where your contact list was never loaded here.

      '/send' sends one message to somebody else and leaves the conversation as it is.
      """)
  package static let declaration = CommandDeclaration(
    place: .lines, arguments: [.name(.friend)], picksConversation: true,
    aliases: ["query"], meanings: ["chat", "talk", "open", "switch", "window", "buffer", "win"],
    examples: [
      .init("to bob@example.org", "Talk to Bob."),
      .init("to Bob", "The same by a friend's name."),
    ])

  @Argument(help: ArgumentHelp("A JID, or a friend's name.", valueName: "jid"))
  package var address: String

  @OptionGroup(title: SharedOptions.title) package var shared: SharedOptions
  package init() {}

  @Client package func runAtOnce(in context: CommandContext) throws {
    let (jid, account) = try person(in: context)
    guard let account, account !== context.lines.account else { return try context.open(jid) }
    context.lines.use(account)
    try context.of(account).open(jid)
  }

  /// Where ``runAtOnce(in:)`` could not know yet whom a name means.
  @Client package func run(in context: CommandContext) async throws {
    try await context.learnNames([address], ofAllAccounts: true)
    try runAtOnce(in: context)
  }

  @Client private func person(in context: CommandContext) throws -> (JID, Account?) {
    do {
      return try context.knownPerson(address)
    } catch let failure as CommandFailure {
      throw context.naming(address, inOpenRoom: failure)
    }
  }

  /// The words that pick `address`, as if they had been typed.
  static func words(for address: String) -> [String] { [word, address] }

  /// Its words, with the account that they named.
  @Client func words(in context: CommandContext) -> [String] {
    let account = context.isAccountNamed ? (try? context.account())?.shownName : nil
    return Self.words(for: account.map { "\($0):\(address)" } ?? address)
  }
}

/// `/close`: nobody is talked to any more.
package struct CloseCommand: ImmediateCommand {
  package static let configuration = CommandConfiguration(commandName: "close", abstract: "End the conversation.")
  package static let declaration = CommandDeclaration(
    place: .lines, picksConversation: true,
    meanings: ["wc", "end", "leave"],
    examples: [
      .init("close", "Talk to nobody.")
    ])

  @OptionGroup(title: SharedOptions.title) package var shared: SharedOptions
  package init() {}

  @Client package func runAtOnce(in context: CommandContext) throws { context.lines.conversation = .none }
}

/// `/quit`: leaves.
package struct QuitCommand: ImmediateCommand {
  package static let configuration = CommandConfiguration(commandName: "quit", abstract: "Leave.")
  package static let declaration = CommandDeclaration(
    place: .lines,
    isTypedWhole: true, aliases: ["q", "exit"],
    meanings: ["bye", "logout", "logoff", "disconnect", "leave", "signout", "stop"],
    examples: [
      .init("quit", "Leave.")
    ])

  @OptionGroup(title: SharedOptions.title) package var shared: SharedOptions
  package init() {}

  @Client package func runAtOnce(in context: CommandContext) throws { context.lines.leave() }
}

/// `/clear`: an empty screen.
package struct ClearCommand: ImmediateCommand {
  package static let configuration = CommandConfiguration(
    commandName: "clear", abstract: "Clear the screen; what was on it can still be scrolled back.")
  package static let declaration = CommandDeclaration(
    place: .lines,
    meanings: ["cls", "redraw", "refresh", "screen_refresh"], examples: [.init("clear", "Begin with an empty screen.")])

  @OptionGroup(title: SharedOptions.title) package var shared: SharedOptions
  package init() {}

  @Client package func runAtOnce(in context: CommandContext) throws { context.output.clearScreen() }
}

/// `/reconnect`: tries now.
package struct ReconnectCommand: ClientCommand {
  package static let configuration = CommandConfiguration(
    commandName: "reconnect", abstract: "Connect now, without waiting for the next try.")
  package static let declaration = CommandDeclaration(
    place: .lines, turn: .atOnce,
    meanings: ["connect", "login", "signin", "server"],
    examples: [
      .init("reconnect", "Connect now.")
    ])

  @OptionGroup(title: SharedOptions.title) package var shared: SharedOptions
  package init() {}

  @Client package func run(in context: CommandContext) async throws {
    try await context.application.reconnectNow(context.account())
  }
}

/// `/sleep`: waits, while what arrives goes on being printed.
package struct SleepCommand: ClientCommand {
  package static let configuration = CommandConfiguration(commandName: "sleep", abstract: "Wait some seconds.")
  package static let declaration = CommandDeclaration(
    place: .lines, arguments: [.word(.nothing)],
    meanings: ["pause", "delay"],
    examples: [
      .init("sleep 2.5", "Go on after two seconds and a half.")
    ])

  @Argument(help: "How long.")
  package var seconds: Double

  @OptionGroup(title: SharedOptions.title) package var shared: SharedOptions
  package init() {}

  package func validate() throws {
    if !(seconds >= 0 && seconds < CommandLimits.longestWait) {
      throw ValidationError("'\(seconds)' is not a number of seconds")
    }
  }

  package var isLimited: Bool { false }

  @Client package func run(in context: CommandContext) async throws {
    try await context.application.clock.sleep(for: .seconds(seconds))
  }
}
