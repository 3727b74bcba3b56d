// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawCommands
import JackdawLoop
import JackdawProtocol
import JackdawSession

extension TextOutput {
  func show(_ message: MessageArrived, of account: JID) {
    let from = self.sayer(message, of: account)
    let inviter = inviter(of: message)
    // A room that hands on an invitation is nobody.
    let sayer = inviter ?? from
    let isRoom = inviter?.jid.sharesBare(with: message.from) == true
    let isInRoom = message.kind == .groupchat || message.isPrivate
    if message.isInvitation, !sayer.isFriend, !names.isOwn(sayer.jid), message.carbon != .sent, countsInvitations {
      return count(message, by: sayer)
    }
    // A room may say something to the user alone: that they have it says who it is.
    let isOwnRoom = sayer.jid.resource == nil && names.isRoom(sayer.jid)
    if !sayer.isFriend, !isRoom, !isInRoom, !isOwnRoom { introduce(sayer) }
    let identity = isInRoom ? names.occupant(message.from, of: account) : nil
    if let identity, message.carbon != .sent { introduce(message.from, identity) }
    let isOwn = from.isOwn || message.carbon == .sent
    let other = isOwn ? message.conversationOfOwn : message.conversation
    let isOpen = isOpen(other)
    let earlier = earlier(message, of: account)
    if let earlier,
      let remark = lines.annotation(
        message, from: from, to: person(message.to, of: account), of: earlier, isOpen: isOpen,
        identity: identity)
    {
      return put(remark)
    }
    let isPlain =
      isOpen
      && lastMessage.map { $0.conversation == other && $0.account == account.bare && $0.shown == out.shown } ?? false
    let lines = lines
    write(
      lines.message(
        message, from: from, to: person(message.to, of: account), isPlain: isPlain, isOpen: isOpen,
        isBesideRoom: !isInRoom && conversation.map { names.isRoom($0) } == true, identity: identity, inviter: inviter,
        answered: earlier), in: lines.layout)
    if verbosity == .verbose, let thread = message.payload?.thread {
      put(lines.notice("It belongs to the thread \(TextLines.remark(thread))."))
    }
    lastMessage = (other, account.bare, out.shown)
    noteForReceipts(message, in: other, isOwn: isOwn)
  }

  /// Who says a message. What a room itself says stands behind its address: what it calls itself could be a contact's name.
  func sayer(_ message: MessageArrived, of account: JID?) -> Person {
    var sayer = person(message.from, of: account)
    if message.from.resource == nil { sayer.name = names.friend(message.from, of: account ?? self.account)?.name }
    return sayer
  }

  /// Whom a room says that an invitation is from; nil: nobody is named.
  func inviter(of message: MessageArrived) -> Person? {
    guard message.isInvitation, let name = message.payload?.content?.person else { return nil }
    return (try? JID(received: name)).map { person($0) }
  }

  /// Says of somebody in a room who could be taken for a contact that they need not be, once.
  private func introduce(_ occupant: JID, _ identity: OccupantIdentity) {
    guard let contact = identity.resembled, !identity.isAddressKnown else { return }
    guard verbosity > .quiet, isMetFirst(occupant) else { return }
    let line = lines.namesake(
      occupant, of: Person(contact.jid, name: contact.name), in: person(occupant.bare))
    out.settle()
    if isPrompt { put(line) } else { errors.write(line) }
    errors.settle()
  }

  /// Says of a stranger, who is none of the user's accounts, that they are one, once. A remark for people: no line among a script's messages.
  private func introduce(_ person: Person) {
    // Most say more than one thing.
    guard verbosity > .quiet, lastStranger?.sharesBare(with: person.jid) != true, !names.isOwn(person.jid) else {
      return
    }
    let jid = person.jid.bare
    lastStranger = jid
    guard isMetFirst(jid) else { return }
    out.settle()
    if isPrompt { put(lines.stranger(person)) } else { errors.write(lines.stranger(person)) }
    errors.settle()
  }

