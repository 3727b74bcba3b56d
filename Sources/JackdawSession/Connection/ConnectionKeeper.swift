// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawHosts
package import JackdawLoop

/// Keeps an account online: decides when to connect, when to wait, when to ask the server for a sign of life, and when
/// to give up. A value: what happened goes in with the moment and a source of chance, what to do comes out.
///
/// The owner carries out the actions in their order, and sends ``Input/deadlinePassed`` when ``nextDeadline`` is reached,
/// which may have changed after any input.
package struct ConnectionKeeper: Sendable {
  /// Something happened.
  package enum Input: Sendable, Equatable {
    /// The user wants to be online.
    case started
    /// The stream is ready for stanzas; `resumed` is true when it goes on where another left off (XEP-0198).
    case wentOnline(resumed: Bool)
    /// The try failed, or the connection ended, by itself or because it was dropped as told.
    case connectionEnded(Ending)
    /// The server wants us to connect elsewhere (see-other-host).
    case redirected(HostPort)
    /// A person, or a program that may ask one, is asked for the password, which can take any time.
    case passwordAsked
    /// It came, or will not.
    case passwordAnswered
    /// Bytes came from the server.
    case trafficReceived
    /// So long ago the server's machine took some of what we send.
    case outputTaken(ago: Duration)
    /// The answer to ``Action/sendHeartbeat`` came.
    case heartbeatAnswered
    /// ``ConnectionKeeper/nextDeadline`` is reached.
    case deadlinePassed
    /// A key was pressed, a command given, or `/status` says that the user is here.
    case userActive
    /// `/status away` and the like.
    case userInactive
    /// The program is about to be stopped (Ctrl-Z).
    case suspended
    /// The program runs again after that.
    case resumed
    /// The machine slept (see ``ClockJump``), the process was stopped, or the network changed: an address came or went.
    case surroundingsChanged
    /// `/reconnect`.
    case reconnectRequested
    /// The user wants to be offline. The owner closes the stream by itself.
    case quit
  }

  /// What the owner has to do.
  package enum Action: Sendable, Equatable {
    /// Begin a try: there, or where the account's domain says.
    case connect(HostPort?)
    /// Drop the connection at once, without waiting for anything; that needs no ``Input/connectionEnded(_:)``.
    case drop
    /// An XEP-0198 `<r/>`, or a ping (XEP-0199).
    case sendHeartbeat
    /// XEP-0352.
    case sendActive
    case sendInactive
    /// Tell everyone.
    case announce(ConnectionChanged)
    /// There will be no further try by itself.
    case giveUp(Ending)
  }

  /// What differs between a person at the prompt and a single command.
  package struct Policy: Sendable, Equatable {
    /// Whether to try again when the very first connection fails. A single command would rather fail.
    package var retriesFirstConnect: Bool
    /// Whether a user without a key pressed for long is away. A program that listens never is.
    package var watchesIdleness: Bool

    /// The prompt: it goes on trying, and looks for idleness.
    package static let interactive = Policy(retriesFirstConnect: true, watchesIdleness: true)
    /// A single command or a script: it fails at once, and is never idle.
    package static let script = Policy(retriesFirstConnect: false, watchesIdleness: false)

    package init(retriesFirstConnect: Bool, watchesIdleness: Bool) {
      self.retriesFirstConnect = retriesFirstConnect
      self.watchesIdleness = watchesIdleness
    }
  }

  enum State: Sendable, Equatable {
    /// Before the start.
    case idle
    /// A try is under way.
    case connecting(since: MonotonicTime)
    case online(Link)
    /// Between two tries.
    case waiting(Wait)
    /// No try any more unless the user asks for one.
    case gaveUp
    case quitting
  }

  /// A stream that is ready.
  struct Link: Sendable, Equatable {
    let since: MonotonicTime
    var lastTraffic: MonotonicTime
    /// When the server was asked for a sign of life that it has not given yet.
    var askedAt: MonotonicTime?
    /// How long the server may be silent before it shows that it hears us on a stream that was resumed; nil when it has,
    /// and for a fresh one.
    var proofTime: Duration?
  }

  /// The time between two tries.
  struct Wait: Sendable, Equatable {
    let since: MonotonicTime
    var until: MonotonicTime
  }

  var policy: Policy
  var state = State.idle
  /// How many waits there have been since the last good connection.
  var waits = 0
  /// How many of those followed on something that nobody vouched for.
  var longWaits = 0
  /// How many redirections have been followed since the last good connection.
  var hops = 0
  var hasBeenOnline = false
  /// Since when the password is being asked for; nil: it is not.
  var askingSince: MonotonicTime?
  /// How long it was asked for before that, all times together.
  var askedTime = Duration.zero
  var userIsActive = true
  var lastUserAction: MonotonicTime?

  private let attemptTime: Duration

  /// - Parameter timeout: how long one log-in may take.
  package init(policy: Policy, timeout: Duration = .zero) {
    self.policy = policy
    attemptTime = ConnectionKeeperLimits.attemptTime(for: timeout)
  }

  /// True while a stream is ready for stanzas.
  package var isOnline: Bool {
    if case .online = state { true } else { false }
  }

  /// The moment at which ``Input/deadlinePassed`` is due; nil: nothing is waited for.
  package var nextDeadline: MonotonicTime? {
    switch state {
    case .idle, .gaveUp, .quitting: nil
    // Nobody is hurried who types.
    case .connecting(let since): askingSince == nil ? since + attemptTime : nil
    case .waiting(let wait): wait.until
    case .online(let link): min(heartbeatDeadline(of: link), idleDeadline ?? heartbeatDeadline(of: link))
    }
  }

  /// - Parameters:
  ///   - now: the moment at which it happened. An earlier one than before counts as it stands.
  ///   - generator: drawn from only when a wait begins.
  package mutating func handle(
    _ input: Input, at now: MonotonicTime, using generator: inout some RandomNumberGenerator
  ) -> [Action] {
    switch input {
    case .started: start(at: now)
    case .wentOnline(let resumed): goOnline(resumed: resumed, at: now)
    case .connectionEnded(let ending): end(ending, at: now, using: &generator)
    case .redirected(let endpoint): redirect(to: endpoint, at: now, using: &generator)
    case .passwordAsked: beginQuestion(at: now)
    case .passwordAnswered: endQuestion(at: now)
    case .trafficReceived: noteTraffic(at: now, answersHeartbeat: false)
    case .outputTaken(let age): noteTraffic(at: now + (.zero - age), answersHeartbeat: false)
    case .heartbeatAnswered: noteTraffic(at: now, answersHeartbeat: true)
    case .deadlinePassed: passDeadline(at: now, using: &generator)
    case .userActive: becomeActive(at: now)
    case .userInactive, .suspended: becomeInactive()
    case .resumed: probe(at: now) + becomeActive(at: now)
    case .surroundingsChanged: probe(at: now)
    case .reconnectRequested: reconnect(at: now)
    case .quit: quit()
    }
  }

  private mutating func passDeadline(
    at now: MonotonicTime, using generator: inout some RandomNumberGenerator
  ) -> [Action] {
    switch state {
    case .idle, .gaveUp, .quitting: []
    case .waiting(let wait): now < wait.until ? [] : connect(at: now)
    case .connecting(let since):
      now < since + attemptTime || askingSince != nil
        ? [] : [.drop] + end(.mayRetry("The log-in took too long."), at: now, using: &generator)
    case .online(let link): checkIdleness(at: now) + checkLink(link, at: now, using: &generator)
    }
  }
}
