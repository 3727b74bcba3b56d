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

  /// A command of ours asks them.
  mutating func invite(_ jid: JID) { keep(Changes(invited: [jid])) }

  /// They may not see us without a question any more.
  mutating func uninvite(_ jid: JID) { keep(Changes(ended: [jid])) }

  /// What the list's entries say, all of it or nothing.
  mutating func keep(_ changes: Changes) {
    guard !(changes.invited.isEmpty && changes.ended.isEmpty) else { return }
    for jid in changes.invited { seen[jid] = true }
    for jid in changes.ended { seen[jid] = nil }
    attempt { try $0.changeInvited(keep: changes.invited, forget: changes.ended) }
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

extension Invitations {
  /// What follows for those whose entries of the list have changed. Of a list that is read for the first time it is next to nothing.
  struct Changes {
    /// Bounded by the contact list.
    fileprivate var invited: [JID] = []
    /// Bounded by the contact list.
    fileprivate var ended: [JID] = []

    /// An entry changed; nil: there was or is none.
    mutating func note(_ jid: JID, before: RosterItem?, after: RosterItem?) {
      switch Self.verdict(before, after) {
      case true?: invited.append(jid)
      case false?: ended.append(jid)
      case nil: break
      }
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
  }
}
