// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop
package import JackdawProtocol
package import JackdawSession

/// A store that keeps nothing, as on a full disk.
@Client package final class FullStore: MessageStore {
  private struct Full: Error {}
  package init() {}
  package var onBegunAnew: (@Client () -> Void)?
  package let isTemporary = false
  package func keep(_ messages: [OutboxRecord], from account: JID) throws -> [Int64] { throw Full() }
  package func place(_ messages: [(number: Int64, id: String, place: StreamPlace?)], after archiveCursor: String?)
    throws -> Set<
      Int64
    >
  {
    throw Full()
  }
  package func advance(_ id: String, with peer: JID, to state: DeliveryState) throws -> ReportedMessage? {
    throw Full()
  }
  package func settle(_ outcomes: [MessageOutcome]) throws { throw Full() }
  package func adopt() throws -> LeftMessages { throw Full() }
  package func outbox() throws -> [OutboxItem] { throw Full() }
  package func withdraw(_ id: String) throws -> Withdrawal? { throw Full() }
  package func streamBegins() {}
  package func record(
    _ messages: [ArrivedMessage], archiveCursor: String?, overlap: String?
  ) throws -> [MessageRecord] { throw Full() }
  package func postpone(_ messages: [ArrivedMessage]) throws -> LogPlace? { throw Full() }
  package func postponed(heldFrom place: LogPlace?, limit: Int) throws -> [ArrivedMessage] { throw Full() }
  package func postponedFromBefore(_ time: Timestamp?, limit: Int) throws -> [ArrivedMessage] { throw Full() }
  package func open(_ consumer: String, from start: LogPlace?) throws { throw Full() }
  package func unpresented(to consumer: String, after place: LogPlace?, limit: Int) throws -> [MessageArrived] {
    throw Full()
  }
  package func end() throws -> LogPlace { throw Full() }
  package func present(_ places: [LogPlace], to consumer: String) throws { throw Full() }
  package func archiveCursor() throws -> String? { throw Full() }
  package func place(before archiveID: String) throws -> String? { throw Full() }
  package func keepArchiveCursor(_ archiveCursor: String, overlap: String?) throws { throw Full() }
}
