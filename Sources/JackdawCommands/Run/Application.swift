// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
package import JackdawLoop
package import JackdawProtocol
package import JackdawSession

/// One run of the program, from its settings to its exit code. What lines it runs is in `Application+Lines.swift`, which
/// accounts it works with in `Application+Accounts.swift`, which session they have in `Application+Sessions.swift`.
@Client package final class Application {
  package internal(set) var settings: Settings { didSet { chosen = nil } }
  let parts: ApplicationParts
  /// Those that this run has worked with.
  /// Bounded by the configuration.
  var accounts: [Account] = []
  /// The one of ``account()``, as long as the settings are the same: each line asks for it.
  var chosen: Account?
  /// Those of the run that this one is a guest of: their sessions are not its own to make and to leave.
  let shared: [Account]
  /// Whom it is run for; nil: whoever started this process.
  let caller: Caller?
  /// Lets other processes' commands go through this run's sessions, once it has offered that.
  var agent: AgentServer?
  /// Ends a command that waits for as long as it likes, and says how far it got, so that it can go on elsewhere.
  var handover: (@Client () -> Handover)?
  /// It goes on with what an agent began that has ended: one that is started in its place comes first.
  package var followsAgent = false
  /// Sessions remain online, with presence and reconnecting: while a script runs.
  var runsScript = false
  /// Rooms that are entered for this command alone. Bounded by its arguments.
  var visited: [(room: JID, account: Account)] = []
  /// The programs that are run; none of them outlives this one.
  let children = ChildGroup()
  /// What arrives is printed while a script runs.
  let arrivals = SubscriptionBag()
  /// So that what they have shown is noted before this run ends. Bounded by the accounts and by the commands that present messages.
  var presenters: [Presenter] = []
  /// Called when a message of an account's log has been written for a reader, before it is out. It counts for who presents messages from
  /// then on.
  var onPresenting: (@Client (JID, LogPlace, String) -> Void)?
  /// Who notes what has gone out as read. Bounded by the accounts and by the commands that do.
  var readMarks: [ReadMarks] = []

  private let interruptions = Interruptions()
  private var work: Task<Void, Never>?
  private var worked: Latch?
  private var farewell: Latch?
  private var isHurried = false
  /// It was asked to end: nobody is waited for any more who does not read what it has written.
  private(set) var isEnding = false
  private var flushing: Task<Void, any Error>?
  /// Why stdout takes nothing any more, and whether that was told.
  private var breach: (failure: CommandFailure, isTold: Bool)?

  /// - Parameters:
  ///   - settings: what this run works with.
  ///   - shared: accounts of another run, whose sessions are there.
  ///   - caller: whom it is run for; nil: whoever started this process.
  package init(settings: Settings, parts: ApplicationParts, sharing shared: [Account] = [], for caller: Caller? = nil) {
    self.settings = settings
    self.parts = parts
    self.shared = shared
    self.caller = caller
  }

  /// Whether this is a command of another process, in the session of this one.
  package var isGuest: Bool { caller != nil }

  /// A path of the command line or of a script, as this process has to name it.
  /// - Throws: ``CommandFailure`` with code 65 for one that means another file here.
  package func path(_ path: String) throws(CommandFailure) -> String {
    guard let caller else { return path }
    guard !caller.isOwn(path) else {
      throw CommandFailure(
        .badInput, "file",
        "\(path) is another file in the Jackdaw that runs this. Use '--no-agent' to run it by itself.")
    }
    return caller.path(path)
  }

  /// What programs find around themselves that are run for a command; nil: what this process does.
  var surroundings: ChildProcess.Surroundings? {
    caller.map { ChildProcess.Surroundings(directory: $0.directory, environment: $0.environment) }
  }

  /// The loop's clock, by which every deadline of this run is measured.
  package var clock: any LoopClock { parts.clock }
  /// The time of day.
  package func now() -> Timestamp { parts.calendar() }

  /// Lets everything else have its turn: between two pieces of work that takes long.
  /// - Throws: `CancellationError`.
  package func pause() async throws {
    await withCheckedContinuation { continuation in clock.nextTurn { continuation.resume() } }
    try Task.checkCancellation()
  }

  /// The commands that there are.
  package var table: CommandTable { parts.table }
  /// The only way out for what commands have to say.
  package var output: any Output { parts.output }
  /// Asks for passwords on the terminal; nil where there is none.
  package var secrets: (any SecretAsking)? { parts.secrets }
  /// Standard input, line by line.
  package var input: any LineSource { parts.standardInput }
  /// Whether a person types on standard input, so that there may be a prompt.
  package var isInputTerminal: Bool { parts.isStandardInputTerminal }

  /// Forgets what is remembered of an account's log-ins.
  /// - Throws: when it cannot be.
  package func forgetLogins(of account: JID) throws { try parts.openLogins(account.bare).forgetMechanism() }

  /// What is stored of accounts on this machine.
  package var storedData: StoredData { parts.storedData }

  /// An event of an account as a line of JSON, its newline included.
  package func jsonLine(_ event: any ClientEvent, of account: JID) -> [UInt8] { parts.jsonLine(event, account) }

  // MARK: Running

  /// Runs what the shell's words asked for, and leaves the server politely.
  /// - Parameter isPaged: somebody reads what it prints in a pager, which is what they type at: SIGINT is for that alone.
  /// - Returns: the exit code. Failures have been shown.
  package func run(_ request: CommandTable.ShellRequest, isPaged: Bool = false) async -> ExitCode {
    let wanted = isPaged ? [SIGTERM, SIGHUP] : [SIGINT, SIGTERM, SIGHUP]
    // What nohup had ignored stays so.
    let signals = wanted.filter { $0 != SIGHUP || !EventLoop.isIgnored($0) }.map { signal in
      parts.loop.onSignal(signal) { [weak self] in self?.interrupted(by: signal) }
    }
    defer { for signal in signals { signal.cancel() } }
    return await carryOut(request)
  }

  /// Does what ``run(_:isPaged:)`` does, and leaves it to the caller to pass signals on.
  package func carryOut(_ request: CommandTable.ShellRequest) async -> ExitCode {
    // Only a second interrupt ends the wait for work that does not end by being cancelled.
    var code = ExitCode.interrupted
    let worked = Latch(clock: clock)
    self.worked = worked
    work = parts.loop.start { [self] in
      code = await outcome(of: request)
      worked.open()
    }
    try? await worked.wait()
    code = await flushed(code)
    await leave()
    code = await flushed(code)
    for account in accounts { account.tidy() }
    await children.endAll()
    await endVisits()
    return code
  }

  private func outcome(of request: CommandTable.ShellRequest) async -> ExitCode {
    do throws(CommandFailure) {
      switch request {
      case .text, .completion: break
      case .start(_, let keepGoing):
        try await settlingLeftovers { () throws(CommandFailure) in try await talk(to: nil, keepGoing: keepGoing) }
      case .command(let command, let name):
        try await settlingLeftovers { () throws(CommandFailure) in try await run(command, called: name) }
      }
      return .success
    } catch {
      // A reader that went away is why the work was cancelled.
      let failure = breach?.failure ?? error
      breach?.isTold = true
      if !failure.isShown { output.fail(failure, account: failure.account ?? settings.chosenAccount) }
      return failure.code
    }
  }

  /// Does something, and then waits for what earlier runs left, however it ended.
  private func settlingLeftovers(
    _ body: () async throws(CommandFailure) -> Void
  ) async throws(CommandFailure) {
    do throws(CommandFailure) {
      try await body()
    } catch {
      await settleLeftovers()
      throw error
    }
    await settleLeftovers()
  }

  /// Runs a command of the shell, for each account where it is of that kind and several are chosen.
  /// - Throws: the last failure, where those before have been shown.
  private func run(_ command: any ClientCommand, called name: String) async throws(CommandFailure) {
    let use = type(of: command).declaration.accounts
    if use == .one, settings.areSeveralGiven {
      throw CommandFailure(
        .usage, "usage", "'\(name)' works with one account, and several were chosen.", command: name)
    }
    let several = use == .each && settings.namesAccounts ? try chosenAccounts() : []
    let accounts = several.isEmpty ? [nil] : several.map(Optional.some)
    var failure: CommandFailure?
    for account in accounts {
      let context = CommandContext(
        origin: .shell, application: self, output: output, lines: LineState(), command: name, account: account)
      do throws(CommandFailure) {
        try await context.run(command)
      } catch {
        guard let account, error.code != .interrupted else { throw error }
        // It is nothing to the others.
        failure = error.located(account.shownName)
        output.fail(failure ?? error, account: account.jid)
        failure?.isShown = true
      }
    }
    if let failure { throw failure }
  }

  /// Shows a failure of what this process was to do.
  /// - Returns: its code.
  package func failed(_ failure: CommandFailure) async -> ExitCode {
    let name = settings.isOneOfSeveral ? settings.accountName ?? settings.chosenAccount?.bare.description : nil
    output.fail(failure.located(name), account: settings.chosenAccount)
    return await flushed(failure.code)
  }

  /// What another process writes is out when that says so, and it says nothing more once it knows how this ended: what it has shown would be
  /// shown again.
  private func clientHasWritten() async {
    let flush = parts.loop.start { [output] in try await output.flush() }
    let timer = clock.schedule(after: CommandLimits.agentConfirmation) { flush.cancel() }
    defer { timer.cancel() }
    // One that is gone, or stands still, has the rest shown by the next.
    try? await flush.value
  }

  /// Notes what has gone out, now.
  func noteShown() {
    for presenter in presenters { presenter.settle() }
    for marks in readMarks { marks.settle() }
  }

  /// Waits until all is out, however long whoever reads it takes, unless it is asked to end.
  private func flushed(_ code: ExitCode) async -> ExitCode {
    defer { noteShown() }
    if isEnding {
      let wasBroken = breach != nil
      output.settle()
      if isGuest { await clientHasWritten() }
      guard let breach = breach?.failure else { return code }
      if !wasBroken { output.fail(breach, account: settings.chosenAccount) }
      return code == .success ? breach.code : code
    }
    let flush = parts.loop.start { [output] in try await output.flush() }
    flushing = flush
    defer { flushing = nil }
    do {
      try await flush.value
      return code
    } catch {
      let failure = CommandFailure(error)
      if breach?.isTold != true, failure.code != .interrupted { output.fail(failure, account: settings.chosenAccount) }
      breach = (failure, true)
      return code == .success ? failure.code : code
    }
  }

  /// Whoever read stdout went away before all was written.
  package var readerLeft: Bool { breach?.failure.condition == CommandFailure.brokenPipe }

  /// Why stdout takes nothing any more; nil: it does.
  var outputFailure: CommandFailure? { breach?.failure }

  /// Stdout takes nothing any more: nobody is left to work for.
  package func outputBroke(_ failure: CommandFailure) {
    guard breach == nil else { return }
    breach = (failure, false)
    work?.cancel()
  }

  private func leave() async {
    await agent?.leave(isHurried: isHurried)
    let leaving = accounts.compactMap(\.live)
    guard !leaving.isEmpty else { return }
    let gone = Latch(clock: clock)
    farewell = gone
    let farewells = leaving.map { live in parts.loop.start { await live.leave() } }
    parts.loop.start {
      for farewell in farewells { await farewell.value }
      gone.open()
    }
    let limit = parts.loop.start { [clock, isHurried] in
      try? await clock.sleep(for: isHurried ? CommandLimits.hurriedFarewell : CommandLimits.farewell)
      if !isHurried, leaving.contains(where: { $0.session.hasUnnoted }) {
        try? await clock.sleep(for: CommandLimits.lastNotes)
      }
      gone.open()
    }
    try? await gone.wait()
    limit.cancel()
  }

  // MARK: Interrupts

  /// Asks `handler` first when SIGINT, SIGTERM or SIGHUP (its argument) come, until cancelled. What it returns says whether it
  /// takes care of it; else whoever asked before is asked, and at last the run is cancelled.
  /// - Parameter staysAtSIGINT: SIGINT does not end the run.
  package func onInterrupt(
    staysAtSIGINT: Bool = false, _ handler: @escaping @Client (Int32) -> Bool
  ) -> Interruption {
    interruptions.add(Interruption(handler, staysAtSIGINT: staysAtSIGINT))
  }

  /// A signal came, or would have come if this were a process of its own.
  package func interrupted(by signal: Int32) {
    if signal != SIGINT { isHurried = true }
    if let taker = interruptions.taker(of: signal) {
      if isHurried || !taker.staysAtSIGINT { isEnding = true }
      return
    }
    isEnding = true
    flushing?.cancel()
    agent?.hurry()
    if let farewell { return farewell.open() }
    if work?.isCancelled == true { worked?.open() }
    work?.cancel()
  }
}
