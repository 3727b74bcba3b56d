// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Testing

@testable import JackdawTerminal

@Suite("Colours of names") struct NameColorTests {
  @Test(
    "are those of XEP-0392's examples",
    arguments: [
      ("Romeo", 327.255249, [0.865, 0.000, 0.686]), ("juliet@capulet.lit", 209.410400, [0.000, 0.515, 0.573]),
      ("\u{1F63A}", 331.199341, [0.872, 0.000, 0.659]), ("council", 359.994507, [0.918, 0.000, 0.394]),
      ("Board", 171.430664, [0.000, 0.527, 0.457]),
    ])
  func examples(_ name: String, _ angle: Double, _ color: [Double]) {
    #expect(abs(NameHue.angle(of: name) - angle) < 0.000_001)
    let made = HSLuv(hue: angle, saturation: 100, lightness: 50).color
    for (part, expected) in zip([made.red, made.green, made.blue], color) {
      #expect(abs(Double(part) / 255 - expected) < 0.003)
    }
  }

  @Test(
    "are corrected for those who see red and green alike",
    arguments: [
      (327.255249, 327.255249), (209.410400, 29.410400), (359.994507, 359.994507), (171.430664, 351.430664), (89, 89),
      (90, 270),
    ])
  func correction(_ angle: Double, _ corrected: Double) {
    #expect(abs(NameHue.corrected(angle) - corrected) < 0.000_001)
  }

  @Test("are the same in every run, and of many hues")
  func steady() {
    let style = Style(.sixteen)
    #expect(style.sequence(style.look(ofName: "bob@example.org")) == "\u{1B}[96m")
    for (theme, least) in [(Theme.dark, 12), (.light, 8), (.colorBlindDark, 6), (.colorBlindLight, 6), (.anywhere, 5)] {
      let style = Style(.many, theme: theme)
      let looks = (0..<200).compactMap { style.sequence(style.look(ofName: "friend\($0)@example.org")) }
      #expect(Set(looks).count >= least)
    }
    for theme in [Theme.dark, .light, .anywhere] {
      let style = Style(.all, theme: theme)
      let looks = (0..<400).compactMap { style.sequence(style.look(ofName: "friend\($0)@example.org")) }
      #expect(Set(looks).count >= 60)
    }
  }
}
