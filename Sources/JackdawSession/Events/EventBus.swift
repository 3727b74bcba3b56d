// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop
package import JackdawProtocol

/// Brings events from where something happened to whoever asked for them, by type and, where wanted, by topic.
///
/// An event goes first to the subscribers of its topic, then to those of its type, then to those of all events; among
/// each in the order of subscribing. A handler may post, subscribe and cancel as it likes: an event posted by a handler
/// is delivered whole before the outer one goes on, a subscription cancelled meanwhile is not called any more, and one
/// made meanwhile begins with the next event. A handler that throws is reported and disturbs no other.
///
/// The bus alone keeps handlers alive, and so whatever they capture, until their ``Subscription`` ends: an owner that keeps
/// its subscriptions should be captured weakly.
@Client package final class EventBus {
  let clock: any LoopClock
  private let report: @Client (EventHandlerFailure) -> Void
  private let channels = EventChannels()
  private var ofAll = EventHandlerList<any ClientEvent>()
  /// How many were ever subscribed to all events.
  private var countOfAll = 0

  /// - Parameters:
  ///   - clock: whose next turn ``postLater(_:)`` waits for.
  ///   - report: told of each handler that threw.
  package init(clock: any LoopClock, report: @escaping @Client (EventHandlerFailure) -> Void = { _ in }) {
    self.clock = clock
    self.report = report
  }

  // MARK: Posting

  /// Delivers `event`; all handlers have run when this returns.
  package func post<Event: ClientEvent>(_ event: Event) {
    // These lists stay as they are while handlers change the bus.
    let channel = channels.channel(of: Event.self)
    let ofTopic = channel?.handlers(ofTopic: event.topic) ?? []
    let ofType = channel?.handlersOfType ?? []
    let ofAll = self.ofAll.handlers
    for handler in ofTopic { deliver(event, of: event, to: handler) }
    for handler in ofType { deliver(event, of: event, to: handler) }
    guard !ofAll.isEmpty else { return }
    let anyEvent: any ClientEvent = event
    for handler in ofAll { deliver(anyEvent, of: event, to: handler) }
  }

  /// Delivers `event` on the loop's next turn, after everything that is already queued. Nothing happens when the bus is
  /// gone by then.
  package func postLater<Event: ClientEvent>(_ event: Event) {
    clock.nextTurn { [weak self] in self?.post(event) }
  }

  private func deliver<Event: ClientEvent, Accepted>(
    _ accepted: Accepted, of event: Event, to handler: EventHandler<Accepted>
  ) {
    do {
      try handler.call?(accepted)
    } catch {
      report(EventHandlerFailure(event: event.name, cause: error))
    }
  }

  // MARK: Subscribing

  /// Calls `handler` with every event of a type, or with those about one of some topics.
  /// - Parameter topics: nil for all; JIDs count without their resource. An empty list is no topic at all: nothing comes.
  /// - Returns: what the subscription lives by.
  package func on<Event: ClientEvent>(
    _ type: Event.Type, topics: [JID]? = nil, _ handler: @escaping @Client (Event) throws -> Void
  ) -> Subscription {
    let topics = topics.map { Set($0.map(\.bare)) }
    let number = channels.made(of: type).add(handler, topics: topics)
    return Subscription { [weak self] in self?.channels.channel(of: type)?.cancel(number, topics: topics) }
  }

  /// Calls `handler` with the events of a type that are about one of some topics.
  package func on<Event: ClientEvent>(
    _ type: Event.Type, topics: JID..., handler: @escaping @Client (Event) throws -> Void
  ) -> Subscription {
    on(type, topics: topics, handler)
  }

  /// Calls `handler` with every event of whatever type, after all who asked for it in particular.
  package func onAny(_ handler: @escaping @Client (any ClientEvent) throws -> Void) -> Subscription {
    countOfAll += 1
    let number = countOfAll
    ofAll.append(EventHandler(number, handler))
    return Subscription { [weak self] in self?.cancelOfAll(number) }
  }

  private func cancelOfAll(_ number: Int) {
    let handler = ofAll.handler(number)
    handler?.cancel()
    ofAll.noteCancelled()
  }
}
