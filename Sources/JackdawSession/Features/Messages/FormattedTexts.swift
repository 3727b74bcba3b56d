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
    routes.onMessage(.interpret, holding: [Self.formatted, DataForm.namespace]) { inbound in
      if inbound.message.body == nil { inbound.message.body = Self.words(in: inbound.message.payloads) }
      if let form = Self.form(in: inbound.message.payloads) { inbound.carry(form) }
      return .pass
    }
  }

  private static func words(in payloads: [Element]) -> String? {
    let body = payloads.first { $0.matches("html", formatted) }?.child("body", html)
    var words = FormattedWords()
    if let body { gather(body, into: &words, depth: 0, isKept: false) }
    return words.text.isEmpty ? nil : words.text
  }

  /// What begins and ends a line of its own.
  private nonisolated static let blocks: Set<String> = [
    "address", "blockquote", "dd", "div", "dl", "dt", "h1", "h2", "h3", "h4", "h5", "h6", "li", "ol", "p", "pre",
    "table", "tr", "ul",
  ]

  /// As deep as people nest texts, each word where it stands.
  /// - Parameter isKept: white space stands as it is.
  private static func gather(_ element: Element, into words: inout FormattedWords, depth: Int, isKept: Bool) {
    for content in element.contents {
      switch content {
      case .text(let text): words.add(text, isKept: isKept)
      case .child(let child):
        guard depth < FeatureLimits.formattedDepth else { continue }
        let isBlock = blocks.contains(child.name)
        if isBlock { words.beginLine() }
        switch child.name {
        case "br": words.breakLine()
        // What stands for a picture.
        case "img": words.add(child.attribute("alt") ?? "", isKept: false)
        default: gather(child, into: &words, depth: depth + 1, isKept: isKept || child.name == "pre")
        }
        if isBlock { words.beginLine() }
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

/// The words of a formatted text, in lines: white space between them is one space, whatever it was (XHTML 1.0, 4.7).
private struct FormattedWords {
  private(set) var text = ""
  /// White space stands before the next word.
  private var hasSpace = false
  /// Ends of lines that stand before it.
  private var lineEnds = 0

  /// What comes next stands at the beginning of a line.
  mutating func beginLine() { lineEnds = max(lineEnds, 1) }

  /// A line ends here, though it is empty.
  mutating func breakLine() { lineEnds = min(lineEnds + 1, 2) }

  mutating func add(_ words: String, isKept: Bool) {
    for scalar in words.unicodeScalars {
      if !isKept, Self.isSpace(scalar) {
        hasSpace = true
        continue
      }
      if !text.isEmpty {
        if lineEnds > 0 {
          text += String(repeating: "\n", count: lineEnds)
        } else if hasSpace {
          text += " "
        }
      }
      (hasSpace, lineEnds) = (false, 0)
      text.unicodeScalars.append(scalar)
    }
  }

  private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case " ", "\t", "\n", "\r": true
    default: false
    }
  }
}
