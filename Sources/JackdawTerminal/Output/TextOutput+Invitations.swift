// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession

/// Invitations into rooms that come from strangers. Anybody can send them, from as many addresses as they like: they are counted, and
/// shown to who asks for them.
extension TextOutput {
  /// On a pipe each event is a line.
  var countsInvitations: Bool { out.columns != nil && verbosity < .verbose }

  /// - Parameter sayer: who invites, as far as it is known.
  func count(_ invitation: MessageArrived, by sayer: Person) {
    invitations.take(by: sayer.jid.bare)
    guard invitationsTimer == nil else { return }
    let window = invitations.window(at: clock.now)
    invitationsTimer = clock.schedule(after: window) { [weak self] in self?.tellInvitations() }
  }

  func tellInvitations() {
    invitationsTimer = nil
    guard let news = invitations.drain(at: clock.now) else { return }
    endRows()
    put(lines.invitations(news.only.map { person($0) }, count: news.count))
  }
}

/// Strangers' invitations that are to be told of.
struct InvitationCount {
  private var count = 0
  private var last: JID?
  private var toldAt: MonotonicTime?

  mutating func take(by jid: JID) {
    count += 1
    last = jid
  }

  /// How long they are gathered: after some were told of, long.
  func window(at now: MonotonicTime) -> Duration {
    guard let toldAt, now - toldAt < TerminalLimits.requestsWindow else { return TerminalLimits.presenceWindow }
    return TerminalLimits.requestsWindow
  }

  /// What is to be told now; it is told then.
  /// - Returns: how many came, and of one who sent it; nil: none.
  mutating func drain(at now: MonotonicTime) -> (count: Int, only: JID?)? {
    guard count > 0 else { return nil }
    defer { (count, last, toldAt) = (0, nil, now) }
    return (count, count == 1 ? last : nil)
  }
}
