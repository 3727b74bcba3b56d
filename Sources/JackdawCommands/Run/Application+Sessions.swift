// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
package import JackdawSession

/// The sessions of a run's accounts: what they are made for, and who shows what comes on them.
extension Application {
  /// Whether what arrives is shown by the run itself: at the prompt, and while a script runs.
  package var showsArrivals: Bool { arrivals.count > 0 || (runsScript && !settings.isQuiet) }

  /// The logged-in session of an account; made now if there is none, else waited for.
  /// - Parameter whenReady: called when everything that the user is asked for is there, and the network is next.
  /// - Throws: ``CommandFailure``, ``ConnectionError``; `CancellationError`.
  package func session(
    of account: Account, timeout: Duration, whenReady: @Client () -> Void = {}
  ) async throws -> Session {
    try await account.online(
      as: runsScript ? .script(Presence()) : .oneShot, within: timeout, whenReady: whenReady,
      whenMade: { follow($0) })
  }

  /// A session that comes back when the connection is lost, and that shows us as online.
  /// - Parameter follow: called with a session before anything arrives on it, or at once with the one that is there.
  /// - Throws: as ``session(of:timeout:whenReady:)``.
  package func reconnectingSession(
    of account: Account, timeout: Duration, follow: @escaping @Client (Session) -> Void
  ) async throws -> Session {
    if let session = account.session { follow(session) }
    return try await account.online(
      as: .script(Presence()), within: timeout,
      whenMade: { session in
        self.follow(session)
        follow(session)
      })
  }

  /// A session that takes messages, though there may be no connection: at the prompt, and in a script that has had one.
  /// - Throws: as ``session(of:timeout:whenReady:)``.
  package func chatSession(of account: Account, timeout: Duration) async throws -> Session {
    if let session = account.sessionTakingMessages { return session }
    return try await session(of: account, timeout: timeout)
  }

  /// Tries to connect now.
  /// - Throws: as ``session(of:timeout:whenReady:)``.
  package func reconnectNow(_ account: Account) async throws {
    guard let live = account.live else {
      _ = try await session(of: account, timeout: settings.timeout)
      return
    }
    live.reconnectNow()
  }

  // MARK: What arrives

  /// A script shows what comes on its sessions.
  func follow(_ session: Session) {
    guard runsScript, !settings.isQuiet else { return }
    let account = session.identity.account
    let presenter = presenter(of: session, on: output)
    session.events.onAny { [output] event in
      if let message = event.asMessage { presenter.take(message) } else { output.show(event, of: account) }
    }.store(in: arrivals)
    tellConnection(of: session) { output.show($0, of: account) }
    presenter.start()
  }

  /// Whoever follows a session of another run hears that it is online: it was before they came.
  func tellConnection(of session: Session, _ tell: @Client (any ClientEvent) -> Void) {
    if isGuest, session.isOnline { tell(ConnectionChanged(state: .online)) }
  }

  /// Whoever presents the messages of a session.
  /// - Parameters:
  ///   - output: where.
  ///   - name: the screen, or a program of its own.
  ///   - present: shows a message; nil: as an event.
  func presenter(
    of session: Session, on output: any Output, as name: LogConsumer.Name = .screen,
    present: (@Client (MessageArrived) -> Presenter.Verdict)? = nil
  ) -> Presenter {
    let account = session.identity.account
    let present =
      present ?? { [output] message in
        output.show(message, of: account)
        return .shown
      }
    var mayLackList = true
    let presenter = Presenter(output: output, consumer: session.intake.consumer(name), clock: clock) {
      [weak session] message in
      // What waits in the log is shown before the server has sent the contact list: whoever is on it is no stranger.
      if mayLackList {
        _ = session?.features[FriendManager.self].recall()
        mayLackList = false
      }
      return present(message)
    }
    if let onPresenting { presenter.onWritten = { place, reader in onPresenting(account, place, reader) } }
    presenters.append(presenter)
    return presenter
  }

  /// A command that presented messages has ended, and presents no more: what it has shown is noted once it is out, and then nobody keeps
  /// its presenter.
  func ended(_ presenter: Presenter, _ marks: ReadMarks?, on output: any Output) {
    presenter.end()
    output.whenOut { [weak self] in
      // Behind what is done as its last line is out.
      self?.clock.nextTurn { [weak self] in
        presenter.settle()
        marks?.settle()
        self?.presenters.removeAll { $0 === presenter }
        self?.readMarks.removeAll { $0 === marks }
      }
    }
  }

  /// Whoever notes what was read of an account's messages, at the latest before the session ends: who wrote them is told by then.
  func readMarks(of account: Account) -> ReadMarks {
    let marks = ReadMarks(account: account, clock: clock)
    readMarks.append(marks)
    return marks
  }

  /// What this command or script inherited from earlier ones has its time to reach the server, and the user is told what became of it.
  /// For this run it changes nothing: what does not arrive is left to the next one.
  func settleLeftovers() async {
    for account in accounts {
      guard let session = account.session, runsScript || session.configuration.role.isOneShot,
        !session.configuration.role.isInteractive,
        let (arrived, known, failed, open) = await session.delivery.settleAdopted(within: CommandLimits.lastMessages)
      else { continue }
      let place = named(account)
      if arrived > 0 { output.notice("\(place)Sent \(Self.leftovers(arrived)).") }
      if known > 0 { output.notice("\(place)\(Self.earlier(known)) had arrived.") }
      if failed > 0 { output.notice("\(place)Failed: \(Self.leftovers(failed)).") }
      if open > 0 { output.notice("\(place)Not confirmed yet: \(Self.leftovers(open)). The next one retries.") }
    }
  }

  /// What a remark about an account begins with: its name, where there are several.
  func named(_ account: Account) -> String { settings.namesAccounts ? "\(account.shownName): " : "" }

  private static func earlier(_ count: Int) -> String {
    count == 1 ? "1 message of an earlier run" : "\(count) messages of earlier runs"
  }

  private static func leftovers(_ count: Int) -> String {
    count == 1 ? "1 message that an earlier run left unsent" : "\(count) messages that earlier runs left unsent"
  }
}
