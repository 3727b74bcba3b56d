// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession
import JackdawTransport

/// Accounts that come and go at their servers.
extension Application {
  /// The account's password, from where the settings say or as it is typed.
  /// - Throws: ``CommandFailure``
  func knownPassword() async throws -> String { try await account().password.text() }

  /// Makes an account, over a connection of its own.
  /// - Parameter fields: what the server may ask for besides.
  /// - Throws: ``ConnectionError``; `CancellationError`; ``RegistrationAsked`` with `canAsk`.
  func register(_ account: JID, password: String, fields: [String: String], canAsk: Bool = false) async throws {
    let configuration = SessionConfiguration(
      account: account, password: password, plan: settings.plan(for: account), timeout: settings.timeout)
    try await parts.makeSession(configuration).register(fields: fields, canAsk: canAsk)
  }

  /// Logs in once and leaves, to see whether an account works that is not configured yet. Where that fails nothing of it stays on
  /// this machine.
  /// - Throws: ``ConnectionError``; ``CommandFailure`` with code 69 where keys are to be kept, and the server has none that could be;
  ///   `CancellationError`.
  func tryLogin(to account: Configuration.Account, password: String) async throws {
    let trial = settings.using(account)
    var configuration = SessionConfiguration(
      account: account.jid, password: password, keeps: trial.keptSecrets, bindsChannel: trial.bindsChannel,
      plan: trial.plan(for: account.jid), timeout: trial.timeout, role: .probe)
    configuration.proof = .password
    try await leavingNoData(of: account.jid) {
      _ = try await tryLogin(configuration)
      guard trial.store == .keys else { return }
      // Whether the salt is still the same the next time, as it has to be.
      configuration.proof = .keys
      guard try await tryLogin(configuration)?.reliedOnKeptKeys != true else { return }
      _ = try parts.openLogins(account.jid.bare).forgetSecrets()
      throw CommandFailure(
        .unavailable, "not-supported",
        "\(account.jid.domain) has no keys to keep: it makes a new salt for each log-in, or offers no SCRAM. Use '--store password' or '--store none'."
      )
    }
    if trial.store == Configuration.SecretStore.none {
      _ = try parts.openLogins(account.jid.bare).forgetSecrets()
    }
  }

  private func tryLogin(_ configuration: SessionConfiguration) async throws -> LoginOutcome? {
    let live = LiveSession(parts.makeSession(configuration), clock: clock)
    live.start()
    do {
      let session = try await live.online(within: configuration.timeout + CommandLimits.lastWord)
      let outcome = session.login
      await live.leave()
      return outcome
    } catch {
      await live.leave()
      throw error
    }
  }

  /// Does what may make an account's database; where it fails, one that was not there before is deleted.
  /// - Throws: what `body` throws.
  func leavingNoData<Result>(of account: JID, _ body: @Client () async throws -> Result) async throws -> Result {
    let isNew = storedData.path(account.bare) == nil
    do {
      return try await body()
    } catch {
      // The session that was tried is let go of first, and its lock with it. What cannot be deleted does no harm.
      for _ in 0..<CommandLimits.turnsToLetGo where storedData.isInUse(account.bare) {
        await withCheckedContinuation { continuation in clock.nextTurn { continuation.resume() } }
      }
      if isNew, !storedData.isInUse(account.bare) { try? storedData.delete(account.bare) }
      throw error
    }
  }
}
