// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// Names that are read as the same.
package enum NameLikeness {
  /// The same for names that differ in case, spaces and signs, in digits that look like letters, and in letters of other scripts that do;
  /// empty for one that has neither letters nor digits, which is like no other.
  package static func key(_ name: String) -> String {
    var key = ""
    for scalar in name.lowercased().unicodeScalars {
      if let latin = looksLike[scalar] {
        key.unicodeScalars.append(latin)
      } else if scalar.properties.isAlphabetic || scalar.properties.numericType != nil {
        key.unicodeScalars.append(scalar)
      }
    }
    return key
  }

  /// Small letters that most fonts draw as a Latin one (Unicode UTS 39).
  private static let looksLike: [Unicode.Scalar: Unicode.Scalar] = {
    let others = "01аеіјкморсѕтухαικνορτυχ"
    let latin = "olaeijkmopcstyxaikvoptux"
    return Dictionary(uniqueKeysWithValues: zip(others.unicodeScalars, latin.unicodeScalars))
  }()
}
