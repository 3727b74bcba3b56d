// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawSession
import Support
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
    #expect(text.split(separator: "USAGE:").first?.contains("  ") == false, "\(name)")
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
    #expect(Set(rows.map(\.usage)).count == rows.count)
    for alias in Self.table.aliases {
      let row = rows.first { $0.usage.split(separator: ", ").contains { $0 == "/" + alias.word } }
      let meant = (["/" + Self.table.name(of: alias.command)] + alias.adding).joined(separator: " ")
      #expect(row?.summary == "The same as '\(meant)'.", "\(alias.word)")
    }
  }

  private static func help(_ words: String, in place: CommandPlace) throws -> HelpRequest {
    try HelpRequest(words.split(separator: " ").map(String.init), in: place, of: table)
  }

  @Test(
    "the card has twelve lines, each of a key or of a command that there is, and fits 80 columns",
    arguments: [
      CommandPlace.lines, .shell,
    ])
  func card(_ place: CommandPlace) throws {
    let rows = try Self.help("", in: place).rows
    #expect(rows.count == 12)
    let widest = rows.map(\.usage.count).max() ?? 0
    for row in rows {
      #expect(widest + 4 + (row.summary?.count ?? 0) <= 80, "\(row.usage)")
      let start = place == .lines ? "/" : "jackdaw "
      guard row.usage.hasPrefix(start) else { continue }
      let words = row.usage.dropFirst(start.count).split(separator: " ").map(String.init)
      // What is to be filled in is in capitals.
      let plain = words.filter { $0 != $0.uppercased() }
      if plain == ["help"] || plain == ["help", "all"] { continue }
      let prepared = try WordPreparation(plain, in: place, of: Self.table)
      #expect(prepared.command != nil, "\(row.usage)")
    }
    #expect(rows.contains { $0.usage == (place == .lines ? "Alt-Enter" : "jackdaw") })
  }

  @Test("each command of either place, by each of its words, each topic and each alias has its help in both places")
  func everySubject() throws {
    for place in [CommandPlace.lines, .shell] {
      for command in Self.table.declared(for: .lines) + Self.table.declared(for: .shell)
      where command != HelpCommand.self {
        let text = try Self.help(Self.table.name(of: command), in: place).text(columns: 200)
        #expect(text.contains(Self.table.name(of: command)) && Self.joined(text).contains(Self.joined(command.summary)))
      }
      for alias in Self.table.aliases where alias.command != HelpCommand.self {
        guard case .command(let command, _) = try Self.help(alias.word, in: place).subject else {
          Issue.record("\(alias.word)")
          continue
        }
        let isMeant = command == alias.command
        #expect(isMeant, "\(alias.word)")
      }
      for topic in HelpTopic.allCases {
        guard case .topic(topic) = try Self.help(topic.rawValue, in: place).subject else {
          Issue.record("\(topic)")
          continue
        }
      }
      for (words, topic) in [
        ("exit codes", HelpTopic.exitCodes), ("Exit Codes", .exitCodes), ("key", .keys), ("scr", .scripts),
      ] {
        guard case .topic(topic) = try Self.help(words, in: place).subject else {
          Issue.record("\(words)")
          continue
        }
      }
    }
    guard case .command(let command, .lines) = try Self.help("/fri ad", in: .lines).subject else {
      Issue.record("a beginning has no help")
      return
    }
    let isAdd = command == FriendsAddCommand.self
    #expect(isAdd)
  }

  @Test(
    "what there is no help on is said, with what was probably meant",
    arguments: [
      ("frends", "There is no command '/frends'; did you mean '/friends'?"),
      ("scirpts", "There is no help on 'scirpts'; did you mean '/help scripts'?"),
      ("friends nonsense", "There is no command '/friends nonsense'"),
      ("omemo", "There is no command '/omemo': end-to-end"),
      ("/me", "'/me' is not a command: it begins a message"),
    ])
  func noHelp(_ words: String, _ text: String) {
    #expect {
      try Self.help(words, in: .lines)
    } throws: {
      ($0 as? CommandFailure)?.code == .usage && ($0 as? CommandFailure)?.text.hasPrefix(text) == true
    }
  }

  @Test("a topic fits its columns, but for lines as they are typed", arguments: [40, 60, 80])
  func topicWidths(_ columns: Int) {
    for topic in HelpTopic.allCases {
      let text = topic.text(columns: columns)
      for line in text.split(separator: "\n") where !line.hasPrefix("    ") {
        #expect(line.count <= columns, "\(line)")
      }
      for block in topic.blocks {
        guard case .typed(let lines) = block else { continue }
        for line in lines { #expect(text.contains("    " + line)) }
      }
    }
  }

  @Test("the topic on exit codes has all that there are, each with its meaning")
  func exitCodes() throws {
    let declared = try #require(SourceTree.text("Sources/JackdawCommands/Output/ExitCode.swift"))
      .matches(of: /ExitCode\(value: (\d+)\)/).compactMap { Int32($0.output.1) }
    #expect(ExitCode.all.map(\.value) == declared && declared.count > 10)
    let text = Self.joined(HelpTopic.exitCodes.text(columns: 80))
    for code in ExitCode.all {
      #expect(!code.meaning.isEmpty && text.contains("\(code.value) " + Self.joined(code.meaning)), "\(code)")
    }
  }

  @Test("the topic on JSON names events that there are")
  func json() {
    let events = Set(EventCatalogue.names + [CommandFailure.event, HelpRow.event])
    for block in HelpTopic.json.blocks {
      guard case .list(let entries) = block else { continue }
      for entry in entries { #expect(events.contains(entry.word), "\(entry.word)") }
    }
  }

  @Test(
    "the options of every command are shown with --help-all, and --help says so",
    arguments: [
      "send", "friends", "friends add", "",
    ])
  func allOptions(_ name: String) throws {
    let words = name.split(separator: " ").map(String.init)
    for place in [CommandPlace.shell, .lines] where place == .shell || !words.isEmpty {
      let (short, long) = try (Self.text(words + ["--help"], place), Self.text(words + ["--help-all"], place))
      let mark = place == .shell ? "--account NAME" : "--timeout SECONDS"
      #expect(!short.contains(mark) && !short.contains("-h, --help"))
      #expect(long.contains(mark) && long.contains("-h, --help") && !long.contains(HelpPage.allOption))
      #expect(short.contains("  '--help-all' shows the options of every command too"))
    }
    #expect(try Self.help("send --help-all", in: .shell).text(columns: 80).contains("--account NAME"))
    // What is text is none of ours.
    guard case .command(let command, _) = try Self.table.parse(shell: ["send", "bob", "--", "x", "--help-all"]) else {
      Issue.record("a text was taken for an option")
      return
    }
    #expect((command as? SendCommand)?.text == ["x", "--help-all"])
  }

  private static func text(_ words: [String], _ place: CommandPlace) throws -> String {
    if place == .shell, case .text(let text) = try table.parse(shell: words) { return text }
    if place == .lines, case .text(let text) = try table.parse(line: words) { return text }
    throw CommandFailure(.bug, "test", "no text: \(words)")
  }

  @Test("examples stand before options, as they are typed in each place")
  func examples() throws {
    for (place, start) in [(CommandPlace.shell, "jackdaw "), (.lines, "/")] {
      let text = try Self.text(["friends", "add", "--help"], place)
      let example = try #require(text.firstRange(of: "EXAMPLES:\n  \(start)friends add bob@example.org\n"))
      let options = try #require(text.firstRange(of: "OPTIONS:\n"))
      #expect(example.lowerBound < options.lowerBound)
    }
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

  @Test("fish reads the command line once for each Tab, and not for each of the lines that may be offered")
  func fishReadsTheLineOnce() throws {
    guard case .text(let script) = try Self.table.parse(shell: ["--generate-completion-script", "fish"]) else {
      Issue.record("no script")
      return
    }
    let lines = script.split(separator: "\n")
    let readings = lines.indices.filter { lines[$0] == "    __jackdaw_parse_tokens" }
    #expect(readings.count == 2)
    for index in readings {
      #expect(lines[index - 1].hasSuffix("and return 1") && lines[index - 1].contains("$__jackdaw_commands"))
      #expect(lines[index + 1...index + 2].allSatisfy { $0.hasPrefix("    set -g __jackdaw_") })
    }
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
