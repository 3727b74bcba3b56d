// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawXML

/// What is said in rooms, as it comes.
extension Groupchat {
  func verify(_ inbound: inout InboundMessage) -> StageVerdict {
    guard hasRooms, let from = inbound.message.from, let room = known[from.bare] else {
      guard inbound.message.kind == .groupchat else { return .pass }
      context.remark("Ignored a message of a room that was never entered.")
      return .drop
    }
    room.lastHeard = context.clock.now
    let message = inbound.message
    switch message.kind {
    case .error:
      if topicFailed(message) { return .drop }
      return from.resource == nil && rejected(message, in: room) ? .drop : .pass
    case .groupchat: return said(&inbound, in: room)
    case .normal, .chat, .headline:
      if from.resource == nil { tookNotice(message, of: room) }
      return .pass
    }
  }

  /// The room did not take something.
  /// - Returns: whether it goes out again.
  private func rejected(_ message: Message, in room: Room) -> Bool {
    let error = message.error ?? .undefined
    doubt(room, error)
    // A room answers so to a sender who is not in it (XEP-0045 7.4), for example where the last messages crossed with its notice that the
    // user is gone. A user who was kicked does not come back by it.
    guard error.condition == "not-acceptable", room.seat.isWanted, !room.isInside, let id = message.id else {
      return false
    }
    return context.delivery.roomRejected(id, in: room.jid)
  }

  private func said(_ inbound: inout InboundMessage, in room: Room) -> StageVerdict {
    // Until the room has confirmed that the user left, it sends earlier messages, reflections of the user's own among them.
    guard room.isInside || room.seat.state == .leaving else {
      // A newly created room may send its subject before it is unlocked (XEP-0045 10.1).
      if room.seat.state == .entering, room.isNew, tookTopic(inbound.message, of: room) { return .drop }
      context.remark("Ignored a message of a room that was not entered.")
      return .drop
    }
    if tookTopic(inbound.message, of: room) { return .drop }
    guard inbound.message.from?.resource != nil else {
      tookNotice(inbound.message, of: room)
      return says(inbound.message) ? mark(&inbound, in: room) : .drop
    }
    return mark(&inbound, in: room)
  }

  /// Notes of a message of a room when it was said, by whom, and its stanza-id.
  private func mark(_ inbound: inout InboundMessage, in room: Room) -> StageVerdict {
    let stamp = Delay.all(in: inbound.message.payloads).last { $0.from?.bare == room.jid }?.stamp
    inbound.delayed = isSenders(inbound.message, in: room) ? nil : stamp?.clamped(notAfter: context.calendar())
    if room.hasArchive, let id = StanzaID.assigned(by: room.jid, in: inbound.message.payloads) {
      inbound.archiveID = StanzaID.stored(id, in: room.jid)
    }
    describe(&inbound, in: room)
    // A single command shows no messages: the next program that does gets it from the room.
    if context.delivery.isForOneCommand { return .drop }
    if !room.hasArchive, wasHeard(inbound, in: room) { return .drop }
    guard complete(&inbound, in: room) else { return .drop }
    guard case .reading(var held) = room.history else { return .pass }
    // Live messages are held back while the archive is read. Those for which there is no room are in the archive, too.
    if held.count < RoomLimits.heldMessages {
      held.append(inbound)
      room.history = .reading(held)
    }
    return .drop
  }

  /// Whether a delay stamp on a message cannot be the room's: a room with an archive is not asked for its history, so what comes once that
  /// was read is live. ejabberd forwards stamps that occupants write in the room's name.
  private func isSenders(_ message: Message, in room: Room) -> Bool {
    guard room.hasArchive, message.body != nil, case .current = room.history else { return false }
    return true
  }

  /// Notes who wrote a message of a room. The user's own messages are recognised when the room reflects them.
  func describe(_ inbound: inout InboundMessage, in room: Room) {
    let message = inbound.message
    let occupant = room.vouchesForOccupants ? Self.occupantID(message.payloads) : nil
    if let occupant { inbound.carry { $0.occupant = occupant } }
    guard isOwn(inbound, occupant, in: room) else { return }
    inbound.carbon = .sent
    inbound.message.to = room.jid
    // A room may give messages ids of its own (XEP-0359 3).
    if let origin = message.originID, origin != message.id, let known = said(origin, in: room),
      known.event.carbon == nil
    {
      context.delivery.reflected(origin, in: room.jid)
      if Self.isPart(message, of: known) { inbound.message.id = origin }
    }
    if let id = inbound.message.id { context.delivery.reflected(id, in: room.jid) }
  }

  private func isOwn(_ inbound: InboundMessage, _ occupant: String?, in room: Room) -> Bool {
    guard let nick = inbound.message.from?.resource else { return false }
    // Others may have had the nick before: an earlier message is ours only if it is known to be, or has our occupant id (XEP-0421).
    if let occupant, let own = room.own?.id { return occupant == own }
    guard nick == room.nick else { return false }
    guard inbound.delayed != nil || inbound.archiveID != nil && isReading(room) else { return true }
    return isKnownAsOurs(inbound, in: room)
  }

  func isReading(_ room: Room) -> Bool { if case .reading = room.history { true } else { false } }

  private func isKnownAsOurs(_ inbound: InboundMessage, in room: Room) -> Bool {
    let message = inbound.message
    return [message.originID, message.id].contains { id in
      guard let id, let known = said(id, in: room) else { return false }
      // An earlier message that has only some of our text may be somebody else's.
      return inbound.delayed == nil ? Self.isPart(message, of: known) : Self.text(of: known) == message.body ?? ""
    }
  }

