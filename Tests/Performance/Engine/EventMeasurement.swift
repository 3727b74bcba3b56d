// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import AllocationCounter
import JackdawLoop
import JackdawProtocol
import JackdawSession

/// How often the event bus asks for memory to bring an event, which is there already, to one subscriber.
@Client enum EventMeasurement {
  private static let posts = 100_000

  static func run() throws {
    let bus = EventBus(clock: StandingClock())
    let event = MessageArrived(
      id: "an-id-that-is-too-long-to-be-kept-in-place", from: try JID("friend@example.org/phone"),
      to: try JID("me@example.org/jackdaw"), kind: .chat, body: "A message that is too long to be kept in place, too.")
    var delivered = 0
    let subscription = bus.on(MessageArrived.self) { delivered += $0.body.utf8.count }
    // The first one makes what lasts.
    bus.post(event)
    let count = allocations { for _ in 0..<posts { bus.post(event) } }
    subscription.cancel()
    precondition(delivered == (posts + 1) * event.body.utf8.count, "an event was not delivered")
    precondition(allocations { kept = [UInt8](repeating: 1, count: delivered) } > 0, "the counter does not count")
    print("\(posts) events to one subscriber: memory was asked for \(count) times")
    print("event_allocations \((Double(count) / Double(posts) * 1000).rounded() / 1000)")
  }

  private static var kept: [UInt8] = []

  private static func allocations(in body: () -> Void) -> UInt {
    let before = allocations_so_far()
    body()
    return allocations_so_far() - before
  }
}
