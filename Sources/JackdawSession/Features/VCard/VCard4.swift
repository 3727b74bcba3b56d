// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop
package import JackdawProtocol
import JackdawXML

/// vCards in the format of RFC 6350, which some publish in their own pubsub node instead of the older one.
@Client package final class VCard4: Feature {
  package nonisolated static let node = "urn:xmpp:vcard4"
  /// RFC 6351, as XEP-0292 uses it.
  package nonisolated static let namespace = "urn:ietf:params:xml:ns:vcard-4.0"
  package nonisolated static let about = FeatureDescription(
    "XEP-0292", "vCard4 Over XMPP", version: "0.12.0", namespaces: [namespace, node],
    scope: "read where there is no vcard-temp; not published", isPartial: true)

  private let context: FeatureContext

  package init(_ context: FeatureContext) { self.context = context }

  /// Asks for the card of `jid`; nil: our own.
  /// - Returns: nil when there is none, or none for us.
  /// - Throws: ``RequestError`` for what is no answer.
  package func card(of jid: JID? = nil, timeout: Duration? = nil) async throws(RequestError) -> VCard? {
    let items = Element("items", PubSub.namespace, ["node": Self.node, "max_items": "1"])
    let request = IQ(kind: .get, to: jid?.bare, payload: Element("pubsub", PubSub.namespace, [items]))
    do {
      let answer = try await context.requests.request(request, timeout: .after(timeout ?? context.timeout))
      let item = answer.payload?.child("items", PubSub.namespace)?.child("item", PubSub.namespace)
      guard let element = item?.child("vcard", Self.namespace) else { return nil }
      let card = VCard4Codec.card(element)
      return card.isEmpty ? nil : card
    } catch  where error.stanzaError != nil {
      return nil
    }
  }
}

/// vCard4 elements to values (RFC 6351, XEP-0292 8).
enum VCard4Codec {
  /// Reads a `<vcard/>`, as much as ``VCardLimits`` allow.
  static func card(_ element: Element) -> VCard {
    var card = VCard()
    for child in element.children where child.namespace == VCard4.namespace {
      switch child.name {
      case "fn": card.append(VCard.Property(.fn, texts(child, "text")))
      case "n": card.append(VCard.Property(.n, parts(child, ["surname", "given", "additional", "prefix", "suffix"])))
      case "nickname": for text in texts(child, "text") { card.append(VCard.Property(.nickname, [text])) }
      case "email": card.append(VCard.Property(.email, uses: uses(child, .email), texts(child, "text")))
      case "tel": card.append(VCard.Property(.tel, uses: uses(child, .tel), [number(child)]))
      case "adr":
        let names = ["pobox", "ext", "street", "locality", "region", "code", "country"]
        card.append(VCard.Property(.adr, uses: uses(child, .adr), parts(child, names)))
      case "org": card.append(VCard.Property(.org, texts(child, "text")))
      case "title": card.append(VCard.Property(.title, texts(child, "text")))
      case "role": card.append(VCard.Property(.role, texts(child, "text")))
      case "bday": card.append(VCard.Property(.bday, texts(child, "date", "date-time", "text")))
      case "url": card.append(VCard.Property(.url, texts(child, "uri")))
      case "impp": card.append(VCard.Property(.jid, [address(child)]))
      case "note": card.append(VCard.Property(.desc, texts(child, "text")))
      case "photo": card.photo = card.photo ?? photo(child)
      default: break
      }
    }
    card.sort()
    return card
  }

  /// The texts of the children of the first of these names that there is.
  private static func texts(_ element: Element, _ names: String...) -> [String] {
    for name in names {
      var texts: [String] = []
      for child in element.children where child.matches(name, VCard4.namespace) && texts.count < VCardLimits.parts {
        texts.append(trimmed(child.text))
      }
      if !texts.isEmpty { return texts }
    }
    return []
  }

  private static func parts(_ element: Element, _ names: [String]) -> [String] {
    names.map { trimmed(element.text(of: $0, VCard4.namespace) ?? "") }
  }

  private static func uses(_ element: Element, _ field: VCard.Field) -> [String] {
    guard let type = element.child("parameters", VCard4.namespace)?.child("type", VCard4.namespace) else { return [] }
    let given = texts(type, "text").map { $0.lowercased() }
    return field.uses.filter { given.contains($0) }
  }

  private static func number(_ element: Element) -> String {
    let text = texts(element, "uri", "text").first ?? ""
    return text.hasPrefix("tel:") ? String(text.dropFirst("tel:".count)) : text
  }

  private static func address(_ element: Element) -> String {
    let text = texts(element, "uri").first ?? ""
    return (try? XMPPURI(text))?.jid.description ?? ""
  }

  private static func photo(_ element: Element) -> VCard.Photo? {
    guard let uri = texts(element, "uri").first, !uri.isEmpty else { return nil }
    guard uri.hasPrefix("data:") else { return VCard.Photo(uri: VCardLimits.cut(uri)) }
    // RFC 2397: data:image/png;base64,…
    let parts = uri.dropFirst("data:".count).split(separator: ",", maxSplits: 1)
    guard parts.count == 2, parts[0].hasSuffix(";base64") else { return nil }
    return VCard.Photo(base64: String(parts[1]), type: String(parts[0].dropLast(";base64".count)))
  }
}
