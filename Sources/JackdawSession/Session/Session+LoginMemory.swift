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
        try loadInstallation()
      } catch {
        memory.isReadable = false
        environment.remark("What is known of earlier log-ins cannot be read: \(error)")
      }
    }
    lookForEarlierRun()
    var memory = memory
    // A token says nothing of the password, nor which of two is right.
    if configuration.provesPassword || configuration.otherPassword != nil { memory.token = nil }
    return LoginRequest(
      jid: (try? configuration.account.with(resource: resource ?? configuration.account.resource))
        ?? configuration.account,
      password: configuration.password, clientNonce: environment.freshID(),
      bindID: environment.freshID(), memory: memory, bindsChannel: configuration.bindsChannel,
      resumption: identity.bound.flatMap(wire.resumption), extras: extras)
  }

  /// Of a store that keeps nothing the server is to know no installation.
  private func loadInstallation() throws {
    guard let logins = stores.logins, memory.agent == nil else { return }
    let known = try logins.loadInstallation()
    memory.isExtensible = known != nil
    memory.agent = (known ?? .fresh()).agent
    memory.token = known?.token
    if let expiry = memory.token?.expiry, expiry <= environment.calendar() { memory.token = nil }
  }

  /// What is asked for with the log-in, of a server that can do it in one.
  private var extras: LoginExtras {
    let isOneShot = configuration.role.isOneShot
    // Two programs of one installation must not get one resource.
    let tag = resource ?? "\(Software.own.name.lowercased())-\(environment.freshID().prefix(6))"
    var extras = LoginExtras(
      software: Software.own.name, tag: configuration.account.resource == nil ? tag : nil,
      management: history.endedInFlood ? nil : isOneShot ? .counted : .resumable,
      switchesOn: isOneShot ? [] : features.switchedOnAtBind)
    extras.revokesToken = configuration.revokesToken
    return extras
  }

  /// The server refused the token: it is not tried again, and the log-in is done with the password.
  func forgetToken() {
    memory.token = nil
    keepInstallation(memory)
  }

  private func keepInstallation(_ memory: LoginMemory) {
    guard let agent = memory.agent else { return }
    do {
      try stores.logins?.keepInstallation(Installation(agent: agent, token: memory.token))
    } catch {
      environment.remark("The token for the next log-in cannot be kept: \(error)")
    }
  }

  func remember(_ new: LoginMemory) {
    defer { memory = new }
    if new.isExtensible, !memory.isExtensible || new.token != memory.token { keepInstallation(new) }
    guard let mechanism = new.mechanism, mechanism != memory.mechanism else { return }
    do {
      try stores.logins?.keepMechanism(mechanism)
    } catch {
      environment.remark("The log-in's mechanism cannot be kept: \(error)")
    }
  }
}
