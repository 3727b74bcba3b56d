// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop
import JackdawProtocol
import JackdawXML

/// Forms (XEP-0004) and formatted texts (XEP-0071) in messages: the words of them.
@Client package final class FormattedTexts: Feature {
  private nonisolated static let formatted = "http://jabber.org/protocol/xhtml-im"
  private nonisolated static let html = "http://www.w3.org/1999/xhtml"

  package nonisolated static let about = FeatureDescription(
    "XEP-0071", "XHTML-IM", version: "1.5.4", namespaces: [formatted, html],
    scope: "the text of the message is shown, or the words of the formatted one where there is no other; none is sent",
    isPartial: true)

  package init(_ context: FeatureContext) {}

  package func install(in routes: RouteTable) {
    routes.onMessage(.interpret) { inbound in
      guard !inbound.message.payloads.isEmpty else { return .pass }
      if inbound.message.body == nil { inbound.message.body = Self.words(in: inbound.message.payloads) }
      if let form = Self.form(in: inbound.message.payloads) { inbound.carry(form) }
      return .pass
    }
  }

  private static func words(in payloads: [Element]) -> String? {
    let body = payloads.first { $0.matches("html", formatted) }?.child("body", html)
    var words = ""
    if let body { gather(body, into: &words, depth: 0) }
    return words.isEmpty ? nil : words
  }

  /// As deep as people nest texts, each word where it stands.
  private static func gather(_ element: Element, into words: inout String, depth: Int) {
    for content in element.contents {
      switch content {
      case .text(let text): words += text
      case .child(let child):
        guard depth < FeatureLimits.formattedDepth else { continue }
        if !words.isEmpty, ["p", "br", "li", "div"].contains(child.name) { words += "\n" }
        gather(child, into: &words, depth: depth + 1)
      }
    }
  }

  private static func form(in payloads: [Element]) -> MessageContent? {
    guard let element = payloads.first(where: { $0.matches("x", DataForm.namespace) }),
      let form = try? DataForm(element), form.kind == .form
    else { return nil }
    var content = MessageContent(.form)
    content.name = form.title.nonEmpty
    content.text = form.instructions.joined(separator: " ").nonEmpty
    content.items = form.fields.filter { $0.kind != .hidden }.compactMap(\.label).prefix(PayloadLimits.items).map { $0 }
    return content
  }
}
