// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
package import JackdawProtocol
package import JackdawSession

/// Without a connection, at the prompt: whoever types is told at once, and what the store knows is shown with its age.
extension CommandContext {
  /// The logged-in session of the prompt. A try to connect that is under way is waited for, and one that is due within moments; not one
  /// that is further away.
  /// - Throws: ``CommandFailure`` of the condition `offline` where there is no connection; as ``session()``.
  func promptSession(of account: Account) async throws -> Session {
    guard let session = try await account.onlineSoon(within: timeout) else {
      throw Self.offline(retryIn: account.retryIn)
    }
    return session
  }

  private static let offlineCondition = "offline"

  private static func offline(retryIn: Int?) -> CommandFailure {
    let next = retryIn.map { "Next try in \($0) s; /reconnect tries now." } ?? "/reconnect tries again."
    return CommandFailure(.tryAgain, offlineCondition, "You are offline, and this needs a connection. \(next)")
  }

  /// A session to answer from, for commands that can do it without a connection, at the prompt.
  package enum Source {
    case online(Session)
    /// What is stored is shown, and the user has been told how old it is.
    case stored(Session)

    /// The session, online or not.
    package var session: Session {
      switch self {
      case .online(let session), .stored(let session): session
      }
    }
    /// Whether the server can be asked.
    package var isOnline: Bool { if case .online = self { true } else { false } }
  }

  /// The session as `make` gives it; without a connection, at the prompt, as the store has it, where the contact list is known.
  /// - Throws: as ``session()``.
  package func source(_ make: @Client () async throws -> Session) async throws -> Source {
    try await source(make) { session in
      let friends = session.features[FriendManager.self]
      return friends.recall() ? .some(friends.timeOfList) : nil
    }
  }

  /// The same for what else is kept.
  /// - Parameter recall: makes it known to the session, and says of when it is, nil where nobody knows; nil where nothing was kept.
  package func source(
    _ make: @Client () async throws -> Session, or recall: @Client (Session) -> Timestamp??
  ) async throws -> Source {
    do {
      return .online(try await make())
    } catch let failure as CommandFailure where failure.condition == Self.offlineCondition {
      let account = try account()
      guard let session = account.session, let time = recall(session) else { throw failure }
      // In this run the list was current for as long as there was a connection.
      let last = account.lastOnline ?? time
      let age = last.map { "as of \(LocalTime.system.recent($0, now: application.now()))" }
      let known = age ?? "what was known when you were last online"
      output.notice("\(application.named(account))You are offline. This is \(known).")
      return .stored(session)
    }
  }
}
