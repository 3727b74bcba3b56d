// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawProtocol
import JackdawXML

/// A message of ours, from the moment it was written to the moment the server has it. It never changes, and is handed from place to place:
/// an object, as copies of so many texts would cost more than all that is done with them.
package final class OutgoingMessage: Sendable, Equatable {
  /// Of the stanza, and its origin-id (XEP-0359); the same each time that it is sent.
  package let id: String
  package let to: JID
  /// What kind of address that is.
  package let addressing: Addressing
  /// Empty where it only says something of an earlier message.
  package let body: String
  /// When it was written.
  package let time: Timestamp
  /// What it says of earlier messages. Bounded by the kinds of `MessageRelation`.
  package let relations: [MessageRelation]
  /// What it is about (RFC 6121 5.2.4).
  package let subject: String?

  package init(
    id: String, to: JID, addressing: Addressing = .person, body: String, time: Timestamp,
    relations: [MessageRelation] = [], subject: String? = nil
  ) {
    self.id = id
    self.to = to
    self.addressing = addressing
    self.body = body
    self.time = time
    self.relations = relations
    self.subject = subject
  }

  package static func == (one: OutgoingMessage, other: OutgoingMessage) -> Bool {
    one.id == other.id && one.to == other.to && one.addressing == other.addressing && one.body == other.body
      && one.time == other.time && one.relations == other.relations && one.subject == other.subject
  }

  /// Whom the conversation is with.
  package var conversation: JID { addressing.conversation(with: to) }

  /// The stanza: a chat message, or a room's. Sent a second time, it says when it was first sent (XEP-0203).
  func stanza(isLate: Bool) -> Message {
    var payloads: [Element] = []
    // With what features add to most.
    payloads.reserveCapacity(4)
    // So that our own devices and servers can tell it from a message to a person (XEP-0045 7.5).
    if addressing == .occupant { payloads.append(Element("x", Namespace.roomUser)) }
    let stamp = isLate ? Delay(stamp: time).element : nil
    // What is changed once it is made is copied as a whole when it is returned: most say nothing of earlier ones.
    guard !relations.isEmpty else {
      if let stamp { payloads.append(stamp) }
      return stanza(payloads)
    }
    var message = stanza(payloads)
    for relation in relations { relation.say(in: &message) }
    if let stamp { message.payloads.append(stamp) }
    return message
  }

  private func stanza(_ payloads: [Element]) -> Message {
    .outgoing(
      kind: addressing == .room ? .groupchat : .chat, id: id, to: to, body: body, subject: subject, originID: id,
      payloads: payloads)
  }
}

/// Another side's report about a message of ours that our server had.
struct MessageReport {
  /// The message's own.
  let id: String
  /// Whom the conversation is with.
  let peer: JID
  let state: DeliveryState
  let origin: Origin

  /// Where it came from, and so who tells it.
  enum Origin {
    /// On the stream of this program, which posts it even if another one has stored it before.
    case stream
    /// From the archive or the offline storage: it is posted if no program has stored it.
    case kept
    /// It has been posted, whatever the store knows of it.
    case told
  }
}

extension InboundMessage {
  /// Where reports in it about messages of ours came from.
  var reportOrigin: MessageReport.Origin { delayed == nil || carbon != nil ? .stream : .kept }
}

/// What became of a message of ours, for the store.
package struct MessageOutcome: Sendable, Equatable {
  /// The store's number of the message.
  package var number: Int64
  /// The message's own id: where the store had to begin anew, its number may be another one's.
  package var id: String
  /// The last that is known.
  package var state: DeliveryState

  package init(number: Int64, id: String, state: DeliveryState) {
    self.number = number
    self.id = id
    self.state = state
  }
}
