// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// Makes whole sentences of what several have written: ours, and the peer's or a cause's words after them.
package enum Sentence {
  /// `text` with a full stop, unless it has an end of its own; or is a link, of which that would become part.
  package static func ended(_ text: String) -> String {
    // A mark of the end may stand before a closing quotation mark or bracket.
    let end = text.last { !")]\"'’”»".contains($0) } ?? "."
    let isLink = text.split(separator: " ").last?.contains("://") ?? true
    return ".!?…".contains(end) || isLink ? text : text + "."
  }

  /// `text`, which begins with a word and not with a name, with a capital letter and a full stop.
  package static func whole(_ text: String) -> String { ended(text.prefix(1).uppercased() + text.dropFirst()) }

  /// `sentence: words.`, or `sentence` alone where there are none.
  package static func joined(_ sentence: String, _ words: String?) -> String {
    guard let words, words.contains(where: { !$0.isWhitespace }) else { return ended(sentence) }
    return ended("\(sentence.hasSuffix(".") ? String(sentence.dropLast()) : sentence): \(words)")
  }
}
