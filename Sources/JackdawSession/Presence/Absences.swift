// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawProtocol

/// Contacts who are away, and since when, as far as the server has said so. A value.
struct Absences {
  /// Contacts without a resource, as the server has said on this stream: it answers a probe so (RFC 6121 4.3.2). Bounded by
  /// ``SessionLimits/departures``.
  private var contacts: Set<JID> = []
  /// When contacts who have not come back since were told to have gone; kept over the streams of a session. Bounded by
  /// ``SessionLimits/departures``.
  private var departures: [JID: Timestamp] = [:]

  /// Whether the server has said that somebody is away.
  func areKnown(of contact: JID) -> Bool { contacts.contains(contact) }
  /// When they were told to have gone; they may have come back on a stream before this one.
  func departure(of contact: JID) -> Timestamp? { departures[contact] }

  /// - Parameter time: when they went; nil: that is not told.
  mutating func begin(of contact: JID, at time: Timestamp?) {
    if contacts.count < SessionLimits.departures { contacts.insert(contact) }
    guard let time, departures.count < SessionLimits.departures || departures[contact] != nil else { return }
    departures[contact] = time
  }

  /// They are there again.
  mutating func end(of contact: JID) {
    contacts.remove(contact)
    // When they went before says nothing of when they go next, which nobody may tell: while there is no stream, say.
    departures[contact] = nil
  }

  /// What the server said of them is known no more.
  mutating func forget(_ contact: JID) { contacts.remove(contact) }
  /// The same for everybody of a domain.
  mutating func forgetDomain(_ domain: String) { contacts = contacts.filter { $0.domain != domain } }
  /// The same for everybody. When people went stays known.
  mutating func forgetAll() { contacts = [] }
}
