// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// What is wrong with one part of an address: the reason of a ``JIDError`` to be.
struct AddressPartError: Error, Equatable {
  var reason: String

  init(_ reason: String) {
    self.reason = reason
  }

  /// - Parameter place: where the text stands, as "before the '@'".
  init(_ violation: PRECIS.Violation, place: String) {
    switch violation {
    case .empty: self.init("has nothing \(place)")
    case .disallowed(let scalar): self.init("has \(Self.name(scalar)) \(place), which is not allowed there")
    case .misplaced(let scalar): self.init("has \(Self.name(scalar)) \(place), out of its proper surroundings")
    case .direction: self.init("mixes directions of writing \(place) in a way that could mislead")
    case .unstable: self.init("has a text \(place) that has no settled form")
    }
  }

  /// A character as people can read it: printable ASCII as it is, anything else by its number.
  static func name(_ scalar: Unicode.Scalar) -> String {
    switch scalar.value {
    case 0x20: return "a space"
    case 0x21...0x7E: return scalar == "'" ? "an apostrophe" : "'\(scalar)'"
    default:
      let digits = String(scalar.value, radix: 16, uppercase: true)
      return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
  }

  /// Applies a profile of PRECIS, and holds what comes out to its length.
  static func apply(
    _ profile: (String) throws(PRECIS.Violation) -> String, to text: Substring, place: String
  ) throws(AddressPartError) -> String {
    let prepared: String
    do {
      prepared = try profile(String(text))
    } catch {
      throw AddressPartError(error, place: place)
    }
    try checkLength(of: prepared[...], place: place)
    return prepared
  }

  /// Holds a localpart or a resource to its length (RFC 7622 3.3 and 3.4): not empty, and not too long.
  static func checkLength(of text: Substring, place: String) throws(AddressPartError) {
    let bytes = text.utf8.count
    guard bytes > 0 else { throw AddressPartError(.empty, place: place) }
    guard bytes <= AddressLimits.partBytes else {
      throw AddressPartError("has \(bytes) bytes \(place), where \(AddressLimits.partBytes) are allowed")
    }
  }
}
