// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession

/// The messages of lines that did not wait for the server to have them.
@Client final class UnconfirmedMessages {
  /// By account. Bounded by the configuration.
  private var all: [ObjectIdentifier: (confirmations: Confirmations, account: JID)] = [:]

  /// A message was sent.
  func add(_ id: String, in session: Session, of account: Account) { follow(session, of: account).add(id) }

  private func follow(_ session: Session, of account: Account) -> Confirmations {
    if let known = all[ObjectIdentifier(account)] { return known.confirmations }
    let made = Confirmations(session)
    all[ObjectIdentifier(account)] = (made, account.jid)
    return made
  }

  /// What failed until now is told by somebody else.
  func forgetFailures() {
    for (confirmations, _) in all.values { confirmations.forgetFailure() }
  }

  /// Waits until the server has every one.
  /// - Parameters:
  ///   - patience: as ``Confirmations/finish(within:withOthers:)``.
  ///   - others: what else was sent meanwhile is waited for, too, and nothing of an account that has no connection: that is for later.
  /// - Throws: ``CommandFailure`` when it does not, or one was refused.
  func confirm(within patience: Duration, withOthers others: Bool) async throws(CommandFailure) {
    var failure: CommandFailure?
    for (confirmations, account) in all.values where !others || confirmations.hasStream {
      do {
        try await confirmations.finish(within: patience, withOthers: others)
      } catch {
        guard failure == nil else { continue }
        failure = CommandFailure(error)
        failure?.account = account
      }
    }
    if let failure { throw failure }
  }
}
