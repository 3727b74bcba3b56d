// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop
package import JackdawProtocol

/// Everything that was said, to be read again: by conversation, sender, time and words. Needs no connection; several programs may use
/// one log.
///
/// What is there is read piece by piece (``LogPage``), so that a log of years neither fills the memory nor holds up whoever reads it.
@Client package protocol MessageLog: AnyObject {
  /// Whom to tell what is done with their messages.
  var privacy: any PrivacyStore { get }

  /// For whoever changes what is stored, and does nothing else: chat goes on without it.
  /// - Throws: what keeps it from being changed.
  func requireStored() throws

  /// For whoever shows what is stored, and nothing else.
  /// - Throws: what keeps it from being read.
  func requireReadable() throws

  /// The next piece of what matches, in the order of the log.
  /// - Parameter number: only what stands behind it; nil: from the beginning on.
  func page(_ query: LogQuery, after number: Int64?) throws -> LogPage

  /// The next piece of what matches, the newest first. Words that stand in a correction find the message that it corrects
  /// (``LoggedMessage/foundText``), in the place of the correction: a message may so be found several times.
  /// - Parameter number: only what stands before it; nil: from the end on.
  func page(_ query: LogQuery, before number: Int64?) throws -> LogPage

  /// One message, with what was said of it later; nil where none has the number.
  func message(_ number: Int64) throws -> LoggedMessage?

  /// Where a message stands that was sent with an id (RFC 6121 5.2.4), the last one where several have it.
  /// - Parameter conversation: nil: any.
  /// - Returns: nil where none has it.
  func number(ofID id: String, in conversation: JID?) throws -> Int64?

  /// Notes that the user has answered an invitation into a room. What is none, or is not there any more, stays as it is.
  func answerInvitation(_ number: Int64) throws

  /// How many of the messages of a room that nobody has read name the user.
  func unreadMentions(in room: JID) throws -> Int

  /// What a room's archive calls the last of its messages that stands here; nil: none that has such an id.
  func lastArchiveID(in room: JID) throws -> String?

  /// The id that the sender gave to a message which a room's archive calls so; nil: it is not here.
  func id(ofArchived archiveID: String, in room: JID) throws -> String?

  /// When a message was written that a room's archive calls so; nil: it is not here.
  func time(ofArchived archiveID: String, in room: JID) throws -> Timestamp?

  /// When the first message of a room was written that stands in the order of the log, by the clock of whoever kept it; nil: there is
  /// none, or it came as it was said, and has the time of this machine.
  func beginning(of room: JID) throws -> Timestamp?

  /// What a room's archive calls the last message that was sent there with an id; nil: it is not known.
  func archiveID(ofMessage id: String, in room: JID) throws -> String?

  /// A message that others are about, with what was said of it later: the last that was sent with an id and says something itself.
  /// - Parameter isOutgoing: whether we wrote it; nil: whoever did.
  /// - Returns: nil where there is none.
  func message(ofID id: String, in conversation: JID, isOutgoing: Bool?) throws -> LoggedMessage?

  // MARK: Conversations

  /// All conversations, the one with the newest message first.
  func conversations() throws -> [ConversationSummary]
  /// One of them; nil where nothing was ever said.
  func summary(of conversation: JID) throws -> ConversationSummary?
  /// How all of them stand, the one with the newest message first.
  /// - Parameter limit: no more than so many.
  func activity(limit: Int) throws -> [ConversationActivity]
  /// How one of them stands; nil where nothing was ever said.
  func activity(of conversation: JID) throws -> ConversationActivity?
  /// How many messages nobody has read, and in how many conversations.
  func unread() throws -> UnreadCount
  /// Up to `number` somebody has read all of a conversation. One that has been read further stays so.
  func markRead(_ conversation: JID, through number: Int64) throws

  /// The first message of a conversation that is still to be presented to the screen; nil where none is.
  func firstUnpresented(in conversation: JID) throws -> Int64?

  // MARK: Search

  /// Adds messages that came since to the index that is searched: a piece of the work.
  /// - Parameter isWaitedFor: a larger one, at which the whole is done sooner; else one that holds nobody up.
  /// - Returns: how many are still to be added, those that were removed meanwhile counted; 0: none.
  func extendIndex(isWaitedFor: Bool) throws -> Int

  // MARK: Removal

  /// Removes messages for good, a piece of the work. What is still to be sent stays.
  /// - Parameters:
  ///   - conversation: nil: of all.
  ///   - time: only what was written before it; nil: all.
  /// - Returns: how many were removed; 0: there are no more.
  func remove(_ conversation: JID?, before time: Timestamp?) throws -> Int
  /// Removes, of what is not to be kept any longer and was shown, a piece of the work; the archive does not bring it back.
  /// - Returns: how many were removed; 0: there is no more.
  func expire(_ rule: RetentionRule) throws -> Int
  /// Conversations that are not kept once they have been shown, in the order of their names.
  func unkept() throws -> [JID]
  /// - Parameter isKept: false: what is said from now on is removed when it has been shown, and what is here at once.
  func keep(_ conversation: JID, _ isKept: Bool) throws
  /// Has what was removed leave no trace in the file, a piece of the work.
  /// - Returns: whether there is more to be done.
  func purge() throws -> Bool
}

