// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawCommands

@testable import JackdawTerminal

/// How colours look to people, by formulas that others have published.
enum Vision: CaseIterable {
  case full, protanopia, deuteranopia

  /// The contrast of two colours, 1 to 21 (WCAG 2.1).
  static func contrast(_ one: RGB, _ other: RGB) -> Double {
    let lights = [one, other].map { color in
      0.05 + zip(color.linear, [0.2126, 0.7152, 0.0722]).reduce(0) { $0 + $1.0 * $1.1 }
    }
    return max(lights[0], lights[1]) / min(lights[0], lights[1])
  }

  /// How far apart two colours are to somebody who sees so, in CIELAB.
  func distance(_ one: RGB, _ other: RGB) -> Double { RGB.distance(seen(one), seen(other)) }

  private func seen(_ color: RGB) -> [Double] {
    let parts = color.linear
    return RGB.lab(
      ofLinear: matrix.map { row in min(1, max(0, zip(row, parts).reduce(0) { $0 + $1.0 * $1.1 })) })
  }

  /// Machado, Oliveira and Fernandes 2009, severity 1.
  private var matrix: [[Double]] {
    switch self {
    case .full: [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
    case .protanopia:
      [
        [0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998],
      ]
    case .deuteranopia:
      [
        [0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881],
      ]
    }
  }
}

extension RGB {
  /// The colour that a look has in a terminal: nil where it is the terminal's own.
  /// - Parameter sixteen: the terminal's palette.
  init?(sgr parameters: String, sixteen: [RGB]) {
    let numbers = parameters.split(separator: ";").compactMap { Int($0) }
    if let start = numbers.firstIndex(of: 38), numbers.count > start + 2 {
      if numbers[start + 1] == 5 {
        self.init(palette: numbers[start + 2])
      } else {
        self.init(UInt8(numbers[start + 2]), UInt8(numbers[start + 3]), UInt8(numbers[start + 4]))
      }
    } else if let color = numbers.first(where: { 30..<38 ~= $0 || 90..<98 ~= $0 }) {
      self = sixteen[color < 38 ? color - 30 : color - 82]
    } else {
      return nil
    }
  }

  static let black = RGB(0, 0, 0)
  static let white = RGB(255, 255, 255)
  static let xterm = (0..<16).map { RGB(palette: $0) }
  /// The palette of the Linux console, which is VGA's.
  static let console = [
    RGB(0, 0, 0), RGB(170, 0, 0), RGB(0, 170, 0), RGB(170, 85, 0), RGB(0, 0, 170), RGB(170, 0, 170), RGB(0, 170, 170),
    RGB(170, 170, 170), RGB(85, 85, 85), RGB(255, 85, 85), RGB(85, 255, 85), RGB(255, 255, 85), RGB(85, 85, 255),
    RGB(255, 85, 255), RGB(85, 255, 255), RGB(255, 255, 255),
  ]
}
