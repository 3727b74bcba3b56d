// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawProtocol

/// Who has asked to be a friend and waits for an answer: one entry a JID, however often they ask and from wherever.
///
/// The server tells open requests again on each new stream, after our first presence (RFC 6121 3.1.3). Those that it has
/// told before are no news then. Those that it does not tell again have been withdrawn or answered elsewhere, if it is known
/// to have told all by then (``forgetUnrepeated()``); else they stay.
///
/// What has changed since it was last kept is noted, so that a flood is written in few and large pieces.
package struct FriendRequests: Sendable {
  private struct Entry: Sendable {
    var request: FriendRequest
    /// When it came first, among all.
    var place: UInt64
    /// On which stream it was last told; 0 before the first.
    var stream: UInt64
    /// An earlier run has kept it.
    var isFromBefore: Bool
  }

  private let limit: Int
  /// Bounded by ``limit``, and the contact list.
  private var entries: [JID: Entry] = [:]
  private var nextPlace: UInt64 = 0
  private var stream: UInt64 = 1
  /// Bounded by ``entries``.
  private var changed: Set<JID> = []
  private var withdrawn: Set<JID> = []

  /// - Parameter limit: how many are taken in of those who are not on the contact list.
  package init(limit: Int) { self.limit = limit }

  /// How many wait.
  package var count: Int { entries.count }
  /// True while no more are taken in of strangers.
  package var isFull: Bool { entries.count >= limit }

  /// In the order in which they came.
  package var all: [FriendRequest] { entries.values.sorted { $0.place < $1.place }.map(\.request) }

  /// Those that an earlier run has kept, in that order.
  package var fromBefore: [FriendRequest] {
    entries.values.filter(\.isFromBefore).sorted { $0.place < $1.place }.map(\.request)
  }

  /// Whether the account of `jid` has asked.
  package func contains(_ jid: JID) -> Bool { entries[jid.bare] != nil }

  /// The request of `jid`'s account.
  package subscript(_ jid: JID) -> FriendRequest? { entries[jid.bare]?.request }

  /// Whether the server has told of the request of `jid`'s account on this stream.
  package func isTold(_ jid: JID) -> Bool { entries[jid.bare]?.stream == stream }

  /// Whether the account of `jid` had asked and has withdrawn it, as far as is remembered.
  package func wasWithdrawn(_ jid: JID) -> Bool { withdrawn.contains(jid.bare) }

  /// A request came in.
  /// - Parameter isContact: whoever asks is on the contact list, and has room whoever else asks.
  /// - Returns: true when it is news, false when the same one asked before or no more are taken in.
  package mutating func add(_ request: FriendRequest, isContact: Bool = false) -> Bool {
    let jid = request.jid
    if entries[jid] != nil {
      entries[jid]?.stream = stream
      if entries[jid]?.request.fill(from: request) == true { changed.insert(jid) }
      return false
    }
    guard !isFull || isContact else { return false }
    insert(request, stream, isFromBefore: false)
    changed.insert(jid)
    withdrawn.remove(jid)
    return true
  }

  /// What was kept before, in its order; no news, and not to be kept again.
  package mutating func restore(_ kept: [FriendRequest]) {
    for request in kept where !isFull && entries[request.jid] == nil { insert(request, 0, isFromBefore: true) }
  }

  private mutating func insert(_ request: FriendRequest, _ stream: UInt64, isFromBefore: Bool) {
    entries[request.jid] = Entry(request: request, place: nextPlace, stream: stream, isFromBefore: isFromBefore)
    nextPlace += 1
  }

  /// Their vCard is here; nil: there is none.
  package mutating func take(_ card: RequesterCard?, of jid: JID) {
    guard entries[jid] != nil else { return }
    entries[jid]?.request.take(card)
    changed.insert(jid)
  }

  /// It is answered.
  /// - Returns: whether there was one.
  @discardableResult package mutating func remove(_ jid: JID) -> Bool {
    let jid = jid.bare
    guard entries.removeValue(forKey: jid) != nil else { return false }
    changed.insert(jid)
    return true
  }

  /// They have withdrawn it.
  package mutating func withdraw(_ jid: JID) {
    guard remove(jid) else { return }
    if withdrawn.count >= SessionLimits.withdrawnRequests { withdrawn.removeAll() }
    withdrawn.insert(jid.bare)
  }

  /// A new stream: the server will tell them again.
  package mutating func beginStream() { stream += 1 }

  /// The server has told all that there are on this stream: what it has not is answered elsewhere, or withdrawn.
  package mutating func forgetUnrepeated() {
    for (jid, entry) in entries where entry.stream != stream {
      entries[jid] = nil
      changed.insert(jid)
    }
  }

  // MARK: Keeping

  /// Whether anything has changed since ``takeChanges()``.
  package var hasChanges: Bool { !changed.isEmpty }

  /// What is to be kept, in the order in which it came, and what is to be forgotten.
  package mutating func takeChanges() -> (keep: [FriendRequest], forget: [JID]) {
    var keep: [Entry] = []
    var forget: [JID] = []
    for jid in changed {
      if let entry = entries[jid] { keep.append(entry) } else { forget.append(jid) }
    }
    changed.removeAll()
    return (keep.sorted { $0.place < $1.place }.map(\.request), forget)
  }
}
