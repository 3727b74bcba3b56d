// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// A text of somebody else with who said it and when, before it is laid out.
struct TextEntry {
  /// May be empty.
  var time: String
  var label: EntryLayout.Label
  /// As it came, unescaped.
  var body: String
  var look = Style.Look.plain
  /// What of the body is marked, in bytes of UTF-8, in order.
  var hits: [Range<Int>] = []

  /// The program says it, in its own words.
  var isOurs = false

  /// It is not to be seen at once.
  var isSpoiler = false

  /// Its author may have styled it (XEP-0393).
  var mayBeStyled = false

  /// All of it as one line, where that is all to be said of it.
  func plain(_ layout: EntryLayout) -> PlainEntry? {
    guard layout.isPlain, Escaper.isPlainASCII(body.utf8) else { return nil }
    return PlainEntry(time: time, label: label, line: body)
  }

  /// All of it as lines.
  func lines(_ layout: EntryLayout) -> String {
    guard !hits.isEmpty, layout.style.colors != .none else { return lines(of: body, layout) }
    let marked = layout.entry(time: time, label: label, lines: MarkedText.lines(body, marking: hits), look: look)
    return MarkedText.painted(marked, layout.style)
  }

  /// A part of the body as lines, headed as the whole is: nothing that stands between two parts can pass for the author's.
  func lines(of part: some StringProtocol, _ layout: EntryLayout) -> String {
    let text = String(part)
    if mayBeStyled, layout.style.colors != .none {
      let styled = StyledText(text)
      if !styled.spans.isEmpty {
        let lines = MarkedText.lines(text, styling: styled.spans)
        return MarkedText.painted(layout.entry(time: time, label: label, lines: lines, look: look), layout.style)
      }
    }
    return layout.entry(time: time, label: label, lines: Escaper.lines(text), look: look)
  }
}
