// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import Support
import Testing

@Suite struct TimerQueueTests {
  private func moment(_ nanoseconds: Int64) -> MonotonicTime { MonotonicTime(nanoseconds: nanoseconds) }

  @Test("No timer is due before its deadline") func nothingIsDueBeforeItsMoment() {
    var queue = TimerQueue<Int>()
    _ = queue.insert(1, at: moment(10))
    #expect(queue.popFirst(dueAt: moment(9)) == nil)
    #expect(queue.popFirst(dueAt: moment(10)) == 1)
    #expect(queue.isEmpty && queue.nextDeadline == nil)
  }

  @Test("Timers with the same deadline keep their order") func equalDeadlinesKeepTheirOrder() {
    var queue = TimerQueue<Int>()
    for number in 0..<100 { _ = queue.insert(number, at: moment(5)) }
    #expect((0..<100).map { _ in queue.popFirst(dueAt: moment(5)) } == Array(0..<100))
  }

  @Test("An old token does not remove the timer that has its place now") func anOldTokenDoesNotRemoveItsSuccessor() {
    var queue = TimerQueue<Int>()
    let first = queue.insert(1, at: moment(1))
    #expect(queue.remove(first) == 1)
    let second = queue.insert(2, at: moment(1))
    #expect(queue.remove(first) == nil)
    #expect(queue.remove(second) == 2)
    #expect(queue.remove(second) == nil)
  }

  @Test("The queue agrees with a sorted list for any order of calls", arguments: [1, 2, 3])
  func itAgreesWithASortedListForAnyOrderOfCalls(seed: UInt64) {
    var numbers = SplitMix(seed: seed)
    var queue = TimerQueue<Int>()
    var list: [(deadline: Int64, number: Int, token: TimerQueue<Int>.Token)] = []
    for number in 0..<1000 {
      switch Int.random(in: 0..<10, using: &numbers) {
      case 0..<6:
        let deadline = Int64.random(in: 0..<500, using: &numbers)
        list.append((deadline, number, queue.insert(number, at: moment(deadline))))
      case 6..<8 where !list.isEmpty:
        let removed = list.remove(at: Int.random(in: 0..<list.count, using: &numbers))
        #expect(queue.remove(removed.token) == removed.number)
      default:
        let now = Int64.random(in: 0..<500, using: &numbers)
        let first = list.indices.min { (list[$0].deadline, list[$0].number) < (list[$1].deadline, list[$1].number) }
        let due = first.flatMap { list[$0].deadline <= now ? $0 : nil }
        #expect(queue.popFirst(dueAt: moment(now)) == due.map { list[$0].number })
        if let due { list.remove(at: due) }
      }
      #expect(queue.count == list.count)
    }
  }

  @Test("A hundred thousand timers in any order come out sorted") func aHundredThousandInAnyOrderComeOutSorted() {
    var numbers = SplitMix(seed: 7)
    var queue = TimerQueue<Int64>()
    let deadlines = (0..<100_000).map { _ in Int64.random(in: 0..<1_000_000, using: &numbers) }
    let tokens = deadlines.map { queue.insert($0, at: moment($0)) }
    for index in stride(from: 0, to: tokens.count, by: 2) { #expect(queue.remove(tokens[index]) != nil) }
    var popped: [Int64] = []
    while let deadline = queue.popFirst(dueAt: moment(.max)) { popped.append(deadline) }
    #expect(popped == stride(from: 1, to: deadlines.count, by: 2).map { deadlines[$0] }.sorted())
  }
}
