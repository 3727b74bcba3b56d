// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// The localpart of an address (RFC 7622 3.3): the profile UsernameCaseMapped without eight characters.
enum LocalPart {
  private static let place = "before the '@'"

  /// Prepares `text`.
  static func prepare(_ text: Substring) throws(AddressPartError) -> String {
    try AddressPartError.checkLength(of: text, place: place)
    let isASCII = text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    let prepared =
      isASCII ? text.lowercased() : try AddressPartError.apply(PRECIS.usernameCaseMapped, to: text, place: place)
    // After the mapping, which makes such characters of their wide forms.
    if let excluded = prepared.utf8.first(where: { $0 < 0x80 && !preparedASCII.contains($0) }) {
      throw AddressPartError(.disallowed(Unicode.Scalar(excluded)), place: place)
    }
    return prepared
  }

  /// A prepared localpart as nodeprep (RFC 3920 appendix A, RFC 3454 table B.2) writes it; nil where that is no other, or none
  /// at all.
  static func folded(_ localpart: String) -> String? {
    guard localpart.unicodeScalars.contains(where: isFoldedFurther) else { return nil }
    var mapped = String.UnicodeScalarView()
    for scalar in localpart.unicodeScalars {
      guard isFoldedFurther(scalar) else {
        mapped.append(scalar)
        continue
      }
      // The capitals of these are several letters, or those of another small one, and small again what B.2 has.
      for capital in scalar.properties.uppercaseMapping.unicodeScalars {
        mapped.append(contentsOf: capital.properties.lowercaseMapping.unicodeScalars)
      }
    }
    guard let folded = try? prepare(String(mapped)[...]), folded != localpart else { return nil }
    return folded
  }

  /// ß, the final ς, and the iota that stands below Greek vowels: small letters that table B.2 has otherwise.
  private static func isFoldedFurther(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0xDF, 0x3C2, 0x345, 0x1F80...0x1FFC: true
    default: false
    }
  }

  /// The ASCII that a prepared localpart may have: visible, no capitals, none of the excluded.
  static let preparedASCII = ASCIISet(0x21...0x7E, except: "\"&'/:<>@ABCDEFGHIJKLMNOPQRSTUVWXYZ")
}
