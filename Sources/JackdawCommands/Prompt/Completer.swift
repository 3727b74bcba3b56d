// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop
package import JackdawProtocol
import JackdawSession

/// What Tab offers: commands, options, friends' names and JIDs, events; as the commands themselves declare it. In what is said in a room
/// those who are there.
@Client package final class Completer {
  private let table: CommandTable
  private let account: Account
  private let recent: @Client () -> RecentConversations
  private let otherAccounts: @Client () -> [Account]
  private let foldedNumbers: @Client () -> [Int]
  private let openConversation: @Client () -> JID?

  /// - Parameters:
  ///   - table: the commands that there are.
  ///   - account: whose friends, requests and messages are offered.
  ///   - recent: the conversations; whom they are with is offered first.
  ///   - otherAccounts: whose friends can be talked to, too.
  ///   - foldedNumbers: the texts on the screen that can be printed whole.
  ///   - openConversation: what a `.` stands for.
  package init(
    table: CommandTable, account: Account,
    recent: @escaping @Client () -> RecentConversations = { RecentConversations() },
    otherAccounts: @escaping @Client () -> [Account] = { [] }, foldedNumbers: @escaping @Client () -> [Int] = { [] },
    openConversation: @escaping @Client () -> JID? = { nil }
  ) {
    self.table = table
    self.account = account
    self.recent = recent
    self.otherAccounts = otherAccounts
    self.foldedNumbers = foldedNumbers
    self.openConversation = openConversation
  }

  /// What the word at the cursor may become.
  /// - Parameters:
  ///   - words: the words before the one at the cursor; the first with its slash.
  ///   - partial: that word up to the cursor.
  package func completions(words: [String], partial: String) -> [Completion] {
    let wanted = partial.lowercased()
    // A message: who is in the room that it is for is named in it, and friends are.
    guard words.first.map(Line.isCommand) ?? partial.hasPrefix("/") else {
      let nicks = nicksMeant(by: wanted)
      return nicks.isEmpty ? people(wanted, ofAll: true) : nicks.map { Completion($0) }
    }
    switch candidates(words, partial) {
    case .words(let words):
      return Set(words.filter { $0.lowercased().hasPrefix(wanted) }).sorted().map { Completion($0) }
    case .people(let ofAll): return peopleOfNamedAccount(partial) ?? people(wanted, ofAll: ofAll)
    }
  }

  /// Whom the account has that the word names before a colon (``AccountAddress``); nil: it names none.
  private func peopleOfNamedAccount(_ partial: String) -> [Completion]? {
    guard let colon = partial.firstIndex(of: ":"), !otherAccounts().isEmpty,
      let named = ([account] + otherAccounts()).first(where: { $0.name == String(partial[..<colon]) })
    else { return nil }
    let (prefix, rest) = (partial[...colon], partial[partial.index(after: colon)...])
    return Self.people(named.knownFriends() ?? [], wanted: rest.lowercased())
      .map { Completion(prefix + $0.completion.text, instead: $0.completion.instead.map { prefix + $0 }) }
      .sorted { $0.text < $1.text }
  }

  /// What there is to choose from.
  private enum Candidates {
    case words([String])
    /// - Parameter ofAll: of all accounts; else of the one in use, by which alone the command looks for them.
    case people(ofAll: Bool)
  }

  private func candidates(_ words: [String], _ partial: String) -> Candidates {
    guard let first = words.first else {
      return .words((commandNames + aliases(for: partial)).map { "/" + $0 })
    }
    guard let named = table.naming(first.dropFirst(), in: .lines).only else { return .words([]) }
    let path = table.path(of: named.command)
    guard var command = table.command(named: path[0], for: .lines) else { return .words([]) }
    var given = path.dropFirst() + named.adding + words.dropFirst()
    if let bare = command.declaration.bare {
      let children = table.children(of: command, for: .lines)
      guard let second = given.popFirst() else {
        let words = children.map { $0.word }
        // What begins so is an option of the implied one.
        if let implied = bare.command, partial.hasPrefix("-") { return candidates(for: implied, given, partial) }
        guard case .commandWithArguments(let implied) = bare else { return .words(words) }
        // The subcommands, and as words those whom the implied one may be about.
        switch candidates(for: implied, given, partial) {
        case .words(let more): return .words(words + more)
        case .people(let ofAll):
          return .words(words + people(partial.lowercased(), ofAll: ofAll).map(\.text))
        }
      }
      if let child = table.naming(second, among: children, of: bare).only {
        command = child.command
      } else if case .commandWithArguments(let implied) = bare {
        given = [second] + given
        command = implied
      } else if let implied = bare.command, second.hasPrefix("-") {
        given = [second] + given
        command = implied
      } else {
        return .words([])
      }
    }
    return candidates(for: command, given, partial)
  }

  private func candidates(
    for command: any JackdawCommand.Type, _ given: ArraySlice<String>, _ partial: String
  ) -> Candidates {
    let takesOptions = !given.contains("--")
    if takesOptions, let last = given.last, table.takesValue(last) {
      return candidates(command.declaration.options[last] ?? .nothing, of: command, behind: nil)
    }
    if takesOptions, partial.hasPrefix("-") { return .words(table.options(of: command, in: .lines).map(\.name)) }
    var position = 0
    var first: String?
    var left = given
    while let word = left.popFirst() {
      if takesOptions, word.hasPrefix("-"), word != "-" {
        if table.takesValue(word) { left = left.dropFirst() }
      } else {
        position += 1
        first = first ?? word
      }
    }
    return candidates(command.declaration.word(at: position), of: command, behind: first)
  }

  /// - Parameter first: the first word of the command.
  private func candidates(
    _ word: CommandWord, of command: any JackdawCommand.Type, behind first: String?
  ) -> Candidates {
    switch word {
    case .friend: .people(ofAll: command.declaration.picksConversation)
    case .occupant: .words(first.map(nicks) ?? [])
    // Behind a group's name its subcommands, where no command is to be run.
    case .command where !command.declaration.runsCommand: .words(first.map(subcommands) ?? known(word))
    default: .words(known(word))
    }
  }

  private func subcommands(of group: String) -> [String] {
    table.naming(group.drop { $0 == "/" }, in: .lines).only.map {
      table.children(of: $0.command, for: .lines).map { $0.word }
    } ?? []
  }

  /// Who is in a room, where the user is.
  private func nicks(in room: String) -> [String] {
    self.room(room).flatMap(place)?.occupants.prefix(CommandLimits.nicksOffered).map(\.nick) ?? []
  }

  /// Whose nicks begin so of the others in the room that is open: the user speaks to them. A nick with a slash before it would make a
  /// command of the line.
  /// - Parameter wanted: in small letters.
  private func nicksMeant(by wanted: String) -> [String] {
    guard let open = openConversation(), open.isBare, let room = place(open) else { return [] }
    let nicks = room.occupants.lazy.map(\.nick).filter { nick in
      nick != room.nick && !nick.hasPrefix("/") && nick.lowercased().hasPrefix(wanted)
    }
    return Array(nicks.prefix(CommandLimits.nicksOffered))
  }

  private func place(_ room: JID) -> Room? { account.session?.features[Groupchat.self].room(room) }

  private func room(_ word: String) -> JID? {
    if word == CommandSynonym.openConversation { return openConversation()?.bare }
    return (try? CommandContext.jid(word)) ?? nil ?? account.knownRooms().first { $0.isCalled(word) }?.jid
  }

  /// Only where something of a word stands there: among all commands they would say everything twice.
  private func aliases(for partial: String) -> [String] { partial == "/" ? [] : table.aliases.map(\.word) }

  /// Those of scripts are no help at a prompt.
  private var commandNames: [String] {
    table.commands(for: .lines).filter { !$0.declaration.isOfScripts }.map { $0.word }
  }

  private func known(_ word: CommandWord) -> [String] {
    switch word {
    case .friend, .occupant, .file, .loggedMessage, .nothing: []
    case .account: ([account] + otherAccounts()).compactMap(\.name)
    case .room: RoomRecord.words(for: account.knownRooms())
    case .invitation: ((try? account.invitations()) ?? []).map(\.room.description)
    case .asked: (manager?.unsorted ?? []).filter(\.ask).map(\.jid.description)
    case .requester: manager?.pendingRequests.map(\.jid.description) ?? []
    case .blocked: account.session?.features[Blocking.self].known.map(\.description) ?? []
    case .group: (manager?.unsorted ?? []).flatMap(\.groups)
    case .event: EventCatalogue.names
    case .command: table.commands(for: .lines).map { $0.word } + HelpTopic.allCases.map(\.rawValue)
    case .waitingMessage: ((try? account.outbox()) ?? []).map(\.message.id)
    case .foldedText: foldedNumbers().map(String.init)
    case .words(let words): words
    }
  }

  private var manager: FriendManager? { account.session?.features[FriendManager.self] }

  /// One candidate a person, those of recent conversations first.
  private func people(_ wanted: String, ofAll: Bool) -> [Completion] {
    let recent = recent()
    let order = recent.order
    let friends = manager?.unsorted ?? []
    let known = Set(friends.map(\.jid))
    let others = order.filter { !known.contains($0) && recent.isWellKnown($0) }
    let places = Dictionary(order.enumerated().map { ($1, $0) }, uniquingKeysWith: min)
    return Self.people(friends, wanted: wanted, others: others)
      .sorted { first, second in
        let (one, other) = (places[first.jid] ?? .max, places[second.jid] ?? .max)
        return one == other ? first.completion.text < second.completion.text : one < other
      }
      .map(\.completion) + (ofAll ? otherPeople(wanted, but: known.union(others)) : [])
  }

  /// Friends of the other accounts.
  private func otherPeople(_ wanted: String, but known: Set<JID>) -> [Completion] {
    otherAccounts().flatMap { account -> [Completion] in
      let friends = (account.knownFriends() ?? []).filter { !known.contains($0.jid) }
      return Self.people(friends, wanted: wanted).map { person in
        Completion(person.completion.text, instead: person.completion.instead)
      }
    }
    .sorted { $0.text < $1.text }
  }

  /// Of each whose name or address begins so the name, where it means one friend and nothing else, as a command understands it, else the
  /// address; in no order. Looks at each friend once.
  /// - Parameters:
  ///   - wanted: in small letters.
  ///   - others: who is no friend.
  static func people(
    _ friends: some Sequence<RosterItem>, wanted: String, others: [JID] = []
  ) -> [(jid: JID, completion: Completion)] {
    var found: [RosterItem] = []
    var names: [String: Int] = [:]
    for friend in friends {
      if let name = friend.name, CommandContext.isName(name) { names[name, default: 0] += 1 }
      if friend.name?.lowercased().hasPrefix(wanted) == true || friend.jid.description.lowercased().hasPrefix(wanted) {
        found.append(friend)
      }
    }
    let people = found.map { friend -> (JID, Completion) in
      let address = friend.jid.description
      guard let name = friend.name, names[name] == 1, name.lowercased().hasPrefix(wanted) else {
        return (friend.jid, Completion(address))
      }
      return (friend.jid, Completion(name, instead: address))
    }
    return people
      + others.filter { $0.description.lowercased().hasPrefix(wanted) }.map { ($0, Completion($0.description)) }
  }
}
