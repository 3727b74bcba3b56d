// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
package import JackdawProtocol

/// Events to be taken one by one with `for try await`. The subscription lives as long as the stream or its iterator.
///
/// Events that come while none is awaited wait in a buffer; what happens when it is full is stated when the stream is
/// made. The stream ends when its bus is gone or the task that iterates is cancelled.
package struct EventStream<Event: ClientEvent>: AsyncSequence {
  /// What gives way when the buffer is full.
  package enum WhenFull: Sendable {
    case dropOldest
    case dropNewest
    /// The events that are in the buffer still come, then ``EventStreamOverflow`` is thrown.
    case fail
  }

  private let stream: AsyncThrowingStream<Event, any Error>
  private let subscription: Subscription

  @Client fileprivate init(on bus: EventBus, topics: [JID]?, buffer: Int, whenFull: WhenFull) {
    let size = Swift.max(1, buffer)
    let policy: AsyncThrowingStream<Event, any Error>.Continuation.BufferingPolicy =
      switch whenFull {
      case .dropOldest: .bufferingNewest(size)
      case .dropNewest, .fail: .bufferingOldest(size)
      }
    let (stream, continuation) = AsyncThrowingStream.makeStream(of: Event.self, bufferingPolicy: policy)
    let source = EventStreamSource(continuation, failsWhenFull: whenFull == .fail)
    self.stream = stream
    subscription = bus.on(Event.self, topics: topics) { source.yield($0) }
  }

  /// The events since the stream was made. It is for one reader: iterators share what comes.
  package func makeAsyncIterator() -> Iterator {
    Iterator(events: stream.makeAsyncIterator(), subscription: subscription)
  }

  /// Hands out the events as they were posted, and keeps the subscription alive.
  ///
  /// Its `next` throws what the stream fails with when its buffer is full and it must not drop.
  package struct Iterator: AsyncIteratorProtocol {
    fileprivate var events: AsyncThrowingStream<Event, any Error>.Iterator
    fileprivate let subscription: Subscription

    package mutating func next() async throws -> Event? { try await events.next() }

    package mutating func next(isolation actor: isolated (any Actor)?) async throws -> Event? {
      try await events.next(isolation: actor)
    }
  }
}

extension EventBus {
  /// The events of a type, or of some topics of it, as an asynchronous sequence. What is posted after this call counts.
  /// - Parameters:
  ///   - topics: as for ``on(_:topics:_:)``.
  ///   - buffer: how many events may wait; at least 1.
  package func stream<Event: ClientEvent>(
    of type: Event.Type, topics: [JID]? = nil, buffer: Int, whenFull: EventStream<Event>.WhenFull
  ) -> EventStream<Event> {
    EventStream(on: self, topics: topics, buffer: buffer, whenFull: whenFull)
  }
}

/// A stream's events came faster than they were taken.
package struct EventStreamOverflow: Error, Sendable, CustomStringConvertible {
  package var event: String
  package var description: String { "events '\(event)' came faster than they were taken" }
}

/// The bus's end of a stream. Only the bus holds it: when the handler goes, the stream ends.
@Client private final class EventStreamSource<Event: ClientEvent> {
  private let continuation: AsyncThrowingStream<Event, any Error>.Continuation
  private let failsWhenFull: Bool

  init(_ continuation: AsyncThrowingStream<Event, any Error>.Continuation, failsWhenFull: Bool) {
    self.continuation = continuation
    self.failsWhenFull = failsWhenFull
  }

  func yield(_ event: Event) {
    if case .dropped = continuation.yield(event), failsWhenFull {
      continuation.finish(throwing: EventStreamOverflow(event: event.name))
    }
  }

  deinit { continuation.finish() }
}
