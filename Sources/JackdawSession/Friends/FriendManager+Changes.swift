// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawProtocol

extension FriendManager {
  /// What adding somebody came to.
  package enum Added: String, Encodable, Sendable, CaseIterable {
    /// We see each other already; name and groups may have changed.
    case already
    /// They had asked, or had approved us: both are friends now.
    case friends
    /// They had asked and are accepted; whether we may see them is theirs to say.
    case accepted
    /// They let us see them at once, as they had approved us; they do not see us.
    case granted
    /// They are asked; the answer may take as long as they like.
    case requested
  }

  /// Puts `jid` on the list and asks for a subscription, in one; accepts the request that they made, should there be one.
  /// Returns when the server has confirmed each part: the IQ's result and the roster push (RFC 6121 3.1.2).
  /// - Parameters:
  ///   - name: nil leaves the name that is there.
  ///   - groups: nil leaves the groups that are there.
  ///   - message: what they are told with the request (RFC 6121 3.1.1). One that is open is made again: it may be lost, as servers drop
  ///     those of whom somebody blocks.
  /// - Throws: ``FriendError``, ``RequestError``, ``ConnectionError``; `CancellationError`. Who is blocked is asked nothing.
  package func add(
    _ jid: JID, name: String? = nil, groups: [String]? = nil, saying message: String? = nil
  ) async throws -> Added {
    let jid = try target(jid)
    take(jid)
    defer { release(jid) }
    try await load()
    if state(of: jid).ours != .subscribed || hasAsked(jid) { try await refuseBlocked(jid) }
    try await refuseRoom(jid)
    let known = item(for: jid)
    if known == nil || name != nil || groups != nil {
      try await set(jid) { (name ?? $0?.name, groups ?? $0?.groups ?? []) }
    }
    let before = state(of: jid)
    let isAcceptance = before.theirs == .pending ? try await letIn(jid) : false
    switch state(of: jid).ours {
    case .none: try await ask(jid, saying: message)
    case .pending:
      try await ask(jid, saying: message, again: true)
      if state(of: jid).theirs == .none { invitations.invite(jid) }
    // They have but to ask: that needs no answer then.
    case .subscribed: if state(of: jid).theirs == .none { invitations.invite(jid) }
    }
    let after = state(of: jid)
    if before.ours == .subscribed, !isAcceptance { return .already }
    if after.ours == .subscribed { return after.theirs == .subscribed ? .friends : .granted }
    return isAcceptance ? .accepted : .requested
  }

  /// Takes the entry away and both subscriptions with it, on both sides (RFC 6121 2.5.2).
  /// - Throws: ``FriendError`` `notOnList` when there is neither an entry nor a request.
  package func remove(_ entry: JID) async throws {
    let jid = try target(entry)
    take(jid)
    defer { release(jid) }
    try await load()
    if !entry.isBare, roster[entry] != nil { return try await takeOff(entry) }
    let hasAsked = hasAsked(jid)
    guard hasAsked || item(for: jid) != nil else { throw FriendError(.notOnList, jid) }
    if hasAsked { try refuse(jid) }
    guard item(for: jid) != nil else { return try await settle() }
    // Not every server takes a request back with the entry (ejabberd does not): it would stay open at the other side. One that
    // shows no effect of that may do so by the removal (RFC 6121 2.5.2).
    if state(of: jid).ours == .pending, try await !endsSeeing(jid) {
      context.remark("The server did not confirm \(Self.endOfSeeing(jid)) in time: the entry is removed all the same.")
    }
    try await takeOff(jid)
  }

  /// Lets somebody who has asked see us, and, unless `oneWay`, asks back.
  /// - Parameter patience: how long their answer to our own request is waited for, which comes at once where they are online; nil:
  ///   not at all.
  /// - Throws: ``FriendError`` `hasNotAsked`, `hasWithdrawn` or `isBlocked`.
  /// - Returns: whether we are asking back, or both are friends already.
  package func accept(_ jid: JID, oneWay: Bool, answerWithin patience: Duration? = nil) async throws -> Added {
    let jid = try target(jid)
    take(jid)
    defer { release(jid) }
    try await load()
    if state(of: jid).theirs != .subscribed { try await refuseBlocked(jid) }
    guard hasAsked(jid) else {
      if state(of: jid).theirs == .subscribed { return .already }
      throw hasNotAsked(jid)
    }
    guard try await letIn(jid) else { throw FriendError(.hasWithdrawn, jid) }
    // The entry is the server's making (RFC 6121 3.1.5). From here on it is as adding somebody who sees us.
    if !oneWay { _ = try await add(jid) }
    if !oneWay, let patience { try await hearAnswer(of: jid, within: patience) }
    return state(of: jid).ours == .subscribed ? .friends : .accepted
  }