  /// Whether nothing was said of this one yet. Where there is no room for more, those before are forgotten: to say it twice is better
  /// than to say it of nobody from then on.
  private func isMetFirst(_ jid: JID) -> Bool {
    if strangers.count >= TerminalLimits.rememberedAddresses { strangers = [] }
    return strangers.insert(jid).inserted
  }

  func show(_ state: MessageStateChanged) {
    let to = person(state.to)
    switch state.state {
    case .waiting: tellOfWaiting()
    case .sent: news.hasToldOfWaiting = false
    case .server: break
    case .delivered, .displayed: showReceipt(state)
    case .failed where state.isOwnWithdrawal: break
    case .failed(let reason):
      let nick = names.isRoom(state.to) ? state.to.resource : nil
      put(lines.failed(to: to, nick: nick, reason))
      lastFailure = (state.to.bare, account, reason, out.shown)
      return
    }
    guard verbosity == .verbose else { return }
    put(lines.notice("message \(Escaper.line(state.id)) to \(to.label): \(state.state.name)"))
  }

  /// Once, until something has gone out again.
  private func tellOfWaiting() {
    guard !news.hasToldOfWaiting, verbosity == .normal else { return }
    news.hasToldOfWaiting = true
    noticeOfAccount("You are offline. Messages are saved and sent when you are back.")
  }

  func show(_ news: CaughtUp) {
    let count = news.messages == 1 ? "1 message" : "\(news.messages) messages"
    noticeOfAccount("\(count) arrived while you were away")
  }

  func show(_ read: ArchiveRead) {
    guard read.messages >= TerminalLimits.archiveTold || verbosity == .verbose else { return }
    let back = read.oldest.map { ", back to \(LocalTime.system.day($0))" } ?? ""
    let what =
      read.complete
      ? "Everything is here that your server has of earlier times" : "Fetching what your server has of earlier times"
    noticeOfAccount("\(what): \(read.messages) messages\(back)")
  }

  /// A notice about the account that an event is of.
  private func noticeOfAccount(_ text: String) {
    guard verbosity > .quiet else { return }
    remark(text, isOfAccount: true)
  }

  // MARK: Presence

  func show(_ event: PresenceChanged) {
    guard !names.isOwn(event.from) else { return }
    news.presence.take(event)
    // Whoever reads a pipe may wait for somebody.
    guard out.columns == nil, news.presenceTimer == nil else {
      return gatherPresence(for: TerminalLimits.presenceWindow)
    }
    tellPresence(of: account)
  }

  private func gatherPresence(for window: Duration) {
    guard news.presenceTimer == nil else { return }
    news.presenceTimer = clock.schedule(after: window) { [weak self, account] in self?.tellPresence(of: account) }
  }

  /// What was gathered of the presence of all accounts' friends, in the order of the accounts' addresses.
  func tellAllPresence() {
    let waiting = accountNews.filter { $0.value.presence.hasNews }.keys
    for account in waiting.sorted(by: { $0?.description ?? "" < $1?.description ?? "" }) { tellPresence(of: account) }
  }

  /// - Parameter account: for which they are there, or have gone.
  func tellPresence(of account: JID?) {
    let news = news(of: account)
    news.presenceTimer = nil
    guard news.presence.hasNews else { return }
    switch news.connection {
    case .offline, .retrying, .connecting:
      // Nobody can be known to be anywhere; who has gone is told after the next log-in.
      news.presence.dropNews()
    case .online, .resumed, nil:
      let changes = news.presence.drain()
      guard !changes.isEmpty else { return }
      begin(account)
      guard out.columns != nil else {
        for change in changes { put(lines.presence(of: person(change.jid), change.standing)) }
        return
      }
      endRows()
      put(lines.presence(changes.map { (person($0.jid), $0.standing) }))
    }
  }

  // MARK: Friends

  func show(_ friend: FriendChanged) {
    if verbosity == .verbose || friend.change == nil {
      let person = person(friend.item.jid, name: friend.item.name)
      put(lines.friend(friend.item, change: friend.change, person: person))
    }
    guard friend.change != nil else { return }
    // What they did is told as it was before a command of ours went on.
    let jid = friend.item.jid
    if friend.change == .removed || ![.to, .both].contains(friend.item.subscription) {
      news.presence.ended(jid.bare)
    }
    if friend.isOurs, friendships.hasNews(of: jid), !friendships.endsByPolicy(jid) { tellFriendships() }
    // What they asked has been answered before it was told. Words that came with it are told all the same.
    if friend.change != .removed, [.from, .both].contains(friend.item.subscription) {
      requests.removeAll { $0.jid.bare == jid.bare && $0.message == nil }
    }
    friendships.take(friend)
    gatherFriendships()
  }

