// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop
package import JackdawProtocol
package import JackdawSession

/// One account that a run works with: how to log in, what is kept of it, and its session with its features, which is made when
/// something needs it. A program may have any number; none knows of another.
@Client package final class Account {
  /// As it was chosen: with the resource to ask for, if one was named.
  package let jid: JID
  /// What it was chosen with.
  let settings: Settings
  private let parts: ApplicationParts
  /// What its log-ins prove that they are the user's with.
  let password: LoginPassword
  private(set) var live: LiveSession?
  /// The session that messages can be given to at once, with a connection or without; nil: there is none.
  var sessionTakingMessages: Session? { live.flatMap { $0.takesMessages ? $0.session : nil } }
  /// Rooms that other processes' commands have entered for what they do, and how many of them. Bounded by ``CommandLimits/agentRuns``.
  var visits: [JID: Int] = [:]
  /// Called with what another process's command has sent, which nobody here has typed.
  var onGuestSaid: (@Client (MessageArrived) -> Void)?
  /// The last who was found to be a person and not a room, in a script mostly the next, too.
  private var lastPerson: JID?
  /// Opened when it was first asked for, before there was a session.
  private var openLog: (any MessageLog)?
  private var upkeep: LogUpkeep?
  /// Where the log ended when the session was made, in a run that keeps nothing.
  private var firstNumber: Int64?

  /// - Parameter children: the programs that are run; a `password_command` is one.
  init(_ jid: JID, settings: Settings, parts: ApplicationParts, children: ChildGroup) {
    self.jid = jid
    self.settings = settings
    self.parts = parts
    password = LoginPassword(of: jid, settings: settings, parts: parts, children: children)
  }

  /// What the configuration file calls it; nil: it is not from there.
  package var name: String? { settings.accountName }
  /// What it is called where there are several.
  package var shownName: String { name ?? jid.bare.description }

  // MARK: Its session

  /// The session as it is, online or not; nil before it was first made.
  package var session: Session? { live?.session }
  package var connectionState: ConnectionChanged.State { live?.state ?? .offline }
  /// As ``LiveSession/timeAsked``.
  var timeAsked: Duration { live?.timeAsked ?? .zero }

  /// Seconds until the next try to connect, rounded up; nil when none is planned.
  package var retryIn: Int? { live?.retryIn }

  /// The logged-in session; made now if there is none, else waited for.
  /// - Parameters:
  ///   - role: of a session that is made now.
  ///   - whenReady: called when everything that the user is asked for is there, and the network is next.
  ///   - whenMade: called with a session before anything arrives on it; not with one that was there.
  /// - Throws: ``CommandFailure``, ``ConnectionError``; `CancellationError`.
  func online(
    as role: SessionRole, within timeout: Duration, whenReady: @Client () -> Void = {},
    whenMade: @Client (Session) -> Void = { _ in }
  ) async throws -> Session {
    let configuration = live == nil ? try await configuration() : nil
    whenReady()
    // Another command may have made it meanwhile.
    if let live { return try await live.online(within: timeout) }
    guard let configuration else { throw ConnectionError(.closed, "The session is over.") }
    let live = makeLive(configuration, as: role)
    whenMade(live.session)
    live.start()
    return try await live.online(within: timeout + CommandLimits.lastWord)
  }

  /// The logged-in session that is there, nil where there is no connection now nor within moments.
  /// - Throws: ``ConnectionError`` when a try takes longer than `timeout`; `CancellationError`.
  func onlineSoon(within timeout: Duration) async throws -> Session? { try await live?.onlineSoon(within: timeout) }

  /// When there last was a connection in this run; nil before the first.
  package var lastOnline: Timestamp? { live?.lastOnline }

  /// Makes the session, which is not started.
  /// - Parameter triesOnce: as ``LiveSession/init(_:clock:triesOnce:)``.
  func makeLive(
    _ configuration: SessionConfiguration, as role: SessionRole, triesOnce: Bool = false
  ) -> LiveSession {
    var configuration = configuration
    configuration.role = role
    let live = LiveSession(parts.makeSession(configuration), clock: parts.clock, triesOnce: triesOnce)
    if settings.keepsNothing {
      // The store reports its errors itself.
      let last = try? live.session.log?.page(LogQuery(limit: 1), before: nil)
      firstNumber = max(0, last?.messages.first?.number ?? 0)
    }
    live.session.onPasswordProved = { [jid, parts, file = settings.configurationFile] password, isNew in
      parts.output.notice(
        isNew
          ? "Your server took the new password of \(jid.bare): the old one no longer works."
          : "The old password of \(jid.bare) still works. Your server never took the new one, so Jackdaw forgets it.")
      do throws(CommandFailure) {
        try PasswordChange(of: jid, in: file).proved(password)
      } catch {
        parts.output.notice(error.text)
      }
    }
    live.session.onPasswordRefused = { [password] in password.wasRefused() }
    self.live = live
    if let log = live.session.log, !role.isOneShot {
      upkeep = LogUpkeep(log, events: live.session.events, clock: parts.clock) { [weak self] in
        self?.retention ?? RetentionRule()
      }
    }
    return live
  }

  /// How to log in, the password included, which may have to be asked for.
  /// - Throws: ``CommandFailure``; `CancellationError`.
  func configuration() async throws -> SessionConfiguration {
    let isKnown = hasKeysAlone
    var configuration = SessionConfiguration(
      account: jid, password: isKnown ? nil : try await password.text(), otherPassword: settings.newPassword,
      keeps: settings.keptSecrets, bindsChannel: settings.bindsChannel,
      plan: settings.plan(for: jid), timeout: settings.timeout,
      whenRemoved: settings.whenRemoved, archive: settings.history.fetched,
      discloses: settings.discloses)
    configuration.keepsTickets = settings.keepsTickets
    configuration.askPassword = { [weak password] in
      guard let password else { throw CancellationError() }
      return try await password.textInLogin()
    }
    configuration.adviceIfRefused = password.advice
    configuration.lookForPassword = { [weak password] in await password?.changedText() }
    return configuration
  }

  /// It is kept in no way that a later process could find: ``configuration()`` asks for it.
  var wantsPasswordTyped: Bool { settings.password == nil && !hasKeysAlone }

  /// The keys of an earlier log-in stand for the password, which is kept nowhere.
  private var hasKeysAlone: Bool { settings.keptSecrets == .keysAlone && hasKeys }

  /// What is kept for its log-ins.
  var logins: any LoginMemoryStore { parts.openLogins(jid.bare) }

  /// Whether the keys of an earlier log-in are there to stand for the password.
  private var hasKeys: Bool {
    // The store reports its errors itself.
    ((try? logins.loadKeys()) ?? nil) != nil
  }

  /// Waits until the server has told who is there, where it has not: nobody is known to be away before.
  func learnPresence() async {
    guard let session = try? await live?.online(within: settings.timeout) else { return }
    let presence = session.features[PresenceBoard.self]
    // What is not told in time stays unknown.
    if presence.isBeingTold { try? await presence.settle() }
  }

  /// The user pressed a key: a server that was told that nobody looks is told that somebody does (XEP-0352). Nothing without a connection.
  package func userActed() { live?.userActed() }

  /// The user says that they are away.
  func userLeft() { live?.userLeft() }
  /// Ctrl-Z: the server is told that nobody looks (XEP-0352). Nothing without a connection.
  package func suspends() { live?.suspends() }
  /// The process runs again after ``suspends()``: the connection is probed, and the server told that somebody looks.
  package func resumes() { live?.resumes() }

  // MARK: What is kept

  /// The contact list as far as it is known here, in no order: from the session, or as the store last had it. Never waits for the
  /// network.
  /// - Returns: nil where none was ever kept for this account.
  package func knownFriends() -> [RosterItem]? {
    if let session {
      let friends = session.features[FriendManager.self]
      return friends.recall() ? friends.unsorted : nil
    }
    // The store has reported its error.
    return (try? parts.openRoster(jid).loadRoster())?.items
  }

  /// Whether ``knownFriends()`` is known here.
  var hasContactList: Bool { session.map { $0.features[FriendManager.self].recall() } ?? (knownFriends() != nil) }

  /// The rooms that the user is in or has bookmarked, by address, as far as that is known here. Never waits for the network.
  func knownRooms() -> [RoomRecord] {
    // The store has reported its error.
    let kept = (try? (session.map(\.keptRooms) ?? parts.openRooms(jid))?.rooms()) ?? []
    guard let session else { return kept }
    let known = Set(kept.map(\.jid))
    let others = session.features[Groupchat.self].rooms.filter { !known.contains($0.jid) }.map(\.record)
    return (kept + others).sorted { $0.jid.description < $1.jid.description }
  }

  /// Whether somebody is a contact, a room of the user's, or was talked with. Never waits for the network.
  func knows(_ jid: JID) -> Bool {
    if knownFriends()?.contains(where: { $0.jid == jid.bare }) == true { return true }
    // The store has reported its error.
    return knownRooms().contains { $0.jid == jid.bare }
      || ((try? log.activity(of: conversation(of: jid))) ?? nil) != nil
  }

  /// Whom a conversation is with where what is said goes to `jid`: a bare address, but for an occupant of a room. Never waits for the
  /// network.
  func conversation(of jid: JID) -> JID {
    guard jid.resource != nil else { return jid }
    if let delivery = session?.delivery { return delivery.addressing(of: jid).conversation(with: jid) }
    // The store has reported its error.
    let isKnown = ((try? log.activity(of: jid)) ?? nil) != nil
    return isKnown ? jid : jid.bare
  }

  /// Finds out whether an address of which nothing is known is a room's, as it is written to otherwise than a person. Of contacts, of
  /// the account's own domain and of those who were written to nothing is asked. Without a connection the log says what it knows.
  func learnRoom(_ jid: JID) async {
    guard let session, !isKnownPerson(jid) else { return }
    let groupchat = session.features[Groupchat.self]
    guard !groupchat.isRoom(jid) else { return }
    // The store has reported its error.
    let said = (try? log.page(LogQuery(conversation: jid.bare, limit: CommandLimits.lookedAtForRoom), before: nil))?
      .messages
    if said?.contains(where: { $0.event.kind == .groupchat }) == true { return groupchat.learn(jid) }
    guard said?.contains(where: \.isOutgoing) != true else { return lastPerson = jid.bare }
    guard session.isOnline else { return }
    // Who does not answer is taken for a person, this time.
    switch try? await session.features[FriendManager.self].isRoom(jid) {
    case true?: groupchat.learn(jid)
    case false?: lastPerson = jid.bare
    case nil: break
    }
  }

  /// Whether nothing has to be found out for an address to be written to as a person's.
  func isKnownPerson(_ jid: JID) -> Bool {
    guard let session, !session.features[Groupchat.self].isRoom(jid) else { return false }
    return jid.sharesDomain(with: self.jid) || jid.bare == lastPerson || jid.localpart == nil || isFriend(jid)
  }

  /// Whether somebody is on the contact list, as far as that is known.
  func isFriend(_ jid: JID) -> Bool { session?.features[FriendManager.self].item(for: jid) != nil }

  /// Everything that was said. Needs no connection.
  package var log: any MessageLog {
    if let log = session?.log { return log }
    if let openLog { return openLog }
    let log = parts.openLog(jid)
    openLog = log
    return log
  }

  /// The log before its beginning. Needs no connection.
  package var earlier: any EarlierMessages { session?.earlier ?? parts.imports.openEarlier(jid) }

  /// What is kept of the log.
  private var retention: RetentionRule {
    let history = settings.history
    return RetentionRule(
      start: history.start(at: parts.calendar()), bytes: history.bytes, number: firstNumber,
      removesRetracted: history.removesRetracted)
  }

  /// The run ends: what is not to be kept is removed, as far as it was shown. What is old a piece at a time: each run does one.
  func tidy() {
    guard let log = session?.log else { return }
    let rule = retention
    // The store has reported its error.
    guard var removed = try? log.expire(rule), removed > 0 else { return }
    while firstNumber != nil, removed > 0 { removed = (try? log.expire(rule)) ?? 0 }
    for _ in 0..<CommandLimits.purgesAtEnd { guard (try? log.purge()) == true else { return } }
  }

  /// What the server does not have, oldest first. Needs no connection.
  /// - Throws: what the store throws.
  package func outbox() throws -> [OutboxItem] {
    if let session { return try session.delivery.waitingMessages() }
    return try parts.openMessages(jid).outbox()
  }

  /// Takes a message back, with what waits behind it that would change it: who never gets it would take its correction for a message.
  /// Needs no connection.
  /// - Returns: nil when no message of this id waits.
  /// - Throws: what the store throws.
  package func withdraw(_ id: String) throws -> Withdrawal? {
    let changes = try outbox().filter { $0.message.relations.contains { $0.changes(id) } }
    let withdrawal = try withdrawAlone(id)
    // Of one that may have arrived they may be about something that is there.
    guard case .withdrawn(_, mayHaveArrived: false) = withdrawal else { return withdrawal }
    for item in changes { _ = try withdrawAlone(item.message.id) }
    return withdrawal
  }

  private func withdrawAlone(_ id: String) throws -> Withdrawal? {
    if let session { return try session.delivery.withdraw(id) }
    return try parts.openMessages(jid).withdraw(id)
  }
}
