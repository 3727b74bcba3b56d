// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
package import JackdawProtocol
import JackdawSession

/// Whom words mean.
extension CommandContext {
  /// The address that `word` means: a JID, an `xmpp:` link, or a friend's name when exactly one has it, by the contact list as it
  /// is known here. Where there never was one it is fetched from the server.
  /// - Throws: ``CommandFailure`` with code 65 for what is no address, 67 for a name that nobody has.
  package func address(_ word: String) async throws -> JID {
    if let jid = try addressWithoutList(word) { return jid }
    if let friends = try account().knownFriends() { return try friendOrRoom(word, among: friends) }
    let friends = try await session().features[FriendManager.self]
    try await friends.load()
    return try friendOrRoom(word, among: friends.unsorted)
  }

  /// As ``address(_:)``, with what is known here and now: never over the network.
  /// - Throws: as ``address(_:)``; with code 67 for a name where there is no contact list yet.
  package func knownAddress(_ word: String) throws -> JID {
    if let jid = try addressWithoutList(word) { return jid }
    guard let friends = try account().knownFriends() else {
      if let room = try room(called: word) { return room }
      throw unknownAccount(in: word)
        ?? CommandFailure(
          .noUser, "item-not-found",
          "Your contact list has not been loaded yet, so nobody is known as '\(word)'. Use the address, like ali@example.org."
        )
    }
    return try friendOrRoom(word, among: friends)
  }

  /// Whom a word means among the people of all accounts, with what is known here and now: the present account's come first, then those
  /// whom another one knows. Where the line names an account (`/to work:bob`), or the script has (`/account work`), among that one's alone:
  /// nobody is to be written to from another.
  /// - Returns: with whose it is; nil: there is one account.
  /// - Throws: as ``knownAddress(_:)``; ``CommandFailure`` with code 65 where several other accounts know somebody of that name.
  func knownPerson(_ word: String) throws -> (JID, Account?) {
    guard let present = lines.account, !lines.accounts.isEmpty else { return (try knownAddress(word), nil) }
    if isAccountNamed { return (try knownAddress(word), try account()) }
    try refuseInDoubt()
    if let settled = lines.settledAccount {
      return (try (settled === present ? self : of(settled)).knownAddress(word), settled)
    }
    let others = lines.accounts.filter { $0 !== present }
    do {
      let jid = try knownAddress(word)
      guard !present.knows(jid), let other = others.first(where: { $0.knows(jid) }) else { return (jid, present) }
      return (jid, other)
    } catch let failure as CommandFailure where failure.condition == "item-not-found" {
      let found = others.compactMap { account in (try? of(account).knownAddress(word)).map { ($0, account) } }
      guard found.count <= 1 else {
        let names = found.map { "\($0.1.shownName):\($0.0)" }.joined(separator: ", ")
        throw CommandFailure(.badInput, "ambiguous", "Which '\(word)' do you mean: \(names)?")
      }
      guard let only = found.first else { throw failure }
      return only
    }
  }

  /// In a script, waits for the contact list of the log-in where words may be names on it and none was ever loaded here, as in a new
  /// container. From the shell, what looks for names here alone needs no connection, and whoever is at the prompt sees that there is none yet.
  /// - Parameter ofAllAccounts: a name may be somebody's whom another account knows, as that of ``knownPerson(_:)``.
  /// - Throws: as ``address(_:)``.
  func learnNames(_ words: [String], ofAllAccounts: Bool = false) async throws {
    for word in words {
      while let account = try accountToLearn(word, ofAllAccounts: ofAllAccounts) {
        let context = try account === self.account() ? self : of(account)
        let friends = try await context.session().features[FriendManager.self]
        try await friends.load()
        guard account.hasContactList else { return }
      }
    }
  }

  /// Whether ``learnNames(_:ofAllAccounts:)`` has to wait for whom a word means among the people of all accounts.
  func awaitsName(_ word: String) -> Bool { (try? accountToLearn(word, ofAllAccounts: true)) != nil }

