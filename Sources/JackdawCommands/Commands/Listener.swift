// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession

/// One run of `listen`: takes events from the bus until it has seen enough, or the connection is gone for good.
@Client final class Listener {
  private let words: [String]
  private let program: MessageProgram?
  private let context: CommandContext
  /// Messages that are still wanted.
  private let wanted: ListenCount
  private var senders: [JID] = []
  private let name: LogConsumer.Name
  private let marksRead: Bool
  private var marks: ReadMarks?
  private var presenter: Presenter?
  /// Whose messages they are.
  private var account: JID?
  /// What came before it was known whom the words mean and whom to hand messages to; messages of the log are read from there.
  private var early: [any ClientEvent]? = []
  private let bag = SubscriptionBag()
  private let ended: Latch
  private var isEnding = false
  private var absence: LoopTimer?
  /// While ``absence`` runs.
  private var wakeWatch: WakeWatch?
  /// Why there is no connection, as the last try has it.
  private var absenceReason: String?
  /// Other commands may go through the session from then on.
  private var offer: LoopTimer?
  private var failure: CommandFailure?

  /// - Parameters:
  ///   - senders: addresses and friends' names; none: everybody.
  ///   - name: whose place in the log it is.
  ///   - marksRead: what has gone out is read.
  init(
    senders: [String], count: ListenCount, program: MessageProgram?, as name: LogConsumer.Name, marksRead: Bool = false,
    context: CommandContext
  ) {
    self.marksRead = marksRead
    self.name = name
    self.words = senders
    wanted = count
    self.program = program
    self.context = context
    ended = Latch(clock: context.application.clock)
  }

  /// Listens.
  /// - Parameter duration: nil: until something else ends it.
  func run(for duration: Duration?) async throws {
    let application = context.application
    defer {
      bag.removeAll()
      (absence, wakeWatch, offer) = (nil, nil, nil)
    }
    // Followed before anything can arrive.
    let session = try await application.reconnectingSession(of: context.account(), timeout: context.timeout) {
      [self] session in
      account = session.identity.account
      // Until the bag is emptied, at the end.
      session.events.onAny { [self] in happened($0) }.store(in: bag)
    }
    application.tellConnection(of: session) { happened($0) }
    senders = try await context.addresses(words)
    for jid in senders { try await enter(jid, session) }
    let presenter = application.presenter(of: session, on: context.output, as: name) { [weak self] in
      self?.take($0) ?? .leftOpen
    }
    presenter.onCountedOut = { [wanted] in wanted.showedOne() }
    self.presenter = presenter
    program?.begin(
      session, consumer: session.intake.consumer(name), whenBroken: { [weak self] in self?.end() },
      whenRoom: { [weak presenter] in presenter?.resume() })
    presenter.start()
    if context.origin == .shell { offerAgent(for: try context.account()) }
    let events = early ?? []
    early = nil
    for event in events { take(event) }
    let board = session.features[PresenceBoard.self]
    // Messages come to those who are online. Whoever chose to be offline has chosen that too.
    if !board.isToBeUnseen, board.own.map({ $0.priority < 0 }) ?? true { try board.announce(Presence()) }
    wanted.whenReached { [ended] in ended.open() }
    try await ended.wait(for: duration)
    // A count that was reached, or an end that was asked for, is not the end of the time.
    if !isEnding, wanted.left != 0 { program?.timeIsOver() }
    isEnding = true
    application.ended(presenter, marks, on: context.output)
    bag.removeAll()
    do {
      try await program?.finish()
    } catch {
      // What ended it counts: by its code it is started again, or not.
      throw failure ?? error
    }
    if let failure { throw failure }
  }

  /// Messages can be taken: the log-in is done.
  var hasBegun: Bool { presenter != nil }

  /// Ends it well, if it has begun.
  /// - Returns: whether it does by that, and did not before; nil: nothing has begun that would have to be brought to an end.
  func interrupt() -> Bool? {
    guard hasBegun else { return nil }
    guard !isEnding else { return false }
    end()
    return true
  }

  /// Where an agent that began it has ended, the one that a service manager starts in its place is let in first: it ends where somebody
  /// else has the socket, and is not started again.
  private func offerAgent(for account: Account) {
    let application = context.application
    guard application.followsAgent else { return application.offerAgent(for: account) }
    offer = application.clock.schedule(after: CommandLimits.agentSuccession) { application.offerAgent(for: account) }
  }

