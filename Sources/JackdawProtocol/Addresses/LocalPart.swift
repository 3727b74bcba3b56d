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

  /// The ASCII that a prepared localpart may have: visible, no capitals, none of the excluded.
  static let preparedASCII = ASCIISet(0x21...0x7E, except: "\"&'/:<>@ABCDEFGHIJKLMNOPQRSTUVWXYZ")
}
