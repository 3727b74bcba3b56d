// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop
package import JackdawProtocol

/// What is kept of messages, theirs and ours. Every function returns when what it was given is safe from the end of the program;
/// several programs may use one store.
@Client package protocol MessageStore: AnyObject {
  /// Called when the store had to begin anew and all that it had is gone, before anything else is stored: what must not be lost is to be
  /// stored again.
  var onBegunAnew: (@Client () -> Void)? { get set }
  /// Whether what is kept ends with the program, as no file could be opened for it.
  var isTemporary: Bool { get }

  // MARK: Ours

  /// Keeps messages that are to be sent, or may have to be sent again.
  /// - Parameter account: whose they are.
  /// - Returns: the store's numbers, one for each message.
  func keep(_ messages: [OutboxRecord], from account: JID) throws -> [Int64]

  /// Notes that messages are about to be written, or where they were.
  /// - Parameters:
  ///   - messages: their numbers and ids, and where each stands on the stream.
  ///   - archiveCursor: the archive's last id that is known; nil: the last one that the store knows.
  /// - Returns: those of them that have been withdrawn meanwhile, and must not be sent. Where there are some, no place is noted.
  func place(_ messages: [(number: Int64, id: String, place: StreamPlace?)], after archiveCursor: String?) throws
    -> Set<Int64>

  /// Stores what became of messages.
  func settle(_ outcomes: [MessageOutcome]) throws

  /// A message of ours was delivered, or displayed with those before it; or an error came back, whichever of our devices sent it.
  /// - Parameters:
  ///   - id: the message's own.
  ///   - peer: whom the conversation is with, a bare address.
  ///   - state: ``DeliveryState/delivered``, ``DeliveryState/displayed``, or ``DeliveryState/failed(reason:)`` where the server
  ///     had it, and nothing more is known.
  /// - Returns: nil where there is no such message from us that was sent, or that contradicts what became of it.
  func advance(_ id: String, with peer: JID, to state: DeliveryState) throws -> ReportedMessage?

  /// Takes over what this run's predecessors left behind: those of their messages that the server may not have, in the
  /// order of writing, and those that wait for their place. What belongs to a program that still runs stays there. A single
  /// command takes over what single commands wrote, and of what others wrote to people what no stream can say more of; nothing that waits
  /// for its place.
  func adopt() throws -> LeftMessages

  /// All messages in the outbox, those of other programs too, oldest first.
  func outbox() throws -> [OutboxItem]

  /// Takes a message out of the outbox, as long as it is not on its way.
  /// - Returns: nil when no message of this id waits.
  func withdraw(_ id: String) throws -> Withdrawal?

  // MARK: Theirs

  /// A stream begins, on which the server gives nothing twice.
  func streamBegins()

  /// Keeps messages that came, each unless it is there already, behind everything that is there.
  /// - Parameters:
  ///   - archiveCursor: the archive's id up to which everything is known with them; nil: as before.
  ///   - overlap: as ``keepArchiveCursor(_:overlap:)``.
  /// - Returns: what became of each.
  func record(_ messages: [ArrivedMessage], archiveCursor: String?, overlap: String?) throws -> [MessageRecord]

  /// Stores messages received before the archive catch-up has finished. They are deferred: each gets its place in the log when it is
  /// recorded.
  /// - Returns: where the first of them is stored; nil: there is none.
  @discardableResult func postpone(_ messages: [ArrivedMessage]) throws -> LogPlace?

  /// The deferred messages of this program, those inherited from earlier runs among them, in the order of arrival. But offline messages
  /// sort before live ones of the same stream; ejabberd 23.01 delivers live ones first.
  /// - Parameters:
  ///   - place: the place of the first one that came on the present stream; nil: none did.
  ///   - limit: no more than so many.
  func postponed(heldFrom place: LogPlace?, limit: Int) throws -> [ArrivedMessage]

  /// Those of the deferred messages that the server kept for us, and that are surely older than what the archive has behind the cursor: the
  /// archive was read backwards past them, or they were stored before the second of a time.
  /// - Parameters:
  ///   - time: of the first message behind the cursor, by the server's clock; nil: it is not known.
  ///   - limit: no more than so many.
  func postponedFromBefore(_ time: Timestamp?, limit: Int) throws -> [ArrivedMessage]

  // MARK: Consumers

  /// Has a consumer of this name.
  /// - Parameter start: a new consumer is presented messages behind this place; nil: those that come from now on.
  func open(_ consumer: String, from start: LogPlace?) throws

  /// What a consumer was not presented, in the order of the log.
  /// - Parameters:
  ///   - place: only what is behind it; nil: all.
  ///   - limit: no more than so many.
  func unpresented(to consumer: String, after place: LogPlace?, limit: Int) throws -> [MessageArrived]

  /// Where the log ends now.
  func end() throws -> LogPlace

  /// A consumer was presented these messages; the others stay.
  func present(_ places: [LogPlace], to consumer: String) throws

  // MARK: The archive

  /// The id of the last message of our server's archive (XEP-0313) up to which everything is known here; nil: none is.
  func archiveCursor() throws -> String?
  /// - Parameter overlap: an archive id behind which all messages are that the one of the cursor may have overtaken; nil: as the log says, or
  ///   as before where the cursor was the same.
  func keepArchiveCursor(_ archiveCursor: String, overlap: String?) throws
  /// A message of the archive that is surely earlier than any that the one of this id may have overtaken
  /// (``SessionLimits/overtakingMilliseconds``).
  /// - Returns: its archive id; nil: neither is it kept with the cursor, nor has the log a message near.
  func place(before archiveID: String) throws -> String?
}

