// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession

/// What other processes' commands go through.
extension Application {
  /// From now on other commands of an account go through its session here, until this run ends. Where another process has them they do
  /// once that one has ended; where there is no place for a socket, all is as without.
  func offerAgent(for account: Account) {
    guard !isGuest, !settings.isWithoutAgent, let parts = parts.agent else { return }
    let server = agent ?? AgentServer(host: self, parts: parts)
    agent = server
    do throws(CommandFailure) {
      try server.offerInTurn(account)
    } catch {
      output.detail(error.text)
    }
  }

  /// Starts an agent for the chosen accounts, as the configuration wants it, and returns when commands can go through it. Where that
  /// fails they do without, which is said.
  package func startAgent() async {
    do {
      try await startAgent(idle: settings.agentIdle)
    } catch {
      output.notice(CommandFailure(error).text)
    }
    // Where it cannot be written nobody is left to be told.
    try? await output.flush()
  }

  /// Says that whoever was to run this process's command did not begin it, and will not.
  /// - Returns: the exit code.
  package func agentIsSilent() async -> ExitCode {
    await failed(
      CommandFailure(
        .tryAgain, "agent-silent",
        "Jackdaw runs for this account, but did not answer within \(settings.timeout.inSeconds). Nothing was done. '--no-agent' runs the command without it."
      ))
  }

  /// Where another program has a log locked that is waited for, but not for ever.
  private func note(_ presented: [PresentedMessage]) async {
    for account in settings.chosenAccounts {
      let ours = presented.filter { $0.account == account.bare.description }
      // The store has reported its error.
      guard !ours.isEmpty else { continue }
      let store = parts.openMessages(account)
      for (reader, messages) in Dictionary(grouping: ours, by: \.reader) {
        let places = messages.map { LogPlace(seq: $0.number) }
        for _ in 0..<CommandLimits.agentNoteTries {
          do {
            try store.present(places, to: reader)
          } catch let error as any StoreFailure where error.isBusy {
            try? await clock.sleep(for: CommandLimits.logPause)
            continue
          } catch {}
          break
        }
      }
    }
  }

  /// Says that whoever ran this process's command is gone or silent, and what is not confirmed, as the log has it.
  /// - Parameter presented: what of the logs it presented through this process, which it cannot note any more: the next reader would be
  ///   presented it again.
  /// - Returns: the exit code.
  package func agentWasLost(_ presented: [PresentedMessage] = []) async -> ExitCode {
    await note(presented)
    // The store has reported its error.
    let count = settings.chosenAccounts.reduce(0) { $0 + ((try? parts.openMessages($1).outbox().count) ?? 0) }
    let rest =
      switch count {
      case 0: "No message waits to be sent."
      case 1: "1 message is not confirmed yet; the next agent or prompt sees to it."
      default: "\(count) messages are not confirmed yet; the next agent or prompt sees to them."
      }
    return await failed(
      CommandFailure(
        .tryAgain, "agent-lost",
        "The Jackdaw that ran this command has ended or does not answer; the command may not have finished. \(rest)"))
  }

  /// Starts an agent in the background for those of the chosen accounts that have none, and returns when commands can go through it.
  /// - Throws: ``CommandFailure`` as its log-in came to; `CancellationError`.
  func startAgent(idle: Duration?) async throws {
    let chosen = try chosenAccounts()
    let accounts = chosen.filter { !hasAgent($0) }
    guard !accounts.isEmpty else { return }
    var words = ["agent", "run", "--detach"] + (idle.map { ["--idle", "\($0 / .seconds(1))"] } ?? [])
    let options =
      accounts.count == chosen.count ? settings.wordsForAgent : settings.wordsForAgent(of: accounts.compactMap(\.name))
    words += options.joined()
    let secret = try await secretToHandOn(for: accounts)
    if secret != nil { words += ["--password-file", "/dev/fd/3"] }
    switch try await DetachedProcess.start(words, secret: secret) {
    case .detached(let output):
      // Why some of the accounts have none, where it runs for others; and remarks, as that nothing is stored. Nobody else hears of
      // them. What its environment wants as JSON is for no person.
      for line in Self.lines(of: output) where !line.hasPrefix("{") {
        self.output.notice(String(line.hasPrefix(Self.failureMark) ? line.dropFirst(Self.failureMark.count) : line))
      }
    case .ended(let outcome):
      // Another one was quicker: then it is there, as it was to be.
      if accounts.allSatisfy(hasAgent) { return }
      let sentence = Self.lines(of: outcome.output).last.map { line in
        line.hasPrefix(Self.failureMark) ? String(line.dropFirst(Self.failureMark.count)) : String(line)
      }
      throw CommandFailure(
        ExitCode(value: outcome.status), "agent",
        "The agent did not start: \(sentence ?? "it ended with code \(outcome.status).")")
    }
  }

