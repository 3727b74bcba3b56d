// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

extension Style {
  /// The colour of a person's name: the same wherever and whenever their address is shown. The idea is XEP-0392's, a hue
  /// from a hash of the address; the hues are those of the terminal's palette that read well on dark and on light.
  func look(ofName address: String) -> Look {
    let hash = Self.fnv1a(address)
    switch colors {
    case .none: return .plain
    case .sixteen: return Look(parameters: Self.fewHues[Int(hash % UInt32(Self.fewHues.count))])
    case .many: return Look(parameters: "38;5;" + Self.manyHues[Int(hash % UInt32(Self.manyHues.count))])
    }
  }

  /// Without red, which is for failures, blue, which is for oneself, and black and white, one of which is unreadable.
  private static let fewHues = ["32", "33", "35", "36", "92", "95", "96"]
  /// Twenty-four hues of the 6×6×6 cube, of middle lightness, around the circle.
  private static let manyHues = [
    "166", "172", "136", "178", "142", "106", "70", "34", "35", "36", "37", "38", "31", "32", "33", "69", "63", "99",
    "135", "133", "170", "169", "168", "167",
  ]

  /// FNV-1a, 32 bits: the same in every run, which `Hasher` is not.
  private static func fnv1a(_ text: String) -> UInt32 {
    text.utf8.reduce(0x811C_9DC5) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
  }
}
