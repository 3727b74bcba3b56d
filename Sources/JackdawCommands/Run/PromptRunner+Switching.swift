// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession

/// What the prompt says of the conversations: whom plain lines go to, what is unread elsewhere, and how to get there.
extension PromptRunner {
  var state: PromptState {
    let session = account.session
    let conversation = runner.state.conversation.shown
    let board = session.flatMap { $0.isOnline ? $0.features[PresenceBoard.self] : nil }
    let company = conversation.flatMap(company)
    let recent = runner.state.recent
    let key = openConversation
    let others = recent.unread(besides: key)
    let typists = conversation.flatMap { session?.features[ChatStates.self].typists(in: $0) } ?? []
    var state = PromptState(
      presence: company == nil ? !typists.isEmpty ? "typing" : conversation.flatMap { board?.summary(of: $0) } : nil,
      conversation: conversation.map(name), connection: account.connectionState, retryIn: account.retryIn)
    state.address = key
    state.company = company
    if company == .room { state.typists = typists.compactMap(\.resource) }
    state.ownPresence = board.flatMap(Self.own)
    state.unread = key.map { recent.unread(in: $0) } ?? 0
    state.others = others.prefix(CommandLimits.unreadNamed).map { PromptState.Unread(name($0.conversation), $0.unread) }
    state.moreOthers = others.count - state.others.count
    state.allUnread = recent.unread
    return state
  }

  private func name(_ jid: JID) -> String {
    account.session?.features[FriendManager.self].item(for: jid)?.name ?? jid.description
  }

  /// Nil where the user is plainly online, or it is not known how they are shown.
  private static func own(_ board: PresenceBoard) -> String? {
    if board.isToBeUnseen { return "unavailable" }
    return board.own?.show?.rawValue
  }

  // MARK: Whom one talks to

  private func company(_ jid: JID) -> PromptState.Company? {
    if jid.bare == account.jid.bare { return .oneself }
    if account.isFriend(jid) { return nil }
    if jid.localpart == nil { return .server }
    if account.session?.features[Groupchat.self].isRoom(jid) == true { return .room }
    return account.session?.features[FriendManager.self].isListKnown == true ? .stranger : nil
  }

  /// The conversation is another one now.
  func conversationChanged() {
    if let conversation = runner.state.conversation.shown { tracker.opened(conversation) }
    refresh()
    tellCompany()
  }

  /// Says once of each what is different about them, as soon as it is known.
  func tellCompany() {
    guard let conversation = openConversation, let company = company(conversation) else { return }
    if company == .room { enter(conversation.bare) }
    guard !toldOf.contains(conversation) else { return }
    let jid = conversation.bare
    switch company {
    case .oneself: output.notice("You are talking to yourself: your other devices get these notes.")
    case .server: output.notice("\(jid) is a server, not a person.")
    case .room:
      guard let nick = conversation.resource else { break }
      output.notice("You are talking to \(nick) alone, whoever that is in the room \(jid).")
    case .stranger:
      guard let session = account.session, session.isOnline, jid.domain != account.jid.domain else {
        return tellOfStranger(jid)
      }
      toldOf.insert(jid)
      EventLoop.main.start { await self.askForRoom(jid, session.features[FriendManager.self]) }
      return
    }
    toldOf.insert(conversation)
  }

  /// Whoever talks in a room has to be in it; what comes of it is told as it happens.
  private func enter(_ room: JID) {
    guard let session = account.session, session.isOnline else { return }
    let groupchat = session.features[Groupchat.self]
    guard groupchat.room(room) == nil else { return }
    EventLoop.main.start { _ = try? await groupchat.join(room) }
  }

  private func askForRoom(_ jid: JID, _ friends: FriendManager) async {
    // Who does not answer is taken for a person.
    let isRoom = (try? await friends.isRoom(jid)) ?? false
    guard isRoom else { return tellOfStranger(jid) }
    account.session?.features[Groupchat.self].learn(jid)
    refresh()
    if openConversation?.bare == jid { enter(jid) }
  }

  private func tellOfStranger(_ jid: JID) {
    toldOf.insert(jid)
    output.notice("\(jid) is not a contact of yours, so it is not known whether they are online.")
  }

  // MARK: Keys

  package func promptSwitches(_ key: SwitchKey) {
    guard !isEnding else { return }
    if key == .correctLast { return offerCorrection() }
    tracker.look()
    let target: JID?
    let otherwise: String
    switch key {
    case .number(let number):
      target = runner.state.recent[number]
      otherwise = "No conversation has the number \(number). '/chats' shows the numbers."
    case .nextUnread:
      target = runner.state.recent.unread(besides: openConversation).first?.conversation
      otherwise = "There are no unread messages elsewhere."
    case .reply:
      target = runner.lastWriter
      otherwise = "Nobody has written to you yet."
    case .correctLast: return
    }
    guard let target else { return output.notice(otherwise) }
    guard openConversation != target else { return }
    do throws(CommandFailure) {
      try runner.open(target)
    } catch {
      show(error)
    }
    tracker.look()
  }

  /// Puts `/correct` with the user's last message here on the input line.
  private func offerCorrection() {
    do {
      let conversation = try OpenConversation(runner.context(of: CorrectCommand.word))
      let last = try conversation.lastMessage(ofOurs: true)
      control?.putBack("/\(CorrectCommand.word) \(last.shownText)", to: conversation.jid)
    } catch {
      show(CommandFailure(error))
    }
  }
}
