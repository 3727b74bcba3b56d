// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawProtocol

extension Outbox {
  /// A message of ours, and what is known of it now: an object, as it is handed from place to place with much that is never looked at.
  /// Its outbox alone changes what concerns its fate and its turn.
  final class Entry {
    let id: String
    let to: JID
    let addressing: Addressing
    /// Counts the messages of this run from 1.
    let number: Int
    var state: DeliveryState
    /// It is `sent`, on a stream that was lost before anybody could tell whether the server has it.
    var isUncertain = false
    /// The error that came back for it.
    var error: StanzaError?
    /// The message itself, as long as it may have to be written.
    var message: OutgoingMessage?
    /// What the stages made of it, until it is written.
    var prepared: PreparedMessage?
    /// The store's number, once it is kept there.
    var stored: Int64?
    /// The archive's last id that was known when it was first written.
    var archiveCursor: String?
    /// Its position on the stream to which it was last written; nil: unknown.
    var place: StreamPlace?
    /// The store knows that it is about to be written, and its position.
    var isPlaced = false
    /// Its number among the messages written, counted over the run from 1; nil: it is not on the present stream.
    var turn: Int?
    /// How many of our stanzas the stream had when it had been written; nil: without stream management.
    var position: UInt32?
    /// It was written before.
    var isRepeated = false
    /// Streams that the server ended while this was the first one open.
    var refusals = 0
    /// How often its room rejected it, as the user was not in it.
    var rejections = 0
    /// Its copies on the stream that the room rejected, and that our server has not acknowledged yet (XEP-0198).
    var vainCopies = 0

    init(_ message: OutgoingMessage, number: Int, state: DeliveryState, stored: Int64?, archiveCursor: String?) {
      id = message.id
      to = message.to
      addressing = message.addressing
      self.number = number
      self.state = state
      self.message = message
      self.stored = stored
      self.archiveCursor = archiveCursor
    }

    /// It is still to be written.
    var isWaiting: Bool { if case .waiting = state { true } else { false } }

    /// It is written on the present stream, and the server may or may not have it.
    var isWritten: Bool { if case .sent = state { !isUncertain } else { false } }

    /// It stands on no stream, and has been written.
    func isToRepeat() {
      isRepeated = true
      turn = nil
      position = nil
    }

    /// It is about to be written there; nil: nobody can say.
    func place(at place: StreamPlace?) {
      self.place = place
      isPlaced = true
    }

    /// It was not written after all.
    func unplace() {
      place = nil
      isPlaced = false
    }

    /// The room has to reflect it: our server's word is not enough.
    var awaitsReflection: Bool { addressing == .room }

    /// Whom the conversation is with: those of one go in order.
    var peer: JID { addressing.conversation(with: to) }
  }
}
