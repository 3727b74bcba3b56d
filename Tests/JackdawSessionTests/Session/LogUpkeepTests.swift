// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawStore
import Support
import Testing

@testable import JackdawSession

/// When the log is kept in order.
@Client @Suite(.onLoop) struct LogUpkeepTests {
  private let store = AccountStore.inMemory()
  private let clock = ManualClock()
  private let events: EventBus
  private let asked = Asked()

  @Client private final class Asked { var count = 0 }

  init() { events = EventBus(clock: clock) }

  private func upkeep() -> LogUpkeep {
    LogUpkeep(store.log, events: events, clock: clock) { [asked] in
      asked.count += 1
      return RetentionRule()
    }
  }

  private func messageComes(to conversation: String = "bob@example.org", place: LogPlace? = nil) throws {
    var message = MessageArrived(
      id: nil, from: try JID("alice@example.org/x"), to: try JID(conversation), kind: .chat, body: "hi", carbon: .sent)
    message.place = place
    events.post(message)
  }

  @Test("Upkeep of the log begins when no message has come for a moment")
  func itBeginsWhenNoMessageHasComeForAMoment() async throws {
    let upkeep = upkeep()
    for _ in 0..<10 {
      await clock.elapse(.seconds(1))
      try messageComes()
    }
    #expect(asked.count == 0)
    await clock.elapse(.seconds(3))
    #expect(asked.count == 1)
    await clock.elapse(.seconds(60))
    #expect(asked.count == 1)
    withExtendedLifetime(upkeep) {}
  }

  @Test("Where messages do not cease upkeep of the log is done within a minute")
  func itIsDoneWithinAMinuteWhereMessagesDoNotCease() async throws {
    let upkeep = upkeep()
    for _ in 0..<300 {
      await clock.elapse(.seconds(1))
      try messageComes()
    }
    #expect((4...5).contains(asked.count), "\(asked.count)")
    withExtendedLifetime(upkeep) {}
  }
}
