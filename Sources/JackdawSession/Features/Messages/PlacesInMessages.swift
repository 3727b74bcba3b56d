// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop
import JackdawProtocol
import JackdawXML

/// Places in messages: somebody's (XEP-0080), or a link to one (RFC 5870).
@Client package final class PlacesInMessages: Feature {
  private nonisolated static let namespace = "http://jabber.org/protocol/geoloc"

  package nonisolated static let about = FeatureDescription(
    "XEP-0080", "User Location", version: "1.9", namespaces: [namespace],
    scope: "places in messages are shown, as are links to them (RFC 5870); none is sent or published", isPartial: true)

  package init(_ context: FeatureContext) {}

  package func install(in routes: RouteTable) {
    routes.onMessage(.interpret) { inbound in
      if let body = inbound.message.body, Self.isPlace(body) {
        var place = MessageContent(.place)
        place.url = body
        inbound.carry(place)
      }
      return .pass
    }
    // Of a text that is a link and a place beside it the link counts, as it is the first.
    routes.onMessage(.interpret, holding: [Self.namespace]) { inbound in
      if let place = Self.place(in: inbound.message.payloads) { inbound.carry(place) }
      return .pass
    }
  }

  /// A text is nothing but a link to a place.
  static func isPlace(_ text: String) -> Bool {
    // Few begin with that letter.
    text.utf8.first == UInt8(ascii: "g") && text.utf8.starts(with: "geo:".utf8)
      && text.utf8.count <= PayloadLimits.nameBytes && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
      && text.utf8.contains(UInt8(ascii: ","))
  }

  static func place(in payloads: [Element]) -> MessageContent? {
    guard let location = payloads.first(where: { $0.matches("geoloc", namespace) }) else { return nil }
    func degrees(_ name: String, upTo limit: Double) -> Double? {
      location.text(of: name, namespace).flatMap { $0.utf8.count < 64 ? Double($0) : nil }
        .flatMap { abs($0) <= limit ? $0 : nil }
    }
    var place = MessageContent(.place)
    if let latitude = degrees("lat", upTo: 90), let longitude = degrees("lon", upTo: 180) {
      place.url = "geo:\(latitude),\(longitude)"
    }
    let words = ["description", "text", "street", "locality", "country"].compactMap { name in
      location.text(of: name, namespace).nonEmpty?.cut(toBytes: PayloadLimits.nameBytes)
    }
    place.text = words.isEmpty ? nil : words.joined(separator: ", ")
    return place.url == nil && place.text == nil ? nil : place
  }
}
