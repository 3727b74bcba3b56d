// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// The resource of an address (RFC 7622 3.4): the profile OpaqueString.
enum ResourcePart {
  private static let place = "after the '/'"

  /// Prepares `text`.
  /// - Parameter isReceived: it is taken too where it breaks the profile, as long as it can be a text.
  static func prepare(_ text: Substring, isReceived: Bool) throws(AddressPartError) -> String {
    try AddressPartError.checkLength(of: text, place: place)
    if text.utf8.allSatisfy(preparedASCII.contains) { return String(text) }
    if isReceived { return try AddressPartError.apply(PRECIS.receivedString, to: text, place: place) }
    return try AddressPartError.apply(PRECIS.opaqueString, to: text, place: place)
  }

  /// The ASCII that a resource may have.
  static let preparedASCII = ASCIISet(0x20...0x7E)
}
