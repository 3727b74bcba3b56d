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
        try loadKeys()
      } catch {
        memory.isReadable = false
        environment.remark("What is known of earlier log-ins cannot be read: \(error)")
      }
    }
    lookForEarlierRun()
    var memory = memory
    // A token says nothing of the password, nor which of two is right.
    if configuration.proof != .none || configuration.otherPassword != nil { memory.token = nil }
    return LoginRequest(
      jid: (try? configuration.account.with(resource: resource ?? configuration.account.resource))
        ?? configuration.account,
      password: configuration.password, clientNonce: environment.freshID(),
      bindID: environment.freshID(), memory: memory, bindsChannel: configuration.bindsChannel,
      resumption: askedResumption(), extras: extras)
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

  /// Those that stand for the password which is to be used.
  private func loadKeys() throws {
    guard configuration.proof != .password, configuration.otherPassword == nil, memory.keys == nil else { return }
    switch configuration.keeps {
    case .nothing, .token: return
    case .keys(let origin):
      guard let kept = try stores.logins?.loadKeys(), kept.origin == origin else { return }
      memory.keys = kept.keys
    case .keysAlone: memory.keys = try stores.logins?.loadKeys()?.keys
    }
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
    extras.activity = activity
    extras.revokesToken = configuration.revokesToken
    // A server with a better mechanism has no use for the keys that stand alone, which are those of the mechanism that was used.
    extras.asksForUpgrade = !history.hasFailedUpgrade && configuration.keeps != .keysAlone
    return extras
  }

  /// The server refused the token: it is not tried again, by later programs neither.
  /// - Returns: whether another program has left one since, which is used now.
  func replaceToken() -> Bool {
    let failed = memory.token
    memory.token = nil
    do {
      if let failed { try stores.logins?.forgetToken(failed) }
      guard let known = try stores.logins?.loadInstallation(), let token = known.token, token.secret != failed?.secret,
        token.expiry.map({ $0 > environment.calendar() }) ?? true
      else { return false }
      (memory.agent, memory.token) = (known.agent, token)
      return true
    } catch {
      environment.remark("The token for the next log-in cannot be read: \(error)")
      return false
    }
  }

  /// What was kept of an earlier run's keys does not do: it is not tried again, by later programs neither.
  /// - Returns: whether another program has left others since, which are used now.
  func replaceKeys() -> Bool {
    let failed = memory.keys
    memory.keys = nil
    do {
      if let failed { try stores.logins?.forgetKeys(failed) }
      try loadKeys()
    } catch {
      environment.remark("The keys for the next log-in cannot be read: \(error)")
    }
    if memory.keys == failed { memory.keys = nil }
    return memory.keys != nil
  }

  /// Nothing that stands for the password is left: the log-in is done with it.
  /// - Throws: what the asking for it throws.
  func resortToPassword() async throws {
    if configuration.password == nil {
      environment.notice(
        "The stored SCRAM keys of \(configuration.account.bare) no longer work; the password is needed.")
    }
    _ = try await password()
  }

  /// The account's password, which may have to be asked for.
  /// - Throws: ``ConnectionError`` where there is no way to one; `CancellationError`.
  func password() async throws -> String {
    if let password = configuration.password { return password }
    guard let ask = configuration.askPassword else {
      throw ConnectionError(.authentication, "There is no password for \(configuration.account.bare).")
    }
    onAsking?(true)
    defer { onAsking?(false) }
    let password = try await ask()
    configuration.password = password
    return password
  }

  private func keep(_ keys: KeptKeys) {
    do {
      try stores.logins?.keepKeys(keys)
    } catch {
      environment.remark("The keys for the next log-in cannot be kept: \(error)")
    }
  }

  /// New keys, of the password that was right.
  private func keepKeys(of new: LoginMemory) {
    guard let keys = new.keys, !keys.areKept, keys != memory.keys else { return }
    switch configuration.keeps {
    case .nothing, .token: break
    case .keys(let origin): keep(KeptKeys(keys: keys, origin: origin))
    case .keysAlone: keep(KeptKeys(keys: keys, origin: nil))
    }
  }

  private func keepInstallation(_ memory: LoginMemory) {
    guard let agent = memory.agent else { return }
    let token = configuration.keeps == .nothing ? nil : memory.token
    do {
      try stores.logins?.keepInstallation(Installation(agent: agent, token: token))
    } catch {
      environment.remark("The token for the next log-in cannot be kept: \(error)")
    }
  }

  func remember(_ new: LoginMemory) {
    defer { memory = new }
    keepKeys(of: new)
    keepTicket()
    if new.isExtensible, !memory.isExtensible || new.token != memory.token { keepInstallation(new) }
    guard let mechanism = new.mechanism, mechanism != memory.mechanism else { return }
    do {
      try stores.logins?.keepMechanism(mechanism)
    } catch {
      environment.remark("The log-in's mechanism cannot be kept: \(error)")
    }
  }
}
