// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc

/// A colour by hue (degrees), saturation and lightness (to 100), where colours of one lightness look equally light (hsluv.org).
struct HSLuv {
  var hue: Double
  var saturation: Double
  var lightness: Double

  var color: RGB {
    let angle = hue * .pi / 180
    let chroma = mostChroma(angle) * saturation / 100
    let (u, v) = (chroma * cos(angle), chroma * sin(angle))
    guard lightness > 0.000_000_1 else { return RGB(0, 0, 0) }
    let y = lightness > 8 ? pow((lightness + 16) / 116, 3) : lightness / Self.kappa
    let (scaledU, scaledV) = (u / (13 * lightness) + Self.whiteU, v / (13 * lightness) + Self.whiteV)
    let x = y * 9 * scaledU / (4 * scaledV)
    let z = y * (12 - 3 * scaledU - 20 * scaledV) / (4 * scaledV)
    return RGB(linear: Self.matrix.map { $0[0] * x + $0[1] * y + $0[2] * z })
  }

  /// How far from grey colours of this lightness and hue go in sRGB: the nearest of the six lines that bound it.
  private func mostChroma(_ angle: Double) -> Double {
    let cube = pow(lightness + 16, 3) / 1_560_896
    let scaled = cube > Self.epsilon ? cube : lightness / Self.kappa
    var least = Double.infinity
    for row in Self.matrix {
      for edge in [0.0, 1.0] {
        let top = (284_517 * row[0] - 94_839 * row[2]) * scaled
        let side =
          (838_422 * row[2] + 769_860 * row[1] + 731_718 * row[0]) * lightness * scaled - 769_860 * edge * lightness
        let bottom = (632_260 * row[2] - 126_452 * row[1]) * scaled + 126_452 * edge
        let length = side / bottom / (sin(angle) - top / bottom * cos(angle))
        if length >= 0 { least = min(least, length) }
      }
    }
    return least
  }

  private static let epsilon = 216.0 / 24_389
  private static let kappa = 24_389.0 / 27
  /// The white of D65 in CIELUV.
  private static let (whiteU, whiteV) = (0.19783000664283, 0.46831999493879)
  /// From XYZ to the linear parts of sRGB.
  private static let matrix = [
    [3.240969941904521, -1.537383177570093, -0.498610760293],
    [-0.96924363628087, 1.87596750150772, 0.041555057407175],
    [0.055630079696993, -0.20397695888897, 1.056971514242878],
  ]
}
