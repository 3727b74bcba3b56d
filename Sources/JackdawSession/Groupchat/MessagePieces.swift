// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawProtocol

/// How much of a message of ours a room has sent back: a gateway to IRC, where a message is one line, makes several of it, in order.
struct MessagePieces {
  /// What we call the message.
  let id: String
  /// What has not come yet. Bounded by the message's length.
  private var rest: Substring

  init(id: String, text: String) {
    self.id = id
    rest = text[...]
  }

  /// All of it has come, but for what gateways leave out at its end.
  var isComplete: Bool { rest.allSatisfy(\.isWhitespace) }

  /// - Returns: false, and nothing has changed: it is not what comes next. Lines without a text do not come at all.
  mutating func take(_ piece: String) -> Bool {
    let next = rest.utf8.drop(while: Self.isEndOfLine)
    guard !piece.isEmpty, next.starts(with: piece.utf8) else { return false }
    // Long lines are cut between bytes.
    rest = Substring(next.dropFirst(piece.utf8.count))
    return true
  }

  private static func isEndOfLine(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }

  /// The lines of a text that come as messages of their own.
  static func lines(of text: String) -> [Substring] {
    text.split { $0 == "\n" || $0 == "\r\n" || $0 == "\r" }.filter { !$0.allSatisfy(\.isWhitespace) }
  }
}

/// Messages of ours of which a room hands on the text alone, and maybe line by line, as gateways to other networks do.
extension Groupchat {
  /// A message of ours that was said in a room, or says something of another one there; nil: it is not known.
  func said(_ id: String, in room: Room) -> LoggedMessage? {
    guard let log = context.stores.log else { return nil }
    // The store has reported its error.
    var known = (try? log.message(ofID: id, in: room.jid, isOutgoing: true)) ?? nil
    // What only says something of another message is not found so.
    if known == nil, let number = (try? log.number(ofID: id, in: room.jid)) ?? nil {
      known = (try? log.message(number)) ?? nil
    }
    return known?.isOutgoing == true ? known : nil
  }

  /// What a room was sent of a message of ours: with what it repeats, or what stands for it where nobody knows what it says of another.
  static func stanza(of message: LoggedMessage) -> Message {
    let event = message.event
    let said = OutgoingMessage(
      id: event.id ?? "", to: message.conversation, addressing: .room, body: event.body,
      time: Timestamp(milliseconds: 0), relations: event.relations)
    return said.stanza(isLate: false)
  }

  static func text(of message: LoggedMessage) -> String { stanza(of: message).body ?? "" }

  /// Whether a room may have made it of a message of ours, or sends that itself.
  static func isPart(_ message: Message, of known: LoggedMessage) -> Bool {
    let (body, text) = (message.body ?? "", text(of: known))
    return body == text || !body.isEmpty && text.contains(body)
  }

  /// Makes of what a room sends back of a message of ours the message that it was.
  /// - Returns: false where more of it is to come.
  func complete(_ inbound: inout InboundMessage, in room: Room) -> Bool {
    guard inbound.carbon == .sent, let id = inbound.message.id, let body = inbound.message.body, !body.isEmpty,
      let known = said(id, in: room), known.event.carbon == nil
    else { return true }
    let stanza = Self.stanza(of: known)
    guard let text = stanza.body else { return true }
    if body != text {
      // A blank line may come behind the last one with a text.
      guard !body.allSatisfy(\.isWhitespace) else { return false }
      var pieces = MessagePieces(id: id, text: text)
      if let begun = room.pieces, begun.id == id { pieces = begun }
      if !pieces.take(body) {
        // It was sent a second time, or the room has changed the text.
        pieces = MessagePieces(id: id, text: text)
        guard pieces.take(body) else { return true }
      }
      room.pieces = pieces.isComplete ? nil : pieces
      guard pieces.isComplete else { return false }
    }
    Self.restore(&inbound.message, stanza)
    return true
  }

  /// - Parameter stanza: as it was sent.
  static func restore(_ message: inout Message, _ stanza: Message) {
    (message.id, message.body) = (stanza.id, stanza.body)
    let saysOfAnother =
      MessageRelation.correction(in: message.payloads) ?? MessageRelation.retraction(in: message.payloads)
      ?? MessageRelation.reply(in: message.payloads) ?? MessageRelation.reactions(in: message.payloads)
    if saysOfAnother == nil { message.payloads += stanza.payloads }
  }

  /// Messages of ours that an archive has in lines, of which it does not say whose they are, as biboumi's does not.
  /// - Returns: what was sent, by the place of its last line; and the places of the lines before. Bounded by the page.
  func inLines(
    _ messages: [ArchivedMessage], in room: Room
  ) -> (wholes: [Int: Message], parts: Set<Int>) {
    let ours = messages.indices.filter { place in
      let message = messages[place].message
      return message.kind == .groupchat && message.id == nil && message.from?.resource == room.nick
    }
    // An empty line of a message says nothing by itself.
    var parts = Set(ours.filter { messages[$0].message.body == "" && messages[$0].message.payloads.isEmpty })
    var wholes: [Int: Message] = [:]
    var places = ours.filter { !(messages[$0].message.body ?? "").allSatisfy(\.isWhitespace) }
    guard places.count > 1, let log = context.stores.log else { return (wholes, parts) }
    // The store has reported its error.
    let page = try? log.page(LogQuery(conversation: room.jid, limit: RoomLimits.recognised), before: nil)
    for known in (page?.messages ?? []).reversed() where known.isOutgoing {
      let stanza = Self.stanza(of: known)
      let lines = MessagePieces.lines(of: stanza.body ?? "")
      guard lines.count > 1, let id = known.event.id, let written = known.event.delayed else { continue }
      let archived = (try? log.archiveID(ofMessage: id, in: room.jid)) ?? nil
      let start = places.indices.first { start in
        let found = places[start...].prefix(lines.count)
        return found.count == lines.count
          && zip(found, lines).allSatisfy { messages[$0].message.body.map { $0[...] } == $1 }
          && written.milliseconds <= messages[found[start]].stamp.milliseconds + RoomLimits.clockDifference
          && (archived == nil || found.contains { messages[$0].archiveID == archived })
      }
      guard let start else { continue }
      let found = places[start..<start + lines.count]
      wholes[found[found.endIndex - 1]] = stanza
      parts.formUnion(found.dropLast())
      places.removeSubrange(start..<start + lines.count)
    }
    return (wholes, parts)
  }
}
