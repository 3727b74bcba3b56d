// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawProtocol
import JackdawSession

/// What has come since lines sent messages and no `/wait` has counted: an answer may be there before somebody waits for it.
///
/// A `/wait` counts what has come since the last message; one for somebody, since the last message to them, where there was one: a script that
/// asks several people, and then waits for each, misses no answer.
struct RecentEvents {
  private struct Entry {
    var event: any ClientEvent
    var bytes: Int
  }

  /// How things stand with the connection, the people and our own messages. A log-in and a message bring some of these by
  /// themselves, and so they are no answers.
  static let states = [
    ConnectionChanged.name, CaughtUp.name, ArchiveRead.name, PresenceChanged.name, MessageStateChanged.name,
  ]

  /// When the first message was sent.
  private let beginning: Timestamp
  /// The oldest first; nil: it was counted, or is too old.
  private var entries: [Entry?] = []
  /// How many events came before the first of ``entries``.
  private var gone = 0
  /// How many of ``entries``, the first ones, are too old.
  private var forgotten = 0
  private var bytes = 0
  /// Whom the last message was for, and how many events had come by then; nil: there was none.
  private var last: (recipient: JID, count: Int)?
  /// The same of others, by their bare addresses.
  private var earlier: [JID: Int] = [:]

  init(since beginning: Timestamp) { self.beginning = beginning }

  /// Whether events of a type may be answers.
  static func mayHold(_ type: any ClientEvent.Type) -> Bool { !states.contains(type.name) }

  /// How many events have come.
  private var count: Int { gone + entries.count }

  /// A message is put on its way.
  mutating func messageGoes(to recipient: JID) {
    if let last, !last.recipient.sharesBare(with: recipient) {
      if earlier.count >= CommandLimits.recentRecipients { earlier = [:] }
      earlier[last.recipient.bare] = last.count
    }
    last = (recipient, count)
  }

  /// Something came that nobody waits for yet.
  mutating func happened(_ event: any ClientEvent) {
    guard event.isNews else { return }
    // What was stored on its way since before the first message answers none. A log-in brings it at any time.
    if let stamp = event.asMessage?.delayed, stamp < beginning { return }
    let entry = Entry(event: event, bytes: event.bytesOfText)
    entries.append(entry)
    bytes += entry.bytes
    // The last one may be an answer, however long it is.
    while entries.count - forgotten > CommandLimits.recentEvents
      || bytes > CommandLimits.recentBytes && forgotten < entries.count - 1
    {
      bytes -= entries[forgotten]?.bytes ?? 0
      entries[forgotten] = nil
      forgotten += 1
    }
    guard forgotten >= CommandLimits.recentEvents else { return }
    entries.removeFirst(forgotten)
    gone += forgotten
    forgotten = 0
  }

  /// Somebody begins to wait.
  /// - Parameters:
  ///   - person: whom alone they wait for; nil: for all.
  ///   - counts: asked of each event, the oldest first; what it counts is counted by nobody else.
  mutating func take(for person: JID?, where counts: (any ClientEvent) -> Bool) {
    for place in max(start(for: person) - gone, forgotten)..<entries.count {
      guard let entry = entries[place], counts(entry.event) else { continue }
      bytes -= entry.bytes
      entries[place] = nil
    }
  }

  /// How many events had come when the message was sent from which on they count.
  private func start(for person: JID?) -> Int {
    guard let last else { return count }
    guard let person, !last.recipient.sharesBare(with: person) else { return last.count }
    return earlier[person.bare] ?? last.count
  }
}