  private func end() {
    guard !isEnding else { return }
    isEnding = true
    program?.hurries()
    ended.open()
  }

  private func happened(_ event: any ClientEvent) {
    guard !isEnding else { return }
    if let message = event.asMessage {
      if early == nil {
        presenter?.take(message)
      } else if message.place == nil {
        early?.append(event)
      }
    } else if let change = event as? ConnectionChanged {
      connectionChanged(change)
      take(event)
    } else if early == nil {
      take(event)
    } else {
      early?.append(event)
    }
  }

  private func take(_ event: any ClientEvent) {
    if let message = event.asMessage { return presenter?.take(message) ?? () }
    guard wanted.left != 0, isWanted(event) else { return }
    show(event)
  }

  /// While a script runs, and at the prompt, what arrives is shown anyway.
  private func show(_ event: any ClientEvent) {
    guard !context.application.showsArrivals, let account else { return }
    context.output.show(event, of: account)
  }

  private func take(_ message: MessageArrived) -> Presenter.Verdict {
    guard wanted.left != 0, isWanted(message) else { return .leftOpen }
    // What we said ourselves on another device is no message to answer, nor is a reaction.
    guard message.carbon != .sent, !message.isAnnotation else {
      show(message)
      return .shown
    }
    if let program, message.place != nil, !program.hasRoom() { return .refused }
    show(message)
    program?.take(message)
    if marksRead { markRead(message) }
    wanted.tookOne()
    guard program == nil else {
      wanted.showedOne()
      return .leftOpen
    }
    return .counted
  }

  /// Once it has gone out.
  private func markRead(_ message: MessageArrived) {
    guard let place = message.place, let account = try? context.account() else { return }
    let marks = marks ?? context.application.readMarks(of: account)
    self.marks = marks
    context.output.whenOut { marks.add(message.conversation, place.seq) }
  }

  /// What is said in a room is heard by who is in it.
  private func enter(_ jid: JID, _ session: Session) async throws {
    try await context.application.approach(jid, of: context.account())
    let groupchat = session.features[Groupchat.self]
    if groupchat.isRoom(jid) { try await groupchat.join(jid) }
  }

  private func isWanted(_ event: any ClientEvent) -> Bool {
    guard !senders.isEmpty, event.topic != nil else { return true }
    return senders.contains { event.concerns($0) }
  }

  /// A connection that is lost comes back by itself, but not for ever.
  private func connectionChanged(_ change: ConnectionChanged) {
    switch change.state {
    case .online, .resumed: (absence, wakeWatch) = (nil, nil)
    case .connecting: break
    case .offline: gone(change.reason, (try? context.account())?.live?.lastError)
    case .retrying:
      absenceReason = change.reason
      guard absence == nil else { return }
      awaitReturn()
      // A process that was stopped (Ctrl-Z) has not tried meanwhile, and tries at once when it goes on.
      wakeWatch = context.application.clock.onWake { [weak self] in self?.awaitReturn() }
    }
  }

  private func awaitReturn() {
    absence = context.application.clock.schedule(after: context.timeout) { [weak self] in
      guard let self else { return }
      gone(Sentence.joined("It did not come back within \(context.timeout.inSeconds).", absenceReason))
    }
  }

  /// - Parameter cause: what it is that ended it for good.
  private func gone(_ reason: String?, _ cause: ConnectionError? = nil) {
    guard !isEnding else { return }
    failure = .lostForGood(Sentence.joined("The connection was lost.", reason), cause)
    end()
  }
}

/// How many messages are still wanted, of one account or of several together.
@Client final class ListenCount {
  /// nil: any number.
  private(set) var left: Int?
  /// The same with those that were taken and have not gone out: whoever goes on shows them again.
  private(set) var unshown: Int?
  /// Bounded by the accounts.
  private var reached: [@Client () -> Void] = []

  init(_ count: Int?) { (left, unshown) = (count, count) }

  /// One came.
  func tookOne() {
    guard let left else { return }
    self.left = left - 1
    if left == 1 { for action in reached { action() } }
  }

  /// One of those that came has gone out.
  func showedOne() { if let unshown { self.unshown = unshown - 1 } }

  /// Runs an action when there are enough; at once where there are.
  func whenReached(_ action: @escaping @Client () -> Void) {
    if left == 0 { action() } else { reached.append(action) }
  }
}
