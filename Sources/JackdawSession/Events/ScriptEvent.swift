// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawProtocol

/// An event of the user's own, posted by a script for another to wait for. JSON: `x-` and what the script chose.
package struct ScriptEvent: ClientEvent, Equatable {
  /// What every name of a script's event begins with, so that it can never be taken for one of ours.
  package static let prefix = "x-"
  package static let name = "x-"
  package let name: String
  package var topic: JID?
  package var text: String?

  /// - Parameter name: begins with ``prefix`` and goes on.
  /// - Throws: ``EventNameError`` for any other name.
  package init(name: String, topic: JID? = nil, text: String? = nil) throws(EventNameError) {
    guard Self.owns(name) else { throw EventNameError(name: name) }
    self.name = name
    self.topic = topic?.bare
    self.text = text
  }

  static func owns(_ name: String) -> Bool { name.hasPrefix(prefix) && name.count > prefix.count }

  private enum CodingKeys: String, CodingKey { case topic, text }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(topic?.description, forKey: .topic)
    try container.encode(text, forKey: .text)
  }
}
