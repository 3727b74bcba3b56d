// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// The domain of an address (RFC 7622 3.2): a name of U-labels in lower case, or an IP address in its canonical text.
enum DomainPart {
  /// Prepares `text`; one final dot is dropped.
  static func prepare(_ text: Substring) throws(AddressPartError) -> String {
    let text = text.utf8.last == UInt8(ascii: ".") ? text.dropLast() : text
    guard !text.isEmpty else { throw AddressPartError("has no domain") }
    guard text.utf8.count <= AddressLimits.partBytes else { throw tooLong }
    if text.utf8.first == UInt8(ascii: "[") { return try addressInBrackets(text) }
    let isASCII = text.utf8.allSatisfy { $0 < 0x80 }
    let lowercased = isASCII ? text.lowercased() : String(text)
    if isASCII {
      let hasALabel = try checkLabels(lowercased)
      guard hasALabel else { return lowercased }
    }
    return try InternationalName.prepare(lowercased)
  }

  /// Holds an ASCII name in lower case to the rules of host names (RFC 1123 2.1, RFC 5890 2.3.1); `_` is let pass,
  /// since it stands in names that people really use.
  ///
  /// - Returns: whether one of the labels is an A-label, or seems to be one.
  static func checkLabels(_ name: String) throws(AddressPartError) -> Bool {
    guard name.utf8.count <= AddressLimits.domainBytes else { throw tooLong }
    let labels = name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    var hasALabel = false
    for label in labels {
      guard let first = label.first, let last = label.last else {
        throw AddressPartError("has a domain with nothing before, between or after its dots")
      }
      guard label.count <= AddressLimits.labelBytes else {
        throw AddressPartError("has more than \(AddressLimits.labelBytes) characters between two dots of its domain")
      }
      if let stranger = label.first(where: { !isNameCharacter($0) }) {
        let name = AddressPartError.name(Unicode.Scalar(stranger))
        throw AddressPartError("has \(name) in its domain, which is not allowed there")
      }
      guard first != UInt8(ascii: "-"), last != UInt8(ascii: "-") else {
        throw AddressPartError("has a domain with a hyphen at the beginning or end of one of its parts")
      }
      if label.starts(with: "xn--".utf8) { hasALabel = true }
    }
    if let last = labels.last, isNumber(last), !IPAddressLiteral.isIPv4(Substring(name).utf8) {
      throw AddressPartError("has a domain of numbers that is not an IPv4 address")
    }
    return hasALabel
  }

  private static let tooLong = AddressPartError("has a domain that is longer than domains can be")

  private static func addressInBrackets(_ text: Substring) throws(AddressPartError) -> String {
    guard text.utf8.last == UInt8(ascii: "]"),
      let address = IPAddressLiteral.canonicalIPv6(text.dropFirst().dropLast().utf8)
    else { throw AddressPartError("has no IPv6 address between its brackets") }
    return "[\(address)]"
  }

  private static func isNameCharacter(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"),
      UInt8(ascii: "_"):
      true
    default: false
    }
  }

  /// True for what resolvers take as a number, in decimal or as `0x…`: a name that ends in one would be looked up as an
  /// IPv4 address in one of its old spellings.
  private static func isNumber(_ label: Substring.UTF8View) -> Bool {
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    if label.allSatisfy(digits.contains) { return true }
    return label.starts(with: "0x".utf8)
      && label.dropFirst(2).allSatisfy { digits.contains($0) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0) }
  }
}
