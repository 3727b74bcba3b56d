// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawXML

/// Finding out that the user is no longer in a room, although it did not say so.
extension Groupchat {
  /// Looks now and then whether the user is still in rooms in which nothing happens (XEP-0410).
  func probeLater() {
    guard known.values.contains(where: \.isInside) else { return probing = nil }
    probing = context.clock.schedule(after: RoomLimits.quiet / 4) { [weak self] in
      guard let self else { return }
      let now = context.clock.now
      for room in known.values where room.isInside && now - room.lastHeard >= RoomLimits.quiet { probe(room) }
      probeLater()
    }
  }

  func probe(_ room: Room) {
    guard room.isInside, !room.isProbing, let place = room.place else { return }
    room.isProbing = true
    EventLoop.main.start { [weak self] in
      guard let self else { return }
      let ping = IQ(kind: .get, to: place, payload: Element("ping", "urn:xmpp:ping"))
      var isLost = false
      do throws(RequestError) {
        _ = try await context.requests.request(ping, timeout: .after(RoomLimits.seatPatience))
      } catch {
        isLost = Self.saysOutside(error)
      }
      room.isProbing = false
      guard known[room.jid] === room, room.isInside else { return }
      room.lastHeard = context.clock.now
      if isLost { enterAgain(room, "You are no longer in \(room.jid), which did not say so") }
    }
  }

  /// Asks whether a room is still there after the only one in it, the user, took another nick: Prosody 0.12 ends one that it does not
  /// keep, and does not say so. Whoever took the nick waits for that.
  func probeAfterRenaming(_ room: Room) {
    EventLoop.main.start { [weak self] in
      guard let self else { return }
      var isLost = false
      do throws(RequestError) {
        let limit = min(context.timeout, RoomLimits.informationPatience)
        _ = try await context.requests.information(of: room.jid, node: nil, timeout: limit)
      } catch {
        isLost = error.stanzaError?.condition == "item-not-found"
      }
      if isLost, known[room.jid] === room, room.isInside { enterAgain(room, "\(room.jid) ended with your old name") }
      room.renamed.end(.success(()))
    }
  }

  /// A room rejected a stanza of the user's. If it no longer knows the user, or is down and will not know them when it is back, it is
  /// entered again; messages that are written meanwhile wait for that.
  func doubt(_ room: Room, _ error: StanzaError) {
    let reasons: Set = [
      "not-acceptable", "item-not-found", "service-unavailable", "recipient-unavailable", "remote-server-not-found",
      "remote-server-timeout",
    ]
    guard room.isInside, reasons.contains(error.condition) else { return }
    enterAgain(room, "\(room.jid) did not take what you said")
  }

  /// - Parameter why: half a sentence.
  private func enterAgain(_ room: Room, _ why: String) {
    context.remark("\(why): it is joined again.")
    endHistory(of: room)
    act(room, .forgotten)
  }

  /// What of XEP-0410 2.2 says that the user is not in the room.
  static func saysOutside(_ error: RequestError) -> Bool {
    switch error.stanzaError?.condition {
    // An occupant has answered, or the room for one.
    case "service-unavailable", "feature-not-implemented", nil: false
    // The nick has just been changed, or a server is away: that says nothing.
    case "item-not-found", "remote-server-not-found", "remote-server-timeout": false
    default: true
    }
  }
}
