// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop
import JackdawProtocol
import JackdawSession

/// What Tab offers: commands, options, friends' names and JIDs, events; as the commands themselves declare it.
@Client package final class Completer {
  private let table: CommandTable
  private let account: Account
  private let foldedNumbers: @Client () -> [Int]

  /// - Parameters:
  ///   - table: the commands that there are.
  ///   - account: whose friends, requests and messages are offered.
  ///   - foldedNumbers: the texts on the screen that can be printed whole.
  package init(
    table: CommandTable, account: Account, foldedNumbers: @escaping @Client () -> [Int] = { [] }
  ) {
    self.table = table
    self.account = account
    self.foldedNumbers = foldedNumbers
  }

  /// What the word at the cursor may become.
  /// - Parameters:
  ///   - words: the words before the one at the cursor; the first with its slash.
  ///   - partial: that word up to the cursor.
  package func completions(words: [String], partial: String) -> [Completion] {
    let candidates = candidates(words, partial)
    let wanted = partial.lowercased()
    return Set(candidates.filter { $0.lowercased().hasPrefix(wanted) }).sorted().map { Completion($0) }
  }

  private func candidates(_ words: [String], _ partial: String) -> [String] {
    guard let first = words.first else {
      return partial.hasPrefix("/") ? commandNames.map { "/" + $0 } : known(.friend)
    }
    // A message: friends are named in those too.
    guard first.hasPrefix("/"), !first.hasPrefix("//") else { return known(.friend) }
    guard var command = table.command(named: first.dropFirst(), for: .lines) else { return [] }
    var given = words.dropFirst()
    if let bare = command.declaration.bare {
      let children = table.children(of: command, for: .lines)
      guard let second = given.popFirst() else {
        guard case .commandWithArguments(let implied) = bare else { return children.map { $0.word } }
        return children.map { $0.word } + candidates(for: implied, given, partial)
      }
      if let child = children.first(where: { $0.word == second }) {
        command = child
      } else if case .commandWithArguments(let implied) = bare {
        given = [second] + given
        command = implied
      } else {
        return []
      }
    }
    return candidates(for: command, given, partial)
  }

  private func candidates(
    for command: any JackdawCommand.Type, _ given: ArraySlice<String>, _ partial: String
  ) -> [String] {
    let takesOptions = !given.contains("--")
    if takesOptions, let last = given.last, table.valued.contains(last) {
      return known(command.declaration.options[last] ?? .nothing)
    }
    if takesOptions, partial.hasPrefix("-") { return table.options(of: command, in: .lines).map(\.name) }
    var position = 0
    var left = given
    while let word = left.popFirst() {
      if takesOptions, word.hasPrefix("-"), word != "-" {
        if table.valued.contains(word) { left = left.dropFirst() }
      } else {
        position += 1
      }
    }
    return known(command.declaration.word(at: position))
  }

  private var commandNames: [String] { table.commands(for: .lines).map { $0.word } }

  private func known(_ word: CommandWord) -> [String] {
    switch word {
    case .friend: friends
    case .asked: (manager?.unsorted ?? []).filter(\.ask).map(\.jid.description)
    case .requester: manager?.pendingRequests.map(\.jid.description) ?? []
    case .blocked: account.session?.features[Blocking.self].known.map(\.description) ?? []
    case .group: (manager?.unsorted ?? []).flatMap(\.groups)
    case .event: EventCatalogue.names
    case .command: commandNames
    case .waitingMessage: ((try? account.outbox()) ?? []).map(\.message.id)
    case .foldedText: foldedNumbers().map(String.init)
    case .words(let words): words
    case .account, .file, .nothing: []
    }
  }

  private var manager: FriendManager? { account.session?.features[FriendManager.self] }

  private var friends: [String] { Self.words(for: manager?.unsorted ?? []) }

  /// JIDs, and the names that mean one friend and nothing else, as a command understands them; in no order. Looks at each friend
  /// once.
  nonisolated static func words(for friends: some Sequence<RosterItem>) -> [String] {
    var words: [String] = []
    var names: [String: Int] = [:]
    for friend in friends {
      words.append(friend.jid.description)
      if let name = friend.name, CommandContext.isName(name) { names[name, default: 0] += 1 }
    }
    return words + names.filter { $0.value == 1 }.keys
  }
}