  /// The account whose contact list has to be loaded before it is known whom a word means; nil: it is known, or nobody is to wait.
  private func accountToLearn(_ word: String, ofAllAccounts: Bool) throws -> Account? {
    guard origin == .script, try addressWithoutList(word) == nil else { return nil }
    let accounts = ofAllAccounts ? try accountsMeant : [try account()]
    guard accounts.contains(where: { !$0.hasContactList }), try room(called: word) == nil else { return nil }
    for account in accounts {
      guard let friends = account.knownFriends() else { return account }
      if (try? Self.friend(word, among: friends)) != nil { return nil }
    }
    return nil
  }

  /// The accounts among whose people ``knownPerson(_:)`` looks, in their order.
  private var accountsMeant: [Account] {
    get throws {
      guard let present = lines.account, !lines.accounts.isEmpty, !isAccountNamed else { return [try account()] }
      try refuseInDoubt()
      if let settled = lines.settledAccount { return [settled] }
      return [present] + lines.accounts.filter { $0 !== present }
    }
  }

  /// Who is called so on the contact list, else the room that is.
  private func friendOrRoom(_ word: String, among friends: [RosterItem]) throws -> JID {
    do throws(CommandFailure) {
      return try Self.friend(word, among: friends)
    } catch {
      guard error.condition == "item-not-found" else { throw error }
      if let room = try room(called: word) { return room }
      throw unknownAccount(in: word) ?? error
    }
  }

  /// Why nobody can be written to by a name, with the address of whoever is called so in the room that is open: they may be anybody, and
  /// are meant by nothing less.
  func naming(_ word: String, inOpenRoom failure: CommandFailure) -> CommandFailure {
    let meant = conversationMeant.shown
    guard failure.condition == "item-not-found", let open = (meant ?? lines.shownBeforeFailure)?.bare,
      let room = (try? account())?.session?.features[Groupchat.self].room(open),
      let nick = (room.occupant(word) ?? room.occupants.first { $0.nick.lowercased() == word.lowercased() })?.nick,
      nick != room.nick
    else { return failure }
    var failure = failure
    let place = meant == nil ? "the room that was open" : "this room"
    failure.text += " Whoever is called so in \(place) is \(ShellWords.quoted("\(open)/\(nick)"))."
    return failure
  }

  /// The one room that the user is in, or has bookmarked, and that is called so; nil: none, or several.
  private func room(called word: String) throws -> JID? {
    let rooms = try account().knownRooms().filter { $0.isCalled(word) }
    return rooms.count == 1 ? rooms.first?.jid : nil
  }

  /// Whom the conversation is with that `word` means, by what is known here and now.
  /// - Throws: as ``knownAddress(_:)``.
  package func conversation(_ word: String) throws -> JID { try account().conversation(of: knownAddress(word)) }

  /// Whom the conversation is with that was open when the line was taken; nil: there was none.
  package func openConversation() throws -> JID? { try conversationMeant.shown.map(account().conversation) }

  /// Whether that conversation is open now, and lines are about its account.
  func isStillOpen(_ conversation: JID) throws -> Bool {
    let account = try account()
    guard lines.account.map({ $0 === account }) ?? true else { return false }
    return lines.conversation.shown.map(account.conversation) == conversation
  }

  /// The address that `word` is by itself, or for a `.` that of the conversation that was open when the line was taken; nil where
  /// it can only be somebody's name.
  /// - Throws: as ``address(_:)``.
  func addressWithoutList(_ word: String) throws -> JID? {
    if let open = try meantByDot(word) { return open }
    if let jid = try explainedJID(word) { return jid }
    return word == accountJID?.domain ? try JID(word) : nil
  }

  /// As ``jid(_:)``, which says so where the address names an account.
  func explainedJID(_ word: String) throws -> JID? {
    do {
      return try Self.jid(word)
    } catch {
      throw accountMeant(by: word) ?? unknownAccount(in: word) ?? error
    }
  }

  /// What is wrong with an address that names an account, as lines of several accounts may, where there is one; nil: it names none.
  private func accountMeant(by word: String) -> CommandFailure? {
    guard lines.accounts.isEmpty, let (name, rest) = AccountAddress.split(word),
      application.settings.accountNames.contains(name), (try? Self.jid(rest)) != nil
    else { return nil }
    let isChosen = (try? account())?.name == name
    let way = isChosen ? "leave out '\(name):'" : "your account '\(name)' is chosen by --account"
    return CommandFailure(.badInput, "jid-malformed", "'\(word)' is not an address: \(way).")
  }

