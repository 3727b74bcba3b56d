// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// What somebody asks of `help`: the card, all commands, a topic, or a command, by any of its words.
struct HelpRequest {
  enum Subject {
    case card
    case commands
    case topic(HelpTopic)
    /// The page of the place where the command can be used.
    case command(any JackdawCommand.Type, CommandPlace)
  }

  let subject: Subject
  private let showsAll: Bool
  private let place: CommandPlace
  private let table: CommandTable

  /// - Parameters:
  ///   - words: those after `help`.
  ///   - place: where it is asked; a command of the other place is found too.
  /// - Throws: ``CommandFailure`` with code 64 for what there is no help on.
  init(_ words: [String], in place: CommandPlace, of table: CommandTable) throws(CommandFailure) {
    showsAll = words.contains(HelpPage.allOption)
    let names = words.filter { !$0.hasPrefix("-") }.map { $0.hasPrefix("/") ? String($0.dropFirst()) : $0 }
    subject = try Self.subject(names, place, table)
    self.place = place
    self.table = table
  }

  private static func subject(
    _ names: [String], _ place: CommandPlace, _ table: CommandTable
  ) throws(CommandFailure) -> Subject {
    guard let first = names.first else { return .card }
    if names == ["all"] || names == ["commands"] { return .commands }
    if let topic = HelpTopic(names) { return .topic(topic) }
    if place == .shell, names == ["help"] { return .card }
    if names == ["me"] {
      throw CommandFailure(
        .usage, "usage",
        "'/me' is not a command: it begins a message, as in '/me waves'. 'help' alone shows what you need first.")
    }
    let places = [place, place == .lines ? CommandPlace.shell : .lines]
    let found = places.map { ($0, table.naming(first, in: $0)) }
    for (place, naming) in found {
      guard case .exact(let named) = naming else { continue }
      return try command(named, names.dropFirst().first, place, table)
    }
    let topics = HelpTopic.allCases.filter { $0.rawValue.hasPrefix(first) }
    for (place, naming) in found where topics.isEmpty {
      if let named = naming.only { return try command(named, names.dropFirst().first, place, table) }
    }
    if topics.count == 1, found.allSatisfy({ $0.1.candidates.isEmpty }) { return .topic(topics[0]) }
    let mistyped = MistypedCommand(word: first, group: nil, place: place, table: table)
    if !mistyped.meansACommand, let near = Suggestion.nearest(to: first, among: HelpTopic.allCases.map(\.rawValue)) {
      let help = place == .lines ? "/help" : "jackdaw help"
      throw CommandFailure(.usage, "usage", "There is no help on '\(first)'; did you mean '\(help) \(near)'?")
    }
    throw mistyped.failure
  }

  /// - Parameter second: what follows the name: of a group, the subcommand's.
  private static func command(
    _ named: CommandNaming.Named, _ second: String?, _ place: CommandPlace, _ table: CommandTable
  ) throws(CommandFailure) -> Subject {
    if let bare = named.command.declaration.bare, let second {
      let found = [place, place == .lines ? .shell : .lines].map { place in
        (place, table.naming(second, among: table.children(of: named.command, for: place), of: bare))
      }
      for (place, naming) in found {
        if case .exact(let child) = naming { return .command(child.command, place) }
      }
      guard let child = found[0].1.only else {
        throw MistypedCommand(word: second, group: named.command, place: place, table: table).failure
      }
      return .command(child.command, place)
    }
    // An alias of lines may be asked for in the shell: the command is shown as it is used there, if it is.
    let isHere = table.declared(for: .shell).contains { $0 == named.command }
    return .command(named.command, place == .lines && !isHere ? .lines : place)
  }

  /// Its lines, one by one; the card and the list of commands in two columns.
  var rows: [HelpRow] {
    switch subject {
    case .card: HelpCard.rows(for: place)
    case .commands: table.overview(for: place)
    case .topic, .command: HelpRow.lines(of: text())
    }
  }

  /// All of it as a text.
  func text(columns: Int = HelpPage.columns) -> String {
    switch subject {
    case .card, .commands:
      let rows = rows
      let widest = rows.map { $0.usage.count }.filter { $0 < columns / 2 }.max() ?? 0
      let column = HelpEntry.indentation + widest + 2
      return rows.map { HelpEntry(label: $0.usage, summary: $0.summary ?? "").text(columns, column: column) }.joined()
    case .topic(let topic): return topic.text(columns: columns)
    case .command(let command, let place):
      return HelpPage(command: command, place: place, table: table, showsAll: showsAll).text(columns: columns)
    }
  }
}
