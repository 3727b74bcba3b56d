// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawXML

extension Element {
  /// The address in this attribute, nil without the attribute.
  /// - Throws: when it is there and no address.
  package func jid(_ attribute: String) throws(StanzaFormatError) -> JID? {
    if case let prepared?? = withAttributeBytes(attribute, { JID(prepared: $0) }) { return prepared }
    guard let text = self.attribute(attribute) else { return nil }
    do {
      return try JID(text)
    } catch {
      throw StanzaFormatError(description: "the attribute '\(attribute)' is not an address: it \(error.reason)")
    }
  }

  /// The attribute's value; nil when it is missing or empty.
  func nonEmptyAttribute(_ name: String) -> String? {
    attribute(name).flatMap { $0.isEmpty ? nil : $0 }
  }
}

/// Chooses among texts that say the same in several languages: the first without `xml:lang`, else the first.
struct TextChoice {
  private(set) var text: String?
  private var isDecided = false

  mutating func offer(_ element: Element) {
    guard !isDecided else { return }
    isDecided = element.attribute("xml:lang") == nil
    if isDecided || text == nil { text = element.text }
  }
}
