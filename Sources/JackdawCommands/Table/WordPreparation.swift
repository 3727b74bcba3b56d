// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawProtocol

/// Makes words fit for the parser: puts commands in the place of their aliases and beginnings, finds typos in command names with a
/// suggestion, fills in the subcommand that a bare group stands for, puts options that stand before a subcommand behind it, makes a name
/// of several words one argument, and marks where free text begins, so that nothing in a message is taken for an option.
struct WordPreparation {
  private(set) var words: [String]
  /// The command or group that the words name; nil: none.
  private(set) var command: (any JackdawCommand.Type)?
  /// The shell's `help …`; nil: they are none.
  private(set) var help: HelpRequest?
  /// Where the command's words begin: behind the options of the program's start.
  private(set) var start = 0
  /// What was typed for a command about the room that is open, which it does not name: `nick`.
  private(set) var aliasOfOpenRoom: String?
  /// Where the command's arguments begin, and where the `--` stands that was put before the text.
  private var arguments = 0
  private var mark: Int?
  private let place: CommandPlace
  private let table: CommandTable
  private let abbreviated: Bool

  /// - Parameter abbreviated: the beginning of a command's name will do, where it is that of no other.
  /// - Throws: ``CommandFailure`` with code 64 for a command that does not exist.
  init(
    _ given: [String], in place: CommandPlace, of table: CommandTable, abbreviated: Bool = false
  ) throws(CommandFailure) {
    words = given
    self.place = place
    self.table = table
    self.abbreviated = abbreviated
    if place == .lines, let first = words.first, first == "--help" || first == "-h" { words = ["help"] }
    var first = word(from: 0)
    if first == nil, let end = words.firstIndex(of: "--"), end + 1 < words.count {
      // Nothing but options can stand before the command.
      words.remove(at: end)
      first = end
    }
    if let first { try prepare(from: first) }
    joinNegativeValues()
  }

  /// The words of a message to one person: the command with its options, whom it is for, and the text. Nil: they are none, or stand in
  /// another order.
  var message: (how: ArraySlice<String>, to: String, text: ArraySlice<String>)? {
    guard let mark, command?.declaration.wordsBeforeText == 1, let person = word(from: arguments), person == mark - 1
    else { return nil }
    return (words[..<person], words[person], words[(mark + 1)...])
  }

  /// Other programs that send take each address for somebody who gets what standard input holds (`sendxmpp bob@example.org
  /// carol@example.org`). Here the second one is the text, and the input would be dropped.
  /// - Throws: ``CommandFailure`` with code 64 for a text of nothing but bare addresses, unless a `--` was typed before it.
  func refuseAddressesAsText() throws(CommandFailure) {
    guard let mark, let declaration = command?.declaration, declaration.readsText,
      declaration.optionOfFurtherWords != nil, let first = word(from: arguments)
    else { return }
    let text = words[(mark + 1)...]
    let isOfAddresses = text.allSatisfy { word in
      (try? JID(word)).map { $0.localpart != nil && $0.isBare } ?? false
    }
    // These are about one message to one person.
    let isToOne = words[..<mark].contains { $0.hasPrefix("--reply-to") || $0.hasPrefix("--correct") }
    guard isOfAddresses, !isToOne else { return }
    let people = ([words[first]] + text).map(ShellWords.quoted).joined(separator: " ")
    throw CommandFailure(
      .usage, "usage",
      "'\(text.joined(separator: " "))' would be the text. To send standard input to all of them, type '\(words[start]) \(people) --'; to send that text, put '--' before it."
    )
  }

  private mutating func prepare(from start: Int) throws(CommandFailure) {
    if place == .shell, start > 0, words.contains(Self.ofScripts) {
      // The program's start has that option for a script on stdin: where it reads the command's words, it would take it from them.
      words = Array(words[start...start] + words[..<start] + words[(start + 1)...])
      return try prepare(from: 0)
    }
    if place == .shell, words[start] == "help" {
      help = try HelpRequest(Array(words[(start + 1)...]), in: place, of: table)
      return
    }
    self.start = start
    let word = words[start]
    let naming = table.naming(word, in: place)
    guard let named = try meant(naming, by: word) else {
      throw unknownOption(before: start) ?? MistypedCommand(word: word, group: nil, place: place, table: table).failure
    }
    // The hot path: nothing to put in its place. A subcommand's own word may be an alias of it.
    if named.word != word || table.command(named: word, for: place) == nil {
      words.replaceSubrange(start...start, with: table.path(of: named.command) + named.adding)
      if named.adding == [CommandSynonym.openConversation] { aliasOfOpenRoom = named.word }
    }
    // An alias may be that of a subcommand: its group comes first.
    guard let command = table.command(named: words[start], for: place) else { return }
    self.command = command
    if let bare = command.declaration.bare {
      try prepare(table.children(of: command, for: place), of: bare, command, after: start)
      if case .beginning = naming, let meant = self.command, meant.declaration.isTypedWhole {
        throw MistypedCommand.shortened(word, meant, of: command)
      }
    } else {
      markText(of: command, from: start + 1)
    }
  }

