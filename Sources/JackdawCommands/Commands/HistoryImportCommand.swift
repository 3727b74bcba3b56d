// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import ArgumentParser
import JackdawLoop
import JackdawProtocol
import JackdawSession

/// `history import`: brings in what was said in other programs, or on another machine.
package struct HistoryImportCommand: ClientCommand {
  package static let configuration = CommandConfiguration(
    commandName: "import", abstract: "Bring in what other programs kept, or this one elsewhere.",
    discussion: """
      Reads what 'history --export json' writes, Profanity's chat logs and its chatlog.db, and Gajim's logs.db; of a folder all that \
      is in it. Each message stands where its time says, counts as read, and is sent nowhere. What is here already is not added: the \
      same file can be imported again. Needs no connection, and changes nothing in the files.
      """)
  package static let declaration = CommandDeclaration(
    arguments: [.word(.file)], options: ["--format": .words(ImportFormat.allCases.map(\.rawValue))],
    runsApart: true, meanings: ["restore"],
    examples: [
      .init("history import old.jsonl --dry-run", "Show what would be brought in."),
      .init("history import old.jsonl", "Bring it in."),
    ])

  @Option(help: ArgumentHelp("json, profanity or gajim; else the content decides.", valueName: "format"))
  package var format: ImportFormat?

  @Flag(help: "Only say what would be imported.")
  package var dryRun = false

  @Argument(help: ArgumentHelp("Files, or folders of them; '-' is stdin.", valueName: "file"), completion: .file())
  package var files: [String]

  @OptionGroup(title: SharedOptions.title) package var shared: SharedOptions
  package init() {}

  /// A history of years takes its time.
  package var isLimited: Bool { false }

  @Client package func run(in context: CommandContext) async throws {
    if files.contains("-") {
      // In a line, stdin is where the lines come from.
      guard context.origin == .shell else {
        throw CommandFailure(.usage, "usage", "Here '-' is where the lines come from. Name a file.")
      }
      guard format == nil || format == .json else {
        throw CommandFailure(
          .usage, "usage", "The standard input can only be JSON Lines. Name a file for other formats.")
      }
    }
    // What is wrong with one of them is said before anything is imported.
    let sources = try files.map { $0 == "-" ? nil : try ImportFile.find($0, format) }
    for file in files.indices {
      if let source = sources[file]?.first, source.path == files[file], source.kind == .database {
        try check(source, context)
      }
    }
    let history = try HistoryImport(isTrial: dryRun, in: context)
    defer { context.output.progress(nil) }
    do {
      for source in sources {
        if let source {
          try await history.take(source)
        } else {
          try await history.takeInput(isJSON: format == .json)
        }
      }
    } catch let error as any StoreFailure {
      throw CommandFailure(.inputOutput, "io-error", "Not everything was imported: \(error)")
    }
    context.output.progress(nil)
    let failure = history.end()
    context.show(history.row)
    if let failure { throw failure }
  }
}

extension HistoryImportCommand {
  /// - Throws: ``CommandFailure`` with code 65 where it is not a database of the program that is meant.
  @Client private func check(_ file: ImportFile, _ context: CommandContext) throws {
    do {
      let program = try context.application.parts.imports.openForeign(file.path).program
      let found: ImportFormat =
        switch program {
        case .gajim: .gajim
        case .profanity: .profanity
        }
      guard format == nil || format == found else { throw ImportFile.unknown(file.path, format) }
    } catch let error as any StoreFailure {
      throw CommandFailure(.badInput, "file", "\(file.path) cannot be read: \(error)")
    }
  }
}

/// What was brought in.
struct ImportedRow: CommandRow {
  /// How many are new.
  var messages = 0
  /// In how many conversations.
  var conversations = 0
  /// How many were there already.
  var known = 0
  /// How many were said in rooms.
  var rooms = 0
  /// How many belong to other accounts.
  var otherAccounts = 0
  /// How many lines and rows are nothing that was said, or are of conversations that are not kept.
  var leftOut = 0
  /// How many could not be read.
  var unreadable = 0
  /// Nothing was kept.
  var isTrial = false

  var cells: [Cell] { [Cell(sentence)] }

  private var sentence: String {
    var parts: [String] = []
    let place = "\(Self.count(messages, "message")) of \(Self.count(conversations, "conversation"))"
    parts.append(
      messages == 0
        ? isTrial ? "Nothing would be imported" : "Imported nothing"
        : isTrial ? "Would import \(place)" : "Imported \(place)")
    if known > 0 { parts.append("\(known) \(known == 1 ? "was" : "were") there already") }
    let others = [(rooms, "of rooms"), (otherAccounts, "of other accounts"), (leftOut, "others")]
      .filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    if !others.isEmpty { parts.append("left out \(others.joined(separator: ", "))") }
    if unreadable > 0 { parts.append("\(unreadable) could not be read") }
    return parts.joined(separator: "; ") + "."
  }

  private static func count(_ number: Int, _ what: String) -> String { "\(number) \(what)\(number == 1 ? "" : "s")" }

  private enum CodingKeys: String, CodingKey {
    case messages, conversations, known, rooms
    case otherAccounts = "other_accounts"
    case leftOut = "left_out"
    case unreadable
    case isTrial = "dry_run"
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(messages, forKey: .messages)
    try container.encode(conversations, forKey: .conversations)
    try container.encode(known, forKey: .known)
    try container.encode(rooms, forKey: .rooms)
    try container.encode(otherAccounts, forKey: .otherAccounts)
    try container.encode(leftOut, forKey: .leftOut)
    try container.encode(unreadable, forKey: .unreadable)
    try container.encode(isTrial, forKey: .isTrial)
  }
}
