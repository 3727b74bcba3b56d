// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// A word in a command's place that names none: what its writer is told.
struct MistypedCommand {
  let word: String
  /// The group whose subcommand it ought to be; nil: it stands where a command does.
  let group: (any JackdawCommand.Type)?
  let place: CommandPlace
  let table: CommandTable

  /// One sentence, with what was probably meant: by what the word means to others, as the beginning of a name, by its letters.
  var failure: CommandFailure {
    if group == nil, let missing = MissingFeature(called: word) {
      return Self.usage("There is no command '\(typed(word))': \(missing.sentence).")
    }
    return Self.usage("There is no command '\(typed(word))'\(advice)")
  }

  /// It is known what is meant, or nearly the name of a command.
  var meansACommand: Bool { MissingFeature(called: word) != nil || !meant.isEmpty }

  /// For a word that is the beginning of several names, or of one that has to be typed whole.
  static func ambiguous(
    _ word: String, _ candidates: [CommandNaming.Named], of group: (any JackdawCommand.Type)? = nil
  ) -> CommandFailure {
    let path = "/" + (group.map { $0.word + " " } ?? "")
    let names = candidates.map { "'\(path)\($0.word)'" }
    guard candidates.count > 1 else {
      return usage("'\(path)\(word)' may mean \(listed(names)), which has to be typed whole.")
    }
    return usage("'\(path)\(word)' may mean \(listed(names)).")
  }

  /// For a subcommand that has to be typed whole, behind the beginning of its group's name.
  static func shortened(
    _ word: String, _ command: any JackdawCommand.Type, of group: any JackdawCommand.Type
  ) -> CommandFailure {
    usage("'/\(word) \(command.word)' may mean '/\(group.word) \(command.word)', which has to be typed whole.")
  }

  private static func usage(_ text: String) -> CommandFailure { CommandFailure(.usage, "usage", text) }

  private static func listed(_ names: [String]) -> String {
    names.count > 1 ? names.dropLast().joined(separator: ", ") + " or " + (names.last ?? "") : names.first ?? ""
  }

  private var advice: String {
    // A command of the other place, by its whole name, is meant rather than one here that is spelled alike: '/account register' is
    // not '/account unregister'.
    let meant = wellKnown.isEmpty && elsewhere != nil ? [] : meant
    if !meant.isEmpty {
      // A subcommand is called so, and what others call so may be one that the shell alone has: '/register'.
      let also = byMeaning.isEmpty && !byName.isEmpty ? inTheShell.map { ", or the shell's '\($0)'" } ?? "" : ""
      return "; did you mean \(Self.listed(meant.map { "'\($0)'" }))\(also)?"
    }
    if let elsewhere {
      return place == .lines
        ? "; the shell has one: '\(table.typed(elsewhere, in: .shell))'."
        : "; it is one of the prompt and of scripts: '\(table.typed(elsewhere, in: .lines))'."
    }
    if let inTheShell { return "; the shell has one: '\(inTheShell)'." }
    return place == .lines ? "; '/help all' lists the commands." : "; 'jackdaw help all' lists the commands."
  }

  private var meant: [String] {
    let known = wellKnown
    return known.isEmpty ? [byLetters].compactMap(\.self) : known
  }

  private var wellKnown: [String] {
    for found in [byCase, byOption, byMeaning, byName, byBeginning] where !found.isEmpty && found.count <= Self.most {
      return found
    }
    return []
  }

  /// More than these are no advice.
  private static let most = 4

  private var own: [any JackdawCommand.Type] {
    if let group { table.children(of: group, for: place) } else { table.declared(for: place) }
  }

  /// The one that it is in small letters.
  private var byCase: [String] {
    guard group == nil, case .exact = table.naming(word.lowercased(), in: place) else { return [] }
    return [typed(word.lowercased())]
  }

  /// The program's own version is an option, and what `info` tells is others'.
  private var byOption: [String] {
    group == nil && place == .shell && word.lowercased() == "version" ? ["--version"] : []
  }

  /// Those that say that the word means them, and in the shell those that lines have it as an alias for.
  private var byMeaning: [String] {
    let wanted = word.lowercased()
    return own.flatMap { command in
      let synonyms = command.declaration.meanings + (place == .lines ? [] : command.declaration.aliases)
      return synonyms.filter { $0.word == wanted }.map { synonym in
        typed(([table.name(of: command)] + synonym.adding(in: place)).joined(separator: " "), isWhole: true)
      }
    }
  }

  /// The subcommands of groups that are called so.
  private var byName: [String] {
    guard group == nil else { return [] }
    return own.filter { $0.word == word.lowercased() }.map { typed(table.name(of: $0), isWhole: true) }
  }

  private var byBeginning: [String] {
    guard !word.isEmpty else { return [] }
    return names.filter { $0.hasPrefix(word.lowercased()) }.map { typed($0) }
  }

  private var byLetters: String? {
    if let near = Suggestion.nearest(to: word, among: names) { return typed(near) }
    let meanings = own.flatMap { command in
      command.declaration.meanings.map {
        (word: $0.word, name: ([table.name(of: command)] + $0.adding).joined(separator: " "))
      }
    }
    guard let near = Suggestion.nearest(to: word, among: meanings.map(\.word), areNames: false) else { return nil }
    return meanings.first { $0.word == near }.map { typed($0.name, isWhole: true) }
  }

  /// What can stand in the word's place.
  private var names: [String] {
    guard group == nil else { return own.map { $0.word } }
    return table.commands(for: place).map { $0.word } + (place == .lines ? table.aliases.map(\.word) : [])
  }

  /// What is called so and cannot be used here.
  private var elsewhere: (any JackdawCommand.Type)? {
    let place: CommandPlace = place == .lines ? .shell : .lines
    guard let group else { return table.command(named: word, for: place) }
    return table.children(of: group, for: place).first { $0.word == word }
  }

  /// The command of the shell alone that says that the word means it, as it is typed there.
  private var inTheShell: String? {
    guard group == nil, place == .lines else { return nil }
    let own = own
    let meant = table.declared(for: .shell).filter { command in
      !own.contains { $0 == command } && command.declaration.meanings.contains { $0.word == word.lowercased() }
    }
    return meant.count == 1 ? table.typed(meant[0], in: .shell) : nil
  }

  /// As it is typed here: `/add`, `friends ad`.
  /// - Parameter isWhole: the group's name is in it.
  private func typed(_ name: String, isWhole: Bool = false) -> String {
    (place == .lines ? "/" : "") + (isWhole ? "" : group.map { $0.word + " " } ?? "") + name
  }
}

/// What other clients have a command for, and this one has none.
enum MissingFeature: CaseIterable {
  case encryption, files, settings

  init?(called word: String) {
    let word = word.lowercased()
    guard let feature = Self.allCases.first(where: { $0.words.contains(word) }) else { return nil }
    self = feature
  }

  /// The commands that it has elsewhere.
  var words: Set<String> {
    switch self {
    case .encryption: ["encrypt", "omemo", "otr", "pgp", "ox"]
    case .files: ["attach", "file", "files", "sendfile", "upload"]
    case .settings:
      [
        "autoaway", "beep", "color", "colors", "colour", "config", "options", "preferences", "prefs", "reload",
        "settings", "theme",
        "themes",
        "titlebar",
      ]
    }
  }

  /// What its user is told.
  var sentence: String {
    switch self {
    case .encryption: "end-to-end encryption is not supported yet"
    case .files: "sending files is not supported yet"
    case .settings:
      "what you can set stands in config.toml; CONFIGURATION.md, which is installed with README.md, describes it"
    }
  }
}
