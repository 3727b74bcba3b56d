// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawProtocol

/// What is kept of one log-in for the next.
extension Session {
  /// Whether the account has ever been online, as far as it is known here.
  var hasEverLoggedIn: Bool { memory.mechanism != nil }

  func loginRequest() -> LoginRequest {
    if memory.mechanism == nil {
      do {
        memory.mechanism = try stores.logins?.loadMechanism()
        memory.isReadable = true
      } catch {
        memory.isReadable = false
        environment.remark("What is known of earlier log-ins cannot be read: \(error)")
      }
    }
    lookForEarlierRun()
    return LoginRequest(
      jid: (try? configuration.account.with(resource: resource ?? configuration.account.resource))
        ?? configuration.account,
      password: configuration.password, clientNonce: environment.freshID(),
      bindID: environment.freshID(), memory: memory, bindsChannel: configuration.bindsChannel,
      resumption: identity.bound.flatMap(wire.resumption))
  }

  func remember(_ new: LoginMemory) {
    defer { memory = new }
    guard let mechanism = new.mechanism, mechanism != memory.mechanism else { return }
    do {
      try stores.logins?.keepMechanism(mechanism)
    } catch {
      environment.remark("The log-in's mechanism cannot be kept: \(error)")
    }
  }
}
