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
    // Before the prompt takes the terminal: the password may have to be asked for.
    let account = try account()
    let configuration = try await account.configuration()
    let live = account.makeLive(configuration, as: .interactive(Presence()))
    try await runPrompt(of: account, live) { prompt in
      let presenter = prompt.follow(live.session, in: arrivals)
      // Before what is new: it stands below what was said before.
      if let word { prompt.talk(to: word) }
      presenter.start()
      live.start()
    }
  }

  /// Runs the prompt until it is left.
  func runPrompt(
    of account: Account, _ live: LiveSession, begin: @Client (PromptRunner) -> Void
  ) async throws {
    let prompt = PromptRunner(application: self, account: account)
    defer { arrivals.removeAll() }
    // At the prompt these are the prompt's: Ctrl-C clears the line, the others end it.
    let interruption = onInterrupt(staysAtSIGINT: true) { signal in
      if signal != SIGINT { prompt.hurries() }
      return true
    }
    defer { interruption.cancel() }
    let firstLogin = parts.loop.start { await self.watchFirstLogin(live, prompt) }
    defer { firstLogin.cancel() }
    try await prompt.run(parts.makePrompt) {
      begin(prompt)
      offerAgent(for: account)
    }
  }

  /// A log-in that is refused before the first success (a wrong password, a certificate that fails) is not tried again: there is
  /// nothing to stay for.
  private func watchFirstLogin(_ live: LiveSession, _ prompt: PromptRunner) async {
    do {
      _ = try await live.online(within: .seconds(CommandLimits.longestWait))
      // Now there are names to show.
      prompt.refresh()
    } catch let error as ConnectionError where !error.mayRetry && error.code != .closed {
      prompt.end(with: CommandFailure(error))
    } catch {
      // Cancelled: the prompt was left before.
    }
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
    for account in shared { if let session = account.session { follow(session) } }
    let runner = LineRunner(origin: .script, application: self, output: output)
    if let word { try runner.talk(to: word) }
    try await ScriptRunner(
      lines: lines, path: path, runner: runner, output: output, keepsGoing: keepGoing,
      open: { [self] included throws(CommandFailure) in try parts.openScript(included, self.path(included)) }
    ).run()
  }
}
