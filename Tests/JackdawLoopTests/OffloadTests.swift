// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
import JackdawLoop
import Support
import Synchronization
import Testing

/// One after the other: they fill the helper threads, of which there are few.
@Client @Suite(.onLoop, .serialized) struct OffloadTests {
  private struct Failure: Error {}

  @Test("The results and errors of offloaded calls come back") func resultsAndErrorsComeBack() async throws {
    #expect(try await EventLoop.main.offload { 6 * 7 } == 42)
    await #expect(throws: Failure.self) { try await EventLoop.main.offload { throw Failure() } }
  }

  @Test("Offloaded calls run one after the other, in order") func callsRunOneAfterTheOtherInOrder() async throws {
    let order = Mutex<[Int]>([])
    let calls = (0..<50).map { number in
      EventLoop.main.start {
        try await EventLoop.main.offload {
          order.withLock { $0.append(number) }
          return UInt(pthread_self())
        }
      }
    }
    var threads: Set<UInt> = []
    for call in calls { threads.insert(try await call.value) }
    #expect(order.withLock { $0 } == Array(0..<50))
    #expect(threads.count == 1)
  }

  @Test("A cancelled task does not start an offloaded call") func aCancelledTaskDoesNotAskForHelp() async {
    let task = EventLoop.main.start {
      withUnsafeCurrentTask { $0?.cancel() }
      try await EventLoop.main.offload { _ = Issue.record("called") }
    }
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test("A call that checks whether it is still wanted ends when its caller is cancelled")
  func aCallThatLooksEndsWhenNobodyWaitsForItAnyMore() async throws {
    let (gate, end) = (Gate(), Gate())
    let long = EventLoop.main.start {
      try await EventLoop.main.offload { call in
        gate.wait()
        while call.isWanted { sched_yield() }
        end.wait()
      }
    }
    await gate.entered()
    gate.open()
    long.cancel()
    await #expect(throws: CancellationError.self) { try await long.value }
    await end.entered()
    end.open()
  }

  @Test("A stuck call that was given up does not delay later ones")
  func aStuckCallThatWasGivenUpDoesNotHoldUpLaterOnes() async throws {
    let gate = Gate()
    let stuck = EventLoop.main.start { try await EventLoop.main.offload { gate.wait() } }
    await gate.entered()
    stuck.cancel()
    await #expect(throws: CancellationError.self) { try await stuck.value }
    #expect(try await EventLoop.main.offload { 1 } == 1)
    gate.open()
    #expect(try await EventLoop.main.offload { 2 } == 2)
  }

  @Test("A call behind one that is given up goes on") func whatWaitsBehindACallThatIsGivenUpGoesOn() async throws {
    let gate = Gate()
    let stuck = EventLoop.main.start { try await EventLoop.main.offload { gate.wait() } }
    await gate.entered()
    let behind = EventLoop.main.start { try await EventLoop.main.offload { 3 } }
    let droppedBefore = EventLoop.main.start { try await EventLoop.main.offload { _ = Issue.record("called") } }
    await EventLoop.main.idle()
    droppedBefore.cancel()
    await #expect(throws: CancellationError.self) { try await droppedBefore.value }
    stuck.cancel()
    #expect(try await behind.value == 3)
    gate.open()
  }

  @Test("Stuck calls take up a few threads at most") func stuckCallsCollectAFewThreadsAtMost() async throws {
    let gates = (0..<6).map { _ in Gate() }
    var stuck: [Task<Void, any Error>] = []
    for gate in gates.prefix(4) {
      stuck.append(EventLoop.main.start { try await EventLoop.main.offload { gate.wait() } })
      await gate.entered()
      stuck.last?.cancel()
    }
    let fifth = EventLoop.main.start { try await EventLoop.main.offload { 5 } }
    await EventLoop.main.idle()
    gates[2].open()
    #expect(try await fifth.value == 5, "the first thread that comes back goes on")
    for gate in gates { gate.open() }
    #expect(try await EventLoop.main.offload { 6 } == 6)
  }

  /// Blocks a helper thread until it is opened.
  private final class Gate: Sendable {
    private let waiting: [Int32]
    private let entering: [Int32]

    init() {
      var ends: [Int32] = [-1, -1]
      precondition(pipe(&ends) == 0)
      waiting = ends
      precondition(pipe(&ends) == 0)
      entering = ends
    }

    deinit { for end in waiting + entering { close(end) } }

    func wait() {
      var byte: UInt8 = 0
      _ = write(entering[1], &byte, 1)
      while read(waiting[0], &byte, 1) < 0 && errno == EINTR {}
    }

    func open() {
      var byte: UInt8 = 0
      _ = write(waiting[1], &byte, 1)
    }

    @Client func entered() async {
      var watch: DescriptorWatch?
      await withUnsafeContinuation { ready in
        watch = EventLoop.main.watch(entering[0], .readable) { _ in
          watch?.cancel()
          ready.resume()
        }
      }
    }
  }
}
