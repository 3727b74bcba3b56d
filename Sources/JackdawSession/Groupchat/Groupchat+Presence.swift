// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawXML

/// Who is in rooms, as the rooms say. Nothing that is said in messages changes any of it.
extension Groupchat {
  /// - Returns: whether it came from a room.
  func take(_ presence: Presence) -> Bool {
    guard let from = presence.from else { return false }
    guard let room = known[from.bare] else {
      // Of a room that was just left, or that is none of ours: nobody is there for anybody.
      guard from.resource != nil, presence.payloads.contains(where: { $0.namespace == Namespace.roomUser })
      else { return false }
      context.remark("Ignored the presence of a room that was never entered.")
      return true
    }
    room.lastHeard = context.clock.now
    if presence.kind == .error {
      failed(room, presence)
    } else if let word = RoomPresence(presence) {
      take(word, of: room)
    }
    return true
  }

  private func failed(_ room: Room, _ presence: Presence) {
    let error = presence.error ?? .undefined
    if let renaming = room.renaming, presence.id == renaming.id || presence.id == nil && room.isInside {
      room.renaming = nil
      let text = Self.sentence(error, room, asked: renaming.nick)
      if room.renamed.count > 0 {
        room.renamed.end(.failure(RequestError(.refused, text, stanzaError: error)))
      } else {
        context.remark(text)
      }
      // Other conditions are about the nick.
      if error.condition == "item-not-found" { doubt(room, error) }
    } else if room.seat.state == .entering {
      wasRefused(room, error)
    } else if room.seat.state == .leaving {
      // It knows nothing of the user, or does not exist any more.
      hasLeft(room)
    }
  }

  private func take(_ word: RoomPresence, of room: Room) {
    let isSelf = word.statuses.contains(.isSelf) || word.occupant.nick == room.nick && isPlainlySelf(word, in: room)
    if isSelf { return tookSelf(word, in: room) }
    word.isAvailable ? arrived(word, in: room) : left(word, in: room)
  }

  /// Old services do not mark the user's own presence (status 110).
  private func isPlainlySelf(_ word: RoomPresence, in room: Room) -> Bool {
    guard let jid = word.occupant.jid else { return room.isInside || !word.isAvailable }
    return jid.bare == context.identity.account
  }

  // MARK: The user

  private func tookSelf(_ word: RoomPresence, in room: Room) {
    guard word.isAvailable else { return wentSelf(word, in: room) }
    if word.statuses.contains(.showsAddresses) { room.showsAddresses = true }
    let before = room.own
    let oldNick = room.nick
    if room.nick != word.occupant.nick { remove(oldNick, from: room) }
    room.nick = word.occupant.nick
    set(word.occupant, in: room)
    switch room.seat.state {
    case .entering where word.statuses.contains(.isNew) && room.making != .configured:
      room.isNew = true
      EventLoop.main.start { [weak self] in await self?.acceptDefaults(of: room) }
    case .entering, .waiting:
      if word.statuses.contains(.isNew) { room.isNew = true }
      entered(room)
    // What else comes of the user meanwhile, as another role, says nothing of the nick that was asked for.
    case .inside where oldNick != room.nick || room.renaming?.nick == room.nick:
      room.renaming = nil
      room.renamed.end(.success(()))
      context.events.post(RoomChanged(room.jid, .nick, nick: room.nick))
    case .inside:
      guard let before, before.role != word.occupant.role || before.affiliation != word.occupant.affiliation else {
        return
      }
      tellRole(word, before, in: room, isOwn: true)
    case .outside, .leaving: break
    }
  }

  /// A newly created room is locked until its owner has accepted a configuration (XEP-0045 10.1.2).
  private func acceptDefaults(of room: Room) async {
    let namespace = "http://jabber.org/protocol/muc#owner"
    let form = Element("x", DataForm.namespace, ["type": "submit"])
    let request = IQ(kind: .set, to: room.jid, payload: Element("query", namespace, [form]))
    do throws(RequestError) {
      _ = try await context.requests.request(request, timeout: .after(context.timeout))
    } catch {
      context.remark("\(room.jid) may be closed to others: \(error)")
    }
    guard room.seat.state == .entering else { return }
    entered(room)
  }

  private func entered(_ room: Room) {
    room.timer = nil
    room.hasBeenInside = true
    act(room, .entered)
    room.entering.end(.success(()))
    context.events.post(RoomChanged(room.jid, .joined, nick: room.nick, isNew: room.isNew))
    // The store has reported its error.
    if records[room.jid] != room.record { try? keep(room.record) }
    beginHistory(of: room)
    if probing == nil { probeLater() }
    context.delivery.roomOpened(room.jid)
  }

