// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
import JackdawLoop
import Support
import Testing

@Client @Suite(.onLoop) struct DescriptorWatchTests {
  @Test("A flood on one descriptor does not delay another one") func aFloodOnOneDescriptorDoesNotDelayAnother() async {
    let flood = Pipe()
    let keyboard = Pipe()
    var floodReads = 0
    var floodReadsUntilKey: [Int] = []
    flood.write("x")
    // Never read, so it stays ready for ever.
    let floodWatch = EventLoop.main.watch(flood.reading, .readable) { _ in
      floodReads += 1
      if floodReads % 10 == 0 { keyboard.write("k") }
    }
    await withUnsafeContinuation { done in
      var keys = 0
      var keyboardWatch: DescriptorWatch?
      keyboardWatch = EventLoop.main.watch(keyboard.reading, .readable) { _ in
        _ = keyboard.read()
        floodReadsUntilKey.append(floodReads % 10)
        keys += 1
        guard keys == 20 else { return }
        keyboardWatch?.cancel()
        done.resume()
      }
    }
    floodWatch.cancel()
    #expect(floodReadsUntilKey.allSatisfy { $0 <= 1 }, "\(floodReadsUntilKey)")
  }

  @Test("A flood of jobs does not delay a descriptor") func aFloodOfJobsDoesNotDelayADescriptor() async {
    let keyboard = Pipe()
    var jobs = 0
    let flood = EventLoop.main.start {
      while !Task.isCancelled {
        jobs += 1
        await Task.yield()
      }
    }
    keyboard.write("k")
    let jobsBefore = jobs
    await keyboard.readable()
    flood.cancel()
    #expect(jobs - jobsBefore <= 2 * LoopLimits.jobsPerTurn)
    await flood.value
  }

  @Test("A flood of timers and actions does not delay a descriptor")
  func aFloodOfTimersAndActionsDoesNotDelayADescriptor() async {
    let keyboard = Pipe()
    var calls = 0
    var isDone = false
    var timers: [LoopTimer] = []
    func again() {
      calls += 1
      if !isDone { EventLoop.main.nextTurn(again) }
    }
    for _ in 0..<10 * LoopLimits.actionsPerTurn {
      again()
      timers.append(EventLoop.main.schedule(at: EventLoop.main.now) { calls += 1 })
    }
    calls = 0
    keyboard.write("k")
    await keyboard.readable()
    isDone = true
    #expect(calls <= 4 * LoopLimits.actionsPerTurn)
    await EventLoop.main.idle()
  }

  @Test("The events that a watch waits for can be changed") func interestCanChange() async {
    let pipe = Pipe()
    var seen: [EventLoop.Readiness] = []
    let watch = EventLoop.main.watch(pipe.writing, []) { readiness in seen.append(readiness) }
    await EventLoop.main.idle()
    #expect(seen == [])
    watch.interest = .writable
    await turn()
    watch.interest = []
    #expect(seen.allSatisfy { $0 == .writable } && !seen.isEmpty)
    let count = seen.count
    await EventLoop.main.idle()
    #expect(seen.count == count)
  }

  @Test("A handler can end another descriptor's watch in the same turn")
  func aHandlerCanEndAnothersWatchInTheSameTurn() async {
    let pipes = [Pipe(), Pipe()]
    var watches: [DescriptorWatch?] = [nil, nil]
    var called: [Int] = []
    for index in 0..<2 {
      pipes[index].write("x")
      watches[index] = EventLoop.main.watch(pipes[index].reading, .readable) { _ in
        called.append(index)
        watches[0] = nil
        watches[1] = nil
      }
    }
    await EventLoop.main.idle()
    #expect(called.count == 1, "both were ready, the first ended both")
  }

  @Test("A slot that is used again in the same turn is not called for the watch before it")
  func aSlotUsedAgainInTheSameTurnIsNotCalledForItsPredecessor() async {
    let pipes = [Pipe(), Pipe(), Pipe()]
    var watches: [DescriptorWatch] = []
    var called: [Int] = []
    for index in 0..<2 {
      pipes[index].write("x")
      watches.append(
        EventLoop.main.watch(pipes[index].reading, .readable) { _ in
          called.append(index)
          watches.removeAll()
          watches.append(EventLoop.main.watch(pipes[2].reading, .readable) { _ in called.append(2) })
        })
    }
    await EventLoop.main.idle()
    #expect(called.count == 1)
  }

