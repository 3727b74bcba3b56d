// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop
import JackdawProtocol
import JackdawSession

/// The prompt, as far as commands are concerned: takes entered lines, runs them, keeps the prompt's state current.
///
/// A line is taken when it is entered: whom it is for is settled then, and `/to` has done what it does. Messages are sent in the
/// order in which they were entered, and wait for nothing; one that cannot be sent goes back to the input line. Commands that wait
/// for the network form a second line, so that a slow answer holds no message up. A few concern the program alone and wait
/// for nothing.
@Client package final class PromptRunner {
  let runner: LineRunner
  private let application: Application
  let account: Account
  let output: any Output
  private let completer: Completer
  private let marks: ReadMarks
  let tracker: ConversationTracker
  /// Those of whom it was said what they are, as they are no contacts. Bounded by what the user opens.
  var toldOf: Set<JID> = []
  var control: (any PromptControl)?
  private var notifier: Notifier?
  private var autoAway: AutoAway?
  private let messages = SerialQueue()
  private let commands: RunningCommands
  private let ended: Latch
  private(set) var isEnding = false
  private var isHurried = false
  private var failure: CommandFailure?
  /// It was said what a line that comes back is, and how to get rid of it.
  private var hasToldOfReturn = false

  /// A prompt for an account's session; nothing is shown or read before it is run.
  package init(application: Application, account: Account) {
    self.application = application
    self.account = account
    output = application.output
    let runner = LineRunner(origin: .prompt, application: application, output: output)
    self.runner = runner
    completer = Completer(table: application.table, account: account) {
      runner.state.recent
    } foldedNumbers: { [output] in
      output.foldedNumbers
    }
    ended = Latch(clock: application.clock)
    commands = RunningCommands(output: application.output, clock: application.clock)
    marks = ReadMarks(account: account, clock: application.clock)
    tracker = ConversationTracker(account: account, lines: runner.state, clock: application.clock)
  }

  /// Opens the prompt and returns when it has been left.
  /// - Parameters:
  ///   - makeControl: makes the prompt, with this object as its delegate.
  ///   - begin: called once the prompt is there.
  /// - Throws: what ``end(with:)`` was called with; a ``CommandFailure`` with code 75 when a message could not be sent.
  package func run(
    _ makeControl: @Client (any PromptDelegate) throws -> any PromptControl, begin: @Client () -> Void
  ) async throws {
    let control = try makeControl(self)
    self.control = control
    let notifier = Notifier(application: application, account: account, control: control)
    self.notifier = notifier
    defer { notifier.end() }
    autoAway = application.settings.idleAfter.map { AutoAway(after: $0, account: account, clock: application.clock) }
    autoAway?.onAnnounced = { [weak self] in self?.refresh() }
    runner.state.onChange = { [weak self] in self?.conversationChanged() }
    tracker.onChange = { [weak self] in self?.refresh() }
    marks.onNoted = { [tracker] in tracker.changed($0) }
    try control.start()
    defer {
      tracker.end()
      control.stop()
    }
    refresh()
    begin()
    // What is unread from before is counted once the prompt is there.
    tracker.changed()
    try await ended.wait()
    await sendTheRest()
    if let failure { throw failure }
  }

  /// Follows the session's events: they appear above the prompt and change it.
  /// - Parameter events: what has happened on it before.
  /// - Returns: who presents the messages, once it is started.
  func follow(_ session: Session, in bag: SubscriptionBag, after events: [any ClientEvent] = []) -> Presenter {
    let presenter = application.presenter(of: session, on: output) { [weak self, output, account] message in
      output.show(message, of: account.jid.bare)
      self?.wasShown(message)
      return .shown
    }
    session.features[LastActivity.self].userActed()
    session.features[DisplayedSync.self].onApplied = { [weak self] in self?.tracker.changed() }
    session.features[ChatMarkers.self].onApplied = { [weak self] in self?.tracker.changed() }
    for event in events { take(event, presenter) }
    session.events.onAny { [weak self] event in self?.take(event, presenter) }.store(in: bag)
    return presenter
  }

  private func take(_ event: any ClientEvent, _ presenter: Presenter) {
    if let change = event as? ConnectionChanged, [.online, .resumed].contains(change.state) {
      learnPresence()
      autoAway?.connected()
    }
    if let message = event as? MessageArrived {
      presenter.take(message)
    } else if !(event is PresenceChanged) || application.settings.showsPresence {
      output.show(event, of: account.jid.bare)
    }
    notifier?.take(event, conversation: openConversation)
    track(event)
    refresh()
  }

  /// Whom the conversation that is open is with.
  var openConversation: JID? { runner.state.conversation.shown.map(account.conversation) }

  private func track(_ event: any ClientEvent) {
    switch event {
    case let message as MessageArrived: tracker.changed(message.conversation)
    case let state as MessageStateChanged: tracker.changed(state.to)
    case is CaughtUp, is ArchiveRead: tracker.changed()
    default: break
    }
  }

  /// What comes into the conversation that is open is read, once it is on the screen.
  private func wasShown(_ message: MessageArrived) {
    let conversation = message.conversation
    if message.isAddressed, conversation != account.jid.bare {
      output.whenOut { [weak self] in self?.runner.state.lastWriter = conversation }
    }
    guard let place = message.place, openConversation == conversation else { return }
    output.whenOut { [weak self] in self?.marks.add(conversation, place.seq) }
  }

  /// Whom one talks to is shown as being away only when that is known.
  private func learnPresence() {
    EventLoop.main.start { [account] in
      await account.learnPresence()
      // Now the contact list is known, too.
      self.tracker.changed()
      self.refresh()
      self.tellCompany()
    }
  }

  /// Draws the prompt anew, if it is to look otherwise.
  package func refresh() {
    if runner.state.isLeaving { leave() }
    control?.update(state)
  }

  // MARK: Lines

  /// Picks whom plain lines go to, by an address or a name: before the first line is entered.
  package func talk(to word: String) {
    do throws(CommandFailure) {
      try runner.talk(to: word)
    } catch {
      show(error)
    }
  }

  /// Takes a line, and does what is left of it when its turn comes.
  private func enter(_ line: String) {
    guard !isEnding else { return Line.isCommand(line) ? () : giveBack(line) }
    do throws(CommandFailure) {
      let step = try runner.take(line)
      switch step {
      case .nothing: break
      case .message: messages.add { await self.finish(step, of: line) }
      case .command(let command, let context):
        switch type(of: command).declaration.turn {
        case .atOnce: EventLoop.main.start { await self.finish(step, of: line) }
        case .inMessages: messages.add { await self.finish(step, of: line) }
        case .inCommands:
          let label = RunningCommands.label(
            of: line, command: context.command, mayHoldPassword: Line.mayHoldPassword(line, of: application.table))
          commands.add(label) { await self.finish(step, labelled: label) }
        }
      }
    } catch {
      failed(error, line)
    }
    tracker.look()
  }

  private func finish(_ step: LineRunner.Step, of line: String) async {
    do throws(CommandFailure) {
      try await runner.finish(step)
    } catch {
      failed(error, line, step)
    }
    if case .command = step { commandEnded() }
  }

  private func finish(_ step: LineRunner.Step, labelled label: String) async {
    do throws(CommandFailure) {
      try await runner.finish(step)
    } catch {
      if error.code == .interrupted { output.notice("Stopped \(label).") } else { show(error.located(label)) }
    }
    commandEnded()
  }

  /// It may have read or removed messages, or changed how the user is shown.
  private func commandEnded() {
    tracker.changed()
    refresh()
  }

  private func failed(_ failure: CommandFailure, _ line: String, _ step: LineRunner.Step = .nothing) {
    show(failure)
    // A command stands on the screen as it was typed; a message left it at Enter.
    guard !Line.isCommand(line) else { return }
    if !hasToldOfReturn, !isEnding {
      hasToldOfReturn = true
      output.notice("What you typed is back on the input line; Ctrl-C clears it.")
    }
    if case .message(_, let to) = step {
      giveBack(line, to: to)
    } else {
      giveBack(line, to: runner.state.conversation.shown)
    }
  }

  func show(_ failure: CommandFailure) {
    output.fail(failure, account: account.jid)
    output.whenOut { [weak self] in self?.runner.state.conversation.failureWasShown() }
  }

  /// What was not sent is not lost: it can be changed and entered again, or copied where there is no prompt any more.
  /// - Parameter conversation: whom it was for; nil: nobody.
  private func giveBack(_ line: String, to conversation: JID? = nil) {
    if isEnding {
      unsent("Not sent: \(line)")
    } else {
      control?.putBack(line, to: conversation.map(account.conversation))
    }
  }

  // MARK: Leaving

  private func leave() {
    guard !isEnding else { return }
    isEnding = true
    ended.open()
  }

  /// Leaves because of a failure.
  package func end(with failure: CommandFailure) {
    self.failure = failure
    leave()
  }

  /// The terminal or the system is going away: what remains to be done is to be quick.
  package func hurries() { isHurried = true }

  /// What was typed before leaving goes out, as far as there is a connection; its arrival is confirmed. The user is told of what
  /// is left to the next run, and what would be lost is shown.
  private func sendTheRest() async {
    commands.cancel()
    let session = account.session
    // Nothing among them waits for the network; being cancelled must not lose them.
    await EventLoop.main.start { [messages] in await messages.drain() }.value
    let isOnline = session?.isOnline ?? false
    let limit = TimeLimit(
      isHurried ? CommandLimits.hurriedFarewell : CommandLimits.lastMessages, clock: application.clock)
    limit.begin()
    if isOnline {
      do {
        try await limit.run { [runner] in try await runner.confirm() }
      } catch {
        unsent("The server did not confirm your last messages: \(CommandFailure(error).text)")
      }
    }
    guard let delivery = session?.delivery else { return }
    let unstored = delivery.unstored
    for message in unstored { unsent("Not sent to \(message.to): \(message.body)") }
    let count = delivery.openCount - unstored.count
    guard !isOnline, count > 0 else { return }
    unsent(
      count == 1
        ? "1 message is still unsent. It goes out when you next start jackdaw."
        : "\(count) messages are still unsent. They go out when you next start jackdaw.")
  }

  private func unsent(_ text: String) {
    let failure = CommandFailure(.tryAgain, CommandFailure.notSent, text)
    output.fail(failure, account: account.jid)
    leavingFailed(failure)
  }

  /// The first failure on leaving is the one that counts.
  private func leavingFailed(_ failure: CommandFailure) {
    guard self.failure == nil else { return }
    self.failure = CommandFailure(.tryAgain, failure.condition, failure.text)
    self.failure?.isShown = true
  }
}

extension PromptRunner: PromptDelegate {
  package func promptTouched() {
    notifier?.touched()
    autoAway?.touched()
  }

  package func promptTyped(isMessage: Bool) {
    account.session?.features[ChatStates.self].typed(to: isMessage ? runner.state.conversation.shown : nil)
  }

  package func promptEntered(_ line: String) -> Bool {
    account.session?.features[LastActivity.self].userActed()
    enter(line)
    return !Line.mayHoldPassword(line, of: application.table)
  }

  package func promptCompletions(words: [String], partial: String) -> [Completion] {
    completer.completions(words: words, partial: partial)
  }

  package func promptInterrupted() {
    guard commands.isBusy else { return }
    commands.cancel()
  }

  package func promptEnded() { leave() }
  package func promptSuspends() {
    application.suspendAgent()
    account.suspends()
  }

  package func promptResumed() {
    account.resumes()
    application.offerAgent(for: account)
  }
}