  /// The steps of one friendship come close behind each other.
  func gatherFriendships() {
    guard friendshipsTimer == nil, friendships.hasNews else { return }
    friendshipsTimer = clock.schedule(after: TerminalLimits.presenceWindow) { [weak self] in self?.tellFriendships() }
  }

  func tellFriendships() {
    friendshipsTimer = nil
    guard friendships.hasNews else { return }
    endRows()
    for change in friendships.drain() {
      let entry = names.friend(change.jid, of: account)
      let person = person(change.jid, name: (change.after ?? change.before)?.name)
      if let line = lines.friendship(change, person: person, entry: entry, answer: friendsCommand) { put(line) }
    }
  }

  // MARK: Friend requests

  func show(_ request: FriendRequested) {
    guard out.columns != nil else {
      put(lines.request(request, answer: friendsCommand))
      return
    }
    guard requests.count < TerminalLimits.rememberedAddresses else { return }
    requests.append(request)
    guard requestsTimer == nil else { return }
    if let lastFlood, clock.now - lastFlood > TerminalLimits.requestsWindow {
      self.lastFlood = nil
      toldInFlood = 0
      requestsWindow = TerminalLimits.presenceWindow
    }
    requestsTimer = clock.schedule(after: requestsWindow) { [weak self] in
      self?.requestsTimer = nil
      self?.tellRequests()
    }
  }

  func tellRequests() {
    guard !requests.isEmpty else { return }
    let some = requests
    requests = []
    endRows()
    if some.count > TerminalLimits.presenceLines {
      put(lines.requests(some.map { person($0.jid) }, before: toldInFlood, answer: friendsCommand))
      toldInFlood += some.count
      lastFlood = clock.now
      requestsWindow = min(requestsWindow * 2, TerminalLimits.requestsWindow)
    } else {
      for request in some { put(lines.request(request, answer: friendsCommand)) }
    }
  }

  // MARK: Connection

  /// Says that the connection is up or down and why, but not each of the tries in between: the prompt counts them down.
  ///
  /// Where there is no prompt a connection is nobody's concern as long as there is one: what is told is its loss, and that it
  /// is back, as a remark for people. Why there never was one is told by whoever wanted it.
  func show(_ event: ConnectionChanged) {
    let news = news
    let before = news.connection
    news.connection = event.state
    switch event.state {
    case .connecting:
      if verbosity == .verbose { tell(event) }
    case .online:
      let isBack = news.toldOffline != nil
      news.toldOffline = nil
      news.presence.sessionBegan()
      news.presenceTimer = nil
      // On a pipe only where it has to be found out who has gone meanwhile.
      if out.columns != nil || news.wasOnline { gatherPresence(for: TerminalLimits.loginPresenceWindow) }
      if isPrompt || isBack || verbosity == .verbose { tell(event) }
      news.wasOnline = true
    case .resumed:
      news.toldOffline = nil
      if before != nil { tell(event) }
    case .offline, .retrying:
      let reason = event.reason ?? ""
      guard isPrompt || news.wasOnline || verbosity == .verbose else { return }
      // Without a reason it is we who left.
      guard isPrompt || !reason.isEmpty else { return }
      // Whoever had it tried again is told that it came to the same; what is tried by itself goes on.
      let isAnswer = isPrompt && event.state == .offline && before == .connecting
      guard news.toldOffline != reason || isAnswer || verbosity == .verbose else { return }
      news.toldOffline = reason
      tell(event)
    }
  }

  private func tell(_ event: ConnectionChanged) {
    if isPrompt { return put(lines.connection(event)) }
    guard verbosity > .quiet else { return }
    out.settle()
    errors.write(lines.connection(event))
    errors.settle()
  }
}
