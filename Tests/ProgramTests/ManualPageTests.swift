// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Support
import Testing

@testable import JackdawCommands

/// The manual page that Docs/manual.py makes of the built program.
@Suite("The manual page")
struct ManualPageTests {
  /// Made once: a program that is built for debugging takes seconds to print the help of all commands.
  private static let made = Task { try await make() }

  private static func source() async throws -> String { try await made.value }

  private static func make() async throws -> String {
    let outcome = try await TestProcess.run(
      .init(SourceTree.python, ["-B", SourceTree.path("Docs/manual.py"), SourceTree.program]))
    try #require(outcome.ending == .exited(0), "\(outcome.errors)")
    #expect(outcome.errors == "")
    return outcome.output
  }

  /// As `man` shows it in so many columns.
  private static func lines(of source: String, columns: Int) async throws -> [String] {
    // -P-c -P-b -P-u: without the sequences for bold and underlined text; -ww: every warning.
    let outcome = try await TestProcess.run(
      .init(
        "groff", ["-man", "-Tutf8", "-ww", "-P-c", "-P-b", "-P-u", "-rLL=\(columns)n", "-rHY=0"],
        input: .text(source)))
    #expect(outcome.ending == .exited(0))
    #expect(outcome.errors == "", "groff's warnings at \(columns) columns")
    return outcome.output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  /// Words as they stand in the source: without fonts and escapes.
  private static func plain(_ line: Substring) -> String {
    var text = line.replacing(/\\f[BIR]/, with: "")
      .replacing(/\\\[u([0-9A-F]+)\]/) { found in
        UInt32(found.output.1, radix: 16).flatMap(Unicode.Scalar.init).map { String($0) } ?? ""
      }
    for (escape, sign) in [("\\-", "-"), ("\\(aq", "'"), ("\\(dq", "\""), ("\\(ha", "^"), ("\\&", ""), ("\\e", "\\")] {
      text = text.replacing(escape, with: sign)
    }
    return String(text)
  }

  /// The commands' sections by their words, `friends add` or `/wait`: the plain lines, the heading first.
  private static func commands(in source: String) -> [String: [String]] {
    var found: [String: [String]] = [:]
    for part in source.split(separator: "\n.SS ").dropFirst() {
      // The words are bold, and the arguments behind them are not.
      guard let words = part.firstMatch(of: /^\\fB(.*?)\\fR/) else { continue }
      let name = plain(words.output.1)
      let lines = part.split(separator: "\n").prefix { !$0.hasPrefix(".SH ") }.map(plain)
      found[name.hasPrefix("jackdaw ") ? String(name.dropFirst("jackdaw ".count)) : name] = lines
    }
    return found
  }

  /// Whether a section explains an option: `--name value`, or `-n, --name`.
  private static func explains(_ option: CommandTable.Option, _ section: [String]) -> Bool {
    section.contains { line in
      let words = line.split(separator: ",").last?.split(separator: " ") ?? []
      return words.first.map(String.init) == option.name && words.count == (option.takesValue ? 2 : 1)
    }
  }

  @Test("has each command of the table with all its options, and no other")
  func everyCommand() async throws {
    let source = try await Self.source()
    let sections = Self.commands(in: source)
    var expected: Set<String> = []
    let shared = Set(CommandTable.standard.startOptions.map(\.name))
    for (place, slash) in [(CommandPlace.shell, ""), (.lines, "/")] {
      for command in CommandTable.standard.leaves(for: place) {
        let words = CommandTable.standard.name(of: command)
        if expected.contains(words) { continue }
        let name = slash + words
        expected.insert(name)
        let section = try #require(sections[name], "no section on \(name)")
        #expect(section.contains(command.summary), "\(name) and its summary")
        for option in CommandTable.standard.options(of: command, in: place) where !shared.contains(option.name) {
          #expect(Self.explains(option, section), "\(name) \(option.name)")
        }
      }
    }
    #expect(Set(sections.keys) == expected)
    let ofAll = source.split(separator: "\n.SH COMMANDS").first?.split(separator: "\n").map(Self.plain) ?? []
    for option in CommandTable.standard.startOptions {
      #expect(Self.explains(option, ofAll), "\(option.name)")
    }
  }

  @Test("says which commands are for the shell alone")
  func shellAlone() async throws {
    let source = try await Self.source()
    let sentence = try #require(source.firstMatch(of: /\nOf the commands above (.*) are for the shell alone\./))
    let named = sentence.output.1.matches(of: /\\fB(.*?)\\fR/).map { String($0.output.1) }
    let ofLines = Set(CommandTable.standard.leaves(for: .lines).map { CommandTable.standard.name(of: $0) })
    #expect(
      Set(named)
        == Set(CommandTable.standard.leaves(for: .shell).map { CommandTable.standard.name(of: $0) }).subtracting(
          ofLines))
  }

