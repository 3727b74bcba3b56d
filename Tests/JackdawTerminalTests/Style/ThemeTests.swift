// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawCommands
import Testing

@testable import JackdawTerminal

@Suite("Themes") struct ThemeTests {
  struct Sample: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var theme: Theme
    var backgrounds: [RGB]
  }

  /// Dark and light backgrounds are mostly not quite black and white.
  static let dark = [RGB.black, RGB(40, 40, 40)]
  static let light = [RGB.white, RGB(238, 238, 238)]
  static let samples = [
    Sample(testDescription: "dark", theme: .dark, backgrounds: dark),
    Sample(testDescription: "light", theme: .light, backgrounds: light),
    Sample(testDescription: "color-blind-dark", theme: .colorBlindDark, backgrounds: dark),
    Sample(testDescription: "color-blind-light", theme: .colorBlindLight, backgrounds: light),
  ]

  private static func looks(_ theme: Theme, _ colors: Style.Colors) -> [(what: String, parameters: String)] {
    let palette = Palette(theme, LookSettings(), colors)
    return LookSettings.Role.allCases.map { ($0.rawValue, palette[$0]) } + palette.names.map { ("names", $0) }
  }

  @Test("each colour can be read on the theme's background", arguments: samples)
  func contrast(_ sample: Sample) {
    for colors in [Style.Colors.many, .all] {
      for (what, parameters) in Self.looks(sample.theme, colors) {
        guard let color = RGB(sgr: parameters, sixteen: RGB.xterm) else { continue }
        for background in sample.backgrounds {
          #expect(Vision.contrast(color, background) >= 4.5, "\(what) \(parameters) on \(background)")
        }
      }
    }
  }

  @Test("each of the sixteen colours can be read with the usual palettes", arguments: samples)
  func contrastOfSixteen(_ sample: Sample) {
    for (what, parameters) in Self.looks(sample.theme, .sixteen) {
      // Faint is what the terminal makes of it.
      #expect(!parameters.split(separator: ";").contains("2"), "\(what)")
      for palette in [RGB.xterm, RGB.console] {
        guard let color = RGB(sgr: parameters, sixteen: palette) else { continue }
        #expect(Vision.contrast(color, sample.backgrounds[0]) >= 4.5, "\(what) \(parameters)")
      }
    }
  }

  @Test("where nobody knows the background each colour can be read on black and on white")
  func contrastAnywhere() {
    for colors in [Style.Colors.many, .all] {
      for (what, parameters) in Self.looks(.anywhere, colors) {
        guard let color = RGB(sgr: parameters, sixteen: RGB.xterm) else { continue }
        for background in [RGB.black, .white] {
          #expect(Vision.contrast(color, background) >= 4.5, "\(what) \(parameters)")
        }
      }
    }
  }

  @Test(
    "people who see red and green alike tell names and states apart",
    arguments: [Theme.colorBlindDark, .colorBlindLight])
  func colorBlind(_ theme: Theme) {
    let palette = Palette(theme, LookSettings(), .many)
    let names = Set(palette.names)
    #expect(names.count >= 6)
    let states = Set([.online, .away, .busy, .offline].map { palette[$0] })
    let outcomes = Set([.success, .warning, .error].map { palette[$0] })
    #expect(states.count == 4 && outcomes.count == 3)
    for group in [names, states, outcomes] {
      for one in group {
        for other in group where one < other {
          guard let first = RGB(sgr: one, sixteen: RGB.xterm), let second = RGB(sgr: other, sixteen: RGB.xterm) else {
            continue
          }
          for vision in Vision.allCases {
            #expect(vision.distance(first, second) >= 20, "\(one) and \(other), \(vision)")
          }
        }
      }
    }
  }

  @Test(
    "the terminal may say what its background is",
    arguments: [
      ("15;0", .dark), ("0;15", .light), ("0;default;7", .light), ("7;8", .dark), ("15;default", .anywhere),
      ("", .anywhere), ("0;16", .anywhere), (nil, .anywhere),
    ] as [(String?, Theme)])
  func background(_ says: String?, _ theme: Theme) {
    let style = Style(.auto, isTerminal: true) { ["TERM": "xterm-256color", "COLORFGBG": says][$0] ?? nil }
    #expect(style == Style(.many, theme: theme))
    var looks = LookSettings()
    looks.theme = .colorBlindLight
    let chosen = Style(.auto, isTerminal: true, looks: looks) { ["TERM": "xterm", "COLORFGBG": says][$0] ?? nil }
    #expect(chosen == Style(.sixteen, theme: .colorBlindLight, looks: looks))
  }

  @Test("a role that the user has set looks so in any theme, as near as the terminal comes")
  func ownColors() throws {
    var looks = LookSettings()
    looks.colors = [.own: try #require(Paint("underline #d70000")), .time: try #require(Paint("default"))]
    looks.names = [try #require(Paint("bold 208"))]
    let expected: [(Style.Colors, String, String)] = [
      (.sixteen, "4;31", "1;31"), (.many, "4;38;5;160", "1;38;5;208"), (.all, "4;38;2;215;0;0", "1;38;5;208"),
    ]
    for (colors, own, name) in expected {
      let style = Style(colors, theme: .dark, looks: looks)
      #expect(style.sequence(.own) == "\u{1B}[\(own)m")
      #expect(style.sequence(.time) == nil)
      #expect(style.sequence(style.look(ofName: "anybody@example.org")) == "\u{1B}[\(name)m")
    }
  }
}
