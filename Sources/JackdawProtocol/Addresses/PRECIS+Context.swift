// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// How a character joins its neighbours in cursive scripts (Unicode's Joining_Type).
enum JoiningType: Int {
  /// Does not join (U), or only causes joining (C).
  case none = 0
  case dual, left, right, transparent

  init(_ scalar: Unicode.Scalar) {
    self = JoiningType(rawValue: PRECISTables.joiningType[scalar]) ?? .none
  }
}

extension PRECIS {
  /// The contextual rules (RFC 5892 appendix A): whether the character at `index` may stand where it stands.
  static func isWellPlaced(_ index: String.Index, in text: String.UnicodeScalarView) -> Bool {
    switch text[index].value {
    case 0x200C:  // zero width non-joiner, A.1
      return followsVirama(index, in: text) || isBetweenJoining(index, in: text)
    case 0x200D:  // zero width joiner, A.2
      return followsVirama(index, in: text)
    case 0x00B7:  // middle dot, A.3: Catalan l·l
      return scalar(before: index, in: text) == "l" && scalar(after: index, in: text) == "l"
    case 0x0375:  // Greek lower numeral sign (keraia), A.4
      return scalar(after: index, in: text).map(Script.init) == .greek
    case 0x05F3, 0x05F4:  // Hebrew punctuation geresh and gershayim, A.5 and A.6
      return scalar(before: index, in: text).map(Script.init) == .hebrew
    case 0x30FB:  // Katakana middle dot, A.7
      return text.contains { [.hiragana, .katakana, .han].contains(Script($0)) }
    case 0x0660...0x0669:  // Arabic-Indic digits, A.8
      return !text.contains { (0x06F0...0x06F9).contains($0.value) }
    case 0x06F0...0x06F9:  // extended Arabic-Indic digits, A.9
      return !text.contains { (0x0660...0x0669).contains($0.value) }
    default:
      return false
    }
  }

  private static func scalar(before index: String.Index, in text: String.UnicodeScalarView) -> Unicode.Scalar? {
    index > text.startIndex ? text[text.index(before: index)] : nil
  }

  private static func scalar(after index: String.Index, in text: String.UnicodeScalarView) -> Unicode.Scalar? {
    let next = text.index(after: index)
    return next < text.endIndex ? text[next] : nil
  }

  private static func followsVirama(_ index: String.Index, in text: String.UnicodeScalarView) -> Bool {
    scalar(before: index, in: text)?.properties.canonicalCombiningClass == .virama
  }

  /// `(Joining_Type:{L,D})(Joining_Type:T)* ZWNJ (Joining_Type:T)*(Joining_Type:{R,D})`
  private static func isBetweenJoining(_ index: String.Index, in text: String.UnicodeScalarView) -> Bool {
    let before = text[..<index].reversed().lazy.map(JoiningType.init).first { $0 != .transparent }
    let after = text[text.index(after: index)...].lazy.map(JoiningType.init).first { $0 != .transparent }
    return (before == .left || before == .dual) && (after == .right || after == .dual)
  }
}