  /// Refuses somebody who has asked, and takes away an entry that is left over from it.
  /// - Throws: ``FriendError`` `hasNotAsked`.
  package func reject(_ jid: JID) async throws {
    let jid = try target(jid)
    take(jid)
    defer { release(jid) }
    try await load()
    guard hasAsked(jid) else { throw hasNotAsked(jid) }
    try refuse(jid)
    if let item = item(for: jid), item == RosterItem(jid: jid) { return try await takeOff(jid) }
    try await settle()
  }

  /// Withdraws a request of ours that has not been answered. Where the server does not confirm that, the entry is removed, which ends
  /// the request with it (RFC 6121 2.5.2), and made again as it was; not where that would take our presence from them, too.
  /// - Throws: ``FriendError`` `notAsked`, `unconfirmed`.
  package func cancel(_ jid: JID) async throws {
    let jid = try target(jid)
    take(jid)
    defer { release(jid) }
    try await load()
    guard state(of: jid).ours == .pending else { throw FriendError(.notAsked, jid) }
    if try await endsSeeing(jid) { return }
    guard state(of: jid).theirs != .subscribed else { throw FriendError(.unconfirmed(Self.endOfSeeing(jid)), jid) }
    context.remark("The server did not confirm \(Self.endOfSeeing(jid)) in time: the entry is removed and made again.")
    let item = item(for: jid)
    try await takeOff(jid)
    if let item { try await set(jid) { _ in (item.name, item.groups) } }
  }

  /// Stops seeing their presence; the entry stays.
  /// - Throws: ``FriendError`` `notOnList`.
  package func unsubscribe(_ jid: JID) async throws {
    let item = try await existing(jid.bare)
    take(item.jid)
    defer { release(item.jid) }
    if state(of: item.jid).ours != .none { try await endSeeing(item.jid) }
  }

  /// Stops showing them our presence; the entry stays.
  /// - Throws: ``FriendError`` `notOnList`.
  package func revoke(_ jid: JID) async throws {
    let jid = try target(jid)
    take(jid)
    defer { release(jid) }
    try await load()
    let state = self.state(of: jid)
    guard item(for: jid) != nil || state.theirs != .none else { throw FriendError(.notOnList, jid) }
    // Whoever was asked before that is to ask in their turn.
    invitations.uninvite(jid)
    switch state.theirs {
    case .pending:
      try refuse(jid)
      try await settle()
    case .none where context.identity.offersPreapproval && !state.isPreapproved:
      try await endApproval(of: jid)
    case .none, .subscribed:
      try await step(.unsubscribed, jid, "the end of \(jid)'s subscription")
    }
  }

  /// Grants a request that is yet to come (RFC 6121 3.4), where the server can.
  /// - Throws: ``FriendError`` `cannotApprove` or `isBlocked`.
  package func approve(beforehand jid: JID) async throws {
    let jid = try target(jid)
    guard context.identity.offersPreapproval else { throw FriendError(.cannotApprove, jid) }
    take(jid)
    defer { release(jid) }
    try await load()
    try await refuseBlocked(jid)
    try await refuseRoom(jid)
    let state = self.state(of: jid)
    if state.theirs == .subscribed || state.isPreapproved { return }
    if state.theirs == .pending, try await letIn(jid) { return }
    // Not every server shows the approval in the roster (Prosody 0.12 keeps it to itself). The answer to what is asked
    // behind it says that it was dealt with (RFC 6120 10.1).
    try send(.subscribed, to: jid)
    try await settle()
  }

  /// Gives the entry a name; empty takes it away. Groups stay.
  /// - Throws: ``FriendError`` `notOnList`.
  package func rename(_ jid: JID, to name: String) async throws {
    let item = try await existing(jid)
    take(item.jid)
    defer { release(item.jid) }
    try await set(item.jid) { (name, try onList($0, item.jid).groups) }
  }

  /// Puts the entry in exactly these groups. The name stays.
  /// - Throws: ``FriendError`` `notOnList`.
  package func group(_ jid: JID, in groups: [String]) async throws {
    let item = try await existing(jid)
    take(item.jid)
    defer { release(item.jid) }
    try await set(item.jid) { (try onList($0, item.jid).name, groups) }
  }
}
