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
    faults += Self.ambiguities(of: arguments)
    if !(1...3).contains(declaration.examples.count) { faults.append("it has \(declaration.examples.count) examples") }
    let valued = own.filter { $0.kind == .option }.compactMap { $0.names.last }
    if Set(valued) != Set(declaration.options.keys) {
      faults.append(
        "the options with a value are \(valued), and \(declaration.options.keys.sorted()) have a completion")
    }
    for argument in own where argument.kind == .option {
      guard let name = argument.names.last, let word = declaration.options[name] else { continue }
      if argument.isAsked != [.friend, .account, .room].contains(word), isOfShell {
        faults.append("shells and the program do not agree on who completes \(name)")
      }
      if argument.isFile != (word == .file) { faults.append("shells and the prompt do not agree on \(name)") }
    }
    return faults
  }

  /// What the parser could not tell apart, or what nobody could change. It says so itself in a build for debugging alone.
  static func ambiguities(of arguments: [CommandInfo.Argument]) -> [String] {
    var faults: [String] = []
    let names = arguments.flatMap(\.names)
    for name in Set(names) where names.count(where: { $0 == name }) > 1 {
      faults.append("\(name) stands for two things")
    }
    if arguments.filter({ $0.kind == .positional }).dropLast().contains(where: \.isRepeating) {
      faults.append("what repeats takes all words, and another argument follows it")
    }
    for flag in arguments where flag.kind == .flag && flag.defaultValue == "true" {
      faults.append("\(flag.names) is set though nobody sets it")
    }
    return faults
  }

  /// Shells ask the program for friends and accounts: no other word of theirs is known without a connection.
  private static func isAsked(_ argument: CommandArgument) -> Bool {
    switch argument {
    case .word(let word), .name(let word), .several(let word, _): [.friend, .account, .room].contains(word)
    case .text, .line: false
    }
  }

  /// What is wrong with the declaration of a group.
  static func faults(ofGroup group: any JackdawCommand.Type) -> [String] {
    let subcommands = group.subcommands
    var faults: [String] = []
    if group.summary.isEmpty { faults.append("it has no summary") }
    if subcommands.isEmpty { faults.append("it has no subcommands") }
    if !group.declaration.examples.isEmpty { faults.append("its subcommands have the examples") }
    if !subcommands.allSatisfy({ $0 is any ClientCommand.Type }) { faults.append("a subcommand is no command") }
    if !group.configuration.subcommands.elementsEqual(subcommands, by: { $0 == $1 }) {
      faults.append("the parser has other subcommands")
    }
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

  @Test("has no name twice, nothing behind what repeats, and no flag that is always set")
  func ambiguities() {
    func argument(
      _ kind: CommandInfo.Argument.Kind, _ names: [String] = [], isRepeating: Bool = false, defaultValue: String? = nil
    ) -> CommandInfo.Argument {
      CommandInfo.Argument(
        kind: kind, names: names, valueName: "value", isOptional: false, isRepeating: isRepeating, abstract: "",
        values: [],
        defaultValue: defaultValue, isFile: false, isAsked: false)
    }
    #expect(
      Self.ambiguities(of: [argument(.option, ["-a", "--all"]), argument(.flag, ["--all"])])
        == ["--all stands for two things"])
    #expect(Self.ambiguities(of: [argument(.positional, isRepeating: true), argument(.positional)]).count == 1)
    #expect(Self.ambiguities(of: [argument(.flag, ["--on"], defaultValue: "true")]).count == 1)
    #expect(
      Self.ambiguities(of: [
        argument(.flag, ["--on"], defaultValue: "false"), argument(.positional),
        argument(.positional, isRepeating: true),
      ]).isEmpty)
  }

  @Test("of a group says what it stands for alone, and a group has subcommands that are declared")
  func groupsAreWhole() {
    #expect(Self.groups.map { $0.word } == ["friends", "rooms", "history", "vcard", "outbox", "account", "agent"])
    for command in StandardCommands.commands
    where command.declaration.bare != nil || !command.subcommands.isEmpty {
      #expect(Self.faults(ofGroup: command) == [], "\(command.word)")
    }
  }

  @Test("has examples that the command is read from, in each place where they can be typed")
  func examples() throws {
    let table = CommandTable.standard
    for command in Self.leaves {
      let name = table.name(of: command)
      for example in command.declaration.examples {
        #expect(example.summary.hasSuffix(".") && example.summary.count <= 60, "\(example.line)")
        var places = 0
        for place in [CommandPlace.shell, .lines]
        where [.everywhere, place].contains(command.declaration.place) && [.everywhere, place].contains(example.place) {
          places += 1
          let words = try ShellWords.split(example.line)
          let parsed: (any ClientCommand)?
          if place == .shell {
            if case .command(let command, _) = try table.parse(shell: words) { parsed = command } else { parsed = nil }
          } else {
            if case .command(let command, _) = try table.parse(line: words) { parsed = command } else { parsed = nil }
          }
          #expect(parsed.map { type(of: $0) == command } ?? false, "\(name) in \(place): \(example.line)")
        }
        #expect(places > 0, "\(example.line) can be typed nowhere")
      }
    }
  }

  @Test("has aliases that are no command's name and no other's alias, and mean what can be typed")
  func aliases() throws {
    let table = CommandTable.standard
    let aliases = table.aliases
    let words = aliases.map(\.word)
    #expect(Set(words).count == words.count)
    #expect(Set(words).isSuperset(of: ["msg", "query", "w", "who", "q", "exit", "?", "away", "roster"]))
    #expect(Set(words).isDisjoint(with: StandardCommands.commands.map { $0.word }))
    for alias in aliases {
      let prepared = try WordPreparation([alias.word, "--help"], in: .lines, of: table)
      #expect(prepared.command.map { $0 == alias.command } ?? false, "\(alias.word)")
      for word in alias.adding where word.hasPrefix("-") {
        #expect(table.options(of: alias.command, in: .lines).map(\.name).contains(word), "\(alias.word)")
      }
    }
    // In the shell there are none.
    for alias in words { #expect(table.command(named: alias, for: .shell) == nil) }
  }

  @Test("has meanings that are no name or alias where they are looked for")
  func meanings() {
    let table = CommandTable.standard
    let taken = Set(table.aliases.map(\.word) + table.commands(for: .lines).map { $0.word })
    for command in table.declared(for: .lines) {
      for meaning in command.declaration.meanings {
        #expect(meaning.word == meaning.word.lowercased() && !meaning.word.isEmpty)
        // Nobody is told of it then: but a group's subcommands and the shell have words of their own.
        if table.path(of: command).count == 1, command.declaration.place == .lines {
          #expect(!taken.contains(meaning.word), "\(meaning.word)")
        }
      }
    }
    for feature in MissingFeature.allCases {
      #expect(feature.words.isDisjoint(with: taken), "\(feature)")
      for word in feature.words { #expect(MissingFeature(called: word.uppercased()) == feature) }
    }
  }

  @Test("makes each beginning of a name that one, or lists what it may be, and never runs what has to be typed whole")
  func beginnings() throws {
    let table = CommandTable.standard
    // Those of scripts have no beginnings: there are none in scripts.
    let commands = table.commands(for: .lines).filter { !$0.declaration.isOfScripts }
    let names = commands.map { CommandNaming.Named(command: $0, word: $0.word) } + table.aliases
    let meanings = Set(
      table.commands(for: .lines).flatMap { $0.declaration.meanings.map(\.word) }
        + Self.leaves.flatMap { $0.declaration.meanings.map(\.word) })
    let whole = Self.leaves.flatMap { $0.declaration.aliases }.filter(\.isTypedWhole).map(\.word)
    for named in names {
      for length in 1...named.word.count {
        let word = String(named.word.prefix(length))
        switch table.naming(word, in: .lines) {
        case .exact(let exact): #expect(exact.word == word)
        case .beginning(let all):
          #expect(all.allSatisfy { $0.word.hasPrefix(word) })
          let isHeld = all.count > 1 || all[0].command.declaration.isTypedWhole
          do throws(CommandFailure) {
            let words = [word, "--help"]
            let prepared = try WordPreparation(words, in: .lines, of: table, abbreviated: true)
            #expect(!isHeld && prepared.command != nil, "\(word)")
          } catch {
            #expect(isHeld, "\(word)")
            for one in all { #expect(error.text.contains("'/\(one.word)'")) }
          }
        case .nothing:
          // Other programs' word for something else: that is named, and nothing is run. Or an alias that has to be typed whole.
          #expect(meanings.contains(word) || whole.contains { $0.hasPrefix(word) }, "\(word)")
          #expect(throws: CommandFailure.self, "\(word)") {
            try WordPreparation([word], in: .lines, of: table, abbreviated: true)
          }
        }
      }
    }
    let commandsTypedWhole = Self.leaves.filter { $0.declaration.isTypedWhole }.map { table.name(of: $0) }
    #expect(
      Set(commandsTypedWhole).isSuperset(of: [
        "quit", "block", "friends remove", "history delete", "account remove", "account unregister", "outbox cancel",
      ]))
  }

  @Test("that misses something is seen")
  func faultsAreSeen() {
    #expect(
      Self.faults(of: Incomplete.self) == [
        "it has no summary", "1 arguments, of which 0 have a completion", "it has 0 examples",
        "the options with a value are [\"--size\"], and [] have a completion",
      ])
    #expect(
      Self.faults(of: Wrong.self) == [
        "text is the last argument, and repeats",
        "shells and the prompt do not agree on whether <path> is a file", "it has 0 examples",
        "shells and the prompt do not agree on --to",
      ])
    #expect(
      Self.faults(ofGroup: Bare.self) == [
        "it has no subcommands", "the parser has other subcommands", "it does not say what it stands for alone",
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
    #expect(valued.filter { !table.takesValue($0) } == [])
    #expect(flags.filter(table.takesValue) == [])
    // Nobody could tell otherwise without knowing the command.
    #expect(flags.isDisjoint(with: valued))
  }

  @Test("keeps what every command has apart from a command's own")
  func startOptions() {
    let table = CommandTable.standard
    // The parser's list of options and ours are of the same.
    let parsed = Dictionary(uniqueKeysWithValues: table.startOptions.map { ($0.name, $0.takesValue) })
    var known = Dictionary(uniqueKeysWithValues: SharedOptions.known.map { ($0.name, $0.takesValue) })
    #expect(SharedOptions.known.filter { $0.reach == .command }.map(\.name) == [SharedOptions.ofLines])
    for name in ["--help", "--version", "--keep-going"] { known[name] = false }
    #expect(parsed == known)
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
    commandName: "foreign", abstract: "Stands for another's.", subcommands: subcommands)
  static let subcommands: [any JackdawCommand.Type] = [CloseCommand.self]
  static let declaration = CommandDeclaration(bare: .command(QuitCommand.self))
}
