// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import ArgumentParser

/// All commands, and how words become one of them. Whatever it says of a command it has from the command's type.
package struct CommandTable: Sendable {
  /// The table of the commands that there are.
  package static let standard = CommandTable(of: StandardCommands.self)

  /// The commands and groups, each once, in the order of the help.
  package let commands: [any JackdawCommand.Type]
  private let roots: @Sendable () -> (shell: any ShellStart.Type, line: any ParsableCommand.Type)

  init<List: CommandList>(of list: List.Type) {
    commands = list.commands
    // Most words are read without them, and these types are made when they are first spoken of.
    roots = { (ShellRoot<List>.self, LineRoot<List>.self) }
  }

  var shellRoot: any ShellStart.Type { roots().shell }
  var lineRoot: any ParsableCommand.Type { roots().line }

  /// Whether it is an option, of whatever command, whose value is the next word. From the declarations: to ask the parser takes longer
  /// than all the rest of the parsing.
  func takesValue(_ word: String) -> Bool {
    if SharedOptions.valued.contains(word) || word == Self.parserOption { return true }
    return commands.contains { command in
      command.declaration.options[word] != nil || command.subcommands.contains { $0.declaration.options[word] != nil }
    }
  }

  /// The parser's own option that takes a value.
  private static let parserOption = "--generate-completion-script"

  /// The commands that can be used in `place`.
  package func commands(for place: CommandPlace) -> [any JackdawCommand.Type] { Self.usable(commands, in: place) }

  /// The command or group of this name, if it can be used in `place`.
  func command(named name: some StringProtocol, for place: CommandPlace) -> (any JackdawCommand.Type)? {
    commands.first { $0.word == name && Self.isUsable($0, in: place) }
  }

  /// The subcommands of a group that can be used in `place`; none for a command that is no group.
  package func children(of group: any JackdawCommand.Type, for place: CommandPlace) -> [any JackdawCommand.Type] {
    Self.usable(group.subcommands, in: place)
  }

  /// The commands that can be used in `place` and are no groups: groups' subcommands stand for them.
  package func leaves(for place: CommandPlace) -> [any JackdawCommand.Type] {
    commands(for: place).flatMap { command in
      let children = children(of: command, for: place)
      return children.isEmpty ? [command] : children
    }
  }

  static func usable(_ commands: [any JackdawCommand.Type], in place: CommandPlace) -> [any JackdawCommand.Type] {
    commands.filter { isUsable($0, in: place) }
  }

  private static func isUsable(_ command: any JackdawCommand.Type, in place: CommandPlace) -> Bool {
    let children = command.subcommands
    guard children.isEmpty else { return children.contains { isUsable($0, in: place) } }
    return [.everywhere, place].contains(command.declaration.place)
  }

  /// The command's words: `friends add`.
  package func name(of type: any JackdawCommand.Type) -> String {
    let parent = commands.first { $0.subcommands.contains { $0 == type } }
    return (parent.map { $0.word + " " } ?? "") + type.word
  }

  /// The group's name, if the command is in one, and its own.
  func path(of type: any JackdawCommand.Type) -> [String] { name(of: type).split(separator: " ").map(String.init) }
}

extension JackdawCommand {
  /// What is typed for it; of a subcommand, the word after the group's.
  static var word: String { configuration.commandName ?? "" }
  /// What it does, in a sentence.
  static var summary: String { configuration.abstract }
}

// MARK: Parsing

extension CommandTable {
  /// What the words of a shell's command line came to.
  package enum ShellRequest {
    /// No command: talk, or run what is on stdin, after a failure too where `keepGoing`.
    case start(SharedOptions, keepGoing: Bool)
    case command(any ClientCommand, name: String)
    /// `--help`, `--version` and the like: text for stdout.
    case text(String)
    /// A shell completes a word.
    case completion(ShellCompletion)

    /// The options of the command line; nil where nothing is to be run.
    package var shared: SharedOptions? {
      switch self {
      case .start(let shared, _): shared
      case .command(let command, _): command.shared
      case .text, .completion: nil
      }
    }
  }

  /// Reads the words after the program's name; see the other.
  package func parse(shell words: [String], isInputTerminal: Bool = true) throws(CommandFailure) -> ShellRequest {
    var message = RepeatedMessage()
    return try parse(shell: words, isInputTerminal: isInputTerminal, after: &message)
  }

