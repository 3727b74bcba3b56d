// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop
package import JackdawProtocol
package import JackdawSession

/// What a running command may touch.
@Client package final class CommandContext {
  /// Where the command's line came from.
  package enum Origin: Sendable {
    /// A shell's command line: the process ends with the command.
    case shell
    /// A script, or stdin that is no terminal.
    case script
    /// The prompt.
    case prompt
  }

  /// Where the command was written, which says how much it may do.
  package let origin: Origin
  /// The program around the command: its settings and its accounts.
  package let application: Application
  /// Where this run of the command shows what it found, and why it failed.
  package let output: any Output
  /// The conversation and the like; of use to line commands only.
  package let lines: LineState
  /// What was open when the line was taken.
  private let openThen: Conversation
  /// What ``LineState/shownFrom`` was then.
  let shownFrom: Int64?
  /// The command's words, for results and errors: `friends add`.
  package let command: String
  /// `--timeout` of this command.
  package let timeout: Duration
  /// The account that it works with; nil: the one that was chosen.
  private let chosen: Account?
  /// The line names that account: it is about no other.
  let isAccountNamed: Bool
  /// Why it may be about another account, of a script's line that names none; nil: it is about ``chosen``.
  private let doubt: AccountDoubt?
  /// Of a command of the shell that sends messages.
  var openMessages: OpenMessages?
  /// Where it stands in a script: `line 3`.
  private let location: String?
  private let limit: TimeLimit
  private lazy var notice = WaitingNotice(output: output, clock: application.clock) { [weak self] seconds in
    guard let self else { return nil }
    let account = try? account()
    if account?.password.isAsking == true { return nil }
    let isOnline = account?.session?.isOnline == true
    let place = location.map { $0 + ": " } ?? ""
    return "\(place)\(command): \(isOnline ? "waiting for an answer" : "connecting") (\(seconds) s)"
  }

  /// - Parameters:
  ///   - command: the command's words.
  ///   - conversation: the one that was open when the line was taken; nil: the account's that is open now.
  ///   - account: the account that it works with; nil: the one that was chosen.
  ///   - isAccountNamed: the line names that account.
  ///   - doubt: why the line may be about another account; nil: it is not.
  ///   - timeout: nil: the one of the program's start.
  ///   - location: nil where the command has no line.
  package init(
    origin: Origin, application: Application, output: any Output, lines: LineState, command: String,
    conversation: Conversation? = nil, account: Account? = nil, isAccountNamed: Bool = false,
    doubt: AccountDoubt? = nil, timeout: Duration? = nil, location: String? = nil
  ) {
    self.origin = origin
    self.application = application
    self.output = output
    self.lines = lines
    openThen = conversation ?? account.map { lines.conversation(of: $0) } ?? lines.conversation
    shownFrom = account.map { lines.shownFrom(of: $0) } ?? lines.shownFrom
    self.command = command
    chosen = account
    self.isAccountNamed = isAccountNamed
    self.doubt = doubt
    self.timeout = timeout ?? application.settings.timeout
    self.location = location
    limit = TimeLimit(self.timeout + CommandLimits.lastWord * 2, clock: application.clock) {
      (account ?? (try? application.account()))?.timeAsked ?? .zero
    }
  }

  /// Runs the command, within its time if it has a limit.
  package func run(_ command: any ClientCommand) async throws(CommandFailure) {
    defer { if origin != .prompt { notice.end() } }
    do {
      if try command.runIfReady(in: self) { return }
      let patience: PatienceOfCommand = command.isLimited ? .atLeast(timeout) : .exactly(timeout)
      try await PatienceOfCommand.$current.withValue(patience) {
        try await limit.run { [self] in
          isLimited = command.isLimited
          try await command.run(in: self)
        }
      }
    } catch {
      let failure = ofThis(limit.hasPassed && Self.isCancellation(error) ? outOfTime : CommandFailure(error))
      throw openMessages?.explained(failure, outlasts: application.isGuest) ?? failure
    }
  }

  /// Does the command, which waits for nothing.
  package func runAtOnce(_ command: any ImmediateCommand) throws(CommandFailure) {
    do {
      try command.runAtOnce(in: self)
    } catch {
      throw ofThis(CommandFailure(error))
    }
  }

  /// A failure of this command, of its account, unless it says itself whose it is.
  private func ofThis(_ failure: CommandFailure) -> CommandFailure {
    var failure = failure
    failure.command = failure.command ?? command
    failure.account = failure.account ?? accountJID
    return failure
  }

  private var isLimited = false

  /// What is left of `--timeout`, and a moment at least, for a wait at the end of which there is more to say than that the time is over.
  var timeLeft: Duration { max(limit.left - CommandLimits.lastWord * 2, CommandLimits.lastWord) }

  private var outOfTime: CommandFailure {
    CommandFailure(.tryAgain, "timeout", "'\(command)' got no answer within \(timeout.inSeconds).")
  }

  private static func isCancellation(_ error: any Error) -> Bool { CommandFailure(error).code == .interrupted }

  /// Shows one result of this command.
  package func show(_ row: any CommandRow) {
    if origin != .prompt { notice.end() }
    output.show(row, of: command, account: accountJID)
  }

  /// The network has answered: what is waited for from now on is something else.
  package func endNotice() { notice.end() }

  /// Somebody is asked for something in the middle of the command: nothing is written over the question, and the time that the answer
  /// takes is theirs.
  func beginQuestion() {
    if origin != .prompt { notice.end() }
    limit.lift()
  }

  /// Says at the prompt that there is nothing to show; scripts and the shell see it by there being none.
  package func showNothing(_ text: String) { if origin == .prompt { output.notice(text) } }

  /// Shows one of many results, and waits where nobody reads them.
  /// - Throws: `CancellationError`.
  package func showNext(_ row: any CommandRow) async throws {
    show(row)
    guard output.holdsBack else { return }
    limit.lift()
    try await output.makeRoom()
  }

  /// Shows a failure that does not end the command. The command is to end with its code all the same.
  package func fail(_ failure: CommandFailure) {
    var failure = failure
    failure.command = command
    output.fail(lines.named(failure, of: chosen).located(location), account: accountJID)
  }

  // MARK: The session

  /// The account that the command works with.
  /// - Throws: ``CommandFailure`` with code 78 where none was chosen, 64 where a script's choice of one failed.
  package func account() throws(CommandFailure) -> Account {
    try refuseInDoubt()
    if let chosen { return chosen }
    return try application.account()
  }

  /// - Throws: ``CommandFailure`` with code 64 where the account that the line is about is in doubt.
  func refuseInDoubt() throws(CommandFailure) {
    if let doubt { throw doubt.failure(among: lines.accounts.map(\.shownName)) }
  }

  /// The same command for another account.
  func of(_ account: Account) -> CommandContext {
    CommandContext(
      origin: origin, application: application, output: output, lines: lines, command: command,
      conversation: account === (try? self.account()) ? openThen : nil, account: account, timeout: timeout,
      location: location)
  }

  /// Its address; nil: none was chosen.
  var accountJID: JID? { chosen?.jid ?? application.settings.chosenAccount }

  /// The account's log, for what shows it or changes it.
  /// - Throws: ``CommandFailure`` with code 78 where no account was chosen; without a session, what keeps the log that is stored from
  ///   being read: an empty one would be taken for the truth.
  package var log: any MessageLog {
    get throws {
      let account = try account()
      if account.session == nil { try account.log.requireReadable() }
      return account.log
    }
  }

  /// The conversation that the command is about: the one that was open when its line was taken, whatever is opened before it
  /// runs. Where a room was being entered then, it is what came of that.
  var conversationMeant: Conversation { lines.outcome(of: openThen) }

  /// The session, logged in. From the shell it is made now, with nothing said yet to the server. At the prompt it is there, and what
  /// needs a connection fails at once where there is none.
  package func session() async throws -> Session {
    let account = try account()
    if origin == .prompt, account.session != nil {
      if isLimited { limit.begin() }
      return try await promptSession(of: account)
    }
    // What the session does by itself goes on when the command has ended.
    return try await PatienceOfCommand.$current.withValue(nil) {
      try await application.session(of: account, timeout: timeout) {
        if isLimited { limit.begin() }
        if origin != .prompt { notice.begin() }
      }
    }
  }

  /// The session, if it takes messages now.
  var readySession: Session? {
    get throws { try account().live.flatMap { $0.takesMessages ? $0.session : nil } }
  }

  /// The session, logged in or, where it takes messages all the same, on its way to be.
  package func chatSession() async throws -> Session {
    let account = try account()
    guard account.session != nil else { return try await session() }
    return try await application.chatSession(of: account, timeout: timeout)
  }

  /// The session with the server's word on everything that it tells only to those who are online: open requests of
  /// friendship, presences. Sends presence of priority -1 where none was sent.
  package func reachableSession() async throws -> Session {
    let session = try await session()
    let friends = session.features[FriendManager.self]
    try await friends.load()
    let presence = session.features[PresenceBoard.self]
    if presence.isToBeUnseen {
      output.notice(
        "\(application.named(try account()))Your status is offline: who is online, and who asks to be your friend, may not be known."
      )
    } else if presence.own == nil {
      let areKept = try await session.features[OfflineMessages.self].keep()
      try presence.beReachable(storedMessagesAreKept: areKept, afresh: session.continuesEarlierRun)
    }
    try await presence.settle()
    return session
  }

  // MARK: Several addresses

  /// Does `step` for each address, side by side, and shows each failure but the last, which is thrown.
  package func each(_ jids: [JID], _ step: @escaping @Client (JID) async throws -> Void) async throws {
    var seen: Set<JID> = []
    let jids = jids.filter { seen.insert($0).inserted }
    if let only = jids.first, jids.count == 1 { return try await step(only) }
    do {
      _ = try await RequestGroup.each(
        of: jids, limit: SessionLimits.requestsAtLogin, label: \.description, step)
    } catch {
      if Task.isCancelled, !limit.hasPassed { throw CancellationError() }
      let failures = told(error.failures)
      for failure in failures.dropLast() { fail(failure) }
      if let last = failures.last { throw last }
    }
  }

  /// A failure for each address, one for many that have failed alike: a lost connection is one piece of news, not thousands.
  private func told(_ failures: [RequestGroupError.Failure]) -> [CommandFailure] {
    var told: [CommandFailure] = []
    var places: [String: Int] = [:]
    var labels: [[String]] = []
    for failure in failures {
      let isLate = limit.hasPassed && Self.isCancellation(failure.error)
      let one = isLate ? outOfTime : CommandFailure(failure.error)
      let isNamed = one.text.contains(failure.label)
      if !isNamed, let place = places[one.text] {
        labels[place].append(failure.label)
      } else {
        if !isNamed { places[one.text] = told.count }
        told.append(one)
        labels.append(isNamed ? [] : [failure.label])
      }
    }
    return zip(told, labels).flatMap { failure, labels in
      guard labels.count > CommandLimits.failuresAlike else {
        return labels.isEmpty ? [failure] : labels.map { failure.located($0) }
      }
      return [failure.located("\(labels[0]) and \(labels.count - 1) more")]
    }
  }
}
