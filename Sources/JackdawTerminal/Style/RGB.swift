// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
import JackdawCommands

/// A colour of the sRGB space.
struct RGB: Sendable, Equatable {
  var red: UInt8
  var green: UInt8
  var blue: UInt8

  init(_ red: UInt8, _ green: UInt8, _ blue: UInt8) {
    (self.red, self.green, self.blue) = (red, green, blue)
  }

  /// The colour of this number among a terminal's 256. The first sixteen are xterm's.
  init(palette number: Int) {
    switch number {
    case ..<16: self = Self.sixteen[max(number, 0)]
    case ..<232:
      let steps: [UInt8] = [0, 95, 135, 175, 215, 255]
      let place = number - 16
      self.init(steps[place / 36], steps[place / 6 % 6], steps[place % 6])
    default:
      let grey = UInt8(8 + 10 * (min(number, 255) - 232))
      self.init(grey, grey, grey)
    }
  }

  private static let sixteen = [
    RGB(0, 0, 0), RGB(205, 0, 0), RGB(0, 205, 0), RGB(205, 205, 0), RGB(0, 0, 238), RGB(205, 0, 205),
    RGB(0, 205, 205), RGB(229, 229, 229), RGB(127, 127, 127), RGB(255, 0, 0), RGB(0, 255, 0), RGB(255, 255, 0),
    RGB(92, 92, 255), RGB(255, 0, 255), RGB(0, 255, 255), RGB(255, 255, 255),
  ]

  var paint: Paint.Color { .rgb(red, green, blue) }

  /// The three parts in proportion to the light, from 0 to 1 (IEC 61966-2-1).
  var linear: [Double] {
    [red, green, blue].map { part in
      let value = Double(part) / 255
      return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    }
  }

  /// From the parts in proportion to the light; what lies outside is taken to the edge.
  init(linear parts: [Double]) {
    let bytes = parts.map { part -> UInt8 in
      let value = part <= 0.0031308 ? part * 12.92 : 1.055 * pow(part, 1 / 2.4) - 0.055
      return UInt8((min(max(value, 0), 1) * 255).rounded())
    }
    self.init(bytes[0], bytes[1], bytes[2])
  }

  /// The number of the colour in a part of the 256 that looks most like this one.
  func nearest(in numbers: Range<Int>) -> Int {
    let own = lab
    return numbers.min { Self.distance(Self.labs[$0], own) < Self.distance(Self.labs[$1], own) } ?? numbers.lowerBound
  }

  private static let labs = (0..<256).map { RGB(palette: $0).lab }

  /// Where the colour is in CIELAB, in which distances are as people see them.
  var lab: [Double] { Self.lab(ofLinear: linear) }

  static func lab(ofLinear parts: [Double]) -> [Double] {
    let scaled = toXYZ.map { row, white -> Double in
      let sum = row[0] * parts[0] + row[1] * parts[1] + row[2] * parts[2]
      let share = sum / white
      return share > 216.0 / 24_389 ? cbrt(share) : (24_389.0 / 27 * share + 16) / 116
    }
    return [116 * scaled[1] - 16, 500 * (scaled[0] - scaled[1]), 200 * (scaled[1] - scaled[2])]
  }

  /// Each row with its part of the white of D65.
  private static let toXYZ: [(row: [Double], white: Double)] = [
    ([0.4124564, 0.3575761, 0.1804375], 0.95047), ([0.2126729, 0.7151522, 0.0721750], 1),
    ([0.0193339, 0.1191920, 0.9503041], 1.08883),
  ]

  static func distance(_ one: [Double], _ other: [Double]) -> Double {
    zip(one, other).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }.squareRoot()
  }
}