  private func wentSelf(_ word: RoomPresence, in room: Room) {
    if word.statuses.contains(.renamed), let nick = word.newNick {
      // The presence under the new name follows.
      remove(word.occupant.nick, from: room)
      let isNew = nick != room.nick
      room.nick = nick
      if isNew || room.renaming != nil {
        room.renaming = nil
        context.events.post(RoomChanged(room.jid, .nick, nick: nick))
        // The presence under the new name counts as nobody else's.
        if room.occupants.isEmpty { probeAfterRenaming(room) } else { room.renamed.end(.success(())) }
      }
      return
    }
    if room.seat.state == .leaving { return hasLeft(room) }
    let isPlain = word.statuses.isSubset(of: [.isSelf]) && word.destruction == nil
    // This ends an earlier stay: the stream on which it began was lost, or the user is or was unavailable for a moment.
    if isPlain, room.seat.state == .entering || room.seat.state == .waiting { return }
    removed(word, from: room)
  }

  private func hasLeft(_ room: Room) {
    room.timer = nil
    if !room.isLeftElsewhere { context.events.post(RoomChanged(room.jid, .left, nick: room.nick)) }
    act(room, .left)
  }

  /// The user is not in a room any more, and did not leave it.
  private func removed(_ word: RoomPresence, from room: Room) {
    let (change, mayReturn) = Self.removal(word)
    var event = RoomChanged(room.jid, change, nick: room.nick, text: word.reason, actor: word.actor)
    if let destruction = word.destruction {
      event.text = destruction.reason
      event.alternative = destruction.alternative
    }
    room.timer = nil
    endHistory(of: room)
    forgetOccupants(room)
    act(room, .removed(mayReturn: mayReturn))
    if !mayReturn {
      let reason = "You are no longer in \(room.jid)."
      room.entering.end(
        .failure(RequestError(.refused, reason, stanzaError: StanzaError(kind: .cancel, condition: "gone"))))
      context.delivery.roomRefused(
        room.jid, StanzaError(kind: .cancel, condition: "not-acceptable"), reason: reason)
      if change == .destroyed { isGone(room) }
    }
    context.events.post(event)
  }

  /// A room that was destroyed is not joined again at each log-in.
  private func isGone(_ room: Room) {
    guard var record = records[room.jid], record.autojoin else { return }
    record.autojoin = false
    // The store has reported its error.
    try? keep(record)
  }

  private static func removal(_ word: RoomPresence) -> (RoomChanged.Change, mayReturn: Bool) {
    let statuses = word.statuses
    if word.destruction != nil { return (.destroyed, false) }
    if statuses.contains(.banned) { return (.banned, false) }
    // ejabberd gives the code of a kick to those whose connection fails, too.
    if statuses.contains(.technical) || statuses.contains(.serviceStops) { return (.lost, true) }
    if statuses.contains(.kicked) { return (.kicked, false) }
    if statuses.contains(.lostAffiliation) || statuses.contains(.becameMembersOnly) { return (.removed, false) }
    return (.lost, true)
  }

  private func tellRole(_ word: RoomPresence, _ before: Occupant, in room: Room, isOwn: Bool = false) {
    var event = OccupantChanged(room.jid, .role, word.occupant)
    event.isOwn = isOwn
    // What the user has done themselves is nobody's deed.
    (event.actor, event.text) = (isOwn && word.actor == room.nick ? nil : word.actor, word.reason)
    event.roleBefore = before.role
    context.events.post(event)
  }

  // MARK: The others

  private func arrived(_ word: RoomPresence, in room: Room) {
    guard room.isInside, room.tellsOccupants else { return set(word.occupant, in: room) }
    let before = room.table[word.occupant.nick]
    set(word.occupant, in: room)
    guard let before else {
      // Who was renamed has been told of.
      if room.expected.remove(word.occupant.nick) == nil {
        context.events.post(OccupantChanged(room.jid, .joined, word.occupant))
      }
      return
    }
    if before.role != word.occupant.role || before.affiliation != word.occupant.affiliation {
      tellRole(word, before, in: room)
    }
  }

  private func left(_ word: RoomPresence, in room: Room) {
    guard let gone = remove(word.occupant.nick, from: room) else { return }
    guard room.isInside, room.tellsOccupants else { return }
    var change = OccupantChanged.Change.left
    if word.statuses.contains(.renamed), let nick = word.newNick {
      change = .renamed
      if room.expected.count < RoomLimits.toldOccupants { room.expected.insert(nick) }
    } else if word.statuses.contains(.banned) {
      change = .banned
    } else if word.statuses.contains(.kicked), !word.statuses.contains(.technical) {
      change = .kicked
    }
    var event = OccupantChanged(room.jid, change, gone)
    event.newNick = change == .renamed ? word.newNick : nil
    (event.actor, event.text) = (word.actor, word.reason)
    context.events.post(event)
  }

  // MARK: The table

  private func set(_ occupant: Occupant, in room: Room) {
    if !room.table.contains(occupant.nick) {
      guard occupantCount < RoomLimits.occupants || occupant.nick == room.nick else { return }
      occupantCount += 1
    }
    room.table.set(occupant)
  }

  @discardableResult private func remove(_ nick: String, from room: Room) -> Occupant? {
    guard let gone = room.table.remove(nick) else { return nil }
    occupantCount -= 1
    return gone
  }

  func forgetOccupants(_ room: Room) {
    occupantCount -= room.table.count
    room.table.removeAll()
    room.expected = []
  }
}
