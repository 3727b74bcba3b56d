// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// Every event that there is, by name: what `/wait` can wait for and Docs/JSON.md describes.
package enum EventCatalogue {
  /// Each type once; one that is missing cannot be waited for by name.
  package static let types: [any ClientEvent.Type] = [
    ConnectionChanged.self,
    MessageArrived.self,
    MessageStateChanged.self,
    TypingChanged.self,
    PresenceChanged.self,
    FriendChanged.self,
    FriendRequested.self,
    FriendshipEnded.self,
    BlockChanged.self,
    CaughtUp.self,
    ArchiveRead.self,
    RoomChanged.self,
    OccupantChanged.self,
  ]

  /// The names, in the order of Docs/JSON.md.
  package static var names: [String] { types.map { $0.name } }

  /// The type of the events of this name. A script's own names share one type.
  /// - Throws: ``EventNameError`` when no event has this name.
  package static func type(named name: String) throws(EventNameError) -> any ClientEvent.Type {
    if let type = types.first(where: { $0.name == name }) { return type }
    guard ScriptEvent.owns(name) else { throw EventNameError(name: name) }
    return ScriptEvent.self
  }
}

/// There is no event of this name.
package struct EventNameError: Error, Sendable, CustomStringConvertible {
  package var name: String

  package var description: String {
    "There is no event '\(name)': there are \(EventCatalogue.names.joined(separator: ", ")), "
      + "and those of scripts, which begin with \(ScriptEvent.prefix)"
  }
}
