// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import ArgumentParser
import JackdawLoop

/// All commands, and how words become one of them.
package enum CommandTable {
  /// The commands, each once, in the order of the help.
  package static let commands: [any ParsableCommand.Type] = [
    ChatCommand.self, RunCommand.self, SendCommand.self, ListenCommand.self, FriendsCommand.self, StatusCommand.self,
    BlockCommand.self, UnblockCommand.self, BlockedCommand.self, VCardCommand.self, OutboxCommand.self,
    PingCommand.self, InfoCommand.self,
    XMLCommand.self, AccountCommand.self, ToCommand.self, CloseCommand.self, QuitCommand.self, HelpCommand.self,
    ReconnectCommand.self, SleepCommand.self, WaitCommand.self, PostCommand.self,
  ]

  /// The commands that can be used in `place`.
  package static func commands(for place: CommandPlace) -> [any ParsableCommand.Type] {
    commands.filter { isUsable($0, in: place) }
  }

  /// The subcommands of a group that can be used in `place`; none for a command that is no group.
  static func children(of group: any ParsableCommand.Type, for place: CommandPlace) -> [any ParsableCommand.Type] {
    group.configuration.subcommands.filter { isUsable($0, in: place) }
  }

  private static func isUsable(_ type: any ParsableCommand.Type, in place: CommandPlace) -> Bool {
    guard let command = type as? any ClientCommand.Type else {
      return type.configuration.subcommands.contains { isUsable($0, in: place) }
    }
    return command.place == .everywhere || command.place == place
  }

  /// What the words of a shell's command line came to.
  package enum ShellRequest {
    /// No command: talk, or run what is on stdin.
    case start(SharedOptions)
    case command(any ClientCommand, name: String)
    /// `--help`, `--version` and the like: text for stdout.
    case text(String)

    /// The options of the command line; nil where nothing is to be run.
    package var shared: SharedOptions? {
      switch self {
      case .start(let shared): shared
      case .command(let command, _): command.shared
      case .text: nil
      }
    }
  }

  /// Reads the words after the program's name.
  /// - Throws: ``CommandFailure`` with code 64 for words that mean nothing.
  package static func parse(shell words: [String]) throws(CommandFailure) -> ShellRequest {
    if words == [lineTableOption] { return .text(LineRoot.fullMessage(for: dumpRequest)) }
    let prepared = try WordPreparation(words, in: .shell)
    if let command = parsedAlone(prepared) { return .command(command, name: name(of: type(of: command))) }
    do {
      var parsed = try ShellRoot.parseAsRoot(prepared.words)
      if let root = parsed as? ShellRoot { return .start(root.shared) }
      if let command = parsed as? any ClientCommand { return .command(command, name: name(of: type(of: command))) }
      // The parser's own command for help: running it throws the text.
      try parsed.run()
      return .text("")
    } catch {
      return .text(try UsageError(error, of: ShellRoot.self, command: prepared.command, in: .shell).text())
    }
  }

  /// What the words of a line came to.
  package enum LineRequest {
    case command(any ClientCommand, name: String)
    /// Help.
    case text(String)
  }

  /// Reads the words of a line that began with `/`, without it.
  /// - Throws: ``CommandFailure`` with code 64 for words that mean nothing.
  package static func parse(line words: [String]) throws(CommandFailure) -> LineRequest {
    let prepared = try WordPreparation(words, in: .lines)
    do {
      let parsed = try parsedAlone(prepared) ?? LineRoot.parseAsRoot(prepared.words)
      if let command = parsed as? any ClientCommand {
        try command.shared.refuseStartOptions()
        return .command(command, name: name(of: type(of: command)))
      }
      throw CleanExit.helpRequest(prepared.command)
    } catch let failure as CommandFailure {
      throw failure
    } catch {
      return .text(try UsageError(error, of: LineRoot.self, command: prepared.command, in: .lines).text())
    }
  }

  /// The command that the words begin with, read by itself: the parser makes something of each command of a root before it
  /// reads the first word. Nil where it cannot be read so; the root then says why, in its own words, or makes a help of it.
  private static func parsedAlone(_ prepared: WordPreparation) -> (any ClientCommand)? {
    guard let type = prepared.command as? any ClientCommand.Type else { return nil }
    let path = name(of: type).split(separator: " ").map(String.init)
    guard prepared.words.starts(with: path) else { return nil }
    return (try? type.parseAsRoot(Array(prepared.words.dropFirst(path.count)))) as? any ClientCommand
  }

  /// The command's words: `friends add`.
  package static func name(of type: any ParsableCommand.Type) -> String {
    let name = type.configuration.commandName ?? ""
    let parent = commands.first { $0.configuration.subcommands.contains { $0 == type } }
    return parent.map { ($0.configuration.commandName ?? "") + " " + name } ?? name
  }

  /// Asks for the table of lines as JSON, as `--experimental-dump-help` gives that of the shell: for Docs/manual.py.
  package static let lineTableOption = "--experimental-dump-line-help"

  /// What the parser throws when it is asked for a table as JSON.
  private static var dumpRequest: any Error {
    do {
      _ = try LineRoot.parseAsRoot(["--experimental-dump-help"])
      return CleanExit.message("")
    } catch {
      return error
    }
  }
}

/// `jackdaw …`
package struct ShellRoot: ParsableCommand {
  package static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "jackdaw",
      abstract: "Chat over XMPP: at a prompt, by scripts, from the shell.",
      discussion: """
        Without a command: a terminal on stdin opens the prompt, anything else on stdin is run as a script.
        """,
      version: Version.text,
      subcommands: CommandTable.commands(for: .shell))
  }

  @OptionGroup(title: SharedOptions.title) package var shared: SharedOptions
  package init() {}
}

/// `/…` in a script or at the prompt.
package struct LineRoot: ParsableCommand {
  /// Stands in the parser's texts where a line has its slash: the parser would put a space behind one.
  static let slash = "\u{2}"

  package static var configuration: CommandConfiguration {
    CommandConfiguration(commandName: slash, subcommands: CommandTable.commands(for: .lines))
  }
  package init() {}
}
