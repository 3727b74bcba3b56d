// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import ArgumentParser
import JackdawLoop
import JackdawProtocol
import Support
import Testing

@testable import JackdawCommands

/// A command and a group that nothing in the program knows of: all that is done with them comes from their declarations.
@Client @Suite("A command that was added", .onLoop)
struct MadeUpCommandTests {
  private nonisolated static let table = CommandTable(of: WithMadeUp.self)

  @Test("is fit for the parser: its text begins where it says, its group stands for what it says")
  func words() throws {
    for (given, prepared, place) in [
      ("greet bob how --warmth are you", "greet bob -- how --warmth are you", CommandPlace.lines),
      ("greet --warmth high bob hi", "greet --warmth high bob -- hi", .lines),
      ("greet bob hi --warmth high", "greet bob --warmth high -- hi", .shell),
      ("pets", "pets feed", .lines), ("pets rex", "pets feed rex", .lines), ("pets name rex", "pets name rex", .shell),
    ] {
      let words = given.split(separator: " ").map(String.init)
      #expect(try WordPreparation(words, in: place, of: Self.table).words.joined(separator: " ") == prepared)
    }
    #expect {
      try WordPreparation(["grete"], in: .lines, of: Self.table)
    } throws: {
      ($0 as? CommandFailure)?.text == "There is no command '/grete'; did you mean '/greet'?"
    }
    #expect(
      try WordPreparation(["warmly", "bob", "hi"], in: .lines, of: Self.table).words
        == ["greet", "--warmth", "high", "bob", "--", "hi"])
    #expect {
      try WordPreparation(["wave"], in: .shell, of: Self.table)
    } throws: {
      ($0 as? CommandFailure)?.text == "There is no command 'wave'; did you mean 'greet'?"
    }
    // The program itself has none of them.
    #expect(throws: CommandFailure.self) { try WordPreparation(["greet"], in: .lines, of: .standard) }
  }

  @Test("is read where it can be used, and nowhere else")
  func parsing() throws {
    guard case .command(let command, "greet") = try Self.table.parse(line: ["greet", "bob", "hi", "--all"]),
      let greet = command as? Greet
    else {
      Issue.record("no command")
      return
    }
    #expect(greet.friend == "bob" && greet.text == ["hi", "--all"])
    guard case .command(_, "pets name") = try Self.table.parse(shell: ["pets", "name", "rex"]) else {
      Issue.record("no command")
      return
    }
    #expect(throws: CommandFailure.self) { try Self.table.parse(line: ["pets", "name", "rex"]) }
  }

  @Test("is in the overview, and has its help")
  func help() throws {
    let rows = Self.table.overview(for: .lines)
    #expect(rows.first { $0.usage == "/greet FRIEND [TEXT …]" }?.summary == Greet.summary)
    #expect(rows.contains { $0.usage == "/pets feed [PET]" } && !rows.contains { $0.usage.hasPrefix("/pets name") })
    guard case .text(let help) = try Self.table.parse(line: ["greet", "--help"]) else {
      Issue.record("no help")
      return
    }
    #expect(help.hasPrefix("OVERVIEW: \(Greet.summary)\n\nUSAGE: /greet [OPTION …] FRIEND [TEXT …]\n"))
    #expect(help.contains("--warmth WARMTH") && !help.contains("--timeout ") && !help.contains("--json"))
    #expect {
      try Self.table.parse(shell: ["greet", "--warmht", "x"])
    } throws: {
      ($0 as? CommandFailure)?.text == "There is no option '--warmht'; did you mean '--warmth'?"
    }
  }

  @Test("is completed and done at the prompt as it says")
  func prompt() async throws {
    let rig = try ApplicationRig(isTerminal: true, table: Self.table)
    rig.setRoster([("bob@example.org", "Bob", [])])
    let run = try await rig.start()
    func offered(_ words: [String], _ partial: String) -> [String] {
      rig.prompt.delegate?.promptCompletions(words: words, partial: partial).map(\.text) ?? []
    }
    #expect(offered([], "/gre") == ["/greet"])
    #expect(offered(["/greet"], "b") == ["Bob"])
    #expect(offered(["/greet", "bob"], "b") == [])
    #expect(offered(["/greet", "--warmth"], "") == ["high", "low"])
    #expect(offered(["/greet", "--warmth", "low"], "B") == ["Bob"])
    #expect(offered(["/greet"], "--w") == ["--warmth"])
    #expect(offered(["/pets"], "") == ["cat", "dog", "feed"])
    #expect(offered(["/pets", "feed"], "d") == ["dog"])
    // It picks whom lines are for, says its declaration: after its failure nobody gets them.
    rig.prompt.type("/to bob@example.org")
    rig.prompt.type("/warmly --bogus")
    rig.prompt.type("hello")
    #expect(rig.prompt.returned == ["hello"])
    // It may hold a password, says the group's.
    #expect(!rig.prompt.type("/pets dog") && !rig.prompt.type("/pet dog") && rig.prompt.type("/close"))
    await rig.fixture.clock.settle()
    #expect(rig.output.rows(HelpRow.self).map(\.usage) == ["fed dog", "fed dog"])
    rig.prompt.type("/quit")
    await rig.fixture.clock.settle()
    #expect(run.hasEnded)
  }

  @Test("is declared as it ought to be")
  func declaration() {
    for command in [Greet.self, Feed.self, Name.self] as [any JackdawCommand.Type] {
      #expect(CommandDeclarationTests.faults(of: command) == [])
    }
    #expect(CommandDeclarationTests.faults(ofGroup: Pets.self) == [])
  }
}

