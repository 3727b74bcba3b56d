// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
package import JackdawProtocol
import JackdawXML

/// Entering rooms, leaving them, and staying in.
extension Groupchat {
  // MARK: What the user wants

  /// Joins a room, and returns once the user is in it.
  /// - Parameters:
  ///   - nick: what the user wants to be called there, and nothing else; nil: as before, or as they are called elsewhere.
  ///   - password: what lets them in, where the room asks; nil: what is kept.
  ///   - configures: whoever asks configures a room that is made by this; else it is made as its service makes rooms.
  /// - Throws: ``RequestError`` with what the room said, or with `timedOut`.
  @discardableResult package func join(
    _ jid: JID, nick: String? = nil, password: String? = nil, configures: Bool = false
  ) async throws(RequestError) -> Room {
    guard jid.localpart != nil else {
      throw RequestError(.notSent, "\(jid.bare) is not a room: the address of a room is like room@\(jid.domain).")
    }
    let making: RoomMaking = configures ? .configured : .asItsServiceDoes
    known[jid.bare]?.making = making
    if context.delivery.isForOneCommand { hasStream = true }
    // Whoever asks does not wait for the end of a pause.
    if let paused = known[jid.bare], paused.seat.state == .waiting { paused.timer = nil }
    let isUnderWay = known[jid.bare]?.seat.state == .entering
    guard let room = want(jid, nick: nick, password: password, making: making) else {
      throw RequestError(.notSent, "You are in as many rooms as Jackdaw can hold.")
    }
    room.isAskedFor = true
    let wasInside = room.isInside
    if !wasInside { try await waitToEnter(room) }
    // What was under way has asked for another one.
    if wasInside || isUnderWay, let nick, nick != room.nick { try await rename(in: jid, to: nick) }
    return room
  }

  private func waitToEnter(_ room: Room) async throws(RequestError) {
    let limit = max(context.timeout, RoomLimits.entering)
    do throws(RequestError) {
      try await Self.wait(for: room.entering, limit, context.clock, "\(room.jid) did not answer in time.")
    } catch {
      let isGivenUp = error.code == .timedOut || error.code == .cancelled
      if isGivenUp, room.entering.count == 0, !staysWanted(room), known[room.jid] === room { act(room, .unwanted) }
      throw error
    }
  }

  /// Whoever gives up entering it does not want to be in it any more, unless they were before, it is bookmarked, or something is to be
  /// said there.
  func staysWanted(_ room: Room) -> Bool {
    room.hasBeenInside || room.record.autojoin || context.delivery.hasOpen(in: room.jid)
  }

  /// Leaves a room, and returns once it has confirmed that.
  /// - Parameter reason: what those who stay are told.
  package func leave(_ jid: JID, saying reason: String? = nil) async throws(RequestError) {
    guard let room = known[jid.bare], room.isWanted else { return }
    act(room, .unwanted, saying: reason)
    guard room.seat.state == .leaving else { return }
    try await Self.wait(
      for: room.leaving, RoomLimits.leaving + .seconds(1), context.clock, "\(room.jid) did not answer in time.")
  }

  /// Takes another nick in a room.
  /// - Throws: ``RequestError`` with what the room said.
  package func rename(in jid: JID, to nick: String) async throws(RequestError) {
    guard let room = known[jid.bare], room.isInside else { throw Self.outside(jid) }
    guard nick != room.nick else { return }
    try ask(room, for: nick)
    try await Self.wait(for: room.renamed, context.timeout, context.clock, "\(room.jid) did not answer in time.")
  }

  /// Says what a room is about; empty: nothing any more.
  package func setTopic(_ text: String, in jid: JID) async throws(RequestError) {
    guard let room = known[jid.bare], room.isInside else { throw Self.outside(jid) }
    let message = Message(kind: .groupchat, id: context.freshID(), to: room.jid, body: nil, subject: text)
    let list = WaitingList<Void>()
    topics[message.id ?? ""] = (room.jid, list)
    defer { topics[message.id ?? ""] = nil }
    do {
      try context.stanzas.send(message.element)
    } catch {
      throw RequestError(.notSent, "\(error)", cause: error)
    }
    // Prosody 0.12 says nothing where the topic stands there already, by the same person. What it says stands before the answer to this.
    EventLoop.main.start { [context] in
      _ = try? await context.requests.information(of: room.jid, node: nil, timeout: context.timeout)
      if room.topic?.text == text { list.end(.success(())) }
    }
    try await Self.wait(for: list, context.timeout, context.clock, "\(room.jid) did not answer in time.")
  }

