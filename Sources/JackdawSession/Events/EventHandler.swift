// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop

/// What one subscription wants to be called with an event. Known to the bus and to its ``Subscription``; once cancelled
/// it holds on to nothing.
@Client final class EventHandler<Event> {
  /// nil: cancelled.
  private(set) var call: (@Client (Event) throws -> Void)?

  init(_ call: @escaping @Client (Event) throws -> Void) { self.call = call }

  func cancel() { call = nil }
}

/// Handlers in the order of subscribing. Cancelled ones are cleared away when they are the greater part, so that ending
/// many subscriptions takes no longer, each, than ending one.
@Client struct EventHandlerList<Event> {
  private(set) var handlers: [EventHandler<Event>] = []
  private var cancelled = 0

  var isEmpty: Bool { handlers.isEmpty }

  mutating func append(_ handler: EventHandler<Event>) { handlers.append(handler) }

  /// One of the handlers has been cancelled.
  mutating func noteCancelled() {
    cancelled += 1
    guard cancelled > handlers.count / 2 else { return }
    handlers.removeAll { $0.call == nil }
    cancelled = 0
  }
}

/// A handler of the event bus threw.
package struct EventHandlerFailure: Error, CustomStringConvertible {
  /// The name of the event.
  package var event: String
  package var cause: any Error
  package var description: String { "A handler of '\(event)' failed: \(cause)" }
}
