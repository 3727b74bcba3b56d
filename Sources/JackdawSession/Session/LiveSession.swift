// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawHosts
package import JackdawLoop
package import JackdawProtocol
import JackdawTransport

/// A session under the care of the connection keeper: does what the keeper decides, and lets others wait for it to be
/// online. It ends with its last reference: what it began is then cancelled.
@Client package final class LiveSession {
  /// The session that is kept online. Ask for it with ``online(within:)`` when it is to be ready.
  package let session: Session
  private let clock: any LoopClock
  private var keeper: ConnectionKeeper
  private var generator = SystemRandomNumberGenerator()
  private var timer: (timer: LoopTimer, deadline: MonotonicTime)?
  private var attempt: Task<Void, Never>?
  private var heartbeat: Task<Void, Never>?
  private var outputWatch: OutputWatch?
  private let surroundings: SurroundingsWatch
  private let waiting = WaitingList<Void>()
  /// Those who wait for the present try alone: whether it brought us online.
  private let waitingForTry = WaitingList<Bool>()
  /// When the last connection ended; nil before the first.
  package private(set) var lastOnline: Timestamp?
  /// Why there is no connection, for those who come to ask, also while the news of it is told.
  package private(set) var lastError: ConnectionError?
  private var hasGivenUp = false
  private var hasBeenOnline = false
  /// What every log-in asks for is here, and the connection stands.
  private var isSettled = false
  /// What every log-in asks for has come on the present stream, which may have been cut and resumed since.
  private var streamIsSettled = false

  /// As last announced.
  package private(set) var state = ConnectionChanged.State.offline

  private var role: SessionRole { session.configuration.role }

  /// Takes the session over: its `onOnline`, `onConnectionEnd`, `onResumedStreamAcknowledged`, `onAsking` and `onTraffic` are
  /// set. Nothing is connected yet.
  /// - Parameters:
  ///   - clock: what waits, time limits and idleness are measured by.
  ///   - triesOnce: where the very first connection fails, whatever the role, there is no second try.
  package init(_ session: Session, clock: any LoopClock, triesOnce: Bool = false) {
    self.session = session
    self.clock = clock
    surroundings = SurroundingsWatch(clock: clock)
    var policy = session.configuration.role.policy
    if triesOnce { policy.retriesFirstConnect = false }
    keeper = ConnectionKeeper(policy: policy, timeout: session.configuration.timeout)
    session.onConnectionEnd = { [weak self] in self?.ended($0 ?? ConnectionError(.closed, "You have left.")) }
    session.onOnline = { [weak self] in self?.cameOnline() }
    session.onResumedStreamAcknowledged = { [weak self] in self?.feed(.heartbeatAnswered) }
    session.onAsking = { [weak self] in self?.feed($0 ? .passwordAsked : .passwordAnswered) }
    session.onTraffic = { [weak self] in
      self?.noticeSleep()
      self?.feed(.trafficReceived)
    }
  }

  isolated deinit {
    attempt?.cancel()
    heartbeat?.cancel()
  }

  /// Whether messages may be given to it while there is no connection: there was one, or it is tried until there is.
  package var takesMessages: Bool {
    guard !hasGivenUp else { return false }
    if case .interactive = role { return true }
    return hasBeenOnline
  }

  /// Seconds until the next try, rounded up; nil when none is planned.
  package var retryIn: Int? {
    guard state == .retrying, let next = keeper.nextDeadline else { return nil }
    return max(0, Int(((next - clock.now) / .seconds(1)).rounded(.up)))
  }

  /// How long the password has been asked for so far, all times together: no time in which anything else could be done.
  package var timeAsked: Duration { keeper.timeAsked(at: clock.now) }

  /// Begins to connect.
  package func start() {
    if !role.isOneShot {
      session.begin()
      watchSurroundings()
    }
    feed(.started)
  }

  /// Tries now, whatever was planned.
  package func reconnectNow() {
    hasGivenUp = false
    feed(.reconnectRequested)
  }

  /// Where the very first connection failed, and that may pass, it is tried from now on until there is one: others go on meanwhile.
  package func keepTrying() {
    keeper.policy.retriesFirstConnect = true
    guard hasGivenUp, let lastError, case .mayRetry = ending(lastError) else { return }
    reconnectNow()
  }

  /// The program is about to be stopped, and runs again after it.
  package func suspends() { feed(.suspended) }
  /// The program runs again after ``suspends()``: probes the connection, and tells the server that somebody looks.
  package func resumes() { feed(.resumed) }

  /// The user did something.
  package func userActed() {
    noticeSleep()
    feed(.userActive)
  }

  /// The user says that they are away. A program that nobody sits at is never: what it waits for the server might keep until somebody looks.
  package func userLeft() {
    if keeper.policy.watchesIdleness { feed(.userInactive) }
  }

  /// The session once it is online and has what every log-in asks for.
  /// - Throws: ``ConnectionError`` when it cannot be, or is not within `timeout`, in which the time does not count for which the
  ///   password is asked; `CancellationError`.
  package func online(within timeout: Duration) async throws -> Session {
    var left = timeout
    while true {
      if isSettled, session.isOnline { return session }
      if hasGivenUp { throw lastError ?? ConnectionError(.closed, "There is no connection.") }
      let asked = timeAsked
      do {
        try await waiting.wait(for: left, on: clock) { TimeIsOver() }
        return session
      } catch is TimeIsOver {
        let more = timeAsked - asked
        guard more > .zero else {
          throw lastError ?? session.loginTimeout(after: timeout)
            ?? ConnectionError(.timedOut, "There was no connection in time.")
        }
        left = max(more, ConnectionKeeperLimits.shortestExtension)
      }
    }
  }

  private struct TimeIsOver: Error {}

  /// The session once the try to connect that is under way, or due within moments, has brought it online.
  /// - Returns: nil when it has not, or no such try is planned.
  /// - Throws: ``ConnectionError`` when it takes longer than `timeout`; `CancellationError`.
  package func onlineSoon(within timeout: Duration) async throws -> Session? {
    if isSettled, session.isOnline { return session }
    if hasGivenUp { return nil }
    if let retryIn, .seconds(retryIn) > SessionLimits.soon { return nil }
    let isOnline = try await waitingForTry.wait(for: timeout, on: clock) { [weak self] in
      self?.session.loginTimeout(after: timeout) ?? ConnectionError(.timedOut, "The server did not answer in time.")
    }
    return isOnline ? session : nil
  }

  /// Leaves for good.
  package func leave() async {
    hasGivenUp = true
    lastError = ConnectionError(.closed, "The session is over.")
    session.delivery.flush()
    surroundings.end()
    feed(.quit)
    attempt?.cancel()
    heartbeat?.cancel()
    await session.leave()
    // A try that was cancelled has no end of its own to tell of.
    if state != .offline { feed(.connectionEnded(.final("You have left."))) }
    waiting.end(.failure(ConnectionError(.closed, "The session is over.")))
  }

  // MARK: The keeper

  private func feed(_ input: ConnectionKeeper.Input) {
    for action in keeper.handle(input, at: clock.now, using: &generator) { perform(action) }
    arm()
  }

  /// One timer, set anew only when something is due before it: traffic moves the deadline on with every read.
  private func arm() {
    guard let deadline = keeper.nextDeadline else { return timer = nil }
    if let timer, timer.deadline <= deadline { return }
    timer = (clock.schedule(at: deadline) { [weak self] in self?.timerFired() }, deadline)
  }

  private func timerFired() {
    timer = nil
    noticeSleep()
    guard let due = keeper.nextDeadline, due <= clock.now else { return arm() }
    if let progress = session.connection?.outputProgress, let age = outputWatch?.age(of: progress) {
      feed(.outputTaken(ago: age))
    }
    feed(.deadlinePassed)
  }

  // MARK: What happens around us

  private func watchSurroundings() {
    surroundings.begin(
      session.environment.connector, mayUseAddresses: { [weak self] in self?.keeper.isOnline == false },
      changed: { [weak self] in self?.feed(.surroundingsChanged) })
  }

  /// Where nobody tells of a sleep it is found out as soon as anything happens.
  private func noticeSleep() {
    if !role.isOneShot, surroundings.hasSlept() { feed(.surroundingsChanged) }
  }

  private func perform(_ action: ConnectionKeeper.Action) {
    switch action {
    case .connect(let endpoint): connect(to: endpoint)
    case .drop: drop()
    case .sendHeartbeat: sendHeartbeat()
    case .sendActive: session.features.activityChanged(isActive: true)
    case .sendInactive: session.features.activityChanged(isActive: false)
    case .announce(let change): announce(change)
    case .giveUp(let ending):
      hasGivenUp = true
      session.delivery.giveUp(lastError ?? ConnectionError(.lost, ending.reason))
      waiting.end(.failure(lastError ?? ConnectionError(.lost, ending.reason)))
    }
  }

  private func announce(_ change: ConnectionChanged) {
    state = change.state
    // An end that the keeper itself decided on.
    if let reason = change.reason, lastError == nil { lastError = ConnectionError(.lost, reason) }
    session.events.post(change)
    switch change.state {
    case .retrying, .offline: waitingForTry.end(.success(false))
    case .connecting, .online, .resumed: break
    }
  }

  private func drop() {
    attempt?.cancel()
    heartbeat?.cancel()
    if isSettled { lastOnline = session.environment.calendar() }
    isSettled = false
    lastError = nil
    session.drop(ConnectionError(.lost, "The connection was dropped."))
  }

  private func connect(to endpoint: HostPort?) {
    attempt?.cancel()
    session.activity = keeper.userIsActive ? .active : .inactive
    attempt = EventLoop.main.start { [weak self, session, role] in
      await session.logIsRead()
      guard !Task.isCancelled else { return }
      do {
        try await session.logIn(at: endpoint)
      } catch {
        if !Task.isCancelled { self?.ended(error) }
        return
      }
      // From here on the session itself tells of its end.
      guard !Task.isCancelled, session.isOnline else { return }
      if !role.isOneShot, self?.streamIsSettled == false {
        do {
          try await session.settleIn(showing: role.presence)
        } catch {
          return
        }
      }
      guard !Task.isCancelled, session.isOnline else { return }
      self?.settled()
      if role.isOneShot { await session.settleLeftovers() } else { await session.catchUp() }
    }
  }

  private func cameOnline() {
    lastError = nil
    let isResumed = session.phase == .resumed
    if !isResumed { streamIsSettled = false }
    feed(.wentOnline(resumed: isResumed || session.continuesEarlierRun))
    // Who came back during the log-in may be taken for away.
    if keeper.userIsActive { session.features.activityChanged(isActive: true) }
  }

  private func settled() {
    isSettled = true
    hasBeenOnline = !role.isOneShot
    streamIsSettled = true
    waiting.end(.success(()))
    waitingForTry.end(.success(true))
  }

  /// A try failed, or a connection ended.
  private func ended(_ error: any Error) {
    if isSettled { lastOnline = session.environment.calendar() }
    isSettled = false
    heartbeat?.cancel()
    if let redirect = error as? ConnectionRedirect {
      lastError = nil
      return feed(.redirected(redirect.target))
    }
    let error = error as? ConnectionError ?? ConnectionError(.lost, "\(error)")
    if !hasGivenUp { lastError = error }
    feed(.connectionEnded(ending(error)))
  }

  private func ending(_ error: ConnectionError) -> ConnectionKeeper.Ending {
    let reason = error.summary
    if role.isOneShot { return .final(reason) }
    if error.mayRetry { return .mayRetry(reason) }
    // What comes before TLS anybody on the path can fake: it does not end an account that has been online.
    if error.isUnverified { return session.hasEverLoggedIn ? .unverified(reason) : .final(reason) }
    return error.code == .protocolViolation && hasBeenOnline ? .mayRetry(reason) : .final(reason)
  }

  private func sendHeartbeat() {
    heartbeat?.cancel()
    outputWatch = session.connection?.outputProgress.map(OutputWatch.init(before:))
    heartbeat = EventLoop.main.start { [weak self, session] in
      // No answer is what the keeper's own deadline is for.
      guard (try? await session.confirm(within: ConnectionKeeperLimits.answerPatience)) != nil else { return }
      self?.feed(.heartbeatAnswered)
    }
  }
}

extension SessionRole {
  fileprivate var policy: ConnectionKeeper.Policy { if case .interactive = self { .interactive } else { .script } }
}
