// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
package import JackdawProtocol
import JackdawXML

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
  /// - Throws: ``FriendError``, ``RequestError``, ``ConnectionError``; `CancellationError`.
  package func add(_ jid: JID, name: String? = nil, groups: [String]? = nil) async throws -> Added {
    let jid = try target(jid)
    take(jid)
    defer { release(jid) }
    try await load()
    try await refuseRoom(jid)
    let known = item(for: jid)
    if known == nil || name != nil || groups != nil {
      try await set(jid, name: name ?? known?.name, groups: groups ?? known?.groups ?? [])
    }
    let before = state(of: jid)
    let isAcceptance = before.theirs == .pending ? try await letIn(jid) : false
    if state(of: jid).ours == .none { try await ask(jid) }
    let after = state(of: jid)
    if before.ours == .subscribed, !isAcceptance { return .already }
    if after.ours == .subscribed { return after.theirs == .subscribed ? .friends : .granted }
    return isAcceptance ? .accepted : .requested
  }

  /// Takes the entry away and both subscriptions with it, on both sides (RFC 6121 2.5.2).
  /// - Throws: ``FriendError`` `notOnList` when there is neither an entry nor a request.
  package func remove(_ jid: JID) async throws {
    let jid = try target(jid)
    take(jid)
    defer { release(jid) }
    try await load()
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
  /// - Throws: ``FriendError`` `hasNotAsked` or `hasWithdrawn`.
  /// - Returns: whether we are asking back, or both are friends already.
  package func accept(_ jid: JID, oneWay: Bool, answerWithin patience: Duration? = nil) async throws -> Added {
    let jid = try target(jid)
    take(jid)
    defer { release(jid) }
    try await load()
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
  /// the request with it (RFC 6121 2.5.2), and made again as it was.
  /// - Throws: ``FriendError`` `notAsked`.
  package func cancel(_ jid: JID) async throws {
    let jid = try target(jid)
    take(jid)
    defer { release(jid) }
    try await load()
    guard state(of: jid).ours == .pending else { throw FriendError(.notAsked, jid) }
    if try await endsSeeing(jid) { return }
    context.remark("The server did not confirm \(Self.endOfSeeing(jid)) in time: the entry is removed and made again.")
    let item = item(for: jid)
    try await takeOff(jid)
    if let item { try await set(jid, name: item.name, groups: item.groups) }
  }

  /// Stops seeing their presence; the entry stays.
  /// - Throws: ``FriendError`` `notOnList`.
  package func unsubscribe(_ jid: JID) async throws {
    let item = try await existing(jid)
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
    switch state.theirs {
    case .pending:
      try refuse(jid)
      try await settle()
    case .none, .subscribed:
      try await step(.unsubscribed, jid, "the end of \(jid)'s subscription")
    }
  }

  /// Grants a request that is yet to come (RFC 6121 3.4), where the server can.
  /// - Throws: ``FriendError`` `cannotApprove`.
  package func approve(beforehand jid: JID) async throws {
    let jid = try target(jid)
    guard context.identity.offersPreapproval else { throw FriendError(.cannotApprove, jid) }
    take(jid)
    defer { release(jid) }
    try await load()
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
    try await set(item.jid, name: name, groups: item.groups)
  }

  /// Puts the entry in exactly these groups. The name stays.
  /// - Throws: ``FriendError`` `notOnList`.
  package func group(_ jid: JID, in groups: [String]) async throws {
    let item = try await existing(jid)
    take(item.jid)
    defer { release(item.jid) }
    try await set(item.jid, name: item.name, groups: groups)
  }

  // MARK: Parts

  /// Waits until they have answered our request, or `patience` has passed.
  private func hearAnswer(of jid: JID, within patience: Duration) async throws {
    let what = "the answer of \(jid)"
    do {
      try await changing(jid, what, within: patience) {
        SubscriptionState($0, theyAsked: false).ours != .pending
      } by: {
      }
    } catch let error as FriendError where error == FriendError(.unconfirmed(what), jid) {
      // They answer when they like.
    }
  }

  private func existing(_ jid: JID) async throws -> RosterItem {
    let jid = try target(jid)
    try await load()
    guard let item = item(for: jid) else { throw FriendError(.notOnList, jid) }
    return item
  }

  /// Friends are bare JIDs, and never ourselves.
  func target(_ jid: JID) throws(FriendError) -> JID {
    let jid = jid.bare
    if jid == context.identity.account { throw FriendError(.isOurselves, jid) }
    return jid
  }

  private func hasNotAsked(_ jid: JID) -> FriendError {
    FriendError(requests.wasWithdrawn(jid) ? .hasWithdrawn : .hasNotAsked, jid)
  }

  /// Grants the open request of `jid`.
  /// - Returns: false when it is open no more. Not every server tells of a request that is withdrawn (ejabberd does not): a
  ///   server that knows of none does nothing and says nothing. So where the answer to what is asked behind the step comes and
  ///   no push before it, nor soon after, there was none (RFC 6120 10.1).
  private func letIn(_ jid: JID) async throws -> Bool {
    let what = "the acceptance of \(jid)"
    do {
      try await changing(jid, what, within: SessionLimits.acceptancePatience) {
        SubscriptionState($0, theyAsked: false).theirs == .subscribed
      } by: {
        try self.send(.subscribed, to: jid)
        try await self.settle()
      }
    } catch let error as FriendError where error == FriendError(.unconfirmed(what), jid) {
      // Where the server has taken it for an approval of what may come, it was not meant as that.
      if context.identity.offersPreapproval { try send(.unsubscribed, to: jid) }
      requests.withdraw(jid)
      return false
    }
    requests.remove(jid)
    return true
  }

  /// Asks for a subscription. What comes back at once, from our own server or another of its accounts, is the outcome.
  /// - Throws: ``FriendError`` `isRefused`, or `undeliverable` with what the server said.
  private func ask(_ jid: JID) async throws {
    asking.updateValue(nil, forKey: jid)
    defer { asking[jid] = nil }
    try await step(.subscribe, jid, "the request to \(jid)")
    try await settle()
    if case .some(.some(let error)) = asking[jid] { throw FriendError(.undeliverable(error), jid) }
    if state(of: jid).ours == .none { throw FriendError(.isRefused, jid) }
  }

  /// Refuses who is at a domain that says itself that it is one of rooms, before anything is sent to them. Whoever does
  /// not say so in time is none.
  private func refuseRoom(_ jid: JID) async throws {
    guard item(for: jid) == nil, !hasAsked(jid) else { return }
    if try await isAtRooms(jid) { throw FriendError(.isRoom, jid) }
  }

  /// Whether somebody's domain says of itself that it is one of rooms (XEP-0045 6.1); asked once. Whoever does not say so in time is
  /// none.
  /// - Throws: where there is no answer for other reasons than that the domain refuses it.
  package func isAtRooms(_ jid: JID) async throws(RequestError) -> Bool {
    let domain = jid.domain
    guard domain != context.identity.account.domain else { return false }
    if roomDomains[domain] == nil {
      do throws(RequestError) {
        let information = try await context.requests.information(
          of: jid.server, node: nil, timeout: min(context.timeout, SessionLimits.roomCheckPatience))
        roomDomains[domain] = information.identities.contains { $0.category == "conference" }
      } catch {
        if error.stanzaError == nil, error.code != .timedOut { throw error }
      }
    }
    return roomDomains[domain] ?? false
  }

  /// Whether an address is a room's. At the domain of a gateway there are people too, who say nothing of themselves; a room that is not
  /// there yet is not found, and one that does not answer is a room all the same.
  /// - Throws: as ``isAtRooms(_:)``.
  package func isRoom(_ jid: JID) async throws(RequestError) -> Bool {
    guard try await isAtRooms(jid) else { return false }
    do throws(RequestError) {
      let information = try await context.requests.information(
        of: jid.bare, node: nil, timeout: min(context.timeout, SessionLimits.roomCheckPatience))
      return information.identities.contains { $0.category == "conference" }
    } catch {
      return error.stanzaError?.condition != "feature-not-implemented"
    }
  }

  /// Answers a request with no. The server shows no effect of it to us.
  private func refuse(_ jid: JID) throws {
    try send(.unsubscribed, to: jid)
    requests.remove(jid)
  }

  private func takeOff(_ jid: JID) async throws {
    try await changing(jid, "the removal of \(jid)") {
      $0 == nil
    } by: {
      try await self.request(RosterCodec.removal(of: jid))
    }
  }

  private func endSeeing(_ jid: JID) async throws {
    leaving.insert(jid)
    defer { leaving.remove(jid) }
    try await step(.unsubscribe, jid, Self.endOfSeeing(jid))
  }

  private static func endOfSeeing(_ jid: JID) -> String { "the end of our subscription to \(jid)" }

  /// Ends our subscription.
  /// - Returns: false where the server shows no effect of it in time.
  private func endsSeeing(_ jid: JID) async throws -> Bool {
    do {
      try await endSeeing(jid)
      return true
    } catch let error as FriendError where error == FriendError(.unconfirmed(Self.endOfSeeing(jid)), jid) {
      return false
    }
  }

  /// Does nothing when the entry is like that already.
  func set(_ jid: JID, name: String?, groups: [String]) async throws {
    let name = name.flatMap { $0.isEmpty ? nil : $0 }
    let groups = RosterItem.proper(groups)
    let isDone: @Client (RosterItem?) -> Bool = { item in
      item.map { $0.isCalled(name, in: groups) } ?? false
    }
    if isDone(item(for: jid)) { return }
    try await changing(jid, "the entry of \(jid)", until: isDone) {
      try await self.request(RosterCodec.set(jid, name: name, groups: groups))
    }
  }

  /// Takes one step of a subscription, and waits until the roster shows what it leads to by RFC 6121 appendix A.2. One that
  /// our server would neither pass on nor note is done already.
  private func step(_ step: SubscriptionState.Step, _ jid: JID, _ what: String) async throws {
    let before = state(of: jid)
    var goal = before
    guard goal.send(step) || goal != before else { return }
    try await changing(jid, what) {
      SubscriptionState($0, theyAsked: false).hasReached(goal, by: step)
    } by: {
      try self.send(step, to: jid)
    }
  }

  func send(_ step: SubscriptionState.Step, to jid: JID) throws {
    try context.stanzas.send(Presence(kind: step.kind, to: jid).element)
  }

  private func request(_ payload: Element) async throws {
    _ = try await context.requests.request(IQ(kind: .set, payload: payload), timeout: .after(context.timeout))
  }

  /// Does `step`, then waits until the roster shows what it was for: the server's push is its confirmation. It may come
  /// before the answer to a request or after it.
  /// - Parameter limit: how long after `step`; nil: as any request.
  private func changing(
    _ jid: JID, _ what: String, within limit: Duration? = nil, until holds: @escaping @Client (RosterItem?) -> Bool,
    by step: @Client () async throws -> Void
  ) async throws {
    let push = AwaitedPush(holds)
    awaitedPushes[jid, default: []].append(push)
    defer {
      awaitedPushes[jid]?.removeAll { $0 === push }
      if awaitedPushes[jid]?.isEmpty == true { awaitedPushes[jid] = nil }
    }
    try await step()
    push.noted(item(for: jid))
    try await push.wait(for: limit ?? context.timeout, on: context.clock, orThrow: FriendError(.unconfirmed(what), jid))
  }
}
