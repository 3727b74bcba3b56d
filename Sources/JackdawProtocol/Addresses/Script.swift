// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// A script that characters are written in (Unicode's Script property, by the numbers of the generated table).
struct Script: Hashable {
  private let number: Int

  private init(number: Int) {
    self.number = number
  }

  init(_ scalar: Unicode.Scalar) {
    number = PRECISTables.script[scalar]
  }

  /// Characters of several scripts: digits, punctuation, combining marks.
  static let common = Script(number: 0)
  static let latin = Script(number: 1)
  static let greek = Script(number: 2)
  static let hebrew = Script(number: 3)
  static let hiragana = Script(number: 4)
  static let katakana = Script(number: 5)
  static let han = Script(number: 6)
  static let bopomofo = Script(number: 7)
  static let hangul = Script(number: 8)

  /// Scripts that belong together in honest names (the level "highly restrictive" of Unicode Technical Standard 39).
  private static let companions: [Set<Script>] = [
    [latin, han, hiragana, katakana], [latin, han, bopomofo], [latin, han, hangul],
  ]

  /// True when `text` mixes scripts as honest names do not: Latin with a Cyrillic letter among it, say.
  static func isMixed(_ text: some Sequence<Unicode.Scalar>) -> Bool {
    var scripts = Set(text.map(Script.init))
    scripts.remove(common)
    return scripts.count > 1 && !companions.contains { scripts.isSubset(of: $0) }
  }
}