extension MessageStore {
  /// The same where the log says what may have been overtaken.
  package func record(_ messages: [ArrivedMessage], archiveCursor: String?) throws -> [MessageRecord] {
    try record(messages, archiveCursor: archiveCursor, overlap: nil)
  }

  /// The same where the log says what may have been overtaken.
  package func keepArchiveCursor(_ archiveCursor: String) throws {
    try keepArchiveCursor(archiveCursor, overlap: nil)
  }
}

/// A message of ours that the server may not have, as it is kept.
package final class OutboxRecord: Sendable {
  /// What is to be sent.
  package let message: OutgoingMessage
  /// `sent`: it is about to be written, or was at least once. Else `waiting`.
  package let state: DeliveryState
  /// Where it is about to stand on the stream, or last did; nil: it waits, or nobody can say.
  package let place: StreamPlace?
  /// The archive's last id that was known when it was first written, after which it will be found there; nil: the last one that
  /// the store knows.
  package let archiveCursor: String?

  package init(
    _ message: OutgoingMessage, state: DeliveryState = .waiting, place: StreamPlace? = nil, archiveCursor: String? = nil
  ) {
    self.message = message
    self.state = state
    self.place = place
    self.archiveCursor = archiveCursor
  }
}

/// A message that came, as it is kept.
package struct ArrivedMessage: Sendable, Equatable {
  /// The event that is posted of it.
  package var event: MessageArrived
  /// Whom the conversation is with.
  package var conversation: JID
  /// Its id in our server's archive. While deferred: the stanza-id as claimed by the stanza, not verified (XEP-0359).
  package var archiveID: String?
  /// Its id names no other message, as the sender says (XEP-0359). Others' ids may come again with another message.
  package var hasUniqueID: Bool
  /// It is from the server's offline storage or history, and may have been sent before.
  package var mayBeRepeated: Bool
  /// When it was sent, or, where nobody says, when it came.
  package var time: Timestamp
  /// When it came.
  package var received: Timestamp
  /// Where it is stored while it is deferred; nil: it is not deferred, or in memory only.
  package var postponed: LogPlace?
  /// When it was first sent, where the sender says that it was sent before (XEP-0203).
  package var firstSent: Timestamp?
  /// The first message of the stream that it came on, none of which it can be; nil: that is not known.
  package var streamStart: LogPlace?
  /// It was read from an archive, and did not come on the stream.
  package var isFromArchive = false
  /// That was our own account's archive, and not a room's.
  package var isFromOwnArchive: Bool { isFromArchive && event.kind != .groupchat }
  /// ``archiveID``, if it is one of our own account's archive, and not of a room's.
  package var ownArchiveID: String? { event.kind == .groupchat ? nil : archiveID }
  /// The state of a message that was sent from here, as an export or a feature says; nil: it is another's, or from another device.
  package var exportedState: DeliveryState?
  /// It came in the first turn that brought messages of its stream: none of those that are stored with it is the same message.
  package var beginsStream = false

}