  /// Whether somebody listens at an account's socket, also where so many connections wait there that it takes no more.
  private func hasAgent(_ account: Account) -> Bool {
    do {
      return try AgentInquiry(of: account.jid, in: self) != nil
    } catch {
      return true
    }
  }

  /// What a program of ours writes before a failure.
  private static let failureMark = "jackdaw: "

  private static func lines(of output: [UInt8]) -> [Substring] {
    String(decoding: output, as: UTF8.self).split(separator: "\n")
  }

  /// The password that an agent for these accounts is given, as it cannot find it by itself: a line; nil: it can.
  /// - Throws: ``CommandFailure`` of the asking, or with code 77 where one of several has to be asked for; `CancellationError`.
  private func secretToHandOn(for accounts: [Account]) async throws -> [UInt8]? {
    guard accounts.count == 1, let account = accounts.first else {
      // All that several can have is in the configuration, which the agent reads as well; but nobody can be asked in the background.
      guard let asking = accounts.first(where: \.wantsPasswordTyped) else { return nil }
      let name = asking.shownName
      throw CommandFailure(
        .authentication, "no-password",
        "The password of '\(name)' is not in the configuration, so an agent for several accounts cannot have it. To start one for it alone, run 'jackdaw --account \(name) agent start'."
      )
    }
    switch account.settings.password {
    case .command, .inline: return nil
    // It reads that by itself, also when the password has been changed there.
    case .file where account.password.hasConfiguredFile: return nil
    case .file, .environment, nil:
      // Nobody can be asked in the background, nor is the environment handed on, nor need the file be named as from here.
      return try await account.configuration().password.map { Array($0.utf8) + [0x0A] }
    }
  }

  /// The process is about to be stopped: nobody is to wait for it.
  func suspendAgent() { agent?.suspend() }

