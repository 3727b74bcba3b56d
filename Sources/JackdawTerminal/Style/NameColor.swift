// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawProtocol

/// The hue of a name, which other clients give it too (XEP-0392).
enum NameHue {
  /// In degrees.
  static func angle(of name: String) -> Double {
    let digest = SCRAMCrypto.digest(.sha1, Array(name.utf8)) ?? [0, 0]
    return (Double(digest[0]) + Double(digest[1]) * 256) / 65_536 * 360
  }

  /// For those who see red and green alike: from the half circle from blue over red to yellow.
  static func corrected(_ angle: Double) -> Double {
    let half = (angle + 90).truncatingRemainder(dividingBy: 180) - 90
    return half < 0 ? half + 360 : half
  }
}

extension Style {
  /// The colour of a person's name: the same wherever and whenever their address is shown.
  func look(ofName address: String) -> Look {
    guard colors != .none else { return .plain }
    return Look(parameters: palette.names[number(of: NameHue.angle(of: address))])
  }

  private func number(of angle: Double) -> Int {
    let count = palette.names.count
    guard palette.forColorBlind else { return Int(angle / 360 * Double(count)) % count }
    let fromBlue = (NameHue.corrected(angle) + 90).truncatingRemainder(dividingBy: 360)
    return Int(fromBlue / 180 * Double(count)) % count
  }
}
