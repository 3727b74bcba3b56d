// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// A character's bidirectional class (Unicode Standard Annex 9) as far as the Bidi Rule speaks of it.
enum BidiClass: Int {
  /// Any class that the rule allows nowhere.
  case other = 0
  case leftToRight, rightToLeft, arabicLetter, arabicNumber, europeanNumber, europeanSeparator, commonSeparator
  case europeanTerminator, otherNeutral, boundaryNeutral, nonspacingMark

  init(_ scalar: Unicode.Scalar) {
    self = BidiClass(rawValue: PRECISTables.bidiClass[scalar]) ?? .other
  }

  /// Makes a text one that is written from right to left, so that the rule applies to it.
  var isRightToLeft: Bool {
    switch self {
    case .rightToLeft, .arabicLetter, .arabicNumber: true
    case .other, .leftToRight, .europeanNumber, .europeanSeparator, .commonSeparator, .europeanTerminator,
      .otherNeutral, .boundaryNeutral, .nonspacingMark:
      false
    }
  }
}

/// The Bidi Rule (RFC 5893 2): keeps a name that is written from right to left from being shown as another one.
enum BidiRule {
  /// True when `text` has a character that brings the rule into force.
  static func concerns(_ text: some Sequence<Unicode.Scalar>) -> Bool {
    text.contains { $0.value >= 0x590 && BidiClass($0).isRightToLeft }
  }

  /// True when `text` satisfies the six conditions; false for an empty text.
  static func isSatisfied(by text: some Sequence<Unicode.Scalar>) -> Bool {
    var isRightToLeft: Bool?
    var endsWell = false
    var hasEuropeanNumber = false
    var hasArabicNumber = false
    for scalar in text {
      let bidiClass = BidiClass(scalar)
      guard let rightToLeft = isRightToLeft ?? direction(ofFirst: bidiClass) else { return false }
      isRightToLeft = rightToLeft
      switch bidiClass {
      case .leftToRight:
        guard !rightToLeft else { return false }
        endsWell = true
      case .rightToLeft, .arabicLetter:
        guard rightToLeft else { return false }
        endsWell = true
      case .arabicNumber:
        guard rightToLeft else { return false }
        hasArabicNumber = true
        endsWell = true
      case .europeanNumber:
        hasEuropeanNumber = true
        endsWell = true
      case .europeanSeparator, .commonSeparator, .europeanTerminator, .otherNeutral, .boundaryNeutral:
        endsWell = false
      case .nonspacingMark:
        break
      case .other:
        return false
      }
    }
    let mixesNumbers = isRightToLeft == true && hasEuropeanNumber && hasArabicNumber
    return endsWell && !mixesNumbers
  }

  /// Whether a text that begins with such a character goes from right to left; nil when none may begin so.
  private static func direction(ofFirst bidiClass: BidiClass) -> Bool? {
    switch bidiClass {
    case .leftToRight: false
    case .rightToLeft, .arabicLetter: true
    case .other, .arabicNumber, .europeanNumber, .europeanSeparator, .commonSeparator, .europeanTerminator,
      .otherNeutral, .boundaryNeutral, .nonspacingMark:
      nil
    }
  }
}
