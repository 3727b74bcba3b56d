// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
package import JackdawSession

/// The one session of a run: made when something needs it, and kept or not as the run wants it.
extension Application {
  /// The session as it is, online or not; nil before it was first made.
  package var currentSession: Session? { live?.session }
  package var connectionState: ConnectionChanged.State { live?.state ?? .offline }
  /// Seconds until the next try to connect, rounded up; nil when none is planned.
  package var retryIn: Int? { live?.retryIn }
  /// Whether what arrives is shown by the run itself: at the prompt, and while a script runs.
  package var showsArrivals: Bool { arrivals.count > 0 || (runsScript && !settings.isQuiet) }

  /// The logged-in session; made now if there is none, else waited for.
  /// - Parameter whenReady: called when everything that the user is asked for is there, and the network is next.
  /// - Throws: ``CommandFailure``, ``ConnectionError``; `CancellationError`.
  package func session(timeout: Duration, whenReady: @Client () -> Void = {}) async throws -> Session {
    let configuration = live == nil ? try await configuration() : nil
    whenReady()
    return try await online(configuration, as: runsScript ? .script(Presence()) : .oneShot, timeout) { _ in }
  }

  /// A session that comes back when the connection is lost, and that shows us as online.
  /// - Parameter follow: called with a session before anything arrives on it, or at once with the one that is there.
  /// - Throws: as ``session(timeout:whenReady:)``.
  package func stayingSession(timeout: Duration, follow: @Client (Session) -> Void) async throws -> Session {
    let configuration = live == nil ? try await configuration() : nil
    return try await online(configuration, as: .script(Presence()), timeout, follow)
  }

  /// - Parameter configuration: for a session that is still to be made.
  private func online(
    _ configuration: SessionConfiguration?, as role: SessionRole, _ timeout: Duration,
    _ follow: @Client (Session) -> Void
  ) async throws -> Session {
    if let live {
      follow(live.session)
      return try await live.online(within: timeout)
    }
    guard let configuration else { throw ConnectionError(.closed, "the session is over") }
    let live = makeLive(configuration, as: role)
    if runsScript, !settings.isQuiet { showArrivals(of: live.session) }
    follow(live.session)
    live.start()
    return try await live.online(within: timeout + CommandLimits.lastWord)
  }

  /// A session that takes messages, though there may be no connection: at the prompt, and in a script that has had one.
  /// - Throws: as ``session(timeout:whenReady:)``.
  package func chatSession(timeout: Duration) async throws -> Session {
    if let live, live.takesMessages { return live.session }
    return try await session(timeout: timeout)
  }

  /// Waits until the server has told who is there, where it has not: nobody is known to be away before.
  func learnPresence() async {
    guard let session = try? await live?.online(within: settings.timeout) else { return }
    let presence = session.features[PresenceBoard.self]
    // What is not told in time stays unknown.
    if presence.isBeingTold { try? await presence.settle() }
  }

  /// The contact list as far as it is known here, in no order: from the session, or as the store last had it. Never waits for the
  /// network.
  /// - Returns: nil where none was ever kept for this account.
  /// - Throws: ``CommandFailure`` where there is no account.
  package func knownFriends() throws(CommandFailure) -> [RosterItem]? {
    if let session = live?.session {
      let friends = session.features[FriendManager.self]
      return friends.recall() ? friends.unsorted : nil
    }
    let account = try settings.account()
    // What is wrong with the store has been told by it.
    return (try? parts.openRoster(account).loadRoster())?.items
  }

  /// What the server does not have, oldest first. Needs no connection.
  /// - Throws: ``CommandFailure``; what the store throws.
  package func outbox() throws -> [OutboxItem] {
    if let session = live?.session { return try session.delivery.waitingMessages() }
    return try parts.openMessages(settings.account()).outbox()
  }

  /// Takes a message back. Needs no connection.
  /// - Throws: as ``outbox()``.
  package func withdraw(_ id: String) throws -> Withdrawal? {
    if let session = live?.session { return try session.delivery.withdraw(id) }
    return try parts.openMessages(settings.account()).withdraw(id)
  }

  private func showArrivals(of session: Session) {
    let presenter = presenter(of: session)
    session.events.onAny { [output] event in
      if let message = event as? MessageArrived { presenter.take(message) } else { output.show(event) }
    }.store(in: arrivals)
    presenter.start()
  }

  /// Whoever presents the messages of a session.
  /// - Parameters:
  ///   - name: the screen, or a program of its own.
  ///   - present: shows a message; nil: as an event.
  func presenter(
    of session: Session, as name: LogConsumer.Name = .screen,
    present: (@Client (MessageArrived) -> Presenter.Verdict)? = nil
  ) -> Presenter {
    let presenter = Presenter(
      output: output, consumer: session.intake.consumer(name), clock: clock,
      present: present ?? { [output] message in
        output.show(message)
        return .shown
      })
    presenters.append(presenter)
    return presenter
  }

  /// What earlier commands left and this one took up has its time to reach the server, and the user is told what became of it.
  /// For this command it changes nothing: what does not arrive is left to the next one.
  func settleLeftovers() async {
    let delivery = currentSession?.delivery
    guard let (arrived, failed, open) = await delivery?.settleAdopted(within: CommandLimits.lastMessages) else {
      return
    }
    if arrived > 0 { output.notice("the server has \(Self.leftovers(arrived))") }
    if failed > 0 { output.notice("failed: \(Self.leftovers(failed))") }
    if open > 0 { output.notice("not confirmed, and for the next command to see to: \(Self.leftovers(open))") }
  }

  private static func leftovers(_ count: Int) -> String {
    count == 1 ? "a message that an earlier command left" : "\(count) messages that earlier commands left"
  }

  /// Tries to connect now.
  /// - Throws: as ``session(timeout:whenReady:)``.
  package func reconnectNow() async throws {
    guard let live else {
      _ = try await session(timeout: settings.timeout)
      return
    }
    live.reconnectNow()
  }

  /// Ctrl-Z: the server is told that nobody looks (XEP-0352). Nothing without a connection.
  package func suspends() { live?.suspends() }
  /// The process runs again after ``suspends()``: the connection is probed, and the server told that somebody looks.
  package func resumes() { live?.resumes() }

  func makeLive(_ configuration: SessionConfiguration, as role: SessionRole) -> LiveSession {
    var configuration = configuration
    configuration.role = role
    let live = LiveSession(parts.makeSession(configuration), clock: clock)
    self.live = live
    return live
  }

  /// Whose session it is to be, the password included, which may have to be asked for.
  func configuration() async throws -> SessionConfiguration {
    let account = try settings.account()
    guard let password else { throw CommandFailure(.configuration, "no-account", "there is no account") }
    return SessionConfiguration(
      account: account, password: try await password.password(), plan: settings.plan(for: account),
      timeout: settings.timeout, whenRemoved: settings.whenRemoved)
  }
}
