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
    state.address = key.map { ConversationKey($0, of: hasSeveralAccounts ? account.jid.bare : nil) }
    if hasSeveralAccounts { state.account = account.shownName }
    state.company = company
    if company == .room || company == .occupant { state.typists = typists.compactMap(\.resource) }
    state.ownPresence = board.flatMap(Self.own)
    state.unread = key.map { recent.unread(in: $0) } ?? 0
    let elsewhere = desks.filter { $0 !== desk }.flatMap { desk in
      runner.state.recent(of: desk.account).unread(besides: nil).map { entry in
        PromptState.Unread("\(desk.account.shownName):\(name(entry.conversation, at: desk))", entry.unread)
      }
    }
    let all = others.map { PromptState.Unread(name($0.conversation), $0.unread) } + elsewhere
    state.others = Array(all.prefix(CommandLimits.unreadNamed))
    state.moreOthers = all.count - state.others.count
    state.allUnread = desks.reduce(0) { $0 + runner.state.recent(of: $1.account).unread }
    return state
  }

  private func name(_ jid: JID) -> String { name(jid, at: desk) }

  private func name(_ jid: JID, at desk: PromptDesk) -> String {
    let features = desk.account.session?.features
    // Where a name is cut what comes first remains: who it is, as the room's own is cut the same.
    if let nick = jid.resource, features?[Groupchat.self].isRoom(jid) == true { return "\(nick) in \(jid.bare)" }
    return features?[FriendManager.self].item(for: jid)?.name ?? jid.description
  }

  /// Nil where the user is plainly online, or it is not known how they are shown.
  private static func own(_ board: PresenceBoard) -> String? {
    if board.isToBeUnseen { return "unavailable" }
    return board.own?.show?.rawValue
  }

  // MARK: Whom one talks to

  private func company(_ jid: JID) -> PromptState.Company? {
    if jid.bare == account.jid.bare { return .oneself }
    if account.session?.features[Blocking.self].isKnown(toBlock: jid) == true { return .blocked }
    if account.isFriend(jid) { return nil }
    if jid.localpart == nil { return .server }
    if account.session?.features[Groupchat.self].isRoom(jid) == true { return jid.resource == nil ? .room : .occupant }
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
    if [.room, .occupant, .stranger].contains(company), isOnlyInvited(to: conversation) {
      return tellOfInvitation(conversation)
    }
    if company == .room || company == .occupant { enter(conversation.bare) }
    guard !desk.toldOf.contains(conversation) else { return }
    let jid = conversation.bare
    switch company {
    case .oneself: output.notice("You are talking to yourself: your other devices get these notes.")
    case .blocked:
      output.notice("You have blocked \(name(jid)): messages get neither there nor here until you unblock them.")
    case .server: output.notice("\(jid) is a server, not a person.")
    case .room: break
    case .occupant:
      output.notice("You are talking to \(conversation.resource ?? "") alone, whoever that is in the room \(jid).")
    case .stranger:
      guard let session = account.session, session.isOnline, jid.domain != account.jid.domain else {
        return tellOfStranger(jid)
      }
      desk.toldOf.insert(jid)
      EventLoop.main.start { [desk] in await self.askForRoom(jid, session, at: desk) }
      return
    }
    desk.toldOf.insert(conversation)
  }

  /// Whoever talks in a room has to be in it; what comes of it is told as it happens.
  private func enter(_ room: JID) {
    guard let session = account.session, session.isOnline else { return }
    let groupchat = session.features[Groupchat.self]
    guard groupchat.room(room) == nil else { return }
    let place = hasSeveralAccounts ? account.shownName : nil
    EventLoop.main.start { [self] () async -> Void in
      do throws(RequestError) {
        _ = try await groupchat.join(room)
      } catch {
        // A refusal for good is told as an event; of one that is tried again nobody else tells.
        guard error.stanzaError != nil, groupchat.room(room) != nil else { return }
        output.notice(CommandFailure(error).located(place).text)
      }
    }
  }

  private func askForRoom(_ jid: JID, _ session: Session, at desk: PromptDesk) async {
    // Who does not answer is taken for a person.
    let isRoom = (try? await session.features[FriendManager.self].isRoom(jid)) ?? false
    guard isRoom else { return tellOfStranger(jid) }
    session.features[Groupchat.self].learn(jid)
    refresh()
    if desk === self.desk, openConversation?.bare == jid { enter(jid) }
  }

  /// Reading an invitation enters no room, and asks nothing of it: whoever sent it would see that the user is there.
  private func isOnlyInvited(to room: JID) -> Bool {
    account.session?.features[Groupchat.self].room(room) == nil && account.isOnlyInvited(to: room)
  }

  private func tellOfInvitation(_ room: JID) {
    guard desk.toldOf.insert(room).inserted else { return }
    output.notice("You are not in \(room), which you are invited to. To enter it, type: /rooms accept \(room)")
  }

  private func tellOfStranger(_ jid: JID) {
    desk.toldOf.insert(jid)
    output.notice("\(jid) is not a contact of yours, so it is not known whether they are online.")
  }

  // MARK: Keys

  package func promptSwitches(_ key: SwitchKey) {
    guard !isEnding else { return }
    if key == .correctLast { return offerCorrection() }
    for desk in desks { desk.tracker.look() }
    let before = desk
    var place = desk
    let target: JID?
    let otherwise: String
    switch key {
    case .number(let number):
      target = runner.state.recent[number]
      otherwise = "No conversation has the number \(number). '/chats' shows the numbers."
    case .nextUnread:
      var next = runner.state.recent.unread(besides: openConversation).first
      for other in desks where next == nil && other !== desk {
        (next, place) = (runner.state.recent(of: other.account).unread(besides: nil).first, other)
      }
      target = next?.conversation
      otherwise = "There are no unread messages elsewhere."
    case .reply:
      place = desks.first { $0.account === runner.state.lastWritten } ?? desk
      if place !== desk { runner.state.use(place.account) }
      target = runner.lastWriter
      otherwise = "Nobody has written to you yet."
    case .correctLast: return
    }
    guard let target else { return output.notice(otherwise) }
    if place !== desk { runner.state.use(place.account) }
    // Where another account was in use, what came meanwhile into the conversation that is open here has not been read.
    guard openConversation != target || desk !== before else { return }
    do throws(CommandFailure) {
      try runner.open(target)
    } catch {
      show(error)
    }
    tracker.look()
  }

  /// Puts `/correct` with the user's last message here on the input line, if that is empty; of one that did not arrive its text.
  private func offerCorrection() {
    do {
      let conversation = try OpenConversation(runner.context(of: CorrectCommand.word))
      let last = try conversation.lastMessage(ofOurs: true)
      // What did not arrive is written anew.
      control?.offer(last.isFailed ? Line.saying(last.shownText) : "/\(CorrectCommand.word) \(last.shownText)")
    } catch {
      show(CommandFailure(error))
    }
  }
}
