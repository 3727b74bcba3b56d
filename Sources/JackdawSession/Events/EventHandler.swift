// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop

/// What one subscription wants to be called with an event. Known to the bus alone; its ``Subscription`` knows its number: an object
/// that has weak references is slower to retain and release, and this one is at each event. Once cancelled it holds on to nothing.
@Client final class EventHandler<Event> {
  /// The greater the later it was subscribed.
  let number: Int
  /// nil: cancelled.
  private(set) var call: (@Client (Event) throws -> Void)?

  init(_ number: Int, _ call: @escaping @Client (Event) throws -> Void) {
    self.number = number
    self.call = call
  }

  func cancel() { call = nil }
}

/// Handlers in the order of subscribing. Cancelled ones are cleared away when they are the greater part, so that ending
/// many subscriptions takes no longer, each, than ending one.
@Client struct EventHandlerList<Event> {
  private(set) var handlers: [EventHandler<Event>] = []
  private var cancelled = 0

  var isEmpty: Bool { handlers.isEmpty }

  mutating func append(_ handler: EventHandler<Event>) { handlers.append(handler) }

  /// The one of a number; nil once it was cancelled and cleared away.
  func handler(_ number: Int) -> EventHandler<Event>? {
    var places = handlers.indices
    while let middle = places.isEmpty ? nil : places.lowerBound + places.count / 2 {
      if handlers[middle].number < number {
        places = (middle + 1)..<places.upperBound
      } else {
        places = places.lowerBound..<middle
      }
    }
    guard places.lowerBound < handlers.endIndex, handlers[places.lowerBound].number == number else { return nil }
    return handlers[places.lowerBound]
  }

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
