// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

extension PRECIS {
  /// The profile UsernameCaseMapped of the identifier class (RFC 8265 3.3): wide and narrow forms and capitals are
  /// mapped, the rest is only checked.
  static func usernameCaseMapped(_ text: String) throws(Violation) -> String {
    do {
      return try stable(text) { (text) throws(Violation) in
        var mapped = String.UnicodeScalarView()
        for scalar in text.unicodeScalars { mapped.append(contentsOf: caseMapped(scalar)) }
        let normal = String(mapped).canonicallyComposed
        let scalars = normal.unicodeScalars
        try check(scalars, .identifier)
        if BidiRule.concerns(scalars), !BidiRule.isSatisfied(by: scalars) { throw .direction }
        return normal
      }
    } catch .disallowed(let scalar) {
      // What to name is the character that was given, not what it was mapped to.
      throw .disallowed(text.unicodeScalars.first { caseMapped($0).contains(scalar) } ?? scalar)
    }
  }

  private static func caseMapped(_ scalar: Unicode.Scalar) -> String.UnicodeScalarView {
    CompatibilityForm.widthMapped(scalar).properties.lowercaseMapping.unicodeScalars
  }

  /// The profile OpaqueString of the freeform class (RFC 8265 4.2): any space becomes U+0020, nothing else is mapped.
  static func opaqueString(_ text: String) throws(Violation) -> String {
    try stable(text) { (text) throws(Violation) in
      let normal = spacesMapped(text)
      try check(normal.unicodeScalars, .freeform)
      return normal
    }
  }

  /// What somebody else chose who goes by other rules than ``opaqueString(_:)``: mapped as by that one, so that what keeps to its
  /// rules comes out the same, and refused only where it holds what no text does.
  static func receivedString(_ text: String) throws(Violation) -> String {
    try stable(text) { (text) throws(Violation) in
      let normal = spacesMapped(text)
      for scalar in normal.unicodeScalars where isNoText(scalar) { throw .disallowed(scalar) }
      return normal
    }
  }

  /// Any space as U+0020, the rest in normalization form C.
  private static func spacesMapped(_ text: String) -> String {
    var mapped = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      mapped.append(scalar.properties.generalCategory == .spaceSeparator ? " " : scalar)
    }
    return String(mapped).canonicallyComposed
  }

  /// Controls, ends of lines and noncharacters.
  private static func isNoText(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    default: scalar.properties.isNoncharacterCodePoint
    }
  }

  /// Applies `rules` until the text no longer changes, three times more at most (RFC 8264 7).
  private static func stable(
    _ text: String, _ rules: (String) throws(Violation) -> String
  ) throws(Violation) -> String {
    guard !text.isEmpty else { throw .empty }
    var current = text
    for _ in 0...3 {
      let next = try rules(current)
      if next.utf8.elementsEqual(current.utf8) { return current }
      current = next
    }
    throw .unstable
  }
}

extension String {
  /// Normalization form C.
  var canonicallyComposed: String {
    String(decoding: _nfcCodeUnits, as: UTF8.self)
  }
}
