// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol

/// Up to where the messages of rooms are known, kept beyond runs and beyond what the log still has (``RoomPosition``).
extension Groupchat {
  /// Reads how far a room is known before it is entered: another program may have come further.
  func recallPosition(of room: Room) {
    // The store has reported its error.
    if keepPosition(of: room), let kept = try? store?.position(in: room.jid) { room.position = kept }
    // If our clock was ahead then, all that is new would be taken for known.
    let now = context.calendar().milliseconds
    if let heard = room.position.heard, heard.time.milliseconds > now + RoomLimits.clockDifference {
      room.position.heard = nil
    }
  }

  /// Keeps how far a room is known, where that waits to be kept.
  /// - Returns: false where it still waits, as another program has the store locked.
  @discardableResult func keepPosition(of room: Room) -> Bool {
    room.keeping == nil || write(room)
  }

  private func write(_ room: Room) -> Bool {
    room.keeping = nil
    do {
      try store?.keep(room.position, in: room.jid)
    } catch let error as any StoreFailure where error.isBusy {
      keepPositionSoon(of: room)
      return false
    } catch {
      // The store has reported its error.
    }
    return true
  }

  /// Keeps it after a pause.
  func keepPositionSoon(of room: Room) {
    guard room.keeping == nil else { return }
    room.keeping = context.clock.schedule(after: RoomLimits.positionPause) { [weak self, weak room] in
      guard let self, let room else { return }
      // What is kept as heard stands in the log.
      context.intake.logArrivals()
      keepPosition(of: room)
    }
  }

  /// Keeps at once how far a room is known. A single command, which leaves what it reads to others, does not change it.
  func keep(_ position: RoomPosition, of room: Room) {
    guard !context.delivery.isForOneCommand, position != room.position else { return }
    room.position = position
    _ = write(room)
  }

  /// Notes what was said in a room without archive.
  /// - Returns: whether it is not news: such a room sends again of what was said before.
  func wasHeard(_ inbound: InboundMessage, in room: Room) -> Bool {
    let message = inbound.message
    guard message.body != nil else { return false }
    let nick = message.from?.resource
    if case .coming(let timer, let last?) = room.history, let stamp = inbound.delayed {
      let isLast =
        last.id != nil && last.id == message.id && last.nick == nick
        && abs(stamp.milliseconds - last.time.milliseconds) <= RoomLimits.clockDifference
      // What stands behind it is news, whatever the room's clock says.
      if isLast { room.history = .coming(timer, nil) }
      if isLast || stamp <= last.time { return true }
    }
    var time = inbound.delayed ?? context.calendar()
    if inbound.delayed != nil, let before = room.position.heard?.time { time = max(time, before) }
    room.position.heard = RoomPosition.Heard(time: time, nick: nick, id: message.id)
    keepPositionSoon(of: room)
    return false
  }

  /// When a room without archive was last heard; nil: never.
  func lastHeard(in room: Room) -> Timestamp? {
    // The store has reported its error. What the user wrote, here or with another program, says nothing of what
    // others have said before it.
    let page = try? context.stores.log?.page(
      LogQuery(conversation: room.jid, limit: RoomLimits.recognised), before: nil)
    let logged = page?.messages.first { !$0.isOutgoing }?.event.delayed
    guard let heard = room.position.heard?.time else { return logged }
    return logged.map { max($0, heard) } ?? heard
  }
}
