// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import CIDN2

/// Domain names with letters outside ASCII (IDNA2008 with the mapping of UTS 46), by libidn2.
///
/// libidn2's own check of host name syntax (its STD3 flag) stays unused, since it drops characters in silence; the
/// syntax is checked on what comes out.
enum InternationalName {
  /// The form with U-labels, mapped to lower case and composed.
  static func prepare(_ name: String) throws(AddressPartError) -> String {
    // The mapping would drop them: a name that one cannot see whole.
    if let hidden = name.unicodeScalars.first(where: isInvisible) {
      throw AddressPartError("has \(AddressPartError.name(hidden)) in its domain, which is not allowed there")
    }
    let ascii = try convert(name) { idn2_to_ascii_8z($0, $1, nontransitional) }
    var domain = Substring(ascii)
    // The mapping makes dots of other full stops, so that the final one may show up only now.
    if domain.utf8.last == UInt8(ascii: ".") { domain.removeLast() }
    let settled = String(domain)
    _ = try DomainPart.checkLabels(settled)
    let unicode = try convert(settled) { idn2_to_unicode_8z8z($0, $1, 0) }
    // What was mapped must be IDNA2008 by itself, and be the name that we look up.
    guard let again = asciiForm(unicode), again == settled, unicode.utf8.count <= AddressLimits.partBytes else {
      throw invalid
    }
    let labels = unicode.split(separator: ".").map { String($0).unicodeScalars }
    for label in labels where label.contains(where: { !$0.isASCII }) {
      // libidn2 leaves out the contextual rules for characters such as the middle dot.
      do { try PRECIS.check(label, .identifier) } catch { throw AddressPartError(error, place: "in its domain") }
    }
    if BidiRule.concerns(unicode.unicodeScalars), !labels.allSatisfy(BidiRule.isSatisfied) {
      throw AddressPartError(.direction, place: "in its domain")
    }
    return unicode
  }

  /// The form with A-labels of a name with U-labels; nil when it is none.
  static func asciiForm(_ name: String) -> String? {
    try? convert(name) { input, output in
      input.withMemoryRebound(to: UInt8.self, capacity: name.utf8.count + 1) { input in
        output.withMemoryRebound(to: UnsafeMutablePointer<UInt8>?.self, capacity: 1) { output in
          idn2_lookup_u8(input, output, strict)
        }
      }
    }
  }

  private static let nontransitional = CInt(IDN2_NFC_INPUT.rawValue | IDN2_NONTRANSITIONAL.rawValue)
  /// Without the mapping of UTS 46: what IDNA2008 itself allows (RFC 5891 5).
  private static let strict = CInt(IDN2_NFC_INPUT.rawValue | IDN2_NO_TR46.rawValue)
  private static let invalid = AddressPartError("has a domain with characters that domain names may not have")

  private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isDefaultIgnorableCodePoint && !scalar.properties.isJoinControl
  }

  private typealias Conversion = (
    UnsafePointer<CChar>, UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
  ) -> CInt

  private static func convert(_ name: String, _ conversion: Conversion) throws(AddressPartError) -> String {
    // C would read up to a NUL and take that for the whole.
    guard !name.utf8.contains(0) else { throw invalid }
    var output: UnsafeMutablePointer<CChar>?
    let result = name.withCString { conversion($0, &output) }
    defer { if let output { idn2_free(output) } }
    guard result == IDN2_OK.rawValue, let output else { throw invalid }
    return String(cString: output)
  }
}
