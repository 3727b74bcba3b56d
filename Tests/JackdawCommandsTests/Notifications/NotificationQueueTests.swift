// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession
import Testing

@testable import JackdawCommands

@Suite("Calls for the user") struct NotificationQueueTests {
  private let bob: JID
  private let carol: JID
  private let start = MonotonicTime(nanoseconds: 100_000_000_000)

  init() throws {
    bob = try JID("bob@example.org")
    carol = try JID("carol@example.org")
  }

  private func message(_ body: String, _ from: JID) -> MessageArrived {
    MessageArrived(id: nil, from: from, to: carol, kind: .chat, body: body)
  }

  private func expects(_ due: NotificationQueue.Due, _ result: NotificationQueue.Due) { #expect(result == due) }

  @Test("are made at once, and within three seconds gathered, one for each person")
  func gathered() {
    var queue = NotificationQueue()
    expects(.now, queue.add(message("1", bob), .message, of: bob, isLate: false, rings: true, at: start))
    let first = queue.drain(at: start)
    #expect(first.map(\.count) == [1])
    let later = start + .seconds(1)
    expects(.after(.seconds(2)), queue.add(message("2", bob), .message, of: bob, isLate: false, rings: true, at: later))
    expects(.asBefore, queue.add(message("3", carol), .message, of: carol, isLate: false, rings: true, at: later))
    expects(.asBefore, queue.add(message("4", bob), .message, of: bob, isLate: false, rings: true, at: later))
    let calls = queue.drain(at: start + .seconds(3))
    #expect(calls.map(\.person) == [bob, carol] && calls.map(\.count) == [2, 1])
    #expect((calls[0].event as? MessageArrived)?.body == "4")
    let none = queue.drain(at: start + .seconds(3))
    #expect(none.isEmpty)
    expects(.now, queue.add(message("5", bob), .message, of: bob, isLate: false, rings: true, at: start + .seconds(6)))
  }

  @Test("for what was stored meanwhile wait for what another device says")
  func late() {
    var queue = NotificationQueue()
    expects(.after(.seconds(3)), queue.add(message("1", bob), .message, of: bob, isLate: true, rings: true, at: start))
  }

  @Test("are bounded, whoever floods")
  func flood() throws {
    var queue = NotificationQueue()
    for number in 0..<10_000 {
      let stranger = try JID("s\(number)@example.org")
      _ = queue.add(message("x", stranger), .message, of: stranger, isLate: false, rings: true, at: start)
    }
    let calls = queue.drain(at: start)
    #expect(calls.count == CommandLimits.notificationsGathered)
  }

  @Test(
    "stay away in quiet hours",
    arguments: [
      ("22:00-07:00", 22 * 60, true), ("22:00-07:00", 0, true), ("22:00-07:00", 7 * 60, false),
      ("22:00-07:00", 12 * 60, false), ("9:00-17:30", 9 * 60, true), ("9:00-17:30", 17 * 60 + 30, false),
      ("00:00-24:00", 0, true), ("00:00-24:00", 1_439, true),
    ])
  func quiet(hours: String, minute: Int, isQuiet: Bool) throws {
    #expect(try #require(QuietHours(hours)).contains(minute) == isQuiet)
  }

  @Test("for friends who come online leave out those of the log-in, and one who comes and goes")
  func arrivals() {
    var arrivals = FriendArrivals()
    arrivals.sessionBegan(at: start)
    func takes(_ friend: JID, _ isThere: Bool, _ second: Int, isCalled: Bool) {
      let result = arrivals.isArrival(friend, isThere: isThere, at: start + .seconds(second))
      #expect(result == isCalled, "after \(second) s")
    }
    takes(bob, true, 2, isCalled: false)
    takes(carol, true, 20, isCalled: true)
    takes(carol, true, 21, isCalled: false)
    takes(carol, false, 22, isCalled: false)
    takes(carol, true, 23, isCalled: false)
    takes(carol, false, 700, isCalled: false)
    takes(carol, true, 701, isCalled: true)
    takes(bob, false, 702, isCalled: false)
    takes(bob, true, 703, isCalled: true)
  }
}
