// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawProtocol
import JackdawXML

/// Moderation: a moderator has a room take back what somebody said in it (XEP-0425).
extension RoomAdministration {
  private static let moderation = "urn:xmpp:message-moderate:1"
  /// Of the XEP's versions before 0.3, which most rooms still speak.
  private static let earlierModeration = "urn:xmpp:message-moderate:0"

  /// Has the room take a message back for everybody.
  /// - Parameter id: what the room calls it (XEP-0359).
  /// - Throws: ``FeatureError`` with `.notOffered` where the room has no moderation; ``RequestError``.
  package func takeBack(_ id: String, in room: JID, reason: String? = nil) async throws {
    let information = try await requests.information(of: room.bare, node: nil, timeout: timeout)
    let payload: Element
    if information.supports(Self.moderation) {
      payload = Self.moderate(Self.moderation, "urn:xmpp:message-retract:1", ["id": id], reason)
    } else if information.supports(Self.earlierModeration) {
      payload = Element(
        "apply-to", "urn:xmpp:fasten:0", ["id": id],
        [Self.moderate(Self.earlierModeration, "urn:xmpp:message-retract:0", [:], reason)])
    } else {
      throw FeatureError(.notOffered, "\(room.bare) cannot take back what others said.")
    }
    _ = try await ask(.set, room, payload)
  }

  private static func moderate(
    _ namespace: String, _ retract: String, _ attributes: KeyValuePairs<String, String?>, _ reason: String?
  ) -> Element {
    Element(
      "moderate", namespace, attributes,
      [Element("retract", retract)] + (reason.map { [Element("reason", namespace, text: $0)] } ?? []))
  }
}
