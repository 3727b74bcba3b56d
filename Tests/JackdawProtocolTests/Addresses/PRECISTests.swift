// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Testing

@testable import JackdawProtocol

@Suite struct PRECISTests {
  /// RFC 8265 3.5, table 1, and RFC 7613's before it: user names.
  @Test(
    "A user name is mapped to lower case and normalized (UsernameCaseMapped)",
    arguments: [
      ("juliet@example.com", "juliet@example.com"), ("fussball", "fussball"), ("fu\u{DF}ball", "fu\u{DF}ball"),
      ("\u{3C0}", "\u{3C0}"), ("\u{3A3}", "\u{3C3}"), ("\u{3C3}", "\u{3C3}"), ("\u{3C2}", "\u{3C2}"),
      ("Fu\u{DF}Ball", "fu\u{DF}ball"), ("\u{FF26}\u{FF4F}\u{FF4F}", "foo"), ("\u{212B}ngstrom", "\u{E5}ngstrom"),
      ("\u{10400}", "\u{10428}"), ("\u{AC00}\u{1100}\u{1161}", "\u{AC00}\u{AC00}"), ("\u{1F49}", "\u{1F41}"),
    ])
  func userNameIsCaseMapped(_ text: String, _ expected: String) {
    let prepared = try? PRECIS.usernameCaseMapped(text)
    #expect(prepared.map { Array($0.utf8) } == Array(expected.utf8))
  }

  /// RFC 8265 3.5, table 2, and the classes of RFC 8264 9.
  @Test(
    "A user name with a forbidden character is refused",
    arguments: [
      ("foo bar", .disallowed(" ")), ("", .empty), ("henry\u{2163}", .disallowed("\u{2163}")),
      ("\u{221E}", .disallowed("\u{221E}")), ("\u{265A}", .disallowed("\u{265A}")), ("\u{1C5}", .disallowed("\u{1C5}")),
      ("a\u{FB01}", .disallowed("\u{FB01}")), ("\u{2160}", .disallowed("\u{2160}")), ("\u{B2}", .disallowed("\u{B2}")),
      ("a\u{20DD}", .disallowed("\u{20DD}")), ("\u{2014}", .disallowed("\u{2014}")),
      ("\u{20AC}", .disallowed("\u{20AC}")),
      ("\u{1100}", .disallowed("\u{1100}")), ("\u{A960}", .disallowed("\u{A960}")), ("\u{34F}", .disallowed("\u{34F}")),
      ("\u{E000}", .disallowed("\u{E000}")), ("\u{85}", .disallowed("\u{85}")), ("\u{FFA0}", .disallowed("\u{FFA0}")),
      // A letter of Unicode 16: nothing is known of its direction yet.
      ("\u{10EC2}", .disallowed("\u{10EC2}")),
      ("\u{627}a", .direction), ("a\u{627}", .direction), ("\u{627}\u{661}1", .direction),
    ] as [(String, PRECIS.Violation)])
  func userNameIsRefused(_ text: String, _ violation: PRECIS.Violation) {
    #expect(throws: violation) { try PRECIS.usernameCaseMapped(text) }
  }

  /// RFC 8265 4.3, table 3: passwords, which resources are like.
  @Test(
    "An opaque string keeps what the profile allows",
    arguments: [
      ("correct horse battery staple", "correct horse battery staple"),
      ("Correct Horse Battery Staple", "Correct Horse Battery Staple"), ("\u{3C0}\u{DF}\u{E5}", "\u{3C0}\u{DF}\u{E5}"),
      ("Jack of \u{2666}s", "Jack of \u{2666}s"), ("foo\u{1680}bar", "foo bar"), ("\u{FF21}", "\u{FF21}"),
      ("a\u{30A}", "\u{E5}"), ("\u{FB01}", "\u{FB01}"), ("\u{627}a", "\u{627}a"), ("\u{2160}\u{B2}", "\u{2160}\u{B2}"),
    ])
  func opaqueStringIsKept(_ text: String, _ expected: String) throws {
    #expect(try Array(PRECIS.opaqueString(text).utf8) == Array(expected.utf8))
  }

