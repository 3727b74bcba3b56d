// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
package import JackdawProtocol

/// Waiting for one event.
extension EventBus {
  /// Waits for the next event of a type that fits.
  /// - Throws: ``EventWaitError`` when none came in time, or the task was cancelled.
  package func next<Event: ClientEvent>(
    _ type: Event.Type, topics: [JID]? = nil, timeout: Timeout,
    where fits: @escaping @Client (Event) -> Bool = { _ in true }
  ) async throws(EventWaitError) -> Event {
    try await wait(timeout) { take in
      on(type, topics: topics) { event in
        if fits(event) { take(event) }
      }
    }
  }

  /// Waits for the next event of a name that fits.
  /// - Throws: ``EventWaitError`` when no event has this name, none came in time, or the task was cancelled.
  package func next(
    named name: String, topics: [JID]? = nil, timeout: Timeout,
    where fits: @escaping @Client (any ClientEvent) -> Bool = { _ in true }
  ) async throws(EventWaitError) -> any ClientEvent {
    do throws(EventNameError) {
      _ = try EventCatalogue.type(named: name)
    } catch {
      throw EventWaitError(.unknownEvent, error.description)
    }
    return try await wait(timeout) { take in
      try? on(named: name, topics: topics) { event in
        if fits(event) { take(event) }
      }
    }
  }

  private func wait<Event: Sendable>(
    _ timeout: Timeout, subscribe: (@escaping @Client (Event) -> Void) -> Subscription?
  ) async throws(EventWaitError) -> Event {
    let wait = EventWait<Event>()
    let outcome = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        wait.continuation = continuation
        wait.subscription = subscribe { wait.end(.success($0)) }
        wait.timer = timeout.duration.map { duration in
          clock.schedule(after: duration) {
            wait.end(.failure(EventWaitError(.timedOut, "No such event came in time.")))
          }
        }
      }
    } onCancel: {
      Task(executorPreference: EventLoop.main) {
        await wait.end(.failure(EventWaitError(.cancelled, "The wait was cancelled.")))
      }
    }
    return try outcome.get()
  }
}

/// One wait: whatever ends it first clears the rest away.
@Client private final class EventWait<Event: Sendable> {
  var continuation: CheckedContinuation<Result<Event, EventWaitError>, Never>?
  var subscription: Subscription?
  var timer: LoopTimer?

  func end(_ result: Result<Event, EventWaitError>) {
    subscription = nil
    timer = nil
    continuation?.resume(returning: result)
    continuation = nil
  }
}

/// The event that was waited for did not come.
package struct EventWaitError: Error, Sendable, CustomStringConvertible {
  /// An open code, to match.
  package struct Code: Hashable, Sendable {
    package let name: String
    /// No such event came within the time.
    package static let timedOut = Code(name: "timed-out")
    /// The task that waited was cancelled.
    package static let cancelled = Code(name: "cancelled")
    /// There is no event of that name.
    package static let unknownEvent = Code(name: "unknown-event")
  }

  /// Why the wait ended, for programs to match.
  package var code: Code
  /// One sentence for people.
  package var description: String

  init(_ code: Code, _ description: String) {
    self.code = code
    self.description = description
  }
}
