// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// Texts of a megabyte each, as somebody might send them who wants to see a client stand still.
enum TextCorpus {
  private static let size = 1 << 20

  /// Names for figures, and the texts.
  static let texts: [(name: String, text: String)] = [
    ("words", repeating("lorem ipsum dolor ")),
    ("one_word", repeating("x")),
    ("link", "https://example.org/" + repeating("x")),
    // Each row begins like a link, and the word is none.
    ("link_pieces", repeating("http://" + String(repeating: "x", count: 65)) + "\u{E9}"),
    ("short_links", repeating("xmpp:a http://b ")),
    ("spaces", repeating(" ")),
    ("newlines", repeating("\n")),
    ("short_lines", repeating("ab\n")),
    ("tabs", repeating("\t")),
    ("controls", repeating("\u{1B}")),
    ("bidi_controls", repeating("\u{202E}")),
    ("latin", repeating("\u{E9}")),
    ("cyrillic_words", repeating("\u{43C}\u{438}\u{440} ")),
    ("wide", repeating("\u{4E16}")),
    ("wide_words", repeating("\u{4E16}\u{754C} ")),
    ("marks", repeating("\u{301}")),
    ("marked_letters", repeating("e\u{301}")),
    ("most_marks", repeating("e" + String(repeating: "\u{301}", count: 8))),
    ("emoji", repeating("\u{1F44D}")),
    ("joined_emoji", repeating("\u{1F469}\u{200D}\u{1F680}")),
    ("one_joined_emoji", repeating("\u{1F469}\u{200D}")),
    ("flags", repeating("\u{1F1E9}\u{1F1EA}")),
    ("selected_emoji", repeating("\u{2764}\u{FE0F}")),
    ("conjuncts", repeating("\u{915}\u{94D}\u{937}")),
    ("hangul_letters", repeating("\u{1112}\u{1161}\u{11AB}")),
    ("number_signs", repeating("\u{600}")),
    (
      "everything",
      repeating("e\u{301}\u{4E16}\u{1F469}\u{200D}\u{1F680} http://x\t\u{202E}\u{1F1E9}\u{1F1EA}\u{E9}\n")
    ),
  ]

  private static func repeating(_ piece: String) -> String {
    String(repeating: piece, count: size / piece.utf8.count)
  }
}
