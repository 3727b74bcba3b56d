// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol

/// Whom we have asked to be friends, and who therefore may see us without a question when they ask in their turn.
///
/// To see somebody does not say so: where they saw us and one of us has ended that, they are to ask, and we to answer.
@Client struct Invitations {
  private let store: (any FriendRequestStore)?
  private let remark: @Client (String) -> Void
  /// What this run has seen itself, for a store that fails or is none. Bounded by the contact list.
  private var seen: [JID: Bool] = [:]
  private var hasFailed = false

  init(_ store: (any FriendRequestStore)?, remark: @escaping @Client (String) -> Void) {
    self.store = store
    self.remark = remark
  }

  mutating func holds(_ jid: JID) -> Bool {
    if let here = seen[jid], here { return true }
    // Another program of the account may have asked them meanwhile.
    return attempt { try $0.isInvited(jid) } ?? false
  }

  /// The list's entries changed; nil: there was or is none.
  mutating func note(_ changes: some Sequence<(jid: JID, before: RosterItem?, after: RosterItem?)>) {
    var invited: [JID] = []
    var ended: [JID] = []
    for (jid, before, after) in changes {
      switch Self.verdict(before, after) {
      case true?: invited.append(jid)
      case false?: ended.append(jid)
      case nil: break
      }
    }
    keep(invited: invited, ended: ended)
  }

  /// A command of ours asks them.
  mutating func invite(_ jid: JID) { keep(invited: [jid], ended: []) }

  private mutating func keep(invited: [JID], ended: [JID]) {
    guard !(invited.isEmpty && ended.isEmpty) else { return }
    for jid in invited { seen[jid] = true }
    for jid in ended { seen[jid] = nil }
    attempt { try $0.changeInvited(keep: invited, forget: ended) }
  }

  /// Whether somebody is invited by what became of their entry; nil: that changed nothing.
  private static func verdict(_ before: RosterItem?, _ after: RosterItem?) -> Bool? {
    guard let after else { return false }
    if let before, before.subscription == after.subscription, before.ask == after.ask { return nil }
    let old = SubscriptionState(before, theyAsked: false)
    let new = SubscriptionState(after, theyAsked: false)
    // They see us, or there is nothing between us: of no use any more.
    if new.theirs == .subscribed || new.ours == .none { return before == nil ? nil : false }
    if old.theirs == .subscribed { return false }
    if new.ours == .pending { return true }
    return before != nil && old.ours == .none ? true : nil
  }

  @discardableResult
  private mutating func attempt<Result>(_ body: (any FriendRequestStore) throws -> Result) -> Result? {
    guard let store else { return nil }
    do {
      return try body(store)
    } catch {
      if !hasFailed { remark("Whom you have asked to be friends cannot be kept: \(error)") }
      hasFailed = true
      return nil
    }
  }
}