  private static func occupantID(_ payloads: [Element]) -> String? {
    let ids = payloads.filter { $0.matches("occupant-id", RoomPresence.occupantIDNamespace) }
    guard ids.count == 1, let id = ids[0].attribute("id"), !id.isEmpty, id.utf8.count <= RoomLimits.occupantID else {
      return nil
    }
    return id
  }

  // MARK: Private messages

  /// A private message in a room belongs to the conversation with the occupant's address, and not with a person's.
  func interpret(_ inbound: inout InboundMessage) -> StageVerdict {
    switch inbound.message.kind {
    case .groupchat:
      if inbound.carbon == nil, let room = known[inbound.message.from?.bare ?? context.identity.account],
        let body = inbound.message.body, mentions(room.nick, in: body, inbound.message.payloads, room)
      {
        inbound.carry { $0.isMention = true }
      }
    case .normal, .chat:
      guard let other = inbound.carbon == .sent ? inbound.message.to : inbound.message.from, !other.isBare
      else { break }
      // Anybody can add a `muc#user` element: it does not make an occupant of a contact.
      let isMarked =
        Self.areOccupants(inbound.message.payloads) && context.links.friends?.subscription(of: other) == nil
      if isRoom(other) || isMarked { inbound.carry { $0.isPrivate = true } }
    case .headline, .error: break
    }
    return .pass
  }

  /// Rooms add a `muc#user` element to private messages between occupants (XEP-0045 7.5). One with an invitation is none of these.
  private static func areOccupants(_ payloads: [Element]) -> Bool {
    // A loop: a closure would check the actor at each call.
    for payload in payloads where payload.matches("x", Namespace.roomUser) {
      if payload.child("invite", Namespace.roomUser) == nil { return true }
    }
    return false
  }

  /// The user is named: by a reference (XEP-0372), or as a word of the text.
  private func mentions(_ nick: String, in body: String, _ payloads: [Element], _ room: Room) -> Bool {
    for payload in payloads where payload.matches("reference", "urn:xmpp:reference:0") {
      guard payload.attribute("type", equals: "mention"), let uri = payload.attribute("uri"),
        let jid = try? XMPPURI(uri).jid
      else { continue }
      if jid == context.identity.account || jid == room.place { return true }
    }
    return Mention.names(nick, in: body)
  }

  // MARK: The room's own words

  /// - Returns: whether it says what the room is about, and nothing else.
  private func tookTopic(_ message: Message, of room: Room) -> Bool {
    // XEP-0045 8.1: a subject with a text is a message's own.
    guard let subject = message.subject, message.body == nil, message.thread == nil else { return false }
    let topic = RoomTopic(text: subject.cut(toBytes: RoomLimits.topic), nick: message.from?.resource)
    let isNews = room.topic != nil && room.topic != topic
    room.topic = topic
    // Prosody 0.12 reflects a topic without the id of its message.
    let isOwnWithoutID =
      message.id == nil && message.from?.resource == room.nick
      && !message.payloads.contains { $0.matches("delay", "urn:xmpp:delay") }
    for (id, waiting) in topics where waiting.room == room.jid && (message.id == id || isOwnWithoutID) {
      waiting.set.end(.success(()))
    }
    if isNews { context.events.post(RoomChanged(room.jid, .topic, nick: topic.nick, text: topic.text)) }
    historyHasCome(to: room)
    return true
  }

  private func topicFailed(_ message: Message) -> Bool {
    guard let id = message.id, let waiting = topics[id], waiting.room == message.from?.bare else { return false }
    let error = message.error ?? .undefined
    let text =
      error.condition == "forbidden"
      ? "You may not change the topic of \(waiting.room)." : "\(waiting.room) refused: \(error)"
    waiting.set.end(.failure(RequestError(.refused, text, stanzaError: error)))
    if message.from?.resource == nil, let room = known[waiting.room] { doubt(room, error) }
    return true
  }

  /// The room's configuration changed (XEP-0045 10.2.1).
  private func tookNotice(_ message: Message, of room: Room) {
    guard message.body == nil, room.isInside else { return }
    let codes = message.payloads.filter { $0.matches("x", Namespace.roomUser) }
      .flatMap { $0.children.filter { $0.name == "status" }.compactMap { $0.attribute("code") } }
    guard codes.contains(where: { ["104", "170", "171", "172", "173", "174"].contains($0) }) else { return }
    if codes.contains("172") { room.showsAddresses = true }
    if codes.contains("173") { room.showsAddresses = false }
    askAnew(room)
    context.events.post(RoomChanged(room.jid, .configuration))
  }

  /// Queries a room's service discovery again. What is known holds until the answer, so that messages are recognised by their ids meanwhile.
  /// However often the configuration changes, there is one query at a time.
  private func askAnew(_ room: Room) {
    guard room.inquiry == .none else { return room.inquiry = .outdated }
    room.inquiry = .asking
    EventLoop.main.start { [context] in
      repeat {
        room.inquiry = .asking
        let limit = RoomLimits.informationPatience
        if let new = try? await context.requests.information(of: room.jid, node: nil, timeout: limit) {
          (room.information, room.isInformationOld) = (new, false)
        }
      } while room.inquiry == .outdated
      room.inquiry = .none
    }
  }
}
