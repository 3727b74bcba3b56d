// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop
import JackdawProtocol
import JackdawSession

/// The prompt, as far as commands are concerned: takes entered lines, runs them, keeps the prompt's state current.
///
/// A line is taken when it is entered: whom it is for is settled then, and `/to` has done what it does. Messages are sent in the
/// order in which they were entered, and wait for no command; one that cannot be sent goes back to the input line. Commands that
/// wait for the network form a second line, so that a slow answer holds no message up; each begins behind the messages entered
/// before it. A few concern the program alone and wait for nothing. Each account has such lines of its own.
@Client package final class PromptRunner {
  let runner: LineRunner
  let application: Application
  let output: any Output
  /// One for each account. Bounded by the configuration.
  private(set) var desks: [PromptDesk] = []
  var control: (any PromptControl)?
  private let messages = AccountQueues()
  private let commands: RunningCommands
  private let ended: Latch
  private(set) var isEnding = false
  private var isHurried = false
  private var failure: CommandFailure?
  /// It was said what a line that comes back is, and how to get rid of it.
  private var hasToldOfReturn = false

  /// A prompt for the sessions of accounts, the first of which lines are about in the beginning; nothing is shown or read before it is
  /// run.
  package init(application: Application, accounts: [Account]) {
    precondition(!accounts.isEmpty)
    self.application = application
    output = application.output
    runner = LineRunner(origin: .prompt, application: application, output: output)
    runner.state.work(with: accounts)
    ended = Latch(clock: application.clock)
    commands = RunningCommands(output: application.output, clock: application.clock, secrets: application.secrets)
    desks = accounts.map { account in
      PromptDesk(account, lines: runner.state, application: application) { [weak self] in self?.refresh() }
    }
  }

  /// The account that lines are about.
  var account: Account { runner.state.account ?? desks[0].account }
  /// Its desk.
  var desk: PromptDesk { desks.first { $0.account === account } ?? desks[0] }
  var tracker: ConversationTracker { desk.tracker }
  var hasSeveralAccounts: Bool { desks.count > 1 }

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
    for desk in desks {
      desk.begin(application, control)
      showGuests(at: desk)
    }
    defer { for desk in desks { desk.end() } }
    runner.state.onChange = { [weak self] in self?.conversationChanged() }
    try control.start()
    defer { control.stop() }
    refresh()
    begin()
    // What is unread from before is counted once the prompt is there.
    for desk in desks { desk.tracker.changed() }
    try await ended.wait()
    await sendTheRest()
    if let failure { throw failure }
  }

  /// Whom the conversation that is open is with.
  var openConversation: JID? { runner.state.conversation.shown.map(account.conversation) }

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
      case .nothing:
        // A command that was done at once may have shown messages, which are read by that.
        if Line.isCommand(line) { for desk in desks { desk.tracker.changed() } }
      case .message(_, _, let account): messages[account].add { await self.finish(step, of: line) }
      case .command(let command, let context):
        let account = try? context.account()
        switch type(of: command).declaration.turn {
        case .atOnce: commands.addBeside { await self.finish(step, of: line) }
        case .inMessages: messages[account].add { await self.finish(step, of: line) }
        case .inCommands:
          let label = label(of: line, context)
          let earlier = messagesEnteredBefore(of: account)
          commands.add(label, of: account) { await self.finish(step, labelled: label, after: earlier) }
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
      if case .command(_, let context) = step, error.code == .interrupted {
        output.notice("Stopped \(label(of: line, context)).")
      } else {
        failed(error, line, step)
      }
    }
    if case .command = step { commandEnded() }
  }

  private func label(of line: String, _ context: CommandContext) -> String {
    RunningCommands.label(
      of: line, command: context.command, mayHoldPassword: Line.mayHoldPassword(line, of: application.table))
  }

  /// Opens when the messages of an account that were entered until now have been taken; nil: they have been.
  private func messagesEnteredBefore(of account: Account?) -> Latch? {
    guard messages[account].isBusy else { return nil }
    let latch = Latch(clock: application.clock)
    messages[account].add { latch.open() }
    return latch
  }

  private func finish(_ step: LineRunner.Step, labelled label: String, after earlier: Latch?) async {
    do throws(CommandFailure) {
      try await runner.finish(step, after: earlier)
    } catch {
      if error.code == .interrupted {
        output.notice("Stopped \(label).")
      } else if !error.isShown {
        show(error.located(label))
      }
    }
    commandEnded()
  }

  /// It may have read or removed messages, or changed how the user is shown.
  private func commandEnded() {
    for desk in desks { desk.tracker.changed() }
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
    if case .message(_, let to, let account) = step {
      giveBack(line, to: to, of: account)
    } else {
      giveBack(line, to: runner.state.conversation.shown, of: account)
    }
  }

  func show(_ failure: CommandFailure) {
    output.fail(failure, account: failure.account ?? account.jid)
    output.whenOut { [weak self] in self?.runner.state.conversation.failureWasShown() }
  }

  /// What was not sent is not lost: it can be changed and entered again, or copied where there is no prompt any more.
  /// - Parameter conversation: whom it was for; nil: nobody.
  private func giveBack(_ line: String, to conversation: JID? = nil, of account: Account? = nil) {
    if isEnding {
      unsent("Not sent: \(line)")
    } else {
      control?.putBack(line, to: conversation.map { key($0, of: account ?? self.account) })
    }
  }

  /// A conversation, as the prompt tells it from others.
  func key(_ jid: JID, of account: Account) -> ConversationKey {
    ConversationKey(account.conversation(of: jid), of: hasSeveralAccounts ? account.jid.bare : nil)
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

  /// What was typed before leaving goes out, as far as there is a connection.
  private func sendTheRest() async {
    commands.cancel()
    // Nothing among them waits for the network; being cancelled must not lose them.
    await EventLoop.main.start { [messages] in await messages.drain() }.value
    let limit = TimeLimit(
      isHurried ? CommandLimits.hurriedFarewell : CommandLimits.lastMessages, clock: application.clock)
    await PromptFarewell(accounts: desks.map(\.account), runner: runner) { [weak self] in self?.unsent($0) }
      .confirm(within: limit)
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
  package func promptTouched() { for desk in desks { desk.touched() } }

  package func promptTyped(isMessage: Bool) {
    let person = isMessage ? runner.state.conversation.shown : nil
    // Nobody is typed to from an account that is not in use any more.
    for desk in desks {
      desk.account.session?.features[ChatStates.self].typed(to: desk.account === account ? person : nil)
    }
  }

  package func promptEntered(_ line: String) -> Bool {
    for desk in desks { desk.account.session?.features[LastActivity.self].userActed() }
    enter(line)
    return !Line.mayHoldPassword(line, of: application.table)
  }

  package func promptCompletions(words: [String], partial: String) -> [Completion] {
    desk.completer.completions(words: words, partial: partial)
  }

  package func promptInterrupted() {
    guard commands.isBusy else { return }
    commands.cancel()
  }

  package func promptEnded() { leave() }
  package func promptSuspends() {
    application.suspendAgent()
    for desk in desks { desk.account.suspends() }
  }

  package func promptResumed() {
    // Whoever brings it back sits there, as at a key.
    promptTouched()
    for desk in desks {
      desk.account.resumes()
      application.offerAgent(for: desk.account)
    }
  }
}
