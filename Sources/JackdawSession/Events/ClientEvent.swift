// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawProtocol

/// Something that happened and that other parts, scripts and people may want to know. Encoded, it is a JSON line of
/// Docs/JSON.md: `event`, `time` and `account` come first, then the type's own keys.
package protocol ClientEvent: Encodable, Sendable {
  /// The name in JSON and for `/wait`: `message`, `presence` …
  static var name: String { get }
  /// The name of this very event: the type's, save for a ``ScriptEvent``.
  var name: String { get }
  /// The JID, bare, that the event is about; what `topics:` of a subscription is compared with.
  var topic: JID? { get }
  /// The message that it is; nil: another event. A cast would look at what type it is by its name, and most events are messages.
  var asMessage: MessageArrived? { get }
}

extension ClientEvent {
  package var name: String { Self.name }
  package var asMessage: MessageArrived? { nil }
}