  @Test("has each command's examples and aliases, and each topic of help")
  func examplesAndTopics() async throws {
    let source = try await Self.source()
    let sections = Self.commands(in: source)
    let table = CommandTable.standard
    for command in table.leaves(for: .shell) + table.leaves(for: .lines) {
      let name = table.name(of: command)
      let section = try #require(sections[name] ?? sections["/" + name], "\(name)")
      let declaration = command.declaration
      for example in declaration.examples {
        let isOfLines = declaration.place == .lines || example.place == .lines
        let typed = example.typed(in: isOfLines ? .lines : .shell)
        #expect(section.contains(typed) && section.contains(example.summary), "\(typed)")
      }
      for alias in declaration.aliases {
        #expect(section.contains { $0.hasPrefix("In lines also ") && $0.contains("/" + alias.word) }, "\(alias.word)")
      }
    }
    #expect(source.contains("\n\\fB/roster\\fR and \\fB/friends\\fR are the same.\n"))
    let topics = try #require(source.split(separator: "\n.SH TOPICS\n").last?.split(separator: "\n.SH ").first)
    for topic in HelpTopic.allCases { #expect(topics.contains(".SS " + topic.title), "\(topic)") }
  }

  @Test("has the exit codes that there are")
  func exitCodes() async throws {
    let source = try await Self.source()
    let part = try #require(source.split(separator: "\n.SH EXIT STATUS\n").last?.split(separator: "\n.SH ").first)
    let shown = part.matches(of: /\.TP\n\\fB(\d+)\\fR\n/).compactMap { Int32($0.output.1) }
    let declared = try #require(SourceTree.text("Sources/JackdawCommands/Output/ExitCode.swift"))
      .matches(of: /ExitCode\(value: (\d+)\)/).compactMap { Int32($0.output.1) }
    #expect(declared.contains(ExitCode.interrupted.value) && declared.count > 10)
    #expect(shown == declared)
  }

  @Test("has the variables of the environment, and the files")
  func environment() async throws {
    let source = try await Self.source()
    let files = SourceTree.files("Sources/JackdawCommands/*/*.swift") + SourceTree.files("Sources/jackdaw/*.swift")
    let variables = Set(
      files.flatMap { (SourceTree.text($0) ?? "").matches(of: /JACKDAW_[A-Z_]+[A-Z]/).map { String($0.output) } })
    #expect(variables.count >= 10)
    for name in variables.union(["NO_COLOR"]) { #expect(source.contains("\n\\fB\(name)\\fR\n"), "\(name)") }
    for file in ["$XDG_CONFIG_HOME/jackdaw/config.toml", "$XDG_DATA_HOME/jackdaw/history"] {
      #expect(source.contains("\n\\fI\(file)\\fR\n"), "\(file)")
    }
  }

  @Test("is set without warnings, and without a line that is too long", arguments: [80, 60])
  func isReadable(_ columns: Int) async throws {
    let lines = try await Self.lines(of: try await Self.source(), columns: columns)
    #expect(lines.count > 300)
    for heading in [
      "NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "COMMANDS", "LINES", "PROMPT", "OUTPUT", "ENVIRONMENT", "FILES",
      "EXIT STATUS", "TOPICS", "EXAMPLES", "SEE ALSO",
    ] {
      #expect(lines.contains(heading), "\(heading)")
    }
    for line in lines where line.count > columns { Issue.record("\(line.count) columns: \(line)") }
    // What troff should have read is not to be seen.
    for line in lines where line.contains("\\f") || line.contains("\\-") { Issue.record("\(line)") }
  }
}
