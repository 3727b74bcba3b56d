// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// The one gate between text that somebody else wrote and a terminal, a pipe or a log read by people.
///
/// What could steer a terminal, hide, reorder or overwrite is spelled out: U+009B is shown as `\u{9b}`. What is kept is
/// exactly what an eye can see. JSON never passes here: it shows the text as it came. Escaping twice is escaping once.
package enum Escaper {
  /// `text` on one line: a newline is shown as `\n`.
  package static func line(_ text: String) -> String { escape(text, strict: false) }

  /// The lines of `text`, each safe to show; what they look like one below the other is the layout's affair.
  package static func lines(_ text: String) -> [String] {
    guard text.utf8.contains(0x0A) else { return [line(text)] }
    return text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map { line(String($0)) }
  }

  /// A name by which somebody is told from others (nickname, resource): nothing invisible stays, not even within an
  /// emoji, and no space but the common one.
  package static func name(_ text: String) -> String { escape(text, strict: true) }

  private static func escape(_ text: String, strict: Bool) -> String {
    if isPlainASCII(text) { return text }
    var pass = EscapingPass(text, strict: strict)
    return pass.run()
  }

  private static func isPlainASCII(_ text: String) -> Bool {
    var copy = text
    return copy.withUTF8 { bytes in
      var outside = false
      for byte in bytes { outside = outside || byte &- 0x20 >= 0x5F }
      return !outside
    }
  }
}

/// One walk over one text. The text is copied in stretches, and not at all while nothing needs escaping.
private struct EscapingPass {
  private let scalars: String.UnicodeScalarView
  private let strict: Bool
  private var output = ""
  /// Up to where the text is in `output`.
  private var copied: String.Index
  /// The last scalar that was kept and that is neither a mark nor a joiner.
  private var base: Unicode.Scalar?
  /// How many marks stand on `base`.
  private var marks = 0
  /// Columns since the text's beginning, for the tab stops.
  private var column = 0

  init(_ text: String, strict: Bool) {
    scalars = text.unicodeScalars
    self.strict = strict
    copied = scalars.startIndex
  }

  mutating func run() -> String {
    var index = scalars.startIndex
    var previous: Unicode.Scalar?
    while index < scalars.endIndex {
      let scalar = scalars[index]
      let next = scalars.index(after: index)
      switch ScalarKind(scalar, strict: strict) {
      case .visible:
        base = scalar
        marks = 0
        column += Width.of(scalar)
      case .tab:
        let gap = TerminalLimits.tabStop - column % TerminalLimits.tabStop
        replace(index..<next, by: String(repeating: " ", count: gap))
      case .mark:
        takeMark(index..<next)
      case .joiner:
        let follower = next < scalars.endIndex ? scalars[next] : nil
        if !joins(scalar, previous, follower) { replace(index..<next, by: Self.spelling(scalar)) }
      case .selector:
        if !selects(scalar, previous) { replace(index..<next, by: Self.spelling(scalar)) }
      case .hidden:
        replace(index..<next, by: Self.spelling(scalar))
      }
      previous = scalar
      index = next
    }
    guard !output.isEmpty else { return String(scalars) }
    output.unicodeScalars.append(contentsOf: scalars[copied...])
    return output
  }

  /// Eight marks on a letter are more than any script needs; thousands would paint over the lines around.
  private mutating func takeMark(_ range: Range<String.Index>) {
    if base == nil {
      replace(range.lowerBound..<range.lowerBound, by: "\u{25CC}")
      base = "\u{25CC}"
      marks = 0
    }
    marks += 1
    if marks == TerminalLimits.marksPerCluster + 1 {
      replaceKeepingBase(range, by: "\u{FFFD}")
    } else if marks > TerminalLimits.marksPerCluster {
      replaceKeepingBase(range, by: "")
    }
  }

  private mutating func replace(_ range: Range<String.Index>, by text: String) {
    replaceKeepingBase(range, by: text)
    base = " "
    marks = 0
  }

