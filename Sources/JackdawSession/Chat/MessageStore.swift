// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop
package import JackdawProtocol

/// What is kept of messages, theirs and ours. Every function returns when what it was given is safe from the end of the program;
/// several programs may use one store.
@Client package protocol MessageStore: AnyObject {
  /// Called when what was kept is gone, as the store had to begin anew, before anything else is kept: whoever knows what must
  /// not be lost puts it in again.
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
  ///   - mark: the archive's last id that is known; nil: the last one that the store knows.
  /// - Returns: those of them that have been withdrawn meanwhile, and must not be sent.
  func place(_ messages: [(number: Int64, id: String, place: StreamPlace?)], after mark: String?) throws -> Set<Int64>

  /// The fate of messages is known.
  func settle(_ outcomes: [MessageOutcome]) throws

  /// Takes over what this run's predecessors left behind: those of their messages that the server may not have, and the first of
  /// those of others that were never shown, each in the order of coming; ``unread(after:limit:)`` has the rest. What belongs to a program that still runs stays there. A single
  /// command takes over what single commands wrote, and nothing that is to be shown.
  func adopt() throws -> LeftMessages

  /// What waits, whoever's it is, oldest first.
  func outbox() throws -> [OutboxItem]

  /// Takes a message out of the outbox, as long as it is not on its way.
  /// - Returns: nil when no message of this id waits.
  func withdraw(_ id: String) throws -> Withdrawal?

  // MARK: Theirs

  /// Keeps a message that came, unless it is there already.
  /// - Parameters:
  ///   - movesMark: the archive holds nothing before it that we do not know.
  ///   - held: its number among those that are held, where it is no more now; nil: it was not.
  func record(_ message: ArrivedMessage, movesMark: Bool, held: Int64?) throws -> MessageRecord

  /// Keeps a message that came before it is known what came before it: it gets its place among the others when it is recorded.
  /// - Returns: its number among those that are held.
  func hold(_ message: ArrivedMessage) throws -> Int64

  /// The messages of others that came to this run, or that it took over, and have not been shown, in the order of coming.
  /// - Parameters:
  ///   - number: of the last one that is known.
  ///   - limit: how many at most.
  func unread(after number: Int64, limit: Int) throws -> [(number: Int64, event: MessageArrived)]

  /// Messages have been shown.
  func noteShown(_ numbers: [Int64]) throws

  /// All messages as far as this one have been shown, which ``noteShown(_:)`` is about to note: kept without a transaction, so
  /// that a program which is killed before that shows none of them again.
  func markShown(_ number: Int64)

  // MARK: The archive

  /// The id of the last message of our server's archive (XEP-0313) up to which everything is known here; nil: none is.
  func archiveMark() throws -> String?
  func keepArchiveMark(_ mark: String) throws
}

extension MessageStore {
  /// Keeps a message that was not held.
  package func record(_ message: ArrivedMessage, movesMark: Bool) throws -> MessageRecord {
    try record(message, movesMark: movesMark, held: nil)
  }
}

/// A message of ours that the server may not have, as it is kept.
package struct OutboxRecord: Sendable, Equatable {
  /// What is to be sent.
  package var message: OutgoingMessage
  /// It is about to be written, or was at least once.
  package var wasSent: Bool
  /// Where it is about to stand on the stream, or last did; nil: it waits, or nobody can say.
  package var place: StreamPlace?
  /// The archive's last id that was known when it was first written, after which it will be found there; nil: the last one that
  /// the store knows.
  package var mark: String?

  package init(_ message: OutgoingMessage, wasSent: Bool = false, place: StreamPlace? = nil, mark: String? = nil) {
    self.message = message
    self.wasSent = wasSent
    self.place = place
    self.mark = mark
  }
}

/// A message that came, as it is kept.
package struct ArrivedMessage: Sendable, Equatable {
  /// As it is told.
  package var event: MessageArrived
  /// Whom the conversation is with.
  package var peer: JID
  /// Its id in our server's archive. Of one that is held: what is said to be it, whoever wrote that.
  package var archiveID: String?
  /// Its id names no other message, as the sender says (XEP-0359). Others' ids may come again with another message.
  package var hasUniqueID: Bool
  /// The server gives it out of what it keeps, and may have given it before.
  package var mayBeRepeated: Bool
  /// When it was sent, or, where nobody says, when it came.
  package var time: Timestamp

  /// A message as it is to be kept.
  package init(_ event: MessageArrived, archiveID: String?, hasUniqueID: Bool, mayBeRepeated: Bool, time: Timestamp) {
    self.event = event
    self.hasUniqueID = hasUniqueID
    self.mayBeRepeated = mayBeRepeated
    peer = event.carbon == .sent ? event.to.bare : event.from.bare
    self.archiveID = archiveID
    self.time = time
  }
}

/// A message that came and waits for what came before it.
package struct HeldMessage: Sendable, Equatable {
  /// As it is to be kept and told.
  package var message: ArrivedMessage
  /// The store's number among those that are held; nil: the store could not take it, and it is in memory only.
  package var number: Int64?

  package init(_ message: ArrivedMessage, number: Int64?) {
    self.message = message
    self.number = number
  }
}

/// What the store said of a message that came.
package enum MessageRecord: Sendable, Equatable {
  /// It is new, and has this number.
  case new(Int64)
  /// This program, or the one before it, has had it.
  case known
  /// Another program that uses the store has had it, or it is one of ours: nothing is to be kept, but it may be shown.
  case knownElsewhere

  /// The number of one that is new.
  package var number: Int64? {
    if case .new(let number) = self { number } else { nil }
  }
}

/// What an earlier run of the program left.
package struct LeftMessages: Sendable {
  /// One of ours that the server may not have.
  package struct Ours: Sendable, Equatable {
    /// The store's.
    package var number: Int64
    /// What is to be sent.
    package var message: OutgoingMessage
    /// It was written at least once.
    package var wasSent: Bool
    /// Where it stood on a stream, if it did.
    package var place: StreamPlace?
    /// The archive's last id that was known when it was written.
    package var mark: String?

    package init(number: Int64, message: OutgoingMessage, wasSent: Bool, place: StreamPlace?, mark: String?) {
      self.number = number
      self.message = message
      self.wasSent = wasSent
      self.place = place
      self.mark = mark
    }
  }

  /// In the order of writing.
  package var ours: [Ours]
  /// The numbers and the events of those that were not shown.
  package var theirs: [(number: Int64, event: MessageArrived)]
  /// Those that wait for what came before them.
  package var held: [HeldMessage]

  package init(
    ours: [Ours] = [], theirs: [(number: Int64, event: MessageArrived)] = [], held: [HeldMessage] = []
  ) {
    self.ours = ours
    self.theirs = theirs
    self.held = held
  }
}

/// A message that waits in the outbox.
package struct OutboxItem: Sendable, Equatable {
  /// How far it came.
  package enum State: String, Encodable, Sendable {
    /// It has not been sent yet.
    case waiting
    /// It was sent, and the server has not said that it has it.
    case sent
  }
  /// What waits.
  package var message: OutgoingMessage
  /// How far it came.
  package var state: State

  package init(message: OutgoingMessage, state: State) {
    self.message = message
    self.state = state
  }
}

/// What became of the wish to withdraw a message.
package enum Withdrawal: Sendable, Equatable {
  /// It will not be sent, or not again. To whom it was to go.
  case withdrawn(to: JID)
  /// A program that runs has sent it, and waits for the server's word.
  case isOnItsWay(to: JID)
}
