// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import Support
import Testing

@testable import JackdawCommands

@Client @Suite("A serial queue", .onLoop)
struct SerialQueueTests {
  /// Work that waits to be let go.
  @Client final class Gate {
    var log: [String] = []
    private var latches: [String: Latch] = [:]
    let clock = ManualClock()

    func work(_ name: String) -> @Client () async -> Void {
      let latch = Latch(clock: clock)
      latches[name] = latch
      return { [self] in
        log.append("begin " + name)
        do {
          try await latch.wait()
          log.append("end " + name)
        } catch {
          log.append("cancelled " + name)
        }
      }
    }

    func open(_ name: String) async {
      latches[name]?.open()
      await clock.settle()
    }
  }

  @Test("does one piece after the other, in order")
  func inOrder() async {
    let gate = Gate()
    let queue = SerialQueue()
    for name in ["a", "b", "c"] { #expect(queue.add(gate.work(name))) }
    await gate.clock.settle()
    #expect(gate.log == ["begin a"] && queue.isBusy && queue.count == 2)
    await gate.open("b")
    #expect(gate.log == ["begin a"])
    await gate.open("a")
    #expect(gate.log == ["begin a", "end a", "begin b", "end b", "begin c"])
    await gate.open("c")
    #expect(!queue.isBusy)
    // It goes on after a rest.
    queue.add(gate.work("d"))
    await gate.clock.settle()
    #expect(gate.log.last == "begin d")
    await gate.open("d")
  }

  @Test("takes no more than its limit")
  func limit() async {
    let gate = Gate()
    let queue = SerialQueue(limit: 2)
    #expect(queue.add(gate.work("a")) && queue.add(gate.work("b")) && queue.add(gate.work("c")))
    #expect(!queue.add(gate.work("d")))
    await gate.open("a")
    #expect(queue.add(gate.work("e")))
    for name in ["b", "c", "e"] { await gate.open(name) }
    #expect(gate.log.filter { $0.hasPrefix("end") } == ["end a", "end b", "end c", "end e"])
  }

  @Test("is waited for until it is empty")
  func drain() async {
    let gate = Gate()
    let queue = SerialQueue()
    await queue.drain()
    queue.add(gate.work("a"))
    queue.add(gate.work("b"))
    let waiting = StartedTask { await queue.drain() }
    await gate.open("a")
    #expect(!waiting.hasEnded)
    await gate.open("b")
    #expect(waiting.hasEnded)
  }

  @Test("that is cancelled ends what runs and forgets the rest")
  func cancel() async {
    let gate = Gate()
    let queue = SerialQueue()
    for name in ["a", "b", "c"] { queue.add(gate.work(name)) }
    await gate.clock.settle()
    #expect(queue.cancel() == 2)
    await gate.clock.settle()
    #expect(gate.log == ["begin a", "cancelled a"] && !queue.isBusy)
  }

  @Test("whose waiting is cancelled is cancelled")
  func cancelledDrain() async {
    let gate = Gate()
    let queue = SerialQueue()
    for name in ["a", "b"] { queue.add(gate.work(name)) }
    let waiting = StartedTask { await queue.drain() }
    await gate.clock.settle()
    waiting.cancel()
    await gate.clock.settle()
    #expect(waiting.hasEnded && gate.log == ["begin a", "cancelled a"])
  }
}
