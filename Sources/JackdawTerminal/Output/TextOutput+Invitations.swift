// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession

/// Invitations into rooms that come from strangers, or from whom nobody knows as the room does not say. Anybody can send them, from as many
/// addresses as they like: they are counted, and shown to who asks for them.
extension TextOutput {
  /// On a pipe each event is a line.
  var countsInvitations: Bool { out.columns != nil && verbosity < .verbose }

  /// - Parameter sayer: who invites, as far as it is known.
  func count(_ invitation: MessageArrived, by sayer: Person) {
    let room = invitation.from.bare
    let isOfRoom = invitation.payload?.content?.address == room.description && sayer.jid.bare == room
    invitations.take(isOfRoom ? .room(sayer.jid) : .stranger(sayer.jid.bare))
    guard invitationsTimer == nil else { return }
    let window = invitations.window(at: clock.now)
    invitationsTimer = clock.schedule(after: window) { [weak self] in self?.tellInvitations() }
  }

  func tellInvitations() {
    invitationsTimer = nil
    guard let news = invitations.drain(at: clock.now) else { return }
    endRows()
    put(
      news.only.map { inviter in
        switch inviter {
        case .stranger(let jid): lines.invitation(byStranger: person(jid))
        case .room(let jid): lines.invitation(byRoom: person(jid.bare), inTheNameOf: jid.resource)
        }
      } ?? lines.invitations(news.count))
  }
}

/// Strangers' invitations that are to be told of.
struct InvitationCount {
  /// Who invites, as far as it is known.
  enum Inviter: Equatable {
    /// No contact, by their bare address.
    case stranger(JID)
    /// The room itself, or with a resource an occupant whose address it does not tell.
    case room(JID)
  }

  private var count = 0
  private var last: Inviter?
  private var toldAt: MonotonicTime?

  mutating func take(_ inviter: Inviter) {
    count += 1
    last = inviter
  }

  /// How long they are gathered: after some were told of, long.
  func window(at now: MonotonicTime) -> Duration {
    guard let toldAt, now - toldAt < TerminalLimits.requestsWindow else { return TerminalLimits.presenceWindow }
    return TerminalLimits.requestsWindow
  }

  /// What is to be told now; it is told then.
  /// - Returns: how many came, and of one who sent it; nil: none.
  mutating func drain(at now: MonotonicTime) -> (count: Int, only: Inviter?)? {
    guard count > 0 else { return nil }
    defer { (count, last, toldAt) = (0, nil, now) }
    return (count, count == 1 ? last : nil)
  }
}
