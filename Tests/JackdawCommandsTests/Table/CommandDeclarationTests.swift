// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import ArgumentParser
import Testing

@testable import JackdawCommands

/// What each command declares, against what the parser knows of it.
@Suite("A command's declaration")
struct CommandDeclarationTests {
  private static let groups: [any JackdawCommand.Type] = StandardCommands.commands.filter { $0.declaration.bare != nil }

  /// All commands, those of groups too, wherever they can be used.
  private static var leaves: [any JackdawCommand.Type] {
    let table = CommandTable.standard
    let ofShell = table.leaves(for: .shell)
    return ofShell + table.leaves(for: .lines).filter { command in !ofShell.contains { $0 == command } }
  }

  /// What is wrong with the declaration of a command that is no group.
  static func faults(of command: any JackdawCommand.Type) -> [String] {
    let declaration = command.declaration
    let arguments = CommandInfo(of: command).arguments
    let positional = arguments.filter { $0.kind == .positional }
    let own = arguments.filter { $0.section != SharedOptions.title }
    let isOfShell = declaration.place != .lines
    var faults: [String] = []
    if !(command is any ClientCommand.Type) { faults.append("it is neither a command that runs nor a group") }
    if command.summary.isEmpty { faults.append("it has no summary") }
    if declaration.bare != nil { faults.append("it is no group, but says what it stands for alone") }
    if declaration.arguments.count != positional.count {
      faults.append("\(positional.count) arguments, of which \(declaration.arguments.count) have a completion")
    }
    for (argument, declared) in zip(positional, declaration.arguments) {
      let isLast = argument == positional.last
      switch declared {
      case .text where !isLast || !argument.isRepeating: faults.append("text is the last argument, and repeats")
      case .name where !isLast || argument.isRepeating:
        faults.append("a name is the last argument, and does not repeat")
      case .word(.file) where !argument.isFile, .word where argument.isFile && declared != .word(.file):
        faults.append("shells and the prompt do not agree on whether <\(argument.valueName)> is a file")
      default: break
      }
      if argument.isAsked != Self.isAsked(declared), isOfShell {
        faults.append("shells and the program do not agree on who completes <\(argument.valueName)>")
      }
    }
    let valued = own.filter { $0.kind == .option }.compactMap { $0.names.last }
    if Set(valued) != Set(declaration.options.keys) {
      faults.append(
        "the options with a value are \(valued), and \(declaration.options.keys.sorted()) have a completion")
    }
    for argument in own where argument.kind == .option {
      guard let name = argument.names.last, let word = declaration.options[name] else { continue }
      if argument.isAsked != [.friend, .account].contains(word), isOfShell {
        faults.append("shells and the program do not agree on who completes \(name)")
      }
      if argument.isFile != (word == .file) { faults.append("shells and the prompt do not agree on \(name)") }
    }
    return faults
  }

  /// Shells ask the program for friends and accounts: no other word of theirs is known without a connection.
  private static func isAsked(_ argument: CommandArgument) -> Bool {
    switch argument {
    case .word(let word), .name(let word), .several(let word, _): [.friend, .account].contains(word)
    case .text: false
    }
  }

  /// What is wrong with the declaration of a group.
  static func faults(ofGroup group: any JackdawCommand.Type) -> [String] {
    let subcommands = group.configuration.subcommands
    var faults: [String] = []
    if group.summary.isEmpty { faults.append("it has no summary") }
    if subcommands.isEmpty { faults.append("it has no subcommands") }
    if !subcommands.allSatisfy({ $0 is any ClientCommand.Type }) { faults.append("a subcommand has no declaration") }
    guard let bare = group.declaration.bare else { return faults + ["it does not say what it stands for alone"] }
    if let command = bare.command, !subcommands.contains(where: { $0 == command }) {
      faults.append("alone it stands for what is none of its subcommands")
    }
    return faults
  }

  @Test("is whole: each argument and each option with a value has its completion")
  func commandsAreWhole() {
    #expect(Self.leaves.count > 40)
    for command in Self.leaves {
      #expect(Self.faults(of: command) == [], "\(CommandTable.standard.name(of: command))")
    }
  }

  @Test("of a group says what it stands for alone, and a group has subcommands that are declared")
  func groupsAreWhole() {
    #expect(Self.groups.map { $0.word } == ["friends", "history", "vcard", "outbox", "account"])
    for command in StandardCommands.commands
    where command.declaration.bare != nil || !command.configuration.subcommands.isEmpty {
      #expect(Self.faults(ofGroup: command) == [], "\(command.word)")
    }
  }

  @Test("that misses something is seen")
  func faultsAreSeen() {
    #expect(
      Self.faults(of: Incomplete.self) == [
        "it has no summary", "1 arguments, of which 0 have a completion",
        "the options with a value are [\"--size\"], and [] have a completion",
      ])
    #expect(
      Self.faults(of: Wrong.self) == [
        "text is the last argument, and repeats",
        "shells and the prompt do not agree on whether <path> is a file",
        "shells and the prompt do not agree on --to",
      ])
    #expect(
      Self.faults(ofGroup: Bare.self) == [
        "a subcommand has no declaration", "it does not say what it stands for alone",
      ])
    #expect(
      Self.faults(ofGroup: Foreign.self) == ["alone it stands for what is none of its subcommands"])
  }

  @Test("names each option with a value once: no other command has a flag of that name")
  func valuedOptions() {
    let table = CommandTable.standard
    var valued: Set<String> = ["--generate-completion-script"]
    var flags: Set<String> = []
    for option in table.startOptions + Self.leaves.flatMap({ table.options(of: $0, in: .shell) }) {
      if option.takesValue { valued.insert(option.name) } else { flags.insert(option.name) }
    }
    #expect(table.valued == valued)
    // Nobody could tell otherwise without knowing the command.
    #expect(flags.isDisjoint(with: valued))
  }

  @Test("keeps what every command has apart from a command's own")
  func startOptions() {
    let table = CommandTable.standard
    let valued = table.startOptions.filter(\.takesValue).map(\.name)
    #expect(Set(valued) == SharedOptions.valued)
    #expect(table.options(of: CloseCommand.self, in: .lines).map(\.name) == [SharedOptions.ofLines, "--help"])
  }
}

// MARK: Commands that are declared wrongly

private struct Incomplete: ClientCommand {
  static let configuration = CommandConfiguration(commandName: "incomplete")
  static let declaration = CommandDeclaration()
  @Argument var thing: String
  @Option var size: Int
  @OptionGroup(title: SharedOptions.title) var shared: SharedOptions
  @CommandActor func run(in context: CommandContext) async throws {}
}

private struct Wrong: ClientCommand {
  static let configuration = CommandConfiguration(commandName: "wrong", abstract: "Is wrong.")
  static let declaration = CommandDeclaration(
    arguments: [.text(.nothing), .word(.nothing)], options: ["--to": .file])
  @Argument var first: String
  @Argument(completion: .file()) var path: String
  @Option var to: String
  @OptionGroup(title: SharedOptions.title) var shared: SharedOptions
  @CommandActor func run(in context: CommandContext) async throws {}
}

private struct Undeclared: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "undeclared")
}

private struct Bare: JackdawCommand {
  static let configuration = CommandConfiguration(
    commandName: "bare", abstract: "Stands for nothing.", subcommands: [Undeclared.self])
  static let declaration = CommandDeclaration()
}

private struct Foreign: JackdawCommand {
  static let configuration = CommandConfiguration(
    commandName: "foreign", abstract: "Stands for another's.", subcommands: [CloseCommand.self])
  static let declaration = CommandDeclaration(bare: .command(QuitCommand.self))
}