extension ArrivedMessage {
  /// A message as it is to be kept.
  /// - Parameter received: nil: when it was sent.
  package init(
    _ event: MessageArrived, archiveID: String?, hasUniqueID: Bool, mayBeRepeated: Bool, time: Timestamp,
    received: Timestamp? = nil, postponed: LogPlace? = nil, firstSent: Timestamp? = nil,
    streamStart: LogPlace? = nil, beginsStream: Bool = false
  ) {
    // By the one that Swift makes: what is written within the type itself copies the whole when it is done.
    self.init(
      event: event, conversation: event.conversation, archiveID: archiveID, hasUniqueID: hasUniqueID,
      mayBeRepeated: mayBeRepeated, time: time, received: received ?? time, postponed: postponed, firstSent: firstSent,
      streamStart: streamStart, beginsStream: beginsStream)
  }
}

/// What the store did with a message that came.
package enum MessageRecord: Sendable, Equatable {
  /// It is new, and stands there.
  case new(LogPlace)
  /// This program, or the one before it, has had it.
  case known
  /// Another program that uses the store has had it, or it is one of ours, and stands there: nothing is to be kept, but it may be
  /// shown.
  case knownElsewhere(LogPlace)
}

/// A message of ours about which a report came, as the store has it.
package struct ReportedMessage: Sendable, Equatable {
  /// The store's.
  package var number: Int64
  /// To whom it was sent.
  package var to: JID
  /// The report has been stored with it now. Else a program had stored it, or a later state, or has not yet stored that the server has the
  /// message.
  package var isNoted: Bool

  package init(number: Int64, to: JID, isNoted: Bool) {
    self.number = number
    self.to = to
    self.isNoted = isNoted
  }
}

/// Why a store could not do what it was asked to.
package protocol StoreFailure: Error, CustomStringConvertible {
  /// Another program has it locked: later it may be different.
  var isBusy: Bool { get }
}

/// What an earlier run of the program left.
package struct LeftMessages: Sendable {
  /// One of ours that the server may not have.
  package struct Ours: Sendable, Equatable {
    /// The store's.
    package var number: Int64
    /// What is to be sent.
    package var message: OutgoingMessage
    /// `sent`: it was written at least once. Else `waiting`.
    package var state: DeliveryState
    /// Where it stood on a stream, if it did.
    package var place: StreamPlace?
    /// The archive's last id that was known when it was written.
    package var archiveCursor: String?

    package init(
      number: Int64, message: OutgoingMessage, state: DeliveryState, place: StreamPlace?, archiveCursor: String?
    ) {
      self.number = number
      self.message = message
      self.state = state
      self.place = place
      self.archiveCursor = archiveCursor
    }
  }

  /// In the order of writing.
  package var ours: [Ours]
  /// Some messages are deferred (``MessageStore/postponed(heldFrom:limit:)``).
  package var hasPostponed: Bool

  package init(ours: [Ours] = [], hasPostponed: Bool = false) {
    self.ours = ours
    self.hasPostponed = hasPostponed
  }
}

/// A message that waits in the outbox.
package struct OutboxItem: Sendable, Equatable {
  /// What waits.
  package var message: OutgoingMessage
  /// How far it came.
  package var state: DeliveryState

  package init(message: OutgoingMessage, state: DeliveryState) {
    self.message = message
    self.state = state
  }
}

/// What came of withdrawing a message.
package enum Withdrawal: Sendable, Equatable {
  /// It will not be sent, or not again. To whom it was to go, and whether it was sent before and is uncertain.
  case withdrawn(to: JID, mayHaveArrived: Bool = false)
  /// A running program has sent it, and waits for the server's acknowledgement.
  case isOnItsWay(to: JID)

  /// Why a message that was withdrawn counts as one that failed.
  package static func reason(mayHaveArrived: Bool) -> String {
    mayHaveArrived ? "It was withdrawn, and may have arrived before." : "It was withdrawn."
  }
}