  private mutating func replaceKeepingBase(_ range: Range<String.Index>, by text: String) {
    output.unicodeScalars.append(contentsOf: scalars[copied..<range.lowerBound])
    output += text
    column += text.unicodeScalars.count
    copied = range.upperBound
  }

  /// A zero-width joiner belongs between two emoji or two letters of a script that shapes its letters by it; the
  /// non-joiner between two such letters. Anywhere else they only make equal-looking texts differ.
  private func joins(_ joiner: Unicode.Scalar, _ before: Unicode.Scalar?, _ after: Unicode.Scalar?) -> Bool {
    guard !strict, let before, let after, marks <= TerminalLimits.marksPerCluster else { return false }
    if Self.shapes(before) && Self.shapes(after) { return true }
    let beforeIsEmoji = Self.isPictograph(before) || before == "\u{FE0F}" && base.map(Self.isPictograph) == true
    return joiner == "\u{200D}" && beforeIsEmoji && Self.isPictograph(after)
  }

  private func selects(_ selector: Unicode.Scalar, _ before: Unicode.Scalar?) -> Bool {
    guard !strict, let before else { return false }
    if selector.value <= 0xFE0F { return before.properties.isEmoji }
    return before.properties.isUnifiedIdeograph
  }

  private static func isPictograph(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value > 0xA8 && (scalar.properties.isEmoji || scalar.properties.isEmojiModifier)
  }

  /// Arabic to Khmer and Mongolian, the Indic additions, and the old Indic scripts.
  private static func shapes(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x0600...0x109F, 0x1780...0x18AF, 0xA800...0xABFF, 0x11000...0x11FFF: true
    default: false
    }
  }

  private static func spelling(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "\n": "\\n"
    case "\r": "\\r"
    default: "\\u{" + String(scalar.value, radix: 16) + "}"
    }
  }
}

/// What a scalar is to a terminal and to the eye.
private enum ScalarKind {
  case visible, tab, mark
  /// ZWJ and ZWNJ.
  case joiner
  /// Chooses the look of the character before it: text or emoji, or the variant of an ideograph.
  case selector
  /// Controls, direction marks, and all that cannot be seen.
  case hidden

  init(_ scalar: Unicode.Scalar, strict: Bool) {
    switch scalar.value {
    case 0x09: self = .tab
    case 0..<0x20, 0x7F...0x9F, 0xAD: self = .hidden
    case 0xA0: self = strict ? .hidden : .visible
    case 0x20..<0x300, 0x3041..<0x3099, 0x3400...0x9FFF, 0xAC00...0xD7A3: self = .visible
    // The vowels and finals of decomposed Hangul take no column, like marks.
    case 0x1161...0x11FF, 0xD7B0...0xD7FB: self = .mark
    case 0x200C, 0x200D: self = .joiner
    case 0xFE0E, 0xFE0F, 0xE0100...0xE01EF: self = .selector
    case 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069, 0x061C, 0xFFF9...0xFFFB: self = .hidden
    default: self = Self.looked(up: scalar, strict: strict)
    }
  }

  private static func looked(up scalar: Unicode.Scalar, strict: Bool) -> ScalarKind {
    let properties = scalar.properties
    if properties.isDefaultIgnorableCodePoint || properties.isNoncharacterCodePoint { return .hidden }
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .spacingMark: return .mark
    case .control, .lineSeparator, .paragraphSeparator, .surrogate: return .hidden
    // The signs that stand before Arabic and Kaithi numbers are of this category, yet seen.
    case .format:
      switch scalar.value {
      case 0x0600...0x0605, 0x06DD, 0x070F, 0x0890, 0x0891, 0x08E2, 0x110BD, 0x110CD: return .visible
      default: return .hidden
      }
    case .spaceSeparator: return strict ? .hidden : .visible
    default: return .visible
    }
  }
}
