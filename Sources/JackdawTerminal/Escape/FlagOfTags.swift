// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// The flags of England, Scotland and Wales: a black flag and letters that cannot be seen (UTS 51, annex C). Of what such letters may spell
/// these three are all that is drawn as something else; any other would be text that nobody sees.
enum FlagOfTags {
  static let base: Unicode.Scalar = "\u{1F3F4}"

  private static let letters = ["gbeng", "gbsct", "gbwls"].map { name in
    let tags = name.unicodeScalars.compactMap { Unicode.Scalar(0xE0000 + $0.value) } + ["\u{E007F}"]
    return Array(String(String.UnicodeScalarView(tags)).utf8)
  }

  /// Where the letters end that begin at an index of the text; nil where they are not those of a flag.
  static func end(in text: ArraySlice<UInt8>, from index: Int) -> Int? {
    letters.first { text[index...].starts(with: $0) }.map { index + $0.count }
  }
}
