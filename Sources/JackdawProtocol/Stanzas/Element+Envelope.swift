// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawXML

extension Element {
  /// The address in this attribute, as others write it; nil without the attribute.
  /// - Parameter known: what it may well be, and is not read anew then.
  /// - Throws: when it is there and no address.
  package func jid(_ attribute: String, known: JID? = nil) throws(StanzaFormatError) -> JID? {
    if let known, self.attribute(attribute, equals: known.description) { return known }
    guard let text = self.attribute(attribute) else { return nil }
    do {
      return try JID(received: text)
    } catch {
      throw StanzaFormatError(description: "The attribute '\(attribute)' is not an address: it \(error.reason)")
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
  /// All of them, where there are several: no more than ``StanzaLimits/languages``.
  private(set) var translations: [Translation] = []
  private var isDecided = false
  private var firstLanguage: String?

  mutating func offer(_ element: Element) {
    let language = element.attribute("xml:lang")
    guard let text else {
      (self.text, firstLanguage, isDecided) = (element.text, language, language == nil)
      return
    }
    guard translations.count < StanzaLimits.languages else { return }
    if translations.isEmpty { translations.append(Translation(language: firstLanguage, text: text)) }
    let other = Translation(language: language, text: element.text)
    translations.append(other)
    guard !isDecided, language == nil else { return }
    (self.text, isDecided) = (other.text, true)
  }
}

/// A text in one of several languages (RFC 6121 5.2.3).
package struct Translation: Sendable, Equatable {
  /// `xml:lang`; nil: none is named.
  package var language: String?
  package var text: String
}
