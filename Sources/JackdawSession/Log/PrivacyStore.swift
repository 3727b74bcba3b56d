// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop
package import JackdawProtocol

/// What is kept of whom to tell what, and of what they have been told.
@Client package protocol PrivacyStore: AnyObject {
  /// How often the user has said in this program what somebody is told.
  var changes: Int { get }

  /// What the user said of one conversation; what is not in it is as for all.
  func disclosures(to jid: JID) throws -> [Disclosure: Bool]

  /// - Parameter isAllowed: nil: as for all.
  func disclose(_ what: Disclosure, to jid: JID, _ isAllowed: Bool?) throws

  /// Whether the user has ever written in a conversation.
  func hasWritten(to jid: JID) throws -> Bool

  /// What was read and its senders have not been told of: of each conversation the last message that asks for it.
  /// - Parameter limit: no more than so many.
  func unsentMarkers(limit: Int) throws -> [UnsentMarker]

  /// Its sender has been told, or is not to be.
  /// - Parameter isRead: another device has read it, and told them: it counts as read here too.
  func wasSent(_ marker: UnsentMarker, isRead: Bool) throws
}

extension PrivacyStore {
  /// What was read here.
  package func wasSent(_ marker: UnsentMarker) throws { try wasSent(marker, isRead: false) }
}

/// A conversation that was read, whose people do not know that yet.
package struct UnsentMarker: Sendable, Equatable {
  /// A message whose sender wants to know.
  package struct Question: Sendable, Equatable {
    /// What its sender calls it; of a message of a room, what the room calls it.
    package var id: String
    /// The device that it came from; of a message of a room, the room.
    package var sender: JID
    /// All who are in a room are told.
    package var isInRoom: Bool

    package init(id: String, sender: JID, isInRoom: Bool = false) {
      self.id = id
      self.sender = sender
      self.isInRoom = isInRoom
    }
  }

  /// Whom it is with, a bare address.
  package var conversation: JID
  /// The last message of those that were read; nil: nobody asks.
  package var question: Question?
  /// Up to this number of the log all was read.
  package var number: Int64

  package init(conversation: JID, question: Question?, number: Int64) {
    self.conversation = conversation
    self.question = question
    self.number = number
  }
}