  /// What is wrong with a word of the form of `work:bob` that nobody is called by, where lines can be about several accounts and none has that
  /// name; nil: it has another form, or there is such an account, or one alone.
  private func unknownAccount(in word: String) -> CommandFailure? {
    guard !lines.accounts.isEmpty, let (name, rest) = AccountAddress.split(word), lines.account(called: name) == nil,
      Self.isName(rest) || (try? Self.jid(rest)) != nil
    else { return nil }
    let names = lines.accounts.map(\.shownName).joined(separator: ", ")
    return CommandFailure(
      .noUser, "item-not-found",
      "There is no account '\(name)' here: there is \(names). Nor is anybody called '\(word)'.")
  }

  /// `word`, or for a `.` the address that it stands for.
  /// - Throws: ``CommandFailure`` where no conversation was open.
  func spelledOut(_ word: String) throws(CommandFailure) -> String { try meantByDot(word)?.description ?? word }

  /// Whom the conversation is with that was open when the line was taken, where `word` is a `.`; nil: it is another word.
  private func meantByDot(_ word: String) throws(CommandFailure) -> JID? {
    guard word == CommandSynonym.openConversation, origin != .shell else { return nil }
    return try conversationMeant.recipient(example: examplePerson, isOfCommand: true)
  }

  /// Each of `words` as ``address(_:)`` gives it.
  package func addresses(_ words: [String]) async throws -> [JID] {
    var jids: [JID] = []
    for word in words { jids.append(try await address(word)) }
    return jids
  }

  /// The address that `word` is; nil when it can only be a friend's name (``isName(_:)``). What can be an address is one, so
  /// that no name that somebody gave stands in the way of an address. Whoever is in a room can be written to, whatever they call
  /// themselves there; the localpart is as servers write it.
  /// - Throws: ``CommandFailure`` with code 65 for what is neither.
  package nonisolated static func jid(_ word: String) throws -> JID? {
    if XMPPURI.isLikely(word) {
      let jid: JID
      do {
        jid = try XMPPURI(word).jid.folded
      } catch {
        throw CommandFailure(.badInput, "jid-malformed", "'\(word)': \(error)")
      }
      guard let problem = ProposedName.problem(ofAddress: jid) else { return jid }
      throw CommandFailure(.badInput, "jid-malformed", "'\(word)': \(jid) \(problem).")
    }
    return isName(word) ? nil : try JID(received: word).folded
  }

  /// Whether `word` can mean a friend by their name, and nothing else: it has no `@`, no dot and no bracket as addresses have,
  /// or it has a space and is no address.
  nonisolated static func isName(_ word: String) -> Bool {
    guard !word.isEmpty, !XMPPURI.isLikely(word) else { return false }
    let hasSpace = hasSpace(word)
    if !word.contains("@"), !word.hasPrefix("["), !word.contains(".") || hasSpace { return true }
    return hasSpace && (try? JID(received: word)) == nil
  }

  /// To ask it of each character takes as long as all the rest of an address's reading.
  private nonisolated static func hasSpace(_ word: String) -> Bool {
    word.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F } ? false : word.contains { $0.isWhitespace }
  }

  /// Who of `friends` is meant by `name`: what the user calls them, in any case, or the part of their address before the `@`. Of
  /// several, the one whose name it is to the letter.
  /// - Throws: ``CommandFailure`` with code 67 for nobody, 65 with the candidates for several.
  nonisolated static func friend(_ name: String, among friends: [RosterItem]) throws(CommandFailure) -> JID {
    let wanted = name.lowercased()
    let matching = friends.filter { $0.name?.lowercased() == wanted || $0.jid.localpart == wanted }
    let exact = matching.filter { $0.name == name }
    let found = exact.count == 1 ? exact : matching
    if let only = found.first, found.count == 1 { return only.jid }
    if found.isEmpty {
      throw CommandFailure(
        .noUser, "item-not-found", "You have no friend '\(name)', and it is not an address (like ali@example.org).")
    }
    let candidates = found.map(\.jid.description).sorted().joined(separator: ", ")
    throw CommandFailure(.badInput, "ambiguous", "Which '\(name)' do you mean: \(candidates)?")
  }
}
