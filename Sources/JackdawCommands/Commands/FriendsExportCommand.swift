// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import ArgumentParser
import JackdawLoop
import JackdawSession

/// `friends export`: the contact list as a file.
package struct FriendsExportCommand: ClientCommand {
  package static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Write the contact list to a file, or to stdout.",
    discussion: """
      What 'friends import' reads, with any account. A file that is there is replaced. Without '--format' its name decides: \
      '.csv' is CSV (RFC 4180), anything else JSON Lines.
      """)
  package static let declaration = CommandDeclaration(
    arguments: [.word(.file)], options: ["--format": .words(ContactFormat.allCases.map(\.rawValue))],
    meanings: ["backup", "save", "export"],
    examples: [
      .init("friends export friends.json", "Write the contact list to a file."),
      .init("friends export --format csv", "Write it to stdout."),
    ])

  @Option(help: ArgumentHelp("json or csv.", valueName: "format"))
  package var format: ContactFormat?

  @Argument(help: ArgumentHelp("Where to; '-' or nothing is stdout.", valueName: "file"), completion: .file())
  package var file: String?

  @OptionGroup(title: SharedOptions.title) package var shared: SharedOptions
  package init() {}

  @Client package func run(in context: CommandContext) async throws {
    let path = file == "-" ? nil : file
    let format = format ?? path.flatMap { ContactFormat(path: $0) } ?? .json
    // With '--json' stdout holds events and nothing else.
    let showsEvents = path == nil && context.application.settings.isJSON
    if showsEvents, format == .csv {
      throw CommandFailure(.usage, "usage", "'--json' fills stdout with JSON Lines: name a file for CSV.")
    }
    if let path { try ContactFile(path: path, in: context.application).checkWritable() }
    let friends = try await context.session().features[FriendManager.self]
    try await friends.loadWithChanges()
    let items = friends.friends
    if showsEvents {
      for item in items { try await context.showNext(FriendRow(item: item)) }
      return
    }
    let document = format.document(of: items.map { ContactRecord($0) })
    guard let path else { return context.output.show(document: document) }
    try ContactFile(path: path, in: context.application).write(document)
    context.show(FriendsExportedRow(file: path, count: items.count))
  }
}

/// A contact list was written to a file.
struct FriendsExportedRow: CommandRow {
  var file: String
  var count: Int
  var cells: [Cell] { [Cell(count == 1 ? "Wrote 1 contact to \(file)." : "Wrote \(count) contacts to \(file).")] }
}
