// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop
package import JackdawProtocol

/// Where the block list is kept between log-ins. Errors are the store's; the session goes on without.
@Client package protocol BlockStore: AnyObject {
  /// The list as last kept, nil when there is none.
  func loadBlocked() throws -> BlockSnapshot?
  /// Keeps a whole list in place of what was kept.
  func keepBlocked(_ snapshot: BlockSnapshot) throws
}

/// Who is blocked, as the server had it at some time.
package struct BlockSnapshot: Sendable, Equatable {
  /// People, single devices and servers.
  package var jids: Set<JID>
  /// When the server last had it so.
  package var time: Timestamp

  package init(jids: Set<JID>, time: Timestamp) {
    self.jids = jids
    self.time = time
  }
}

extension Set<JID> {
  /// The one of these by which nothing of `jid`'s gets here while they are blocked: the address itself, its account or its server
  /// (XEP-0191 5); nil: none is.
  package func entry(blocking jid: JID) -> JID? { [jid, jid.bare, jid.server].first { contains($0) } }
}
