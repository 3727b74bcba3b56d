// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop
import JackdawProtocol
package import JackdawSession

/// The prompt, as far as commands are concerned: takes entered lines, runs them, keeps the prompt's state current.
///
/// Messages, and what decides whom they go to, are done in the order in which they were entered. Commands that wait for the
/// network form a second line, so that a slow answer holds no message up. A few concern the program alone and wait
/// for nothing.
@Client package final class PromptRunner {
  private let runner: LineRunner
  private let application: Application
  private let completer: Completer
  private var control: (any PromptControl)?
  private let messages = SerialQueue()
  private let commands = SerialQueue()
  private let ended: Latch
  private var isEnding = false
  private var isHurried = false
  private var failure: CommandFailure?

  /// A prompt for the application's session; nothing is shown or read before it is run.
  package init(application: Application) {
    self.application = application
    runner = LineRunner(origin: .prompt, application: application)
    completer = Completer(application: application)
    ended = Latch(clock: application.clock)
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
    runner.state.onChange = { [weak self] in self?.refresh() }
    try control.start()
    defer { control.stop() }
    refresh()
    begin()
    try await ended.wait()
    await sendTheRest()
    if let failure { throw failure }
  }

  /// Follows the session's events: they appear above the prompt and change it.
  package func follow(_ session: Session, in bag: SubscriptionBag) {
    session.features[LastActivity.self].userActed()
    session.events.onAny { [weak self] event in
      guard let self else { return }
      if !(event is PresenceChanged) || application.settings.showsPresence { application.output.show(event) }
      refresh()
    }.store(in: bag)
  }

  /// Draws the prompt anew, if it is to look otherwise.
  package func refresh() {
    if runner.state.isLeaving { leave() }
    control?.update(state)
  }

  private var state: PromptState {
    let session = application.currentSession
    let conversation = runner.state.conversation
    let name = conversation.map { jid in session?.features[FriendManager.self].item(for: jid)?.name ?? jid.description }
    let board = session.flatMap { $0.isOnline ? $0.features[PresenceBoard.self] : nil }
    return PromptState(
      presence: conversation.flatMap { board?.summary(of: $0) }, conversation: name,
      connection: application.connectionState, retryIn: application.retryIn)
  }

  // MARK: Lines

  /// Runs a line when its turn comes.
  package func enter(_ line: Line) {
    switch line {
    case .blank: break
    case .message: messages.add { await self.perform(line) }
    case .command(let words):
      switch words.first {
      case "quit", "help", "reconnect": EventLoop.main.start { await self.perform(line) }
      case "to", "close", "send": messages.add { await self.perform(line) }
      default: commands.add { await self.perform(line) }
      }
    }
  }

  private func perform(_ line: Line) async {
    do throws(CommandFailure) {
      try await runner.run(line)
    } catch {
      application.output.fail(error)
      if isEnding, case .message = line { leavingFailed(error) }
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

  /// What was typed before leaving goes out, as far as there is a connection; its arrival is confirmed.
  private func sendTheRest() async {
    commands.cancel()
    let session = application.currentSession
    let isOnline = session?.isOnline ?? false
    let limit = TimeLimit(
      isHurried ? CommandLimits.hurriedFarewell : CommandLimits.lastMessages, clock: application.clock)
    limit.begin()
    do {
      try await limit.run { [self] in
        await messages.drain()
        if isOnline { try await runner.confirm() }
      }
    } catch {
      unsent("the server did not confirm the last messages: \(CommandFailure(error).text)")
    }
    guard !isOnline, let count = session?.features[Chat.self].openCount, count > 0 else { return }
    unsent(
      count == 1
        ? "a message waits in the outbox, and goes out the next time"
        : "\(count) messages wait in the outbox, and go out the next time")
  }

  private func unsent(_ text: String) {
    let failure = CommandFailure(.tryAgain, "not-sent", text)
    application.output.fail(failure)
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
  package func promptEntered(_ line: String) -> Bool {
    application.currentSession?.features[LastActivity.self].userActed()
    do throws(CommandFailure) {
      enter(try Line(line, inScript: false))
    } catch {
      application.output.fail(error)
    }
    return !Line.mayHoldPassword(line)
  }

  package func promptCompletions(words: [String], partial: String) -> [Completion] {
    completer.completions(words: words, partial: partial)
  }

  package func promptInterrupted() {
    guard commands.isBusy else { return }
    commands.cancel()
  }

  package func promptEnded() { leave() }
  package func promptSuspends() { application.suspends() }
  package func promptResumed() { application.resumes() }
}
