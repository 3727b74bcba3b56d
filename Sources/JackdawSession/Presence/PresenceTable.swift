// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawProtocol

/// What resources last said, by account: as many as there is room for.
struct PresenceTable {
  typealias Resource = PresenceBoard.Resource

  enum Change {
    case new
    case changed
    /// It says what it said before.
    case same
    /// There is no room for it.
    case refused
  }

  private let limit: Int
  private var accounts: [JID: [Resource]] = [:]
  private var count = 0

  /// - Parameter limit: of the resources of all accounts.
  init(limit: Int) { self.limit = limit }

  /// The resources of an account, in no order; nil without one.
  subscript(account: JID) -> [Resource]? { accounts[account] }

  /// A resource said something.
  mutating func arrived(_ resource: Resource) -> Change {
    let account = resource.jid.bare
    guard let index = accounts[account]?.firstIndex(where: { $0.jid == resource.jid }) else {
      guard count < limit, accounts[account]?.count ?? 0 < SessionLimits.resourcesPerContact else { return .refused }
      accounts[account, default: []].append(resource)
      count += 1
      return .new
    }
    let before = accounts[account]?[index]
    accounts[account]?[index] = resource
    return before?.saysTheSame(as: resource) == true ? .same : .changed
  }

  /// A resource is gone; a bare JID stands for all of its account.
  /// - Returns: whether any was there, and none of the account's is left.
  mutating func left(_ jid: JID) -> (any: Bool, last: Bool) {
    guard let before = accounts[jid.bare]?.count else { return (false, false) }
    accounts[jid.bare]?.removeAll { jid.isBare || $0.jid == jid }
    let after = accounts[jid.bare]?.count ?? 0
    count -= before - after
    if after == 0 { accounts[jid.bare] = nil }
    return (after < before, after == 0)
  }

  /// All accounts of a domain are gone, whoever was there.
  mutating func leftDomain(_ domain: JID) {
    for account in accounts.keys where account.domain == domain.domain { _ = left(account) }
  }

  mutating func removeAll() {
    accounts.removeAll(keepingCapacity: true)
    count = 0
  }
}
