// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawProtocol
import JackdawXML

/// vcard-temp elements to values and back (XEP-0054 7).
enum VCardTempCodec {
  /// How a field is written.
  private enum Shape {
    case text(String)
    /// The value is in a child.
    case child(String, String)
    case parts(String, [String])
    /// One name, then as many as there are.
    case series(String, String, String)

    init(_ field: VCard.Field) {
      self =
        switch field {
        case .fn: .text("FN")
        case .n: .parts("N", ["FAMILY", "GIVEN", "MIDDLE", "PREFIX", "SUFFIX"])
        case .nickname: .text("NICKNAME")
        case .email: .child("EMAIL", "USERID")
        case .tel: .child("TEL", "NUMBER")
        case .adr: .parts("ADR", ["POBOX", "EXTADD", "STREET", "LOCALITY", "REGION", "PCODE", "CTRY"])
        case .org: .series("ORG", "ORGNAME", "ORGUNIT")
        case .title: .text("TITLE")
        case .role: .text("ROLE")
        case .bday: .text("BDAY")
        case .url: .text("URL")
        case .jid: .text("JABBERID")
        case .desc: .text("DESC")
        }
    }

    var name: String {
      switch self {
      case .text(let name), .child(let name, _), .parts(let name, _), .series(let name, _, _): name
      }
    }

    /// The names of the children that hold the value.
    var valueNames: [String] {
      switch self {
      case .text: []
      case .child(_, let name): [name]
      case .parts(_, let names): names
      case .series(_, let first, let others): [first, others]
      }
    }

    func parts(of element: Element) -> [String] {
      switch self {
      case .text: [trimmed(element.text)]
      case .child(_, let name):
        // Some clients put it where XEP-0054 6 forbids it.
        [trimmed(element.text(of: name, VCardTemp.namespace) ?? element.text)]
      case .parts(_, let names): names.map { trimmed(element.text(of: $0, VCardTemp.namespace) ?? "") }
      case .series(_, let first, let others):
        [trimmed(element.text(of: first, VCardTemp.namespace) ?? "")]
          + element.children.lazy.filter { $0.matches(others, VCardTemp.namespace) }.prefix(VCardLimits.parts)
          .map { trimmed($0.text) }
      }
    }

    /// The children that hold `parts`.
    func children(_ parts: [String]) -> [Element] {
      switch self {
      case .text: []
      case .child(_, let name): [Element(name, VCardTemp.namespace, text: parts.first)]
      case .parts(_, let names): zip(names, parts).map { Element($0, VCardTemp.namespace, text: $1) }
      case .series(_, let first, let others):
        parts.enumerated().map { Element($0 == 0 ? first : others, VCardTemp.namespace, text: $1) }
      }
    }
  }

  private static let shapes = VCard.Field.allCases.map { (field: $0, shape: Shape($0)) }
  private static let byName = Dictionary(uniqueKeysWithValues: shapes.map { ($0.shape.name, $0) })

  /// Reads a `<vCard/>`, as much as ``VCardLimits`` allow.
  static func card(_ element: Element) -> VCard {
    var card = VCard()
    for child in element.children where child.namespace == VCardTemp.namespace {
      switch child.name {
      case "PHOTO": card.photo = card.photo ?? photo(child)
      case "NOTE": card.append(VCard.Property(.desc, [trimmed(child.text)]))
      case let name:
        guard let (field, shape) = byName[name] else { continue }
        card.append(VCard.Property(field, uses: uses(of: child, field), shape.parts(of: child)))
      }
    }
    card.sort()
    return card
  }

  private static func uses(of element: Element, _ field: VCard.Field) -> [String] {
    field.uses.filter { element.child($0.uppercased(), VCardTemp.namespace) != nil }
  }

  private static func photo(_ element: Element) -> VCard.Photo? {
    let type = element.text(of: "TYPE", VCardTemp.namespace)
    if let uri = element.text(of: "EXTVAL", VCardTemp.namespace) {
      return VCard.Photo(uri: VCardLimits.cut(trimmed(uri)), type: type)
    }
    return element.text(of: "BINVAL", VCardTemp.namespace).flatMap { VCard.Photo(base64: $0, type: type) }
  }

  // MARK: Changing

  /// The card with one field changed; what else is in it, known here or not, stays as it is.
  static func applying(_ edit: VCardEdit, to card: Element) -> Element {
    let shape = Shape(edit.field)
    var children = Array(card.children)
    let index = children.firstIndex { child in
      guard child.matches(shape.name, VCardTemp.namespace) else { return false }
      return edit.use.map { child.child($0.uppercased(), VCardTemp.namespace) != nil } ?? true
    }
    if let index {
      if edit.parts.isEmpty {
        children.remove(at: index)
      } else {
        children[index] = filled(children[index], shape, edit.parts)
      }
    } else if !edit.parts.isEmpty {
      children.append(filled(blank(shape, edit), shape, edit.parts))
    }
    var result = Element(card.name, card.namespace, children)
    for attribute in card.attributes {
      result = result.settingAttribute(attribute.name, namespace: attribute.namespace, attribute.value)
    }
    return result
  }

  private static func blank(_ shape: Shape, _ edit: VCardEdit) -> Element {
    var marks: [String] = edit.use.map { [$0.uppercased()] } ?? []
    if edit.field == .email { marks.append("INTERNET") }
    return Element(shape.name, VCardTemp.namespace, marks.map { Element($0, VCardTemp.namespace) })
  }

  private static func filled(_ element: Element, _ shape: Shape, _ parts: [String]) -> Element {
    if case .text = shape { return Element(shape.name, VCardTemp.namespace, text: parts[0]) }
    let names = shape.valueNames
    let kept = element.children.filter { !($0.namespace == VCardTemp.namespace && names.contains($0.name)) }
    return Element(shape.name, VCardTemp.namespace, kept + shape.children(parts))
  }
}

/// `text` without white space around it: cards are often indented.
func trimmed(_ text: String) -> String {
  let inner = text.drop(while: \.isWhitespace)
  guard let last = inner.lastIndex(where: { !$0.isWhitespace }) else { return "" }
  return String(inner[...last])
}

extension VCard.Photo {
  /// A picture in base 64, which some break into lines; nil when it is none.
  init?(base64: String, type: String?) {
    let digits = base64.utf8.filter { !($0 == 0x20 || (0x09...0x0D).contains($0)) }
    guard let bytes = Base64.decode(digits), !bytes.isEmpty else { return nil }
    let hash = SCRAMCrypto.digest(.sha1, bytes)?.map { byte in
      String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
    }
    self.init(
      type: type.map { trimmed($0).cut(toBytes: VCardLimits.typeBytes) }, size: bytes.count, sha1: hash?.joined())
  }
}
