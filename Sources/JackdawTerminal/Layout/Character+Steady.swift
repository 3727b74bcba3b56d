// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

extension Character {
  /// Whether all terminals give it the columns that readline counts.
  var isSteady: Bool {
    if isASCII { return true }
    let scalars = unicodeScalars
    guard let first = scalars.first else { return true }
    if Width.isFlagLetter(first), scalars.count == 1 { return false }
    let joins = !first.properties.isAlphabetic
    return scalars.allSatisfy { scalar in
      switch scalar.value {
      case 0x200D: !joins
      case 0xFE0E, 0xFE0F, 0xE0020...0xE007F: false
      case 0x1F3FB...0x1F3FF: scalar == first
      default: !Width.isUnknown(scalar)
      }
    }
  }

  /// The character without what makes it wider or narrower on some terminals: of joined emoji the first alone.
  var steady: String {
    if isSteady { return String(self) }
    let scalars = unicodeScalars
    guard let first = scalars.first, !Width.isUnknown(first), !Width.isFlagLetter(first) || scalars.count > 1 else {
      return "\u{FFFD}"
    }
    if scalars.contains("\u{200D}"), !first.properties.isAlphabetic { return String(Character(first)) }
    var steady = String.UnicodeScalarView()
    for scalar in scalars
    where Character(scalar).isSteady && !(0x1F3FB...0x1F3FF).contains(scalar.value) || scalar == first {
      steady.append(scalar)
    }
    return String(steady)
  }
}
