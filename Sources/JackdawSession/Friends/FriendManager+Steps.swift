// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawXML

/// The steps that changes are made of: each is confirmed by what the roster shows, or by the answer to what follows it.
extension FriendManager {
  /// Waits until they have answered our request, or `patience` has passed.
  func hearAnswer(of jid: JID, within patience: Duration) async throws {
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

  func existing(_ jid: JID) async throws -> RosterItem {
    let account = try target(jid)
    try await load()
    return try onList(entry(of: jid), account)
  }

  func onList(_ item: RosterItem?, _ jid: JID) throws(FriendError) -> RosterItem {
    guard let item else { throw FriendError(.notOnList, jid) }
    return item
  }

  /// Friends are bare JIDs, and never ourselves.
  func target(_ jid: JID) throws(FriendError) -> JID {
    let jid = jid.bare
    if jid == context.identity.account { throw FriendError(.isOurselves, jid) }
    return jid
  }

  /// Refuses whom we have blocked, before anything is sent: they would never be told, nor we what they answer (XEP-0191 3.3), and some
  /// servers note our step all the same (ejabberd does). Who is blocked may not be known, as where the server does not say.
  func refuseBlocked(_ jid: JID) async throws {
    guard let blocks = context.links.blocks else { return }
    let entries: Set<JID>
    do {
      entries = try await blocks.entries()
    } catch {
      return try Task.checkCancellation()
    }
    if let entry = entries.entry(blocking: jid) { throw FriendError(.isBlocked(entry), jid) }
  }

  func hasNotAsked(_ jid: JID) -> FriendError {
    FriendError(requests.wasWithdrawn(jid) ? .hasWithdrawn : .hasNotAsked, jid)
  }

  /// Grants the open request of `jid`.
  /// - Returns: false when it is open no more. Not every server tells of a request that is withdrawn (ejabberd does not): a
  ///   server that knows of none does nothing and says nothing. So where the answer to what is asked behind the step comes and
  ///   no push before it, nor soon after, there was none (RFC 6120 10.1).
  func letIn(_ jid: JID) async throws -> Bool {
    let what = "the acceptance of \(jid)"
    let before = item(for: jid)
    do {
      try await changing(jid, what, within: SessionLimits.acceptancePatience) {
        SubscriptionState($0, theyAsked: false).theirs == .subscribed
      } by: {
        try self.send(.subscribed, to: jid)
        try await self.settle()
      }
    } catch let error as FriendError where error == FriendError(.unconfirmed(what), jid) {
      // Where the server has taken it for an approval of what may come, it was not meant as that.
      if context.identity.offersPreapproval {
        try await endApproval(of: jid)
        if before == nil, item(for: jid) != nil { try await takeOff(jid) }
      }
      requests.withdraw(jid)
      return false
    }
    requests.remove(jid)
    return true
  }

  /// Takes back what lets a request of `jid` in before it comes. A server that does not show it in the roster may keep it for all
  /// that `unsubscribed` says (Prosody 0.12); it makes the entry anew, without it, where that is set.
  func endApproval(of jid: JID) async throws {
    try send(.unsubscribed, to: jid)
    try await settle()
    try await inTurn(jid) {
      guard let item = item(for: jid) else { return }
      try await request(RosterCodec.set(jid, name: item.name, groups: item.groups))
    }
  }

  /// Asks for a subscription. What comes back at once, from our own server or another of its accounts, is the outcome.
  /// - Parameter again: a request is open, of which the list shows no more.
  /// - Throws: ``FriendError`` `isRefused`, or `undeliverable` with what the server said.
  func ask(_ jid: JID, saying message: String?, again: Bool = false) async throws {
    asking.updateValue(nil, forKey: jid)
    undeliverable.remove(jid)
    defer { asking[jid] = nil }
    if again {
      try send(.subscribe, to: jid, saying: message)
    } else {
      try await step(.subscribe, jid, "the request to \(jid)", saying: message)
    }
    try await settle()
    if case .some(.some(let error)) = asking[jid] { throw FriendError(.undeliverable(error), jid) }
    if state(of: jid).ours == .none { throw FriendError(.isRefused, jid) }
  }

  /// Answers a request with no. The server shows no effect of it to us.
  func refuse(_ jid: JID) throws {
    try send(.unsubscribed, to: jid)
    requests.remove(jid)
  }

  func takeOff(_ jid: JID) async throws {
    try await inTurn(jid) {
      try await changing(jid, "the removal of \(jid)") {
        $0 == nil
      } by: {
        do {
          try await self.request(RosterCodec.removal(of: jid))
        } catch let error as RequestError where error.stanzaError?.condition == "item-not-found" {
          // Another client of ours was quicker.
        }
      }
    }
  }

  func endSeeing(_ jid: JID) async throws {
    leaving.insert(jid)
    defer { leaving.remove(jid) }
    try await step(.unsubscribe, jid, Self.endOfSeeing(jid))
  }

  static func endOfSeeing(_ jid: JID) -> String { "the end of our subscription to \(jid)" }

  /// Ends our subscription.
  /// - Returns: false where the server shows no effect of it in time.
  func endsSeeing(_ jid: JID) async throws -> Bool {
    do {
      try await endSeeing(jid)
      return true
    } catch let error as FriendError where error == FriendError(.unconfirmed(Self.endOfSeeing(jid)), jid) {
      return false
    }
  }

  /// Changes the name or the groups of the entry of `jid`; does nothing when it is like that already.
  ///
  /// Another log-in of the account may change it at the same moment, and the server keeps what comes last (RFC 6121 2.3). The log-in
  /// that was last has got the other's push before its own: it makes its change again, of what that push says.
  /// - Parameter change: what the entry, nil where there is none, is to be.
  func set(_ jid: JID, to change: @Client (RosterItem?) throws -> (name: String?, groups: [String])) async throws {
    try await inTurn(jid) {
      var base = roster[jid]
      for _ in 0..<SessionLimits.changesOfEntry {
        let wanted = try change(base)
        let name = wanted.name.flatMap { $0.allSatisfy(\.isWhitespace) ? nil : $0 }
        let groups = RosterItem.proper(wanted.groups)
        let before = roster[jid]
        if let item = before, item.name == name, Set(item.groups) == Set(groups) { return }
        let isDone: @Client (RosterItem?) -> Bool = { item in
          item.map { $0.isCalled(name, in: groups) } ?? false
        }
        let others = try await changing(jid, "the entry of \(jid)", until: isDone) {
          try await self.request(RosterCodec.set(jid, name: name, groups: groups))
        }
        guard let others, !others.isCalled(before?.name, in: before?.groups ?? []) else { return }
        base = others
      }
    }
  }

  /// Changes the entry of `jid` when nobody else does so: the server takes name and groups together (RFC 6121 2.4), so that of two
  /// changes at the same moment one would undo the other.
  private func inTurn(_ jid: JID, _ change: @Client () async throws -> Void) async throws {
    while let other = entryChanges[jid] { try await other.wait() }
    let ours = WaitingList<Void>()
    entryChanges[jid] = ours
    defer {
      entryChanges[jid] = nil
      ours.end(.success(()))
    }
    try await change()
  }

  /// Takes one step of a subscription, and waits until the roster shows what it leads to by RFC 6121 appendix A.2. One that
  /// our server would neither pass on nor note is done already.
  func step(
    _ step: SubscriptionState.Step, _ jid: JID, _ what: String, saying message: String? = nil
  ) async throws {
    let before = state(of: jid)
    var goal = before
    guard goal.send(step) || goal != before else { return }
    try await changing(jid, what) {
      SubscriptionState($0, theyAsked: false).hasReached(goal, by: step)
    } by: {
      try self.send(step, to: jid, saying: message)
    }
  }

  func send(_ step: SubscriptionState.Step, to jid: JID, saying message: String? = nil) throws {
    try context.stanzas.send(Presence(kind: step.kind, to: jid, status: message).element)
  }

  func request(_ payload: Element) async throws {
    _ = try await context.requests.request(IQ(kind: .set, payload: payload), timeout: .after(context.timeout))
  }

  /// Does `step`, then waits until the roster shows what it was for: the server's push is its confirmation. It may come
  /// before the answer to a request or after it.
  /// - Parameter limit: how long after `step`; nil: as any request.
  /// - Returns: what the entry was last before it showed that.
  @discardableResult func changing(
    _ jid: JID, _ what: String, within limit: Duration? = nil, until holds: @escaping @Client (RosterItem?) -> Bool,
    by step: @Client () async throws -> Void
  ) async throws -> RosterItem? {
    let push = AwaitedPush(holds)
    awaitedPushes[jid, default: []].append(push)
    defer {
      awaitedPushes[jid]?.removeAll { $0 === push }
      if awaitedPushes[jid]?.isEmpty == true { awaitedPushes[jid] = nil }
    }
    try await step()
    push.noted(roster[jid])
    try await push.wait(for: limit ?? context.timeout, on: context.clock, orThrow: FriendError(.unconfirmed(what), jid))
    return push.before
  }
}