  static func outside(_ jid: JID) -> RequestError {
    RequestError(
      .refused, "You are not in \(jid.bare).", stanzaError: StanzaError(kind: .modify, condition: "not-acceptable"))
  }

  private static func wait(
    for list: WaitingList<Void>, _ limit: Duration, _ clock: any LoopClock, _ late: String
  ) async throws(RequestError) {
    do {
      try await list.wait(for: limit, on: clock) { RequestError(.timedOut, late) }
    } catch let error as RequestError {
      throw error
    } catch {
      throw RequestError(.cancelled, "It was cancelled.", cause: error)
    }
  }

  // MARK: Seats

  /// The user wants to be in a room: it is entered now, or when there is a stream.
  /// - Returns: nil where there are too many.
  func want(_ jid: JID, nick: String?, password: String?, making: RoomMaking = .asItsServiceDoes) -> Room? {
    let jid = jid.bare
    refusals[jid] = nil
    let room: Room
    if let old = known[jid] {
      room = old
    } else {
      guard known.count < RoomLimits.rooms, jid.localpart != nil else { return nil }
      let record = record(of: jid) ?? RoomRecord(jid)
      room = Room(record, nick: record.nick ?? context.identity.ownNick, now: context.clock.now)
      known[jid] = room
    }
    if let password { room.record.password = password }
    // Whoever wants to be in it is not held back by a message that waits for it.
    if !room.isWanted || room.making == .never { room.making = making }
    if !room.isWanted { room.hasBeenInside = false }
    // Whoever waits to enter under a nick of their choice keeps it, whatever else has the room entered.
    let nick = nick ?? (room.isWanted && room.isNickChosen && room.entering.count > 0 ? room.nick : nil)
    guard !room.isWanted || room.seat.state == .waiting && hasStream && room.timer == nil else {
      if let nick, room.seat.state == .waiting { (room.nick, room.isNickChosen) = (nick, true) }
      return room
    }
    (room.isNickChosen, room.nicksTried, room.isLeftElsewhere) = (nick != nil, 0, false)
    room.nick = nick ?? room.record.nick ?? context.identity.ownNick
    act(room, .wanted(hasStream: hasStream))
    awaitBeingShown()
    return room
  }

  /// Enters the rooms that wait for a stream, all at once: nobody waits for it.
  func enterWaiting() {
    for room in known.values.sorted(by: { $0.jid.description < $1.jid.description }) where room.seat.state == .waiting {
      room.timer = nil
      act(room, .streamIsReady)
    }
  }

  func act(_ room: Room, _ input: RoomSeat.Input, saying reason: String? = nil) {
    let before = room.seat.state
    switch room.seat.handle(input) {
    case .nothing: break
    case .enter: EventLoop.main.start { [weak self] in await self?.enter(room) }
    case .leave: sayGoodbye(room, reason)
    case .pause(let number):
      let pause = RoomLimits.firstPause * (1 << number)
      room.timer = context.clock.schedule(after: pause) { [weak self] in
        room.timer = nil
        guard let self, hasStream else { return }
        act(room, .pauseIsOver)
      }
    }
    // Whoever waits for that has left, also where the user wants to be in it again.
    if before == .leaving, room.seat.state != .leaving { room.leaving.end(.success(())) }
    if room.seat.state == .outside {
      forgetOccupants(room)
      keepPosition(of: room)
      known[room.jid] = nil
      if room.isLeftElsewhere {
        // What was written since then brings the user back.
        if context.delivery.hasOpen(in: room.jid) {
          _ = mayWrite(to: room.jid)
        } else {
          // Also where the room could say nothing, as the user was not back in it yet.
          context.events.post(RoomChanged(room.jid, .left, nick: room.nick))
        }
      } else if before == .leaving || input == .unwanted {
        context.delivery.roomWasLeft(room.jid)
      }
    }
  }

