// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
import Synchronization

// @unchecked: everything below `thread` but `inbox` is touched by the thread of the loop alone. A job is run, a turn made and
// `@Client` code called nowhere else, and `enqueue` tells the threads apart.

/// The poll loop: Swift's executor for ``Client``, descriptors, timers, signals and a helper thread for blocking calls.
///
/// A turn runs the queued jobs (at most ``LoopLimits/jobsPerTurn``), waits until something is ready, then calls the handler of
/// every signal that came, every timer that is due and every descriptor that is ready, each once. So whatever is ready
/// gets its say every turn, and a flood on one descriptor delays the others by one call of one handler.
///
/// It is a `TaskExecutor` too because a serial executor alone is not enough to stay on one thread; see ``start(_:)``, with which
/// every task begins.
package final class EventLoop: SerialExecutor, TaskExecutor, @unchecked Sendable {
  /// The loop of the program's main thread, on which all `@Client` code runs.
  package static let main = EventLoop()

  /// Which readiness a watch asks for or reports.
  package struct Readiness: OptionSet, Sendable {
    package let rawValue: Int16
    package init(rawValue: Int16) { self.rawValue = rawValue }
    /// A read would not block (`POLLIN`).
    package static let readable = Readiness(rawValue: 1)
    /// A write would not block (`POLLOUT`).
    package static let writable = Readiness(rawValue: 2)
    /// Error or hang-up; always reported, never asked for. What was asked for is reported with it, so that the read or
    /// write that follows tells the end from the error.
    package static let failed = Readiness(rawValue: 4)
  }

  /// What other threads hand to the loop.
  private struct Inbox {
    var jobs: [UnownedJob] = []
    /// A byte is in the wake-up pipe, or about to be.
    var wakeUpSent = false
    var stopRequested = false
  }

  /// `pthread_self()` of the thread that is in ``run()``; 0 when there is none.
  private let thread = Atomic<UInt>(0)
  private let inbox = Locked(Inbox())
  private let wakeUp: (read: Int32, write: Int32)

  private var jobs = FIFO<UnownedJob>()
  private var jobsEnqueued: UInt64 = 0
  private var jobsRun: UInt64 = 0
  private var stopRequested = false
  /// The job that calls handlers, see ``dispatchForever()``: waiting, and woken.
  private var dispatcher: UnsafeContinuation<Void, Never>?
  private var isWakingDispatcher = false
  private var dispatcherJob: UnownedJob?

  var timers = TimerQueue<@Client () -> Void>()
  var descriptors: DescriptorTable
  var signals: SignalTable
  let helpers = HelperThreads()
  /// Actions for the next turn, each with the number of jobs that have to have run before it.
  private var nextTurnActions = FIFO<(after: UInt64, action: @Client () -> Void)>()
  private var idleWaiters: [UnsafeContinuation<Void, Never>] = []

  private init() {
    wakeUp = WakeUpPipe.open()
    descriptors = DescriptorTable(wakeUp: wakeUp.read)
    signals = SignalTable(wakeUp: wakeUp.write)
  }

  // MARK: Executor

  /// Whether the calling thread is the one that is in ``run()``.
  package var isCurrentThread: Bool { thread.load(ordering: .relaxed) == UInt(pthread_self()) }

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    guard isCurrentThread else {
      submit { $0.jobs.append(job) }
      return
    }
    if isWakingDispatcher {
      dispatcherJob = job
    } else {
      jobs.append(job)
      jobsEnqueued += 1
    }
  }

  /// Traps when called on any other thread than the loop's: what `assumeIsolated` and the compiler's checks rely on.
  package func checkIsolated() {
    precondition(isCurrentThread, "code on @Client runs on the thread of the loop only")
  }

  /// True on the thread of the loop, false on any other; never nil, which would mean that it cannot be told.
  package func isIsolatingCurrentContext() -> Bool? { isCurrentThread }

  /// Puts something into the inbox and wakes the loop up, unless it has been woken already.
  private func submit(_ change: (inout Inbox) -> Void) {
    let isAsleep = inbox.withLock { inbox in
      change(&inbox)
      defer { inbox.wakeUpSent = true }
      return !inbox.wakeUpSent
    }
    guard isAsleep else { return }
    var byte: UInt8 = 0
    // Fails only with the pipe full, and then the loop wakes up as well.
    _ = write(wakeUp.write, &byte, 1)
  }

  private func emptyInbox() {
    var bytes: (UInt64, UInt64) = (0, 0)
    // The bytes first: a byte that comes later belongs to something that is put into the inbox later.
    _ = read(wakeUp.read, &bytes, MemoryLayout.size(ofValue: bytes))
    let arrived = inbox.withLock { inbox in
      defer {
        inbox.jobs.removeAll()
        inbox.wakeUpSent = false
      }
      if inbox.stopRequested { stopRequested = true }
      inbox.stopRequested = false
      return inbox.jobs
    }
    for job in arrived { jobs.append(job) }
    jobsEnqueued += UInt64(arrived.count)
  }

  // MARK: Running

  /// Runs jobs, timers and descriptors on the calling thread until ``stop()``. Never on two threads at a time.
  package func run() {
    let previous = thread.exchange(UInt(pthread_self()), ordering: .sequentiallyConsistent)
    precondition(previous == 0, "the loop runs already")
    if dispatcher == nil {
      Task(executorPreference: self) { await self.dispatchForever() }
      while dispatcher == nil { runJobs(atMost: 1) }
    }
    while !stopRequested { turn() }
    stopRequested = false
    thread.store(0, ordering: .sequentiallyConsistent)
  }

  /// Ends ``run()`` after the present turn. Callable from any thread.
  package func stop() { submit { $0.stopRequested = true } }

  /// Runs the loop on the calling thread until `body` has ended: the program's `main`.
  package func runMain(_ body: @escaping @Client () async -> Void) {
    Task(executorPreference: self) {
      await self.call(body)
      self.stop()
    }
    run()
  }

  /// Starts a task on the loop, in which every continuation resumes on the loop's thread without a detour.
  ///
  /// A plain `Task { … }` in code on ``Client`` does not: it has no executor preference, each of its continuations resumes
  /// through the global pool, and the pool's threads are started for it. Child tasks (`async let`, task groups)
  /// inherit the preference.
  @discardableResult
  package func start<Value: Sendable>(_ body: @escaping @Client () async -> Value) -> Task<Value, Never> {
    Task(executorPreference: self) { await self.call(body) }
  }

  /// As the other, for a body that throws.
  @discardableResult
  package func start<Value: Sendable>(
    _ body: @escaping @Client () async throws -> Value
  ) -> Task<Value, any Error> {
    Task(executorPreference: self) { try await self.call(body) }
  }

  // The compiler's isolation checker takes no `@Client` closure together with an executor preference (Swift 6.3).
  @Client private func call<Value: Sendable, Failure: Error>(
    _ body: @Client () async throws(Failure) -> Value
  ) async throws(Failure) -> Value { try await body() }

  private func runJobs(atMost limit: Int) {
    var left = limit
    while left > 0, let job = jobs.popFirst() {
      jobsRun += 1
      left -= 1
      job.runSynchronously(isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
    }
  }

  private func turn() {
    runJobs(atMost: LoopLimits.jobsPerTurn)
    if descriptors.wait(milliseconds: waitingTime()) { emptyInbox() }
    if descriptors.readyCount > 0 || hasDueAction || signals.hasPending || hasDueTimer {
      wakeDispatcher()
    } else if !idleWaiters.isEmpty, jobs.isEmpty, nextTurnActions.isEmpty {
      let waiters = idleWaiters
      idleWaiters.removeAll()
      for waiter in waiters { waiter.resume() }
    }
  }

  private var hasDueAction: Bool { nextTurnActions.first.map { $0.after <= jobsRun } ?? false }

  private var hasDueTimer: Bool { timers.nextDeadline.map { $0 <= .now } ?? false }

  /// How long nothing is to be done, in milliseconds, rounded up: a timer never fires early, nor does the loop spin before it.
  private func waitingTime() -> Int32 {
    if stopRequested || !jobs.isEmpty || hasDueAction || !idleWaiters.isEmpty || signals.hasPending { return 0 }
    guard let deadline = timers.nextDeadline else { return -1 }
    let now = MonotonicTime.now
    guard now < deadline else { return 0 }
    let nanoseconds = deadline.nanoseconds - now.nanoseconds
    return Int32(clamping: nanoseconds / 1_000_000 + (nanoseconds % 1_000_000 == 0 ? 0 : 1))
  }

  // MARK: Handlers

  /// Calls handlers whenever a turn has found some to call.
  ///
  /// It is a job like any other, so that handlers run inside one: isolation checks are then a comparison, and an isolated
  /// `deinit` runs at once. It is kept out of the queue so that a long queue does not delay the keyboard.
  @Client private func dispatchForever() async {
    while true {
      await withUnsafeContinuation { dispatcher = $0 }
      dispatch()
    }
  }

  private func wakeDispatcher() {
    isWakingDispatcher = true
    dispatcher.take()?.resume()
    isWakingDispatcher = false
    dispatcherJob.take()?.runSynchronously(
      isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
  }

  @Client private func dispatch() {
    dispatchSignals()
    dispatchTimers()
    dispatchDescriptors()
    dispatchActions()
  }

  @Client private func dispatchSignals() {
    guard signals.hasPending else { return }
    for signal in signals.takePending() {
      for watch in signals.watches(of: signal) { signals.handler(watch, of: signal)?() }
    }
  }

  @Client private func dispatchTimers() {
    guard !timers.isEmpty else { return }
    let now = MonotonicTime.now
    var left = LoopLimits.actionsPerTurn
    while left > 0, let action = timers.popFirst(dueAt: now) {
      left -= 1
      action()
    }
  }

  @Client private func dispatchDescriptors() {
    for index in 0..<descriptors.readyCount {
      if let (readiness, handler) = descriptors.handler(forReady: index) { handler(readiness) }
    }
    descriptors.clearReady()
  }

  @Client private func dispatchActions() {
    // Not those that these actions add: they are for the turn after this one.
    var left = min(nextTurnActions.count, LoopLimits.actionsPerTurn)
    while left > 0, hasDueAction, let next = nextTurnActions.popFirst() {
      left -= 1
      next.action()
    }
  }

  /// Waits until the loop has nothing left to do but wait for descriptors, timers and helpers: so tests learn, without
  /// sleeping, that everything that could happen has happened.
  @Client package func idle() async {
    await withUnsafeContinuation { idleWaiters.append($0) }
  }
}

extension EventLoop: LoopClock {
  @Client package var now: MonotonicTime { .now }

  @Client package func schedule(at deadline: MonotonicTime, _ action: @escaping @Client () -> Void) -> LoopTimer {
    let token = timers.insert(action, at: deadline)
    return LoopTimer {
      // What the action held may cancel other timers as it goes: not while the queue is being changed.
      let action = EventLoop.main.timers.remove(token)
      withExtendedLifetime(action) {}
    }
  }

  @Client package func nextTurn(_ action: @escaping @Client () -> Void) {
    nextTurnActions.append((jobsEnqueued, action))
  }
}