  private static let ofScripts = "--keep-going"

  /// The one that is to run.
  /// - Throws: ``CommandFailure`` for the beginning of several, or of one that has to be typed whole.
  private func meant(
    _ naming: CommandNaming, by word: String, of group: (any JackdawCommand.Type)? = nil
  ) throws(CommandFailure) -> CommandNaming.Named? {
    switch naming {
    case .exact(let named): return named
    case .beginning(let candidates) where abbreviated:
      if candidates.count == 1, let named = candidates.first, !named.command.declaration.isTypedWhole { return named }
      throw MistypedCommand.ambiguous(word, candidates, of: group)
    case .beginning, .nothing: return nil
    }
  }

  private mutating func prepare(
    _ children: [any JackdawCommand.Type], of bare: BareGroup, _ group: any JackdawCommand.Type, after start: Int
  ) throws(CommandFailure) {
    // What it stands for may be no command of this place.
    let implied = children.first { child in bare.command.map { $0 == child } ?? false }
    guard let second = word(from: start + 1) else {
      if words[(start + 1)...].contains(where: { HelpPage.options.contains($0) }) { return }
      guard let implied else {
        let names = children.map { $0.word }.joined(separator: ", ")
        throw CommandFailure(
          .usage, "usage", "'\(place == .lines ? "/" : "")\(group.word)' needs one of \(names) after it.")
      }
      command = implied
      return words.insert(implied.word, at: start + 1)
    }
    // A subcommand that cannot be used here is none of its arguments.
    let isSubcommand = group.subcommands.contains { $0.word == words[second] }
    if case .commandWithArguments = bare, let implied, !isSubcommand {
      words.insert(implied.word, at: second)
    }
    let naming = table.naming(words[second], among: children, of: bare)
    guard let child = try meant(naming, by: words[second], of: group)?.command else {
      throw MistypedCommand(word: words[second], group: group, place: place, table: table).failure
    }
    command = child
    // A group has no options of its own: those before the subcommand are meant for it.
    words.remove(at: second)
    words.insert(child.word, at: start + 1)
    markText(of: child, from: start + 2)
  }

  // MARK: Free text

  private mutating func markText(of command: any JackdawCommand.Type, from start: Int) {
    if command.declaration.arguments.contains(.word(.loggedMessage)) { markNumbers(from: start) }
    if let before = command.declaration.wordsBeforeName { joinName(of: command, after: before, from: start) }
    guard var left = command.declaration.wordsBeforeText else { return }
    arguments = start
    if let option = command.declaration.optionOfFurtherWords, words[start...].contains("--") {
      return markFurtherWords(as: option, from: start)
    }
    var index = start
    while let next = word(from: index) {
      if left == 0 { return beginText(of: command, at: next) }
      left -= 1
      index = next + 1
    }
  }

  /// The parser takes `-4` for an option: `goto -4` is `goto #-4`.
  private mutating func markNumbers(from start: Int) {
    for index in words[start...].indices {
      guard words[index].hasPrefix("-"), !table.takesValue(words[index - 1]) else { continue }
      if let number = LogNumber(words[index]) { words[index] = "#\(number.value)" }
    }
  }

  /// The parser takes `-1` for an option wherever it stands: `--limit -1` is `--limit=-1`, of which it is said what is wrong.
  private mutating func joinNegativeValues() {
    var index = 1
    while index < words.count, words[index - 1] != "--" {
      let (option, value) = (words[index - 1], words[index])
      if option.hasPrefix("--"), value.hasPrefix("-"), value.dropFirst().first?.isNumber == true,
        table.takesValue(option)
      {
        words[index - 1] = "\(option)=\(value)"
        words.remove(at: index)
      } else {
        index += 1
      }
    }
  }

