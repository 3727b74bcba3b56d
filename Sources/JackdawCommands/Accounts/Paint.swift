// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// A look as it is written in the configuration: `bold blue`, `underline 208`, `#d70087`.
package struct Paint: Sendable, Equatable {
  /// A colour of a terminal.
  package enum Color: Sendable, Equatable {
    /// One of the sixteen that the terminal has in its own palette.
    case ansi(Int)
    /// One of 256, of which those from 16 on are the same everywhere.
    case palette(Int)
    case rgb(UInt8, UInt8, UInt8)
  }

  /// What is done beside a colour.
  package enum Attribute: String, CaseIterable, Sendable { case bold, faint, italic, underline, reverse }

  /// Nil: the terminal's own.
  package var color: Color?
  package var attributes: [Attribute]

  package init(_ color: Color?, _ attributes: Attribute...) {
    self.color = color
    self.attributes = attributes
  }

  /// Reads words: at most one colour, and any attributes. Nil where that is something else.
  package init?(_ text: String) {
    self.init(nil)
    let words = text.lowercased().split(separator: " ")
    var hasColor = false
    for word in words {
      if let attribute = Attribute(rawValue: String(word)), !attributes.contains(attribute) {
        attributes.append(attribute)
      } else if !hasColor, word == "default" {
        hasColor = true
      } else if !hasColor, let color = Color(word) {
        self.color = color
        hasColor = true
      } else {
        return nil
      }
    }
    if words.isEmpty { return nil }
  }

  /// What is to be written, for who wrote something else.
  static let expected = ##"a look like "blue", "bold bright-green", "underline 208" or "#d70087""##
}

extension Paint.Color {
  private static let names = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"]

  fileprivate init?(_ word: Substring) {
    let isBright = word.hasPrefix("bright-")
    if let index = Self.names.firstIndex(of: String(word.dropFirst(isBright ? 7 : 0))) {
      self = .ansi(index + (isBright ? 8 : 0))
    } else if word.first == "#", word.utf8.count == 7, word.dropFirst().allSatisfy(\.isHexDigit),
      let number = UInt32(word.dropFirst(), radix: 16)
    {
      self = .rgb(UInt8(number >> 16), UInt8(number >> 8 & 0xFF), UInt8(number & 0xFF))
    } else if word.utf8.count <= 3, word.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(word),
      number < 256
    {
      self = number < 16 ? .ansi(number) : .palette(number)
    } else {
      return nil
    }
  }
}
