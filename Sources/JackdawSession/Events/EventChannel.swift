// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol

/// The subscribers of one type of event.
///
/// Of any type, as far as the language knows: for a requirement the runtime would look through all conformances of the program, once for
/// each type that somebody subscribes to.
@Client final class EventChannel<Event> {
  private var ofType = EventHandlerList<Event>()
  /// Bounded by our own subscriptions.
  private var byTopic: [JID: EventHandlerList<Event>] = [:]
  /// How many were ever added.
  private var count = 0

  var handlersOfType: [EventHandler<Event>] { ofType.handlers }

  /// Those who asked for an event's topic, which is not even looked at while nobody asks for any.
  func handlers(ofTopic topic: @autoclosure () -> JID?) -> [EventHandler<Event>] {
    guard !byTopic.isEmpty, let topic = topic() else { return [] }
    return byTopic[topic]?.handlers ?? []
  }

  /// - Parameter topics: nil for every event of the type.
  /// - Returns: the handler's number.
  func add(_ call: @escaping @Client (Event) throws -> Void, topics: Set<JID>?) -> Int {
    count += 1
    let handler = EventHandler(count, call)
    if let topics {
      for topic in topics { byTopic[topic, default: EventHandlerList()].append(handler) }
    } else {
      ofType.append(handler)
    }
    return count
  }

  /// Cancels a handler; `topics` are those that it was added with.
  func cancel(_ number: Int, topics: Set<JID>?) {
    guard let topics else {
      let handler = ofType.handler(number)
      handler?.cancel()
      return ofType.noteCancelled()
    }
    for topic in topics {
      let handler = byTopic[topic]?.handler(number)
      handler?.cancel()
      byTopic[topic]?.noteCancelled()
      if byTopic[topic]?.isEmpty == true { byTopic[topic] = nil }
    }
  }
}

/// An ``EventChannel`` for each type that has ever been subscribed to.
@Client final class EventChannels {
  /// Bounded by the types of events that there are.
  private var channels: [ObjectIdentifier: AnyObject] = [:]
  /// That of the last event: most are messages.
  private var last: (type: ObjectIdentifier, channel: AnyObject)?

  func channel<Event>(of type: Event.Type) -> EventChannel<Event>? {
    // By the type that the channel is made for, and so what stands under it is its channel.
    let key = ObjectIdentifier(Event.self)
    if let last, last.type == key { return unsafeDowncast(last.channel, to: EventChannel<Event>.self) }
    guard let channel = channels[key] as? EventChannel<Event> else { return nil }
    last = (key, channel)
    return channel
  }

  func made<Event>(of type: Event.Type) -> EventChannel<Event> {
    if let channel = channel(of: type) { return channel }
    let channel = EventChannel<Event>()
    channels[ObjectIdentifier(Event.self)] = channel
    return channel
  }
}
