// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

extension Character {
  /// Whether all terminals give it the columns that readline counts.
  var isSteady: Bool { isASCII || steadyScalars.count == unicodeScalars.count }

  /// The character without what makes it wider or narrower on some terminals: of joined emoji the first alone.
  var steady: String {
    if isSteady { return String(self) }
    let scalars = steadyScalars
    return scalars.isEmpty ? "\u{FFFD}" : String(scalars)
  }

  private var steadyScalars: String.UnicodeScalarView {
    var steady = String.UnicodeScalarView()
    guard let first = unicodeScalars.first else { return steady }
    let joinsLetters = first.properties.isAlphabetic
    let letters = unicodeScalars.count { Width.isFlagLetter($0) }
    for (number, scalar) in unicodeScalars.enumerated() {
      switch scalar.value {
      case 0x200D where joinsLetters: steady.append(scalar)
      case 0x200D: return steady
      case 0xFE0E, 0xFE0F, 0xE0020...0xE007F: break
      // Skin tones.
      case 0x1F3FB...0x1F3FF where number > 0: break
      case 0x1F1E6...0x1F1FF where letters != 2: break
      default: if !Width.isUnknown(scalar) { steady.append(scalar) }
      }
    }
    return steady
  }
}
