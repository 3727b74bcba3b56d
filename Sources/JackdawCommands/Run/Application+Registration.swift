// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession

/// Accounts that come and go at their servers.
extension Application {
  /// The account's password, from where the settings say or as it is typed.
  /// - Throws: ``CommandFailure``
  func knownPassword() async throws -> String { try await account().configuration().password }

  /// Makes an account, over a connection of its own.
  /// - Throws: ``ConnectionError``; `CancellationError`.
  func register(_ account: JID, password: String, fields: [String: String]) async throws {
    let configuration = SessionConfiguration(
      account: account, password: password, plan: settings.plan(for: account), timeout: settings.timeout)
    try await parts.makeSession(configuration).register(fields: fields)
  }
}
