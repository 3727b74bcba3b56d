// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// The PRECIS framework (RFC 8264): which characters names and other strings of a protocol may have.
///
/// General categories and the like come from the standard library, the rest from ``PRECISTables``.
enum PRECIS {
  /// A base class of strings (RFC 8264 4).
  enum StringClass {
    /// Names of users and the like: letters and digits of all scripts, and the visible ASCII.
    case identifier
    /// Passwords, nicknames and the like: symbols, punctuation and spaces too.
    case freeform
  }

  /// What a string breaks.
  enum Violation: Error, Equatable {
    case empty
    case disallowed(Unicode.Scalar)
    /// Allowed in some surroundings, but not in these (RFC 5892 appendix A).
    case misplaced(Unicode.Scalar)
    /// Against the Bidi Rule (RFC 5893).
    case direction
    /// Comes out different each time that the rules are applied (RFC 8264 7).
    case unstable
  }

  /// The derived property of a character (RFC 8264 8).
  enum Property: Equatable {
    case valid
    /// Valid in the freeform class, disallowed in the identifier class (`ID_DIS or FREE_PVAL`).
    case freeformOnly
    case contextual
    case disallowed
    case unassigned
  }

  static func property(of scalar: Unicode.Scalar) -> Property {
    if let exception = exception(scalar) { return exception }
    let properties = scalar.properties
    let category = properties.generalCategory
    if category == .unassigned, !properties.isNoncharacterCodePoint { return .unassigned }
    switch scalar.value {
    case 0x21...0x7E: return .valid
    case 0x200C, 0x200D: return .contextual
    default: break
    }
    if isOldHangulJamo(scalar) || properties.isDefaultIgnorableCodePoint || properties.isNoncharacterCodePoint
      || category == .control
    {
      return .disallowed
    }
    if PRECISTables.hasCompat[scalar] != 0 { return .freeformOnly }
    switch category {
    case .lowercaseLetter, .uppercaseLetter, .otherLetter, .decimalNumber, .modifierLetter, .nonspacingMark,
      .spacingMark:
      return isOfKnownVersion(properties) ? .valid : .freeformOnly
    case .titlecaseLetter, .letterNumber, .otherNumber, .enclosingMark, .spaceSeparator, .mathSymbol, .currencySymbol,
      .modifierSymbol, .otherSymbol, .connectorPunctuation, .dashPunctuation, .openPunctuation, .closePunctuation,
      .initialPunctuation, .finalPunctuation, .otherPunctuation:
      return .freeformOnly
    case .lineSeparator, .paragraphSeparator, .control, .format, .surrogate, .privateUse, .unassigned:
      return .disallowed
    @unknown default:
      return .disallowed
    }
  }

  /// Holds every character of `text` to the class.
  static func check(_ text: String.UnicodeScalarView, _ stringClass: StringClass) throws(Violation) {
    for index in text.indices {
      let scalar = text[index]
      if (0x21...0x7E).contains(scalar.value) { continue }
      switch property(of: scalar) {
      case .valid:
        break
      case .freeformOnly:
        guard stringClass == .freeform else { throw .disallowed(scalar) }
      case .contextual:
        guard isWellPlaced(index, in: text) else { throw .misplaced(scalar) }
      case .disallowed, .unassigned:
        throw .disallowed(scalar)
      }
    }
  }

  /// RFC 8264 9.6, the same as RFC 5892 2.6.
  private static func exception(_ scalar: Unicode.Scalar) -> Property? {
    switch scalar.value {
    case 0x00DF, 0x03C2, 0x06FD, 0x06FE, 0x0F0B, 0x3007: .valid
    case 0x00B7, 0x0375, 0x05F3, 0x05F4, 0x30FB, 0x0660...0x0669, 0x06F0...0x06F9: .contextual
    case 0x0640, 0x07FA, 0x302E, 0x302F, 0x3031...0x3035, 0x303B: .disallowed
    default: nil
    }
  }

  /// Letters of a Unicode newer than the tables count as valid in names only when the tables know them too: until then
  /// nothing is known of their direction, script and compatibility forms.
  private static func isOfKnownVersion(_ properties: Unicode.Scalar.Properties) -> Bool {
    guard let age = properties.age else { return false }
    return (age.major, age.minor) <= PRECISTables.version
  }

  /// Hangul_Syllable_Type L, V or T (RFC 8264 9.9): conjoining jamo.
  private static func isOldHangulJamo(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x1100...0x11FF, 0xA960...0xA97C, 0xD7B0...0xD7C6, 0xD7CB...0xD7FB: true
    default: false
    }
  }
}
