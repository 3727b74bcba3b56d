// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Testing

@testable import JackdawCommands

/// Help and shells' completion of every command, whatever the table holds.
@Suite("Help and completion")
struct HelpTests {
  private static let table = CommandTable.standard

  /// One line, as it is before it is wrapped.
  private static func joined(_ text: String) -> String {
    text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  private static func words(_ command: any JackdawCommand.Type) -> [String] {
    Self.table.name(of: command).split(separator: " ").map(String.init)
  }

  private static func check(_ text: String, on command: any JackdawCommand.Type, in place: CommandPlace) {
    let name = Self.table.name(of: command)
    #expect(joined(text).contains(joined(command.summary)), "\(name)")
    #expect(text.contains("USAGE: \(place == .lines ? "/" : "jackdaw ")\(name)"), "\(name)")
  }

  @Test("/help NAME shows how each command is used")
  func everyLine() throws {
    let names = Set(Self.table.leaves(for: .lines).map { Self.table.name(of: $0) })
    #expect(names.isSuperset(of: ["ping", "info", "block", "unblock", "blocked", "vcard show", "vcard set", "xml"]))
    #expect(names.isSuperset(of: ["account password", "account unregister"]))
    for command in Self.table.leaves(for: .lines) {
      guard case .text(let text) = try Self.table.parse(line: Self.words(command) + ["--help"]) else {
        Issue.record("\(command) has no help")
        continue
      }
      Self.check(text, on: command, in: .lines)
      // What belongs to the program's start is no option of a line.
      #expect(!text.contains("--password-file") || Self.table.name(of: command) == "account password", "\(command)")
      #expect(!text.contains("--server"), "\(command)")
    }
  }

  @Test("jackdaw help NAME shows how each command is used")
  func everyCommand() throws {
    #expect(Self.table.leaves(for: .shell).contains { Self.table.name(of: $0) == "account register" })
    for command in Self.table.leaves(for: .shell) {
      guard case .text(let text) = try Self.table.parse(shell: ["help"] + Self.words(command)) else {
        Issue.record("\(command) has no help")
        continue
      }
      Self.check(text, on: command, in: .shell)
    }
  }

  @Test("help on a group lists what can be used there", arguments: ["account", "friends", "vcard"])
  func groups(_ name: String) throws {
    guard case .text(let line) = try Self.table.parse(line: [name, "--help"]),
      case .text(let shell) = try Self.table.parse(shell: [name, "--help"])
    else {
      Issue.record("no help")
      return
    }
    for (text, place) in [(line, CommandPlace.lines), (shell, .shell)] {
      let list = try #require(text.split(separator: "SUBCOMMANDS:\n").last)
      let listed = list.split(separator: "\n").prefix { $0.hasPrefix("  ") && !$0.hasPrefix("  See ") }
        .filter { !$0.hasPrefix("   ") }.map { String($0.dropFirst(2).prefix { $0 != " " }) }
      let group = try #require(Self.table.commands(for: place).first { $0.word == name })
      #expect(listed == Self.table.children(of: group, for: place).map { $0.word })
      #expect(text.contains("See '"))
    }
  }

  @Test("help is as wide as is wanted, and loses no word for it", arguments: [50, 60, 80, 200])
  func widths(_ columns: Int) {
    for (command, place) in [(SendCommand.self, CommandPlace.lines), (AccountCommand.self, .shell), (nil, .shell)]
      as [((any JackdawCommand.Type)?, CommandPlace)]
    {
      let page = HelpPage(command: command, place: place, table: Self.table)
      let text = page.text(columns: columns)
      for line in text.split(separator: "\n") where !line.hasPrefix("USAGE") && !line.hasPrefix("  See ") {
        #expect(line.count <= columns, "\(line)")
      }
      #expect(Self.joined(text) == Self.joined(page.text(columns: 10_000)))
    }
  }

  @Test("help that is asked for before the command is that on the program")
  func helpBeforeTheCommand() throws {
    guard case .text(let text) = try Self.table.parse(shell: ["--help", "send"]) else {
      Issue.record("no help")
      return
    }
    #expect(text.hasPrefix("OVERVIEW: Chat over XMPP") && text.contains("\n  friends "))
  }

  @Test("the overview has a line for each command of lines")
  func overview() {
    let rows = Self.table.overview(for: .lines)
    for command in Self.table.leaves(for: .lines) {
      let name = "/" + Self.table.name(of: command)
      let row = rows.first { $0.usage == name || $0.usage.hasPrefix(name + " ") }
      #expect(row?.summary == command.summary, "\(name)")
    }
    #expect(rows.count == Self.table.leaves(for: .lines).count)
  }

  /// What a completion script says of each command, by the command's words with `_` between them: every word of letters,
  /// digits, dots and dashes.
  private static func parts(of script: String) -> [String: Set<String>] {
    var parts: [String: Set<String>] = [:]
    var name: String?
    for line in script.utf8.split(separator: UInt8(ascii: "\n")) {
      let words = line.split { !isOfWord($0) }.map { String(Substring($0)) }
      if line.starts(with: "_jackdaw_".utf8), line.last == UInt8(ascii: "{") {
        // bash and zsh: a function for each command.
        name = words.first.map { String($0.dropFirst("_jackdaw_".count)) }
      } else if line.first == UInt8(ascii: "}") {
        name = nil
      } else if line.starts(with: "complete -c 'jackdaw'".utf8) {
        // fish: a line for each option, which names the command between double quotes.
        let quoted = line.split(separator: UInt8(ascii: "\""), omittingEmptySubsequences: false)
        let command = quoted.count > 1 ? String(Substring(quoted[1])).split(separator: " ").dropFirst() : []
        parts[command.joined(separator: "_"), default: []].formUnion(words)
      }
      if let name { parts[name, default: []].formUnion(words) }
    }
    return parts
  }

  private static func isOfWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"),
      UInt8(ascii: "."),
      UInt8(ascii: "_"):
      true
    default: false
    }
  }

  @Test("shells complete each command's options, and what they can be")
  func completionScripts() throws {
    // Asked for once: the parser takes its time to say it.
    let commands = Self.table.leaves(for: .shell).map {
      (Self.words($0), Self.table.options(of: $0, in: .shell).map(\.name))
    }
    for shell in ["bash", "zsh", "fish"] { try Self.check(shell, commands) }
  }

  private static func check(_ shell: String, _ commands: [(words: [String], options: [String])]) throws {
    guard case .text(let script) = try Self.table.parse(shell: ["--generate-completion-script", shell]) else {
      Issue.record("no script for \(shell)")
      return
    }
    let parts = Self.parts(of: script)
    for (words, options) in commands {
      let part = parts[words.joined(separator: "_")] ?? []
      for option in options where option != "--help" {
        let mark = shell == "fish" ? String(option.dropFirst(2)) : option
        #expect(part.contains(mark), "\(shell): \(words) \(option)")
      }
    }
    for (command, word) in [
      ("status", "online"), ("send", "server"), ("ping", "starttls"), ("vcard_set", "email.home"),
      ("vcard_set", "tel.cell"),
    ] {
      let all = shell == "fish" ? parts.values.reduce(into: []) { $0.formUnion($1) } : parts[command] ?? []
      #expect(all.contains(word), "\(shell): \(command) \(word)")
    }
  }
}
