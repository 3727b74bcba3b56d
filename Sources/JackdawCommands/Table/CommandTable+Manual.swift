// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import ArgumentParser
import JackdawSession

/// What Docs/manual.py is told, beyond what the parser says of the table of the shell.
extension CommandTable {
  /// Asks for the table of lines as JSON, as `--experimental-dump-help` gives that of the shell.
  package static let lineTableOption = "--experimental-dump-line-help"

  /// The table of lines. Before it the words of those commands that are for the shell alone, and for lines alone; what commands declare and the parser does
  /// not know; the topics; and the exit codes.
  var lineTable: String {
    let (ofLines, ofTheShell) = (leaves(for: .lines).map { name(of: $0) }, leaves(for: .shell).map { name(of: $0) })
    let ofShell = declared(for: .shell)
    let all = ofShell + declared(for: .lines).filter { command in !ofShell.contains { $0 == command } }
    let notes = ManualNotes(
      shellOnly: ofTheShell.filter { !ofLines.contains($0) }, lineOnly: ofLines.filter { !ofTheShell.contains($0) },
      declared: all.map { CommandNotes($0, name(of: $0)) },
      topics: HelpTopic.allCases.map(TopicNotes.init), exitCodes: ExitCode.all.map(CodeNotes.init))
    guard let line = try? JSONLineEncoder.line(of: notes) else { preconditionFailure("notes are an object") }
    return String(decoding: line.dropLast(2), as: UTF8.self) + "," + lineRoot._dumpHelp().dropFirst()
  }
}

private struct ManualNotes: Encodable {
  var shellOnly: [String]
  var lineOnly: [String]
  var declared: [CommandNotes]
  var topics: [TopicNotes]
  var exitCodes: [CodeNotes]
}

private struct CommandNotes: Encodable {
  var name: String
  /// Each as it is typed, and what it adds to the command's words.
  var aliases: [[String]]
  /// Each the line, what it does, and where it can be typed: `shell`, `lines` or `everywhere`.
  var examples: [[String]]
  var isTypedWhole: Bool
  var inLines: Bool

  init(_ command: any JackdawCommand.Type, _ name: String) {
    self.name = name
    aliases = command.declaration.aliases.map { ["/" + $0.word, $0.adding.joined(separator: " ")] }
    examples = command.declaration.examples.map { example in
      let place = example.place == .everywhere ? command.declaration.place : example.place
      return [example.line, example.summary, "\(place)"]
    }
    isTypedWhole = command.declaration.isTypedWhole
    inLines = command.declaration.place != .shell
  }
}

private struct TopicNotes: Encodable {
  var name: String
  var title: String
  /// Each `["text", …]`, `["typed", line, …]` or `["list", word, meaning, word, meaning, …]`.
  var blocks: [[String]]

  init(_ topic: HelpTopic) {
    name = topic.rawValue
    title = topic.title
    blocks = topic.blocks.map { block in
      switch block {
      case .text(let text): ["text", text]
      case .typed(let lines): ["typed"] + lines
      case .list(let entries): ["list"] + entries.flatMap { [$0.word, $0.meaning] }
      }
    }
  }
}

private struct CodeNotes: Encodable {
  var code: Int32
  var meaning: String

  init(_ code: ExitCode) {
    self.code = code.value
    meaning = code.meaning
  }
}