private enum WithMadeUp: CommandList {
  static let commands: [any JackdawCommand.Type] = StandardCommands.commands + [Greet.self, Pets.self]
}

private struct Greet: ClientCommand {
  static let configuration = CommandConfiguration(commandName: "greet", abstract: "Say hello.")
  static let declaration = CommandDeclaration(
    arguments: [.word(.friend), .text(.nothing)], options: ["--warmth": .words(["low", "high"])],
    turn: .inMessages, picksConversation: true, aliases: ["hi", .init("warmly", adding: ["--warmth", "high"])],
    meanings: ["wave"], examples: [.init("greet bob Hello", "Say hello to Bob.")])
  @Argument(completion: .declared) var friend: String
  @Argument var text: [String] = []
  @Option var warmth = "low"
  @OptionGroup(title: SharedOptions.title) var shared: SharedOptions
  @CommandActor func run(in context: CommandContext) async throws {}
}

private struct Pets: JackdawCommand {
  static let configuration = CommandConfiguration(
    commandName: "pets", abstract: "What is in the house.", subcommands: subcommands)
  static let subcommands: [any JackdawCommand.Type] = [Feed.self, Name.self]
  static let declaration = CommandDeclaration(bare: .commandWithArguments(Feed.self), mayHoldPassword: true)
}

private struct Feed: ClientCommand {
  static let configuration = CommandConfiguration(commandName: "feed", abstract: "Feed them.")
  static let declaration = CommandDeclaration(
    arguments: [.word(.words(["cat", "dog"]))], examples: [.init("pets feed rex", "Feed Rex.")])
  @Argument var pet: String?
  @OptionGroup(title: SharedOptions.title) var shared: SharedOptions
  @CommandActor func run(in context: CommandContext) async throws { context.show(HelpRow("fed \(pet ?? "all")")) }
}

private struct Name: ClientCommand {
  static let configuration = CommandConfiguration(commandName: "name", abstract: "Name one.")
  static let declaration = CommandDeclaration(
    place: .shell, arguments: [.word(.nothing)], examples: [.init("pets name rex", "Call it Rex.")])
  @Argument var name: String
  @OptionGroup(title: SharedOptions.title) var shared: SharedOptions
  @CommandActor func run(in context: CommandContext) async throws {}
}
