// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawCommands

/// A theme with what the user has otherwise, as parameters of SGR for a terminal with so many colours.
struct Palette: Sendable, Equatable {
  private let roles: [LookSettings.Role: String]
  /// Around the circle of hues, or the half of it that is left for ``forColorBlind``; never empty.
  let names: [String]
  let forColorBlind: Bool

  /// Of a stream that shows no colours: to make them all the same would take a twentieth of what a command through an agent does.
  static let none = Palette()

  private init() {
    roles = [:]
    names = [""]
    forColorBlind = false
  }

  /// - Parameter colors: not none of them.
  init(_ theme: Theme, _ settings: LookSettings, _ colors: Style.Colors) {
    let looks = colors == .sixteen ? theme.few : theme.many
    roles = looks.roles.merging(settings.colors) { $1 }.mapValues { $0.parameters(colors) }
    forColorBlind = theme.forColorBlind
    let paints: [Paint]
    switch looks.names {
    case _ where !settings.names.isEmpty: paints = settings.names
    case .list(let list): paints = list
    case .hues(_, let named) where colors != .all && !named.isEmpty: paints = named.map { Paint(.palette($0)) }
    case .hues(let lightness, _):
      let count = colors == .all ? Self.hues : Self.fewHues
      paints = (0..<count).map { number in
        let hue = 360 * Double(number) / Double(count)
        return Paint(HSLuv(hue: hue, saturation: 100, lightness: lightness).color.paint)
      }
    }
    names = paints.map { $0.parameters(colors) }
  }

  /// More than anybody tells apart.
  private static let hues = 72
  /// More are the same colours of the 256.
  private static let fewHues = 24

  subscript(_ role: LookSettings.Role) -> String { roles[role] ?? "" }
}

extension Paint {
  /// As parameters of SGR; empty where nothing is to be done.
  func parameters(_ colors: Style.Colors) -> String {
    var parameters = attributes.map(\.parameter)
    if let color { parameters.append(color.parameters(colors)) }
    return parameters.joined(separator: ";")
  }
}

extension Paint.Attribute {
  fileprivate var parameter: String {
    switch self {
    case .bold: "1"
    case .faint: "2"
    case .italic: "3"
    case .underline: "4"
    case .reverse: "7"
    }
  }
}

extension Paint.Color {
  /// As near to the colour as a terminal comes that has so many.
  fileprivate func parameters(_ colors: Style.Colors) -> String {
    switch self {
    case .ansi(let number): return Self.ansi(number)
    case .palette(let number):
      return colors == .sixteen ? Self.ansi(RGB(palette: number).nearest(in: 0..<16)) : "38;5;\(number)"
    case .rgb(let red, let green, let blue):
      switch colors {
      case .all: return "38;2;\(red);\(green);\(blue)"
      case .many, .none: return "38;5;\(RGB(red, green, blue).nearest(in: 16..<256))"
      case .sixteen: return Self.ansi(RGB(red, green, blue).nearest(in: 0..<16))
      }
    }
  }

  private static func ansi(_ number: Int) -> String { String(number < 8 ? 30 + number : 82 + number) }
}
