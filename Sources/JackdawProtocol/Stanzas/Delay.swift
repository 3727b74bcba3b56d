// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawXML

/// When a stanza was really sent, if it was held up on its way (XEP-0203; the legacy form of XEP-0091 is read too).
///
/// Anyone can add one: it counts only when ``from`` is the own server, account, room or archive.
package struct Delay: Sendable, Equatable {
  /// The namespace of XEP-0203, in which delays are written.
  package static let namespace = "urn:xmpp:delay"
  private static let legacyNamespace = "jabber:x:delay"
  /// Those of both forms.
  package static let namespaces = [namespace, legacyNamespace]

  /// When the stanza was first sent, by the clock of whoever says so.
  package var stamp: Timestamp
  /// Who held it up, by its own account.
  package var from: JID?
  /// Why, in that one's words. From the network.
  package var reason: String?
  /// It was in the form of XEP-0091.
  package private(set) var isLegacy = false

  package init(stamp: Timestamp, from: JID? = nil, reason: String? = nil) {
    self.stamp = stamp
    self.from = from
    self.reason = reason
  }

  /// nil when the element is none, its stamp cannot be read, or its sender is no address.
  package init?(_ element: Element) {
    guard element.matches("delay", Self.namespace) || element.matches("x", Self.legacyNamespace),
      let stamp = element.attribute("stamp").flatMap({ Timestamp($0) })
    else { return nil }
    self.stamp = stamp
    isLegacy = element.namespace == Self.legacyNamespace
    do {
      from = try element.jid("from")
    } catch {
      return nil
    }
    let text = element.text
    reason = text.isEmpty ? nil : text
  }

  /// The element `delay` of ``namespace`` (XEP-0203 4), never the legacy form.
  package var element: Element {
    Element("delay", Self.namespace, ["from": from?.description, "stamp": stamp.description], text: reason)
  }

  /// The delays among a stanza's payloads, those of XEP-0203 first.
  package static func all(in payloads: [Element]) -> [Delay] {
    var delays: [Delay] = []
    var legacy: [Delay] = []
    for payload in payloads {
      guard let delay = Delay(payload) else { continue }
      if payload.namespace == namespace { delays.append(delay) } else { legacy.append(delay) }
    }
    return delays + legacy
  }
}
