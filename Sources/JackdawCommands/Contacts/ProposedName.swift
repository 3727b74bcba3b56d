// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawProtocol

/// What a link or a file proposes for the contact list: the words of whoever wrote it, which will stand where a friend's name
/// stands. A name that the user types is theirs to choose.
enum ProposedName {
  /// What is wrong with an address, to follow it in a sentence; nil: nothing.
  static func problem(ofAddress jid: JID) -> String? {
    jid.isMixedScript ? "mixes scripts to look like another address" : nil
  }

  /// What is wrong with a name or a group; nil: nothing.
  /// - Parameters:
  ///   - jid: whose name it is; an address of anybody else is no name for them.
  ///   - allowsLines: line breaks and tabs are part of it, as contact lists may have them.
  static func problem(of text: String, for jid: JID, allowsLines: Bool = false) -> String? {
    for scalar in text.unicodeScalars where isHidden(scalar) {
      if allowsLines, ["\n", "\r", "\t"].contains(scalar) { continue }
      return "holds U+\(hex(scalar)), which cannot be seen or changes what is seen"
    }
    guard text.contains("@"), let other = try? JID(text), other.bare != jid.bare else { return nil }
    return "is the address of somebody else"
  }

  /// Controls, direction marks and all that cannot be seen; but for what joins emoji and letters, and the signs that stand before
  /// Arabic numbers.
  private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x200C, 0x200D, 0x0600...0x0605, 0x06DD, 0x070F, 0x0890, 0x0891, 0x08E2, 0x110BD, 0x110CD: return false
    default: break
    }
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: return true
    default: return false
    }
  }

  private static func hex(_ scalar: Unicode.Scalar) -> String {
    let digits = String(scalar.value, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}
