// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// Reads the XML declaration (XML 1.0, 2.8) so that no other encoding than UTF-8 is ever obeyed (RFC 6120 11.6).
enum XMLDeclaration {
  /// - Parameter bytes: from `<?xml` to `?>`.
  static func check(_ bytes: [UInt8]) throws(DecodeError) {
    var rest = bytes.dropFirst(5).dropLast(2)
    var step = 0
    let order = ["version", "encoding", "standalone"]
    while true {
      let hadSpace = skipSpace(&rest)
      if rest.isEmpty { break }
      guard hadSpace, let (name, value) = pseudoAttribute(&rest), let place = order.firstIndex(of: name), place >= step
      else { throw malformed }
      if step == 0, place != 0 { throw malformed }
      step = place + 1
      switch name {
      case "version":
        guard value == "1.0" else { throw .notWellFormed("its version is not 1.0") }
      case "encoding":
        guard value.utf8.allSatisfy(isNameByte) else { throw malformed }
        guard value.lowercased() == "utf-8" else { throw .encoding("it is declared to be something else") }
      default:
        guard value == "yes" || value == "no" else { throw malformed }
      }
    }
    if step == 0 { throw malformed }
  }

  private static let malformed = DecodeError.notWellFormed("the XML declaration is not right")

  private static func pseudoAttribute(_ rest: inout ArraySlice<UInt8>) -> (name: String, value: String)? {
    let name = rest.prefix { $0 >= UInt8(ascii: "a") && $0 <= UInt8(ascii: "z") }
    rest = rest.dropFirst(name.count)
    skipSpace(&rest)
    guard rest.popFirst() == UInt8(ascii: "=") else { return nil }
    skipSpace(&rest)
    guard let quote = rest.popFirst(), quote == UInt8(ascii: "'") || quote == UInt8(ascii: "\"") else { return nil }
    let value = rest.prefix { $0 != quote }
    rest = rest.dropFirst(value.count)
    guard rest.popFirst() == quote else { return nil }
    return (String(decoding: name, as: UTF8.self), String(decoding: value, as: UTF8.self))
  }

  @discardableResult
  private static func skipSpace(_ rest: inout ArraySlice<UInt8>) -> Bool {
    let before = rest.count
    rest = rest.drop { $0 == 0x20 || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }
    return rest.count < before
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
      true
    default: false
    }
  }
}
