// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
package import JackdawLoop
import JackdawProtocol

/// The text of a message in the reader's language where it has several (RFC 6121 5.2.3, RFC 4647), what it is about (RFC 6121 5.2.4),
/// and to which talk it belongs (RFC 6121 5.2.5, XEP-0201).
@Client package final class MessageTexts: Feature {
  package nonisolated static let about = FeatureDescription(
    "RFC 4647", "Matching of Language Tags",
    scope: "of a text in several languages the one of the locale is shown, else the one that names none")

  /// What the reader understands, the best first.
  package var languages = MessageTexts.languages { name in getenv(name).map { String(cString: $0) } }

  package init(_ context: FeatureContext) {}

  package func install(in routes: RouteTable) {
    routes.onMessage(.interpret) { [unowned self] inbound in
      if !inbound.message.translations.isEmpty { takeTranslation(&inbound) }
      if let subject = inbound.message.subject, !subject.isEmpty {
        inbound.carry { $0.subject = subject.cut(toBytes: PayloadLimits.textBytes) }
        inbound.message.body = inbound.message.body ?? ""
      }
      if let thread = inbound.message.thread, !thread.isEmpty, inbound.message.body != nil {
        inbound.carry { $0.thread = thread.cut(toBytes: PayloadLimits.nameBytes) }
      }
      return .pass
    }
  }

  private func takeTranslation(_ inbound: inout InboundMessage) {
    guard let best = Self.choose(among: inbound.message.translations, languages) else { return }
    inbound.message.body = best.text
    inbound.carry { $0.language = best.language?.cut(toBytes: PayloadLimits.nameBytes) }
  }

  /// The languages of messages by the locale of the environment (setlocale(3)): `de_AT.UTF-8` is `de-at`, then `de`.
  static func languages(_ environment: (String) -> String?) -> [String] {
    let names = ["LC_ALL", "LC_MESSAGES", "LANG"]
    guard let locale = names.lazy.compactMap(environment).first(where: { !$0.isEmpty }) else { return [] }
    let tag = locale.prefix { $0 != "." && $0 != "@" }.lowercased().replacing("_", with: "-")
    guard tag != "c", tag != "posix", let language = tag.split(separator: "-").first.map(String.init) else { return [] }
    return language == tag ? [tag] : [tag, language]
  }

  /// The text that is in one of these languages, or in a variety of one; else the one that names none; nil: neither is there.
  static func choose(among texts: [Translation], _ languages: [String]) -> Translation? {
    for language in languages {
      let found = texts.first { $0.language?.lowercased() == language }
      if let best = found ?? texts.first(where: { $0.language?.lowercased().hasPrefix(language + "-") == true }) {
        return best
      }
    }
    return texts.first { $0.language == nil }
  }
}