  func enter(_ room: Room) async {
    var (missing, refusal): (StanzaError?, StanzaError?)
    // A room notifies only its occupants of a configuration change (XEP-0045 10.2.1).
    if room.information == nil || room.isInformationOld {
      let limit = min(context.timeout, RoomLimits.informationPatience)
      do throws(RequestError) {
        room.information = try await context.requests.information(of: room.jid, node: nil, timeout: limit)
        room.isInformationOld = false
      } catch {
        // What it does not say it does not have.
        refusal = error.stanzaError
        missing = refusal.flatMap { $0.condition == "item-not-found" ? $0 : nil }
      }
    }
    guard room.seat.state == .entering, hasStream else { return }
    if let missing, room.making == .never { return wasRefused(room, missing) }
    // It would not answer.
    if let whose = personalAddress(room, refusal) {
      return wasRefused(room, StanzaError(kind: .modify, condition: "jid-malformed"), "\(room.jid) is \(whose).")
    }
    guard let place = room.place else {
      return wasRefused(
        room, StanzaError(kind: .modify, condition: "jid-malformed"), "'\(room.nick)' cannot be a nick.")
    }
    forgetOccupants(room)
    room.isNew = false
    let presence = RoomPresence.entering(
      place, id: context.freshID(), show: context.links.shown, password: room.record.password,
      history: historyRequest(for: room))
    do {
      try context.stanzas.send(presence.element)
    } catch {
      return act(room, .streamIsGone)
    }
    room.timer = context.clock.schedule(after: RoomLimits.entering) { [weak self] in
      room.timer = nil
      guard let self, room.seat.state == .entering else { return }
      refused(room, RequestError(.timedOut, "\(room.jid) did not answer in time."), mayPass: true)
    }
  }

  /// What an address is that is no room's but a person's; nil: it may be a room's.
  /// - Parameter refusal: what was said where nothing is told of it.
  private func personalAddress(_ room: Room, _ refusal: StanzaError?) -> String? {
    if let information = room.information {
      let isPerson = information.has(category: "account") && !information.has(category: "conference")
      return isPerson ? "a person, and no room" : nil
    }
    // So servers answer for accounts whose owners do not let the user see them (XEP-0030 8): some in these words, which no room has, others
    // as for anything that is not there. Rooms are at a domain of their own.
    let isAccount =
      refusal?.condition == "subscription-required"
      || refusal?.condition == "service-unavailable" && room.jid.domain == context.identity.account.domain
    return isAccount ? "no room's address, but that of a person or of nobody" : nil
  }

  private func sayGoodbye(_ room: Room, _ reason: String?) {
    let presence = Presence(kind: .unavailable, to: room.place ?? room.jid, status: reason)
    // Without a stream the room sees it by itself.
    try? context.stanzas.send(presence.element)
    room.timer = context.clock.schedule(after: RoomLimits.leaving) { [weak self] in
      room.timer = nil
      self?.act(room, .left)
    }
  }

  /// Asks for another nick: the room answers with presence.
  func ask(_ room: Room, for nick: String) throws(RequestError) {
    guard let place = try? JID(localpart: room.jid.localpart, domain: room.jid.domain, resource: nick) else {
      throw RequestError(.notSent, "'\(nick)' cannot be a nick.")
    }
    let id = context.freshID()
    room.renaming = (id, place.resource ?? nick)
    do {
      try context.stanzas.send(Presence(id: id, to: place, show: context.links.shown).element)
    } catch {
      throw RequestError(.notSent, "\(error)", cause: error)
    }
  }

  /// Presence to contacts does not reach rooms: they are sent it on their own.
  func tell(_ room: Room, _ presence: Presence) {
    guard let place = room.place else { return }
    let directed = Presence(to: place, show: presence.show, status: presence.status)
    try? context.stanzas.send(directed.element)
  }

  func streamIsGone(_ room: Room) {
    room.timer = nil
    room.isProbing = false
    endHistory(of: room)
    forgetOccupants(room)
    act(room, .streamIsGone)
  }
}