  /// RFC 8265 4.3, table 4.
  @Test(
    "An opaque string with a forbidden character is refused",
    arguments: [
      ("", .empty), ("my cat is a \u{9}by", .disallowed("\u{9}")), ("a\u{200B}", .disallowed("\u{200B}")),
      ("\u{1160}", .disallowed("\u{1160}")), ("\u{E0001}", .disallowed("\u{E0001}")),
    ] as [(String, PRECIS.Violation)])
  func opaqueStringIsRefused(_ text: String, _ violation: PRECIS.Violation) {
    #expect(throws: violation) { try PRECIS.opaqueString(text) }
  }

  /// RFC 5892 appendix A: where the characters of the contextual rules may stand, and where not.
  @Test(
    "The contextual rules of PRECIS are applied",
    arguments: [
      ("l\u{B7}l", true), ("a\u{B7}l", false), ("l\u{B7}", false), ("\u{B7}l", false), ("\u{B7}", false),
      ("\u{375}\u{3B1}", true), ("\u{375}a", false), ("\u{3B1}\u{375}", false),
      ("\u{5D0}\u{5F3}", true), ("\u{5D0}\u{5F4}\u{5D1}", true), ("\u{5F3}\u{5D0}", false), ("a\u{5F4}", false),
      ("\u{30FB}\u{30A2}", true), ("a\u{30FB}\u{6F22}", true), ("\u{30FB}", false), ("a\u{30FB}b", false),
      ("\u{627}\u{661}\u{662}", true), ("\u{627}\u{661}\u{6F2}", false), ("\u{627}\u{6F1}\u{6F2}", true),
      ("\u{915}\u{94D}\u{200D}\u{937}", true), ("\u{915}\u{200D}\u{937}", false), ("\u{200D}", false),
      ("\u{915}\u{94D}\u{200C}\u{937}", true), ("\u{628}\u{200C}\u{628}", true),
      ("\u{628}\u{64E}\u{200C}\u{64E}\u{628}", true),
      ("\u{628}\u{200C}a", false), ("\u{627}\u{200C}\u{628}", false), ("\u{628}\u{200C}", false), ("a\u{200C}b", false),
    ])
  func contextualRulesHold(_ text: String, _ isAllowed: Bool) {
    #expect((try? PRECIS.opaqueString(text)) == (isAllowed ? text : nil))
  }

  /// RFC 5893 2, condition by condition.
  @Test(
    "The Bidi rule is applied",
    arguments: [
      ("abc", true), ("a1", true), ("1a", false), ("-a", false), ("a-", false), ("a\u{301}", true), ("a\u{5D0}", false),
      ("\u{5D0}", true), ("\u{5D0}1", true), ("\u{5D0}\u{661}", true), ("\u{5D0}1\u{661}", false),
      ("\u{661}\u{5D0}", false),
      ("\u{5D0}a", false), ("\u{5D0}-\u{5D1}", true), ("\u{5D0}-", false), ("\u{5D0}\u{5B0}", true),
      ("\u{5D0} \u{5D1}", false),
      ("", false),
    ])
  func bidiRuleHolds(_ text: String, _ isSatisfied: Bool) {
    #expect(BidiRule.isSatisfied(by: text.unicodeScalars) == isSatisfied)
  }

  /// The generated tables against the standard library, where both know the same things.
  @Test("Our tables agree with the standard library's Unicode properties") func tablesAgreeWithTheStandardLibrary() {
    for value in UInt32(0)...0x10FFFF {
      guard let scalar = Unicode.Scalar(value), let age = scalar.properties.age, age.major <= 14 else { continue }
      let category = scalar.properties.generalCategory
      if category == .nonspacingMark || category == .enclosingMark {
        #expect(JoiningType(scalar) == .transparent, "\(value)")
      }
      if category == .decimalNumber { #expect(BidiClass(scalar) != .other, "\(value)") }
      if PRECISTables.hasCompat[scalar] == 0, age.major < 4 {
        var form = String.UnicodeScalarView()
        CompatibilityForm.append(scalar, to: &form)
        #expect(String(form).canonicallyComposed == String(scalar).canonicallyComposed, "\(value)")
      }
    }
  }
}
