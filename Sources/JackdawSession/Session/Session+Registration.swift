// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawTransport

extension Session {
  /// Makes the account of this session at its server, over a connection of its own that is closed afterwards (XEP-0077
  /// 3.1). It does not log in.
  /// - Parameters:
  ///   - fields: what the server may ask for besides the name and the password, by the names of its form's fields.
  ///   - canAsk: somebody can be asked for what `fields` do not answer.
  /// - Throws: ``ConnectionError``: `.refused` with a condition where the server makes no accounts, does not make this one,
  ///   or wants what `fields` do not have; with `canAsk` ``RegistrationAsked`` in that case, and where it has questions that need no
  ///   answer; `CancellationError`. The account is made or not when the connection is lost while it is waited for.
  package func register(fields: [String: String], canAsk: Bool = false) async throws {
    let password = try await password()
    try await followingRedirections {
      StreamMachine(
        registering: RegistrationRequest(
          account: configuration.account, password: password, fields: fields, canAsk: canAsk,
          id: environment.freshID()))
    }
  }

  /// Finds out whether the account's server is there and proves who it is, over a connection of its own that is closed afterwards.
  /// Nothing is said of the account.
  /// - Throws: ``ConnectionError``; `CancellationError`.
  package func reach() async throws {
    try await followingRedirections { StreamMachine(reaching: configuration.account) }
  }

  private func followingRedirections(_ machine: () -> StreamMachine) async throws {
    var plan = configuration.plan
    for _ in 0...ConnectionKeeperLimits.longestRedirection {
      do {
        return try await open(machine(), plan)
      } catch let redirect as ConnectionRedirect {
        plan.server = redirect.target
      }
    }
    throw ConnectionError(.refused, "The server redirects in a circle.")
  }

  /// Opens a stream beside the session's own, for what comes of that alone.
  private func open(_ machine: StreamMachine, _ plan: ConnectionPlan) async throws {
    let connection = StreamConnection(
      machine, clock: environment.clock, log: environment.log, deriveKeys: environment.deriveKeys)
    try await connection.open(plan, by: environment.connector, timeout: configuration.timeout)
    connection.abandon()
  }

  /// A log-in that nothing but the password does: nothing of an earlier one stands for it.
  private func requestOfPassword() -> LoginRequest {
    var request = loginRequest()
    (request.memory.token, request.memory.keys, request.resumption) = (nil, nil, nil)
    return request
  }

  /// Removes the account from its server. The connection ends with it.
  ///
  /// A server that ends it without an answer (ejabberd does, and as XEP-0077 3.2 has it others may) is asked once more, by
  /// a log-in that must not succeed.
  /// - Throws: as ``InBandRegistration/removeAccount(password:)``; ``ConnectionError`` when it cannot be told what came of
  ///   it.
  package func removeAccount() async throws {
    // ejabberd ends it with `conflict`.
    history.endIsExpected(true)
    do {
      try await features[InBandRegistration.self].removeAccount(password: try await password())
    } catch let error as RequestError where error.code == .connectionGone {
      do {
        try await open(StreamMachine(requestOfPassword()), configuration.plan)
      } catch let refusal as ConnectionError where refusal.code == .authentication && configuration.otherPassword == nil
      {
        return
      }
      throw error
    } catch {
      history.endIsExpected(false)
      throw error
    }
  }
}