  /// Runs as an agent: stays online, and does what other processes' commands ask for, until it is told to end.
  /// - Parameters:
  ///   - inherited: sockets that somebody else listens on, for each account in turn.
  ///   - idle: it ends after so long without a client; nil: never.
  ///   - tellsConnections: somebody reads how the connections are for as long as it runs.
  ///   - whenReady: called when commands can come in.
  /// - Throws: ``ConnectionError`` when the first log-in fails for good; ``CommandFailure`` with code 75 when its last socket was taken
  ///   away, or the connection is lost for good; `CancellationError`.
  func runAgent(
    inherited: [Int32], idle: Duration?, tellsConnections: Bool, whenReady: @escaping @Client () async -> Void
  ) async throws {
    let accounts = try chosenAccounts()
    guard let parts = parts.agent, parts.folder != nil || !inherited.isEmpty else {
      throw CommandFailure(
        .inputOutput, "no-place",
        "There is no folder for the agent's socket: neither XDG_RUNTIME_DIR nor HOME is set.")
    }
    let server = AgentServer(host: self, parts: parts)
    agent = server
    let ended = Latch(clock: clock)
    let told = Latch(clock: clock)
    server.onStop = {
      told.open()
      ended.open()
    }
    var isLost = false
    server.onLoss = {
      isLost = true
      ended.open()
    }
    let interruption = onInterrupt { _ in
      told.open()
      ended.open()
      return true
    }
    defer { interruption.cancel() }
    let ready = try await makeReady(accounts) { .script(Presence()) }
    let watches = SubscriptionBag()
    defer { watches.removeAll() }
    for (account, live) in ready {
      live.session.events.on(ConnectionChanged.self) { [output] change in
        if tellsConnections { output.show(change, of: account.jid.bare) }
        if case .offline = change.state, ready.allSatisfy({ $0.live.state == .offline }) { ended.open() }
      }.store(in: watches)
      live.start()
    }
    // Whoever comes there is let in, and does without it where it has no connection: nobody else would tell them that.
    for (descriptor, account) in zip(inherited, accounts) where account.live != nil {
      server.adopt(descriptor, for: account)
    }
    let serving = EventLoop.main.start { await self.serve(ready, by: server) }
    // Who is told to end while an account is waited for waits no longer.
    let stopping = EventLoop.main.start { if (try? await told.wait()) != nil { serving.cancel() } }
    defer { stopping.cancel() }
    let failures = await withTaskCancellationHandler {
      await serving.value
    } onCancel: {
      serving.cancel()
    }
    if !serving.isCancelled {
      if let failure = failures.first(where: { $0.code == .interrupted }) { throw failure }
      if let failure = failures.last, failures.count == ready.count { throw failure }
    }
    if !serving.isCancelled { for (account, live) in ready { serve(account, live, by: server, in: watches) } }
    await whenReady()
    let idleness = AgentIdleness(of: server, limit: idle, clock: clock, rest: ProcessMemory.giveBack) { ended.open() }
    try await ended.wait()
    withExtendedLifetime(idleness) {}
    if isLost {
      throw CommandFailure(.tryAgain, "socket-lost", "The agent's socket was taken away: no command could find it.")
    }
    if ready.allSatisfy({ $0.live.state == .offline }) {
      throw CommandFailure.lostForGood("The connection is lost for good.", ready.last?.live.lastError)
    }
  }

  /// Lets commands come in for each account as soon as it is online: one that takes long, or fails, is nothing to the others.
  /// - Returns: why those have none that have none; of several it has been told.
  private func serve(
    _ ready: [(account: Account, live: LiveSession)], by server: AgentServer
  ) async -> [CommandFailure] {
    let work = ready.map { account, live in
      EventLoop.main.start { @Client () async -> CommandFailure? in
        do {
          try await self.serve(account, live, by: server)
          return nil
        } catch {
          var failure = CommandFailure(error)
          guard ready.count > 1, failure.code != .interrupted else { return failure }
          failure = failure.located(account.shownName)
          self.output.fail(failure, account: account.jid)
          failure.isShown = true
          return failure
        }
      }
    }
    return await withTaskCancellationHandler {
      var failures: [CommandFailure] = []
      for task in work { if let failure = await task.value { failures.append(failure) } }
      return failures
    } onCancel: {
      for task in work { task.cancel() }
    }
  }

  /// One that was not online in time, or could not be reached, is tried further, and served as soon as it is online.
  private func serve(_ account: Account, _ live: LiveSession, by server: AgentServer, in watches: SubscriptionBag) {
    let isThere: Set<ConnectionChanged.State> = [.online, .resumed]
    // What is wrong with the socket's folder has been told; another process that has come to serve it keeps it.
    if isThere.contains(live.state) { _ = try? server.offer(account) }
    live.session.events.on(ConnectionChanged.self) { change in
      if isThere.contains(change.state) { _ = try? server.offer(account) }
    }.store(in: watches)
    live.keepTrying()
  }

  private func serve(_ account: Account, _ live: LiveSession, by server: AgentServer) async throws {
    _ = try await live.online(within: settings.timeout)
    if try !server.offer(account) {
      throw CommandFailure(
        .unavailable, "agent-runs", "Jackdaw is already running for \(account.jid.bare), and commands go through it.")
    }
  }
}