/// What of the log is kept. What nobody has been shown, and what is to be sent, always is.
package struct RetentionRule: Sendable, Equatable {
  /// What was written before it is removed; nil: nothing for its age.
  package var start: Timestamp?
  /// The oldest are removed while the database takes more bytes than these; nil: nothing for its size.
  package var bytes: Int?
  /// What this program kept behind this number is removed; nil: nothing for that.
  package var number: Int64?
  /// The texts of messages that their senders retracted are removed.
  package var removesRetracted: Bool

  package init(start: Timestamp? = nil, bytes: Int? = nil, number: Int64? = nil, removesRetracted: Bool = false) {
    self.start = start
    self.bytes = bytes
    self.number = number
    self.removesRetracted = removesRetracted
  }
}

/// What is looked for in the log.
package struct LogQuery: Sendable, Equatable {
  /// Whom the conversation is with; nil: all conversations.
  package var conversation: JID?
  /// Who wrote it: any of their devices, or one of them; nil: anybody.
  package var sender: JID?
  /// ``sender`` is the user: what they said in a room from another device comes from there.
  package var isSenderUser = false
  /// Not before.
  package var since: Timestamp?
  /// Before.
  package var until: Timestamp?
  /// What stands in it; nil: anything.
  package var words: SearchWords?
  /// Only what nobody has read.
  package var isUnread: Bool
  /// Those too that are shown at the message that they are about.
  package var hasAnnotations: Bool
  /// Of what ``words`` are found in only the corrections, from this number on; nil: all.
  package var correctionsFrom: Int64?
  /// No more than so many at once.
  package var limit: Int

  package init(
    conversation: JID? = nil, sender: JID? = nil, since: Timestamp? = nil, until: Timestamp? = nil,
    words: SearchWords? = nil, isUnread: Bool = false, hasAnnotations: Bool = false,
    limit: Int = 200
  ) {
    self.conversation = conversation
    self.sender = sender
    self.since = since
    self.until = until
    self.words = words
    self.isUnread = isUnread
    self.hasAnnotations = hasAnnotations
    self.limit = limit
  }
}

/// A piece of what matches.
package struct LogPage: Sendable, Equatable {
  /// In the order that was asked for; may be none, though there are more.
  package var messages: [LoggedMessage]
  /// Where to go on; nil: that was all.
  package var next: Int64?

  package init(messages: [LoggedMessage] = [], next: Int64? = nil) {
    self.messages = messages
    self.next = next
  }
}

/// A message of the log.
package struct LoggedMessage: Sendable, Equatable {
  /// Its place: no other message ever has it.
  package var number: Int64
  /// Whom the conversation is with.
  package var conversation: JID
  /// What was said, and when (``MessageArrived/delayed``).
  package var event: MessageArrived
  /// We wrote it, here or on another device.
  package var isOutgoing: Bool
  /// How far it came that was written here.
  package var state: DeliveryState?
  /// Nobody has read it.
  package var isUnread: Bool
  /// Where in the text stands what was searched for, in bytes of UTF-8, in order.
  package var hits: [Range<Int>]
  /// The text of a correction, where ``hits`` stand in that; nil: in what was said first.
  package var foundText: String?
  /// What was said of it later.
  package var fate: MessageFate
  /// It was said in a room, to all who are there or to one alone: who says it is an occupant.
  package var isInRoom: Bool { event.kind == .groupchat || conversation.resource != nil }

  package init(
    number: Int64, conversation: JID, event: MessageArrived, isOutgoing: Bool, state: DeliveryState? = nil,
    isUnread: Bool = false, hits: [Range<Int>] = [], fate: MessageFate = MessageFate()
  ) {
    self.number = number
    self.conversation = conversation
    self.event = event
    self.isOutgoing = isOutgoing
    self.state = state
    self.isUnread = isUnread
    self.hits = hits
    self.fate = fate
  }
}

/// What was said of a message later.
package struct MessageFate: Sendable, Equatable {
  /// Somebody's reactions.
  package struct Reactions: Sendable, Equatable {
    /// Whose: a bare address, in a room an occupant's.
    package var from: JID
    package var with: [String]
    /// They are the user's, whichever of their devices reacted; in a room ``from`` may be who they are there.
    package var isOwn: Bool

    package init(from: JID, with: [String], isOwn: Bool = false) {
      self.from = from
      self.with = with
      self.isOwn = isOwn
    }
  }

  /// What its sender said in its place, last (XEP-0308); empty where that cannot be read.
  package var correction: String?
  /// What that is encrypted with.
  package var correctionEncryption: String?
  /// Its sender does not want it to be seen any more (XEP-0424).
  package var isRetracted = false
  /// Its text was removed for that reason.
  package var isEmptied: Bool
  /// The last word of each on it (XEP-0444). Bounded by what is kept of a conversation.
  package var reactions: [Reactions] = []

  package init(isEmptied: Bool = false) { self.isEmptied = isEmptied }
}

/// A conversation as a whole.
package struct ConversationSummary: Sendable, Equatable {
  /// Whom it is with.
  package var conversation: JID
  /// What was said last.
  package var last: LoggedMessage
  /// Of theirs, how many nobody has read.
  package var unread: Int
  /// Up to here all has been read.
  package var readThrough: Int64

  package init(conversation: JID, last: LoggedMessage, unread: Int, readThrough: Int64) {
    self.conversation = conversation
    self.last = last
    self.unread = unread
    self.readThrough = readThrough
  }
}

/// How much nobody has read.
package struct UnreadCount: Sendable, Equatable {
  /// In all conversations together.
  package var messages: Int
  package var conversations: Int

  package init(messages: Int, conversations: Int) {
    self.messages = messages
    self.conversations = conversations
  }
}
