// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import ArgumentParser
package import JackdawLoop
import JackdawProtocol
import JackdawSession

/// What Tab offers: commands, options, friends' names and JIDs, events; as the commands themselves declare it.
@Client package final class Completer {
  private let application: Application

  package init(application: Application) { self.application = application }

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
    let commands = CommandTable.commands(for: .lines)
    guard var command = Self.named(first.dropFirst(), among: commands) else { return [] }
    var given = words.dropFirst()
    let children = CommandTable.children(of: command, for: .lines)
    if !children.isEmpty {
      let implied = command == VCardCommand.self ? VCardShowCommand.self : nil
      guard let second = given.popFirst() else {
        return children.compactMap { $0.configuration.commandName }
          + (implied?.completion.arguments ?? []).flatMap(known)
      }
      guard let child = Self.named(second[...], among: children) else { return [] }
      command = child
    }
    return candidates(for: command, given, partial)
  }

  private static func named(
    _ name: Substring, among commands: [any ParsableCommand.Type]
  ) -> (any ParsableCommand.Type)? {
    commands.first { $0.configuration.commandName == String(name) }
  }

  private func candidates(
    for command: any ParsableCommand.Type, _ given: ArraySlice<String>, _ partial: String
  ) -> [String] {
    let completion = (command as? any ClientCommand.Type)?.completion ?? CommandCompletion()
    let takesOptions = !given.contains("--")
    if takesOptions, let last = given.last, WordPreparation.valued.contains(last) {
      return completion.options[last].map(known) ?? []
    }
    if takesOptions, partial.hasPrefix("-") { return CommandTable.options(of: command, in: .lines).map(\.name) }
    var position = 0
    var left = given
    while let word = left.popFirst() {
      if takesOptions, word.hasPrefix("-"), word != "-" {
        if WordPreparation.valued.contains(word) { left = left.dropFirst() }
      } else {
        position += 1
      }
    }
    guard let last = completion.arguments.indices.last else { return [] }
    return known(completion.arguments[min(position, last)])
  }

  private var commandNames: [String] { CommandTable.commands(for: .lines).compactMap { $0.configuration.commandName } }

  private func known(_ subject: CommandCompletion.Subject) -> [String] {
    switch subject {
    case .friend: friends
    case .asked: (manager?.unsorted ?? []).filter(\.ask).map(\.jid.description)
    case .requester: manager?.pendingRequests.map(\.jid.description) ?? []
    case .blocked: application.currentSession?.features[Blocking.self].known.map(\.description) ?? []
    case .group: (manager?.unsorted ?? []).flatMap(\.groups)
    case .event: EventCatalogue.names
    case .command: commandNames
    case .waitingMessage: ((try? application.outbox()) ?? []).map(\.message.id)
    case .words(let words): words
    }
  }

  private var manager: FriendManager? { application.currentSession?.features[FriendManager.self] }

  private var friends: [String] { Self.words(for: manager?.unsorted ?? []) }

  /// JIDs, and the names that mean one friend and nothing else, as a command understands them; in no order. Looks at each friend
  /// once.
  static func words(for friends: some Sequence<RosterItem>) -> [String] {
    var words: [String] = []
    var names: [String: Int] = [:]
    for friend in friends {
      words.append(friend.jid.description)
      if let name = friend.name, CommandContext.isName(name) { names[name, default: 0] += 1 }
    }
    return words + names.filter { $0.value == 1 }.keys
  }
}