  /// `chat Bob Smith` is `chat 'Bob Smith'`.
  private mutating func joinName(of command: any JackdawCommand.Type, after count: Int, from start: Int) {
    guard !words[start...].contains("--") else { return }
    var places: [Int] = []
    var index = start
    while let next = word(from: index) {
      places.append(next)
      index = next + 1
    }
    guard places.count > count + 1 else { return }
    // Those of one letter are known to the parser alone, which is asked only where it matters.
    let options = Set(CommandInfo(of: command).arguments.filter { $0.kind == .option }.flatMap(\.names))
    let name = places.filter { !options.contains(words[$0 - 1]) }.dropFirst(count)
    // Of two addresses one is too many, and the parser says so.
    guard let first = name.first, name.count > 1, !name.contains(where: { words[$0].contains("@") }) else { return }
    words[first] = name.map { words[$0] }.joined(separator: " ")
    for place in name.dropFirst().reversed() { words.remove(at: place) }
  }

  /// The text is what stands behind `--` already.
  private mutating func markFurtherWords(as option: String, from start: Int) {
    guard var index = word(from: start) else { return }
    while let next = word(from: index + 1) {
      words.insert(option, at: next)
      index = next + 1
    }
  }

  /// In the shell, long options at the very end, after the text, are options too: `send bob "On my way" --json`. In a line
  /// everything is text, as it was typed, where it is said to somebody.
  private mutating func beginText(of command: any JackdawCommand.Type, at index: Int) {
    var last: [String] = []
    if place == .shell || command.declaration.takesOptionsLast, let end = optionsAtEnd(of: command, after: index) {
      last = Array(words[end...])
      words.removeSubrange(end...)
    }
    if place == .shell, command.declaration.readsText, words[index...].elementsEqual(["-"]) {
      return words.replaceSubrange(index..., with: last)
    }
    words.insert(contentsOf: last + ["--"], at: index)
    mark = index + last.count
  }

  private func optionsAtEnd(of command: any JackdawCommand.Type, after index: Int) -> Int? {
    let places = words.indices.filter { $0 > index && words[$0].hasPrefix("--") }
    guard !places.isEmpty, !words[index...].contains("--") else { return nil }
    let known =
      table.options(of: command, in: place) + [CommandTable.Option(name: HelpPage.allOption, takesValue: false)]
    return places.first { areAllOptions(words[$0...], known) }
  }

  private func areAllOptions(_ words: ArraySlice<String>, _ known: [CommandTable.Option]) -> Bool {
    var left = words
    while let word = left.popFirst() {
      let name = word.prefix { $0 != "=" }
      guard let option = known.first(where: { $0.name == name }) else { return false }
      if option.takesValue, name.count == word.count, left.popFirst() == nil { return false }
    }
    return true
  }

  // MARK: Options

  /// The index of the next word that is neither an option nor the value of one; nil at the end and at `--`.
  private func word(from start: Int) -> Int? {
    var index = start
    while index < words.count {
      let word = words[index]
      if word == "--" { return nil }
      if !word.hasPrefix("-") || word == "-" { return index }
      // `--wait=sent` carries its own value.
      index += table.takesValue(word) ? 2 : 1
    }
    return nil
  }

  // MARK: Typos

  /// The first long option that the command does not have. The parser asks a command whether its words make sense before it says that.
  var unknownOption: String? {
    guard let command else { return nil }
    let known = CommandInfo(of: command).arguments
    let names = Set(known.flatMap(\.names) + table.startOptions.map(\.name) + HelpPage.options)
    let withValue = Set(known.filter { $0.kind == .option }.flatMap(\.names))
    var left = words.prefix { $0 != "--" }
    while let word = left.popFirst() {
      if withValue.contains(word) {
        _ = left.popFirst()
      } else if word.hasPrefix("--") {
        let name = String(word.prefix { $0 != "=" })
        if !names.contains(name) { return name }
      }
    }
    return nil
  }

  /// An option that does not exist, whose value was taken for the command.
  private func unknownOption(before start: Int) -> CommandFailure? {
    guard place == .shell else { return nil }
    let known = table.startOptions.map(\.name)
    let given = words[..<start].map { String($0.prefix { $0 != "=" }) }
    guard let unknown = given.first(where: { $0.hasPrefix("--") && !known.contains($0) && !table.takesValue($0) })
    else { return nil }
    let hint = Suggestion.nearest(to: unknown, among: known).map { "; did you mean '\($0)'?" } ?? ""
    return CommandFailure(.usage, "usage", "There is no option '\(unknown)'\(hint)")
  }
}
