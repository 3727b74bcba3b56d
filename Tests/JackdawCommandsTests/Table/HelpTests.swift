// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import ArgumentParser
import Testing

@testable import JackdawCommands

/// Help and shells' completion of every command, whatever the table holds.
@Suite("Help and completion")
struct HelpTests {
  /// The commands that are no groups.
  private static func leaves(_ place: CommandPlace) -> [any ParsableCommand.Type] {
    CommandTable.commands(for: place).flatMap { command in
      let children = CommandTable.children(of: command, for: place)
      return children.isEmpty ? [command] : children
    }
  }

  /// One line, as it is before it is wrapped.
  private static func joined(_ text: String) -> String {
    text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  private static func words(_ command: any ParsableCommand.Type) -> [String] {
    CommandTable.name(of: command).split(separator: " ").map(String.init)
  }

  private static func check(_ text: String, on command: any ParsableCommand.Type, in place: CommandPlace) {
    let name = CommandTable.name(of: command)
    #expect(joined(text).contains(joined(command.configuration.abstract)), "\(name)")
    #expect(text.contains("USAGE: \(place == .lines ? "/" : "jackdaw ")\(name)"), "\(name)")
    for option in CommandTable.options(of: command, in: place) { #expect(text.contains(option.name), "\(name)") }
  }

  @Test("/help NAME shows how each command is used")
  func everyLine() throws {
    let names = Set(Self.leaves(.lines).map { CommandTable.name(of: $0) })
    #expect(names.isSuperset(of: ["ping", "info", "block", "unblock", "blocked", "vcard show", "vcard set", "xml"]))
    #expect(names.isSuperset(of: ["account password", "account unregister"]))
    for command in Self.leaves(.lines) {
      guard case .text(let text) = try CommandTable.parse(line: Self.words(command) + ["--help"]) else {
        Issue.record("\(command) has no help")
        continue
      }
      Self.check(text, on: command, in: .lines)
      // What belongs to the program's start is no option of a line.
      #expect(!text.contains("--password-file") || CommandTable.name(of: command) == "account password", "\(command)")
      #expect(!text.contains("--server"), "\(command)")
    }
  }

  @Test("jackdaw help NAME shows how each command is used")
  func everyCommand() throws {
    #expect(Self.leaves(.shell).contains { CommandTable.name(of: $0) == "account register" })
    for command in Self.leaves(.shell) {
      guard case .text(let text) = try CommandTable.parse(shell: ["help"] + Self.words(command)) else {
        Issue.record("\(command) has no help")
        continue
      }
      Self.check(text, on: command, in: .shell)
    }
  }

  @Test("help on a group lists what can be used there", arguments: ["account", "friends", "vcard"])
  func groups(_ name: String) throws {
    guard case .text(let line) = try CommandTable.parse(line: [name, "--help"]),
      case .text(let shell) = try CommandTable.parse(shell: [name, "--help"])
    else {
      Issue.record("no help")
      return
    }
    for (text, place) in [(line, CommandPlace.lines), (shell, .shell)] {
      let list = try #require(text.split(separator: "SUBCOMMANDS:\n").last)
      let listed = list.split(separator: "\n").prefix { $0.hasPrefix("  ") && !$0.hasPrefix("  See ") }
        .filter { !$0.hasPrefix("   ") }.map { String($0.dropFirst(2).prefix { $0 != " " }) }
      let group = try #require(CommandTable.commands(for: place).first { $0.configuration.commandName == name })
      #expect(listed == CommandTable.children(of: group, for: place).compactMap { $0.configuration.commandName })
      #expect(text.contains("See '"))
    }
  }

  @Test("the overview has a line for each command of lines")
  func overview() {
    let rows = CommandTable.overview(for: .lines)
    for command in Self.leaves(.lines) {
      let name = "/" + CommandTable.name(of: command)
      let row = rows.first { $0.usage == name || $0.usage.hasPrefix(name + " ") }
      #expect(row?.summary == command.configuration.abstract, "\(name)")
    }
    #expect(rows.count == Self.leaves(.lines).count)
  }

  @Test("a shell's completion knows each command and its options", arguments: ["bash", "zsh", "fish"])
  func completionScripts(_ shell: String) throws {
    guard case .text(let script) = try CommandTable.parse(shell: ["--generate-completion-script", shell]) else {
      Issue.record("no script")
      return
    }
    for command in Self.leaves(.shell) {
      let words = Self.words(command)
      // A function for each command; in fish, lines that name it.
      let part =
        shell == "fish"
        ? script.split(separator: "\n").filter { $0.contains("\"jackdaw \(words.joined(separator: " "))\"") }
          .joined(separator: "\n")
        : script.split(separator: "\n_jackdaw_\(words.joined(separator: "_"))() {\n").dropFirst().first?
          .split(separator: "\n}\n").first.map(String.init) ?? ""
      let options = CommandTable.options(of: command, in: .shell).map(\.name).filter { $0 != "--help" }
      for option in options {
        let mark = shell == "fish" ? "-l '\(option.dropFirst(2))'" : option
        #expect(part.contains(mark), "\(words) \(option)")
      }
    }
  }

  @Test("a shell's completion knows the words that an argument can be")
  func completionWords() throws {
    guard case .text(let script) = try CommandTable.parse(shell: ["--generate-completion-script", "bash"]) else {
      Issue.record("no script")
      return
    }
    for words in ["available", "starttls", "email.home", "tel.cell", "server"] {
      #expect(script.contains(words), "\(words)")
    }
  }
}
