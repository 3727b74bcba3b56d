// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import ArgumentParser
import JackdawProtocol
package import JackdawSession

/// What a shell asks for when somebody presses Tab. The generated scripts call the program for each word that is declared to be a
/// friend, a room or an account: `---completion send -- positional@0 INDEX CURSOR jackdaw send bo`, as the parser has them do.
package struct ShellCompletion: Sendable {
  /// What the word at the cursor is to be.
  package enum Wanted: Sendable, Equatable { case account, friend, room }
  /// Nil: nothing that the program knows of.
  package let wanted: Wanted?
  /// The options of the line that say whose friends are meant.
  package let options: SharedOptions
  /// The word at the cursor, without its quotes.
  private let partial: String

  /// The first word of a call.
  static let word = "---completion"
  private static let ofAccount = "--account"
  private static let optionsOfAccount: Set<String> = [ofAccount, "--jid", "--config", "--data-dir"]

  /// - Parameter words: those after the program's name, ``word`` first.
  init(_ words: [String], of table: CommandTable) {
    let path = words.dropFirst().prefix { $0 != "--" }
    let call = words.dropFirst(path.count + 2)
    let typed = Array(call.dropFirst(3))
    wanted = call.first.flatMap { Self.wanted($0, path, table) }
    let index = call.dropFirst().first.flatMap { Int($0) } ?? -1
    partial = typed.indices.contains(index) ? Self.unquoted(typed[index]) : ""
    var given: [String] = []
    for (name, value) in zip(typed, typed.dropFirst()) where Self.optionsOfAccount.contains(name) {
      // An account that is being typed is none yet.
      if wanted == .account && name == Self.ofAccount { continue }
      given += ["\(name)=\(Self.unquoted(value))"]
    }
    options = (try? SharedOptions.parse(given)) ?? SharedOptions()
  }

  private static func wanted(_ argument: String, _ path: ArraySlice<String>, _ table: CommandTable) -> Wanted? {
    if argument == ofAccount { return .account }
    guard var command = path.first.flatMap({ table.command(named: $0, for: .shell) }) else { return nil }
    for name in path.dropFirst() {
      guard let child = table.children(of: command, for: .shell).first(where: { $0.word == name }) else { return nil }
      command = child
    }
    let declaration = command.declaration
    let position = argument.hasPrefix("positional@") ? Int(argument.dropFirst("positional@".count)) : nil
    switch position.map({ declaration.word(at: $0) }) ?? declaration.options[argument] {
    case .friend: return .friend
    case .account: return .account
    case .room: return .room
    default: return nil
    }
  }

  private static func unquoted(_ word: String) -> String { word.filter { !"'\"\\".contains($0) } }

  /// What is offered for a contact list: addresses, and names that mean one friend and nothing else.
  package func candidates(_ friends: [RosterItem]) -> [String] {
    let names = friends.compactMap(\.name).filter { CommandContext.isName($0) }
    let count = names.reduce(into: [:]) { $0[$1, default: 0] += 1 }
    return candidates(friends.map(\.jid.description) + names.filter { count[$0] == 1 })
  }

  /// What is offered for rooms: addresses, and names that mean one room and nothing else.
  package func candidates(_ rooms: [RoomRecord]) -> [String] { candidates(RoomRecord.words(for: rooms)) }

  /// Those of `words` that begin as was typed and that no shell can take for anything but a word, sorted: bash expands what it is
  /// offered, so a name that holds `$(…)` would be a command.
  package func candidates(_ words: [String]) -> [String] {
    let wanted = partial.lowercased()
    return Set(words.filter { $0.lowercased().hasPrefix(wanted) && Self.isHarmless($0) }).sorted()
  }

  static func isHarmless(_ word: String) -> Bool {
    guard let first = word.unicodeScalars.first, first != "-", word.unicodeScalars.last != " " else { return false }
    return word.unicodeScalars.allSatisfy { scalar in
      if scalar.isASCII {
        return "@._+- ".unicodeScalars.contains(scalar) || scalar.properties.isAlphabetic
          || ("0"..."9").contains(scalar)
      }
      return scalar.properties.isAlphabetic
    }
  }
}

extension CompletionKind {
  /// The program is asked, which goes by the command's declaration (``ShellCompletion``).
  static var declared: CompletionKind { .custom { _, _, _ in [] } }
}

extension CommandTable {
  /// What the parser generates, with what it lacks.
  ///
  /// In bash an address is one word, which `@` would divide: bash takes it for the beginning of a host's name, and adds it to the word
  /// breaks at its first prompt unless it is told not to complete those.
  ///
  /// fish asks of each of 2,000 lines whether it is for the command that is typed, and the parser's script reads the whole command line
  /// for each answer: a second at each Tab. Which command it is is kept for as long as the line stays the same.
  static func adjusted(_ script: String) -> String {
    if script.hasPrefix("#!/bin/bash\n") {
      return script + "\nshopt -u hostcomplete\nCOMP_WORDBREAKS=${COMP_WORDBREAKS//@}\n"
    }
    guard script.hasPrefix("function __jackdaw") else { return script }
    return script.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      line == "    __jackdaw_parse_tokens" ? remembering(line) : line
    }.joined(separator: "\n")
  }

  private static func remembering(_ parsing: Substring) -> Substring {
    """
        set -l line (commandline -pc | string collect)
        test "$line" = "$__jackdaw_line" -a "$__jackdaw_commands" != "$expected_commands"; and return 1
    \(parsing)
        set -g __jackdaw_line "$line"
        set -g __jackdaw_commands "$commands"
    """
  }
}
