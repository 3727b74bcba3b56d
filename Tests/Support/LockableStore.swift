// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop
package import JackdawProtocol
package import JackdawSession

/// A store that another program has locked whenever a test says so.
@Client package final class LockableStore: MessageStore {
  private struct Locked: StoreFailure {
    let isBusy = true
    var description: String { "The database is locked by another program." }
  }

  private struct Full: Error {}

  private let store: any MessageStore
  /// Whether it is locked for everything.
  package var isLocked = false
  /// Whether it takes nothing, as on a full disk.
  package var isFull = false
  /// Whether it is locked as soon as messages of ours have been kept.
  package var locksAfterKeeping = false
  /// Whether a name that is new cannot be noted, while all can be read.
  package var isLockedForWriting = false
  /// Of each time that messages of ours were kept, their texts, and whether they are on their way.
  package private(set) var kept: [(bodies: [String], areSent: Bool)] = []
  /// How many messages of ours were told where they stand on the stream after they had been kept.
  package private(set) var placed = 0
  /// How often what waits for its place is asked for in vain.
  package var vainReleases = 0

  package init(_ store: any MessageStore) { self.store = store }

  private func open() throws -> any MessageStore {
    guard !isLocked else { throw Locked() }
    guard !isFull else { throw Full() }
    return store
  }

  package var onBegunAnew: (@Client () -> Void)? {
    get { store.onBegunAnew }
    set { store.onBegunAnew = newValue }
  }
  package var isTemporary: Bool { store.isTemporary }
  package func keep(_ messages: [OutboxRecord], from account: JID) throws -> [Int64] {
    defer { isLocked = isLocked || locksAfterKeeping }
    let numbers = try open().keep(messages, from: account)
    kept.append((messages.map(\.message.body), messages.allSatisfy { $0.state == .sent }))
    return numbers
  }
  package func place(
    _ messages: [(number: Int64, id: String, place: StreamPlace?)], after archiveCursor: String?
  ) throws -> Set<Int64> {
    placed += messages.count
    return try open().place(messages, after: archiveCursor)
  }
  package func advance(_ id: String, with peer: JID, to state: DeliveryState) throws -> ReportedMessage? {
    try open().advance(id, with: peer, to: state)
  }
  package func settle(_ outcomes: [MessageOutcome]) throws { try open().settle(outcomes) }
  package func adopt() throws -> LeftMessages { try open().adopt() }
  package func outbox() throws -> [OutboxItem] { try open().outbox() }
  package func withdraw(_ id: String) throws -> Withdrawal? { try open().withdraw(id) }
  package func streamBegins() { store.streamBegins() }
  package func record(
    _ messages: [ArrivedMessage], archiveCursor: String?, overlap: String?
  ) throws -> [MessageRecord] {
    try open().record(messages, archiveCursor: archiveCursor, overlap: overlap)
  }
  package func postpone(_ messages: [ArrivedMessage]) throws -> LogPlace? { try open().postpone(messages) }
  package func postponed(heldFrom place: LogPlace?, limit: Int) throws -> [ArrivedMessage] {
    if vainReleases > 0 {
      vainReleases -= 1
      throw Locked()
    }
    return try open().postponed(heldFrom: place, limit: limit)
  }
  package func postponedFromBefore(_ time: Timestamp?, limit: Int) throws -> [ArrivedMessage] {
    try open().postponedFromBefore(time, limit: limit)
  }
  package func open(_ consumer: String, from start: LogPlace?) throws {
    if isLockedForWriting { throw Locked() }
    try open().open(consumer, from: start)
  }
  package func unpresented(to consumer: String, after place: LogPlace?, limit: Int) throws -> [MessageArrived] {
    try open().unpresented(to: consumer, after: place, limit: limit)
  }
  package func end() throws -> LogPlace { try open().end() }
  package func present(_ places: [LogPlace], to consumer: String) throws { try open().present(places, to: consumer) }
  package func archiveCursor() throws -> String? { try open().archiveCursor() }
  package func place(before archiveID: String) throws -> String? { try open().place(before: archiveID) }
  package func keepArchiveCursor(_ archiveCursor: String, overlap: String?) throws {
    try open().keepArchiveCursor(archiveCursor, overlap: overlap)
  }
}
