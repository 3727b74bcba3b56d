// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
import JackdawLoop
import JackdawProtocol
import JackdawSession

/// What of a run is lines: the prompt, and scripts.
extension Application {
  /// Opens the prompt, talking to `word`'s friend or address where there is one. Fed from a pipe, what comes in are lines
  /// for that conversation.
  /// - Parameter keepGoing: a line from a pipe that fails does not end the run. At a prompt none does.
  /// - Throws: ``CommandFailure``
  package func talk(to word: String?, keepGoing: Bool) async throws(CommandFailure) {
    guard isInputTerminal else { return try await runLines(input, keepGoing: keepGoing, to: word) }
    do {
      try await prompt(talkingTo: word)
    } catch {
      throw CommandFailure(error)
    }
  }

  private func prompt(talkingTo word: String?) async throws {
    if isFirstStart { return try await firstStart(talkingTo: word) }
    try chooseAllAccounts()
    // Before the prompt takes the terminal: a password may have to be asked for.
    let ready = try await makeReady(try chosenAccounts()) { .interactive(Presence()) }
    try await runPrompt(of: ready) { prompt in
      let presenters = ready.map { prompt.follow($0.live.session, of: $0.account, in: arrivals) }
      // Before what is new: it stands below what was said before.
      if let word { prompt.talk(to: word) }
      for presenter in presenters { presenter.start() }
      for (_, live) in ready { live.start() }
    }
  }

  /// Makes the sessions of accounts, which are not started. One of several for which that fails is told of and left out.
  /// - Throws: why none can be made.
  func makeReady(
    _ accounts: [Account], as role: () -> SessionRole
  ) async throws -> [(account: Account, live: LiveSession)] {
    var ready: [(account: Account, live: LiveSession)] = []
    for account in accounts {
      do {
        ready.append((account, account.makeLive(try await account.configuration(), as: role())))
      } catch {
        var failure = CommandFailure(error)
        guard accounts.count > 1, failure.code != .interrupted else { throw failure }
        failure = failure.located(account.shownName)
        if ready.isEmpty, account === accounts.last { throw failure }
        output.fail(failure, account: account.jid)
      }
    }
    return ready
  }

  /// Runs the prompt until it is left.
  func runPrompt(
    of ready: [(account: Account, live: LiveSession)], begin: @Client (PromptRunner) -> Void
  ) async throws {
    let prompt = PromptRunner(application: self, accounts: ready.map(\.account))
    defer { arrivals.removeAll() }
    // At the prompt these are the prompt's: Ctrl-C clears the line, the others end it.
    let interruption = onInterrupt(staysAtSIGINT: true) { signal in
      if signal != SIGINT { prompt.hurries() }
      return true
    }
    defer { interruption.cancel() }
    let refusals = RefusedLogins(of: ready.count)
    for desk in prompt.desks { desk.awaitsFirstLogin = true }
    let firstLogins = ready.map { account, live in
      parts.loop.start { await self.watchFirstLogin(account, live, prompt, refusals) }
    }
    defer { for login in firstLogins { login.cancel() } }
    try await prompt.run(parts.makePrompt) {
      begin(prompt)
      for (account, _) in ready { offerAgent(for: account) }
    }
  }

  /// A log-in that is refused before the first success (a wrong password, a certificate that fails) is not tried again: there is
  /// nothing to stay for. A password that was typed can be mistyped, and is asked for again.
  private func watchFirstLogin(
    _ account: Account, _ live: LiveSession, _ prompt: PromptRunner, _ refusals: RefusedLogins
  ) async {
    func isOver() { for desk in prompt.desks where desk.account === account { desk.awaitsFirstLogin = false } }
    defer { isOver() }
    var triesLeft = CommandLimits.passwordTries - 1
    do {
      while true {
        do {
          _ = try await live.online(within: .seconds(CommandLimits.longestWait))
          break
        } catch let error as ConnectionError
          // Looked up only now: keys that stood for the password may have been dropped in this log-in, and it was typed after all.
          where triesLeft > 0 && account.wantsPasswordTyped && CommandFailure(error).isWrongPassword
        {
          triesLeft -= 1
          output.fail(CommandFailure(error).located(namedOfSeveral(account, prompt)), account: account.jid)
          live.reconnectNow()
        }
      }
      isOver()
      // Now there are names to show.
      prompt.refresh()
      await prompt.recallRequests(of: account)
    } catch let error as ConnectionError where !error.mayRetry && error.code != .closed {
      // Whoever is asked for it again may leave instead.
      let isLeft = error.condition == CommandFailure.interrupted.condition
      let failure = isLeft ? .interrupted : CommandFailure(error)
      if refusals.isLast() {
        prompt.end(with: failure.located(namedOfSeveral(account, prompt)))
      } else {
        output.fail(failure.located(account.shownName), account: account.jid)
      }
    } catch {
      // Cancelled: the prompt was left before.
    }
  }

  private func namedOfSeveral(_ account: Account, _ prompt: PromptRunner) -> String? {
    prompt.hasSeveralAccounts ? account.shownName : nil
  }

  /// Runs a script file; `-` is stdin.
  /// - Throws: ``CommandFailure``: the one that ended it, or with `keepGoing` the last, which has been shown.
  package func runScript(_ file: String, keepGoing: Bool) async throws(CommandFailure) {
    if file == "-" { return try await runLines(input, keepGoing: keepGoing) }
    try await runLines(parts.openScript(file, path(file)), keepGoing: keepGoing, path: file)
  }

  func runLines(
    _ lines: any LineSource, keepGoing: Bool, path: String? = nil, to word: String? = nil
  ) async throws(CommandFailure) {
    runsScript = true
    let runner = LineRunner(origin: .script, application: self, output: output)
    if !settings.otherAccounts.isEmpty { runner.state.work(with: try chosenAccounts()) }
    for account in shared { if let session = account.session { follow(session) } }
    if let word { try await runner.talkWhenKnown(to: word) }
    try await ScriptRunner(
      lines: lines, path: path, runner: runner, output: output, keepsGoing: keepGoing,
      place: { [caller] in caller?.path($0) ?? $0 },
      open: { [self] included throws(CommandFailure) in try parts.openScript(included, self.path(included)) }
    ).run()
  }
}

/// Which of a prompt's accounts were refused at their first log-in.
@Client final class RefusedLogins {
  private var left: Int

  init(of count: Int) { left = count }

  /// One more was.
  /// - Returns: whether none is left.
  func isLast() -> Bool {
    left -= 1
    return left == 0
  }
}
