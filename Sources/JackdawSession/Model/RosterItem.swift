// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawProtocol

/// One entry of the contact list (RFC 6121 2.1.2).
package struct RosterItem: Sendable, Equatable {
  /// Whose presence is seen by whom; `to`: we see theirs.
  package enum Subscription: String, Sendable { case none, to, from, both }
  /// Always bare in practice; compared as it is.
  package var jid: JID
  /// The name that the user gave, nil when none.
  package var name: String?
  package var subscription: Subscription
  /// True while a request of ours waits for an answer (`ask='subscribe'`).
  package var ask: Bool
  /// True when a request of theirs is approved beforehand (RFC 6121 2.1.2.1).
  package var approved: Bool
  package var groups: [String]

  package init(
    jid: JID, name: String? = nil, subscription: Subscription = .none, ask: Bool = false, approved: Bool = false,
    groups: [String] = []
  ) {
    self.jid = jid
    self.name = name
    self.subscription = subscription
    self.ask = ask
    self.approved = approved
    self.groups = groups
  }

  /// Each of `groups` once, and none without a name (RFC 6121 2.1.2.6).
  package static func proper(_ groups: some Sequence<String>) -> [String] {
    var seen: Set<String> = []
    return groups.filter { !$0.isEmpty && seen.insert($0).inserted }
  }
}

/// The whole roster and the version that the server gave it (RFC 6121 2.6).
package struct RosterSnapshot: Sendable, Equatable {
  /// Nil from a server that gives none.
  package var version: String?
  /// The entries, in no order.
  package var items: [RosterItem]

  package init(version: String?, items: [RosterItem]) {
    self.version = version
    self.items = items
  }
}
