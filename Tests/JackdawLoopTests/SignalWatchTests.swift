// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
import JackdawLoop
import Support
import Testing

/// Each test has a signal of its own: dispositions belong to the whole process.
@Client @Suite(.onLoop) struct SignalWatchTests {
  @Test("Every watch of a signal is called, in order") func everyWatchOfASignalIsCalledInOrder() async {
    var calls: [Int] = []
    let watches = (0..<3).map { number in EventLoop.main.onSignal(SIGUSR1) { calls.append(number) } }
    kill(getpid(), SIGUSR1)
    await signalled { !calls.isEmpty }
    #expect(calls == [0, 1, 2])
    watches[1].cancel()
    kill(getpid(), SIGUSR1)
    await signalled { calls.count > 3 }
    #expect(calls == [0, 1, 2, 0, 2])
    withExtendedLifetime(watches) {}
  }

  @Test("A watched signal arrives though it was blocked") func aWatchedSignalComesThoughItWasBlocked() async {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGXCPU)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    var hasCome = false
    let watch = EventLoop.main.onSignal(SIGXCPU) { hasCome = true }
    // For this thread alone: others have not blocked it.
    raise(SIGXCPU)
    #expect(!hasPending(SIGXCPU))
    if !hasPending(SIGXCPU) { await signalled { hasCome } }
    withExtendedLifetime(watch) {}
  }

  @Test("After the last watch of a signal its former handler is back") func theOldDispositionIsBackAfterTheLastWatch() {
    signal(SIGUSR2, SIG_IGN)
    var first: SignalWatch? = EventLoop.main.onSignal(SIGUSR2) {}
    var second: SignalWatch? = EventLoop.main.onSignal(SIGUSR2) {}
    withExtendedLifetime((first, second)) {}
    first = nil
    #expect(!isIgnored(SIGUSR2))
    second = nil
    #expect(isIgnored(SIGUSR2))
  }

  @Test("A flood of one signal does not displace another one") func aFloodOfOneSignalDoesNotPushAnotherOut() async {
    var isResized = false
    var isTerminated = false
    let resize = EventLoop.main.onSignal(SIGWINCH) { isResized = true }
    let terminate = EventLoop.main.onSignal(SIGPWR) { isTerminated = true }
    // More than the 65536 bytes that a pipe holds, without the loop having its turn.
    for _ in 0..<70_000 { raise(SIGWINCH) }
    raise(SIGPWR)
    await signalled { isTerminated }
    #expect(isResized)
    withExtendedLifetime((resize, terminate)) {}
  }

  @Test("System calls that a signal interrupts are retried") func interruptedWaitsAreRetried() async {
    var count = 0
    let watch = EventLoop.main.onSignal(SIGALRM) { count += 1 }
    for round in 1...150 {
      kill(getpid(), SIGALRM)
      await signalled { count >= round }
    }
    #expect(count == 150)
    withExtendedLifetime(watch) {}
  }

  @Test("A watch that an earlier handler ended is not called") func aWatchEndedByAnEarlierHandlerIsNotCalled() async {
    var second: SignalWatch?
    var calls = 0
    let first = EventLoop.main.onSignal(SIGVTALRM) {
      calls += 1
      second = nil
    }
    second = EventLoop.main.onSignal(SIGVTALRM) { Issue.record("called") }
    kill(getpid(), SIGVTALRM)
    await signalled { calls > 0 }
    #expect(calls == 1)
    withExtendedLifetime((first, second)) {}
  }

  @Test("Writing to a pipe without a reader is an error and raises no signal")
  func writingToNobodyIsAnErrorAndNoSignal() {
    EventLoop.ignoreWriteSignals()
    let pipe = Pipe()
    pipe.closeReading()
    var byte: UInt8 = 0
    #expect(write(pipe.writing, &byte, 1) == -1 && errno == EPIPE)
  }

  private func hasPending(_ signal: Int32) -> Bool {
    var signals = sigset_t()
    sigpending(&signals)
    return sigismember(&signals, signal) == 1
  }

  private func isIgnored(_ signal: Int32) -> Bool {
    var action = sigaction()
    sigaction(signal, nil, &action)
    return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
  }

  /// Turns of the loop until the signal, which may come by another thread, has been dealt with.
  private func signalled(_ isDone: () -> Bool) async {
    while !isDone() { await withUnsafeContinuation { done in EventLoop.main.nextTurn { done.resume() } } }
  }
}
