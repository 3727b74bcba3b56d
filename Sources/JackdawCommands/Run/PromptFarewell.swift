// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession

/// What is said of messages when the prompt is left: whether the server has them, what is left to the next run, what would be lost.
@Client struct PromptFarewell {
  private let accounts: [Account]
  private let runner: LineRunner
  private let unsent: @Client (String) -> Void

  /// - Parameter unsent: tells the user of what did not go out.
  init(accounts: [Account], runner: LineRunner, unsent: @escaping @Client (String) -> Void) {
    self.accounts = accounts
    self.runner = runner
    self.unsent = unsent
  }

  /// Has the arrival of what was sent confirmed, as far as there is a connection. The user is told of what is left to the next run, and
  /// what would be lost is shown.
  func confirm(within limit: TimeLimit) async {
    let sessions = accounts.compactMap(\.session)
    limit.begin()
    var onlineIsTold = false
    if sessions.contains(where: \.isOnline) {
      do {
        try await limit.run { [runner] in
          try await runner.confirm()
          // Of what an earlier run left, too.
          for session in sessions { try await session.delivery.confirmWritten() }
        }
      } catch {
        onlineIsTold = true
        let failure = CommandFailure(error)
        // The time limit cancelled it: nobody interrupted it.
        let isLate = limit.hasPassed && failure.code == .interrupted
        unsent("The server did not confirm your last messages\(isLate ? " in time." : ": " + failure.text)")
      }
    }
    var (count, first) = (0, (id: String, account: Account)?.none)
    for account in accounts {
      guard let session = account.session else { continue }
      let unstored = session.delivery.unstored
      for message in unstored { unsent("Not sent to \(message.to): \(message.body)") }
      // With a connection, too: what an earlier run left may not have been written again yet.
      if session.isOnline, onlineIsTold { continue }
      count += session.delivery.openCount - unstored.count
      if first == nil, session.isOnline { first = session.delivery.firstKept.map { ($0, account) } }
    }
    if count > 0 { unsent(leftUnsent(count, despiteConnection: first)) }
  }

  /// - Parameter first: the first of them that did not go out though there was a connection: a room may never let the user in, and then the
  ///   user has to withdraw it.
  private func leftUnsent(_ count: Int, despiteConnection first: (id: String, account: Account)?) -> String {
    let left =
      count == 1
      ? "1 message is still unsent. It goes out when you next start jackdaw"
      : "\(count) messages are still unsent. They go out when you next start jackdaw"
    guard let first else { return left + "." }
    let outbox = "jackdaw \(accounts.count > 1 ? "--account \(first.account.shownName) " : "")outbox"
    return left
      + (count == 1
        ? ", unless '\(outbox) cancel \(first.id)' withdraws it."
        : ": '\(outbox)' lists them, and '\(outbox) cancel \(first.id)' withdraws the first.")
  }
}
