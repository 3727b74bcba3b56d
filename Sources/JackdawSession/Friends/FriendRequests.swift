// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawProtocol

/// Who has asked to be a friend and waits for an answer: one entry a JID, however often they ask and from wherever.
///
/// The server tells open requests again on each new stream, after our first presence (RFC 6121 3.1.3). Those that it has
/// told before are no news then, and those that it does not tell again have been withdrawn or answered elsewhere.
package struct FriendRequests: Sendable {
  private struct Entry: Sendable {
    var request: FriendRequested
    /// When it came first, among all.
    var place: UInt64
    /// On which stream it was last told.
    var stream: UInt64
  }

  private let limit: Int
  private var entries: [JID: Entry] = [:]
  private var nextPlace: UInt64 = 0
  private var stream: UInt64 = 0

  /// - Parameter limit: how many are taken in.
  package init(limit: Int) { self.limit = limit }

  /// How many wait.
  package var count: Int { entries.count }
  /// True while no more are taken in.
  package var isFull: Bool { entries.count >= limit }

  /// In the order in which they came.
  package var all: [FriendRequested] { entries.values.sorted { $0.place < $1.place }.map(\.request) }

  /// Whether the account of `jid` has asked.
  package func contains(_ jid: JID) -> Bool { entries[jid.bare] != nil }

  /// A request came in.
  /// - Returns: true when it is news, false when the same one asked before or no more are taken in.
  package mutating func add(_ request: FriendRequested) -> Bool {
    let jid = request.jid.bare
    if entries[jid] != nil {
      entries[jid]?.stream = stream
      return false
    }
    guard !isFull else { return false }
    entries[jid] = Entry(request: request, place: nextPlace, stream: stream)
    nextPlace += 1
    return true
  }

  /// It is answered or withdrawn.
  /// - Returns: whether there was one.
  @discardableResult package mutating func remove(_ jid: JID) -> Bool { entries.removeValue(forKey: jid.bare) != nil }

  /// A new stream: the server will tell them again.
  package mutating func beginStream() { stream += 1 }

  /// The server has told all that there are.
  package mutating func forgetUntold() {
    if entries.values.contains(where: { $0.stream != stream }) {
      entries = entries.filter { $0.value.stream == stream }
    }
  }
}
