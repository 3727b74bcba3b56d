// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
package import JackdawProtocol

/// Events by name: for scripts and the prompt.
extension EventBus {
  /// Calls `handler` with the events of a name; else as `on` with a type.
  /// - Throws: ``EventNameError`` when no event has this name.
  package func on(
    named name: String, topics: [JID]? = nil, _ handler: @escaping @Client (any ClientEvent) throws -> Void
  ) throws(EventNameError) -> Subscription {
    subscribe(try EventCatalogue.type(named: name), topics: topics) { event in
      if event.name == name { try handler(event) }
    }
  }

  /// Posts an event of a script's own.
  /// - Throws: ``EventNameError`` when the name does not begin with ``ScriptEvent/prefix``: the events of the program
  ///   cannot be forged.
  package func post(named name: String, topic: JID? = nil, text: String? = nil) throws(EventNameError) {
    post(try ScriptEvent(name: name, topic: topic, text: text))
  }

  private func subscribe<Event: ClientEvent>(
    _ type: Event.Type, topics: [JID]?, _ handler: @escaping @Client (any ClientEvent) throws -> Void
  ) -> Subscription {
    on(type, topics: topics) { try handler($0) }
  }
}