  @Test("Releasing a watch ends it and releases its handler") func releasingAWatchEndsItAndItsHandler() async {
    final class Held {}
    let pipe = Pipe()
    weak var held: Held?
    do {
      let strong = Held()
      held = strong
      let watch = EventLoop.main.watch(pipe.reading, .readable) { _ in
        withExtendedLifetime(strong) {}
        Issue.record("called after the release")
      }
      #expect(held != nil)
      withExtendedLifetime(watch) {}
    }
    pipe.write("x")
    await EventLoop.main.idle()
    #expect(held == nil)
  }

  @Test("What is released with a handler may end other watches, timers and signals")
  func whatAHandlerHeldMayEndOtherWatchesTimersAndSignals() {
    @Client final class Owner { var watches: [AnyObject] = [] }
    let pipe = Pipe()
    func owner() -> Owner {
      let owner = Owner()
      owner.watches = [
        EventLoop.main.watch(pipe.reading, .readable) { _ in },
        EventLoop.main.schedule(after: .seconds(1000)) {},
        EventLoop.main.onSignal(SIGURG) {},
      ]
      return owner
    }
    let (first, second, third) = (owner(), owner(), owner())
    let watch = EventLoop.main.watch(pipe.reading, .readable) { _ in withExtendedLifetime(first) {} }
    let timer = EventLoop.main.schedule(after: .seconds(1000)) { withExtendedLifetime(second) {} }
    let signal = EventLoop.main.onSignal(SIGURG) { withExtendedLifetime(third) {} }
    watch.cancel()
    timer.cancel()
    signal.cancel()
    watch.cancel()
    timer.cancel()
    signal.cancel()
  }

  @Test("At the end of a pipe the reader's descriptor is readable and failed")
  func theEndOfAPipeIsReadableAndFailed() async {
    let pipe = Pipe()
    pipe.closeWriting()
    let readiness = await firstReadiness(of: pipe.reading, .readable)
    #expect(readiness == [.readable, .failed])
    #expect(pipe.read() == "")
  }

  @Test("A writer whose reader is gone gets writable and failed") func aWriterLearnsThatTheReaderIsGone() async {
    let pipe = Pipe()
    pipe.closeReading()
    let readiness = await firstReadiness(of: pipe.writing, .writable)
    #expect(readiness == [.writable, .failed])
  }

  @Test("A watch that waits for nothing is told of a failure once") func aFailureIsToldOnceToWhoAsksForNothing() async {
    let pipe = Pipe()
    var seen: [EventLoop.Readiness] = []
    let watch = EventLoop.main.watch(pipe.reading, []) { seen.append($0) }
    pipe.closeWriting()
    await EventLoop.main.idle()
    #expect(seen == [.failed])
    watch.interest = .readable
    await turn()
    #expect(seen.count > 1 && seen.last == [.readable, .failed])
    watch.cancel()
  }

  @Test("A descriptor that is not open fails once") func aDescriptorThatIsNotOpenFailsOnce() async {
    var seen: [EventLoop.Readiness] = []
    let watch = EventLoop.main.watch(1_000_000, .readable) { seen.append($0) }
    await EventLoop.main.idle()
    #expect(seen == [[.readable, .failed]])
    watch.cancel()
  }

  @Test("A regular file is always readable") func aRegularFileIsAlwaysReadable() async {
    let file = open("/proc/self/status", O_RDONLY | O_CLOEXEC)
    defer { close(file) }
    #expect(await firstReadiness(of: file, .readable) == .readable)
  }

  private func firstReadiness(
    of descriptor: Int32, _ interest: EventLoop.Readiness
  ) async -> EventLoop.Readiness {
    var watch: DescriptorWatch?
    return await withUnsafeContinuation { ready in
      watch = EventLoop.main.watch(descriptor, interest) { readiness in
        watch?.cancel()
        ready.resume(returning: readiness)
      }
    }
  }

  /// Two turns, so that every descriptor was looked at once in between.
  private func turn() async {
    for _ in 0..<2 {
      await withUnsafeContinuation { done in EventLoop.main.nextTurn { done.resume() } }
    }
  }
}
