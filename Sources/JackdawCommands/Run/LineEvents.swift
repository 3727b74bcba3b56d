// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession

/// What happens to the accounts of a run, for its lines that wait for it.
@Client final class LineEvents {
  /// By account. Bounded by the configuration.
  private var all: [ObjectIdentifier: AccountEvents] = [:]

  /// What happens to one account.
  func of(_ account: Account, in session: Session) -> AccountEvents {
    if let known = all[ObjectIdentifier(account)] { return known }
    let made = AccountEvents(on: session.events)
    all[ObjectIdentifier(account)] = made
    return made
  }
}

/// What happens to one account, for whoever waits for it now and, once a message was sent, for whoever waits later.
@Client final class AccountEvents {
  private struct Wait {
    var number: Int
    var counts: @Client (any ClientEvent) -> Bool
  }

  private let events: EventBus
  /// What a later one may count; nil before the first message.
  private var recent: RecentEvents?
  /// Those who wait, the first of them first. Bounded by the commands that run at once.
  private var waits: [Wait] = []
  /// How many ever waited.
  private var count = 0
  /// To what ``recent`` may hold: while somebody waits, and from the first message on. Bounded by the kinds of events.
  private var answers: [Subscription] = []
  /// To all else: while somebody waits. A message's own states are events, too, and most lines are messages.
  private var states: [Subscription] = []

  init(on events: EventBus) { self.events = events }

  /// A message is put on its way.
  /// - Parameter now: asked for at the first one alone.
  func messageGoes(to recipient: JID, at now: @autoclosure () -> Timestamp) {
    if recent == nil {
      recent = RecentEvents(since: now())
      followAnswers()
    }
    recent?.messageGoes(to: recipient)
  }

  /// Somebody begins to wait: for what has come since a message was sent, and for what comes.
  /// - Parameters:
  ///   - person: whom alone they wait for; nil: for all.
  ///   - counts: asked of each event; what it counts is counted by nobody else.
  /// - Returns: what ``end(_:)`` is called with.
  func begin(for person: JID?, counts: @escaping @Client (any ClientEvent) -> Bool) -> Int {
    recent?.take(for: person) { counts($0) }
    count += 1
    waits.append(Wait(number: count, counts: counts))
    followAnswers()
    if states.isEmpty {
      states = EventCatalogue.types.filter { !RecentEvents.mayHold($0) }.map { subscription(to: $0) }
    }
    return count
  }

  /// They wait no longer.
  func end(_ number: Int) {
    waits.removeAll { $0.number == number }
    guard waits.isEmpty else { return }
    states = []
    if recent == nil { answers = [] }
  }

  private func followAnswers() {
    guard answers.isEmpty else { return }
    answers = EventCatalogue.types.filter { RecentEvents.mayHold($0) }.map { subscription(to: $0) }
    answers.append(subscription(to: ScriptEvent.self))
  }

  private func subscription<Event: ClientEvent>(to type: Event.Type) -> Subscription {
    let isKept = RecentEvents.mayHold(type)
    return events.on(type, topics: nil) { [weak self] event in self?.happened(event, isKept: isKept) }
  }

  private func happened(_ event: any ClientEvent, isKept: Bool) {
    for wait in waits {
      if wait.counts(event) { return }
    }
    if isKept { recent?.happened(event) }
  }
}

extension CommandContext {
  /// A message is put on its way: what comes from now on may be the answer that a later line waits for.
  /// - Throws: ``CommandFailure`` as ``account()``.
  func messageGoes(to recipient: JID, in session: Session) throws(CommandFailure) {
    // No line follows a command of the shell.
    guard origin != .shell else { return }
    lines.events.of(try account(), in: session).messageGoes(to: recipient, at: application.now())
  }
}