  /// Reads the words after the program's name.
  /// - Parameters:
  ///   - isInputTerminal: false: what a text is may have been meant to come from standard input.
  ///   - message: what words before these came to.
  /// - Throws: ``CommandFailure`` with code 64 for words that mean nothing.
  func parse(
    shell words: [String], isInputTerminal: Bool = true, after message: inout RepeatedMessage
  ) throws(CommandFailure) -> ShellRequest {
    if words.isEmpty { return .start(.none, keepGoing: false) }
    if words == [Self.lineTableOption] { return .text(lineTable) }
    if words.first == ShellCompletion.word { return .completion(ShellCompletion(words, of: self)) }
    let prepared = try WordPreparation(words, in: .shell, of: self)
    if let help = prepared.help { return .text(help.text()) }
    if let help = allHelp(prepared, in: .shell) { return .text(help) }
    if !isInputTerminal { try prepared.refuseAddressesAsText() }
    do {
      if let (command, name) = message.command(of: prepared) { return .command(command, name: name) }
      switch parsedAlone(prepared, in: .shell) {
      case .command(let command):
        let name = name(of: type(of: command))
        message.note(command, named: name, of: prepared)
        return .command(command, name: name)
      case .text(let text): return .text(text)
      case nil: break
      }
      if prepared.command == nil, let start = try? ShellRoot<NoCommands>.parse(prepared.words) {
        return .start(start.shared, keepGoing: start.keepGoing)
      }
      var parsed = try shellRoot.parseAsRoot(prepared.words)
      if let root = parsed as? any ShellStart { return .start(root.shared, keepGoing: root.keepGoing) }
      if let command = parsed as? any ClientCommand { return .command(command, name: name(of: type(of: command))) }
      // A command of the parser's own: running it throws the text.
      try parsed.run()
      return .text("")
    } catch {
      return .text(Self.adjusted(try UsageError(error, about: prepared, in: .shell, table: self).text()))
    }
  }

  /// What the words of a line came to.
  package enum LineRequest {
    case command(any ClientCommand, name: String)
    /// Help.
    case text(String)
  }

  /// Reads the words of a single line; see the other.
  package func parse(line words: [String], abbreviated: Bool = false) throws(CommandFailure) -> LineRequest {
    var message = RepeatedMessage()
    return try parse(line: words, abbreviated: abbreviated, after: &message)
  }

  /// Reads the words of a line that began with `/`, without it.
  /// - Parameters:
  ///   - abbreviated: the beginning of a command's name will do, where it is that of no other. For people at the prompt:
  ///     in a script it would be the beginning of two names some day.
  ///   - message: what a line before this one came to.
  /// - Throws: ``CommandFailure`` with code 64 for words that mean nothing.
  func parse(
    line words: [String], abbreviated: Bool = false, after message: inout RepeatedMessage
  ) throws(CommandFailure) -> LineRequest {
    let prepared = try WordPreparation(words, in: .lines, of: self, abbreviated: abbreviated)
    if let help = allHelp(prepared, in: .lines) { return .text(help) }
    do {
      if let (command, name) = message.command(of: prepared) { return .command(command, name: name) }
      let parsed: any ParsableCommand
      switch parsedAlone(prepared, in: .lines) {
      case .command(let command): parsed = command
      case .text(let text): return .text(text)
      case nil: parsed = try lineRoot.parseAsRoot(prepared.words)
      }
      if let command = parsed as? any ClientCommand {
        try command.shared.refuseStartOptions()
        let name = name(of: type(of: command))
        message.note(command, named: name, of: prepared)
        return .command(command, name: name)
      }
      throw CleanExit.helpRequest(prepared.command)
    } catch let failure as CommandFailure {
      throw failure
    } catch {
      return .text(try UsageError(error, about: prepared, in: .lines, table: self).text())
    }
  }

  /// The page that `--help-all` asks for, before the text of a message.
  private func allHelp(_ prepared: WordPreparation, in place: CommandPlace) -> String? {
    guard prepared.words.prefix(while: { $0 != "--" }).contains(HelpPage.allOption) else { return nil }
    return HelpPage(command: prepared.command, place: place, table: self, showsAll: true).text()
  }

  private enum ParsedAlone {
    case command(any ClientCommand)
    /// Its help.
    case text(String)
  }

  /// The command that the words begin with, read by itself: the parser makes something of each command of a root before it
  /// reads the first word. Nil where it cannot be read so; the root then says why, in its own words.
  private func parsedAlone(_ prepared: WordPreparation, in place: CommandPlace) -> ParsedAlone? {
    guard let type = prepared.command as? any ClientCommand.Type else { return nil }
    let path = path(of: type)
    let (options, rest) = (prepared.words[..<prepared.start], prepared.words[prepared.start...])
    // Those that ask for a text ask it of the program.
    guard rest.starts(with: path), !options.contains(where: HelpPage.options.contains) else { return nil }
    do {
      return (try type.parseAsRoot(Array(options) + rest.dropFirst(path.count)) as? any ClientCommand).map {
        .command($0)
      }
    } catch {
      // The parser does not say what it was asked for: its help is known by being that.
      guard type.exitCode(for: error).isSuccess, type.fullMessage(for: error) == type.helpMessage() else { return nil }
      return .text(HelpPage(command: type, place: place, table: self).text())
    }
  }
}
