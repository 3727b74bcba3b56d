// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// Preparation of user names and passwords for SASL (RFC 4013, on RFC 3454 and so on Unicode 3.2), as SCRAM demands
/// (RFC 5802 2.2 and 5.1) and servers do on their side.
///
/// It differs from the profiles of RFC 8265 in that compatibility forms are mapped (`ª` becomes `a`) and capitals stay.
/// Characters that Unicode 3.2 did not have pass, in their canonical form: ours are query strings in the terms of RFC
/// 3454 7.
package enum SASLprep {
  /// - Throws: ``StringPreparationError`` when `text` holds what the profile prohibits, or mixes directions of writing.
  ///   The error tells nothing of the text, which may be a password.
  package static func prepare(_ text: String) throws(StringPreparationError) -> String {
    if text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) { return text }
    var mapped = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      let flags = StringprepFlags(scalar)
      if flags.contains(.nonASCIISpace) {
        mapped.append(" ")
      } else if !flags.contains(.mappedToNothing) {
        CompatibilityForm.append(scalar, to: &mapped)
      }
    }
    let prepared = String(mapped).canonicallyComposed
    let flags = prepared.unicodeScalars.map(StringprepFlags.init)
    guard !flags.contains(where: { $0.contains(.prohibited) }) else {
      throw StringPreparationError(
        description: "it has a control character or another one that user names and passwords may not have")
    }
    guard isOneDirection(flags) else {
      throw StringPreparationError(
        description: "it mixes text written from right to left with other text in a way that SASL does not allow")
    }
    return prepared
  }

  /// RFC 3454 6: a text with right-to-left characters has no left-to-right ones, and begins and ends with the former.
  private static func isOneDirection(_ flags: [StringprepFlags]) -> Bool {
    guard flags.contains(where: { $0.contains(.rightToLeft) }) else { return true }
    return !flags.contains { $0.contains(.leftToRight) }
      && flags.first?.contains(.rightToLeft) == true && flags.last?.contains(.rightToLeft) == true
  }
}

/// What RFC 3454's tables say of a character, as far as SASLprep uses them.
struct StringprepFlags: OptionSet {
  let rawValue: Int

  /// Tables C.1.2 to C.9.
  static let prohibited = StringprepFlags(rawValue: 1)
  /// Table B.1.
  static let mappedToNothing = StringprepFlags(rawValue: 2)
  /// Table C.1.2.
  static let nonASCIISpace = StringprepFlags(rawValue: 4)
  /// Table D.1.
  static let rightToLeft = StringprepFlags(rawValue: 8)
  /// Table D.2.
  static let leftToRight = StringprepFlags(rawValue: 16)
}

extension StringprepFlags {
  init(_ scalar: Unicode.Scalar) {
    self.init(rawValue: StringprepTables.flags[scalar])
  }
}

/// A text cannot be used as a user name or a password.
package struct StringPreparationError: Error, Sendable, Equatable, CustomStringConvertible {
  /// What is wrong, to follow what the text was to be: "it has a control character …".
  package var description: String

  package init(description: String) {
    self.description = description
  }
}
