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
    if isPlainASCII(text.utf8) { return [text] }
    guard text.utf8.contains(0x0A) else { return [line(text)] }
    return Array(text.utf8).split(separator: 0x0A, omittingEmptySubsequences: false).map { line in
      if line.isEmpty { return "" }
      if isPlainASCII(line) { return String(decoding: line, as: UTF8.self) }
      var pass = EscapingPass(line, strict: false)
      return pass.run()
    }
  }

  /// The line of UTF-8, safe to show, with insertions of ours in it. What stands on both sides of one is judged as if that were not there:
  /// a mark stays with its letter, and a tab leads where it did.
  /// - Parameter insertions: each before the byte of its index, or the character that begins next; in order.
  static func line(_ line: ArraySlice<UInt8>, inserting insertions: [(index: Int, text: String)]) -> String {
    var pass = EscapingPass(line, strict: false, inserting: insertions)
    return pass.run()
  }

  /// A name by which somebody is told from others (nickname, resource): nothing invisible stays, not even within an
  /// emoji, and no space but the common one.
  package static func name(_ text: String) -> String { escape(text, strict: true) }

  private static func escape(_ text: String, strict: Bool) -> String {
    if isPlainASCII(text.utf8) { return text }
    var pass = EscapingPass(Array(text.utf8)[...], strict: strict)
    return pass.run()
  }

  static func isPlainASCII(_ text: some Collection<UInt8>) -> Bool {
    let answer = text.withContiguousStorageIfAvailable { bytes in
      // Of many bytes at once.
      var highest: UInt8 = 0
      for byte in bytes { highest = max(highest, byte &- 0x20) }
      return highest < 0x5F
    }
    return answer ?? text.allSatisfy { $0 &- 0x20 < 0x5F }
  }
}

/// One walk over one text. Bytes are copied in stretches, each once; nothing is looked for behind or far ahead.
private struct EscapingPass {
  /// Valid UTF-8.
  private let text: ArraySlice<UInt8>
  private let strict: Bool
  /// Bounded by some times the text.
  private var output: [UInt8] = []
  /// Up to where the text is in `output`.
  private var copied: Int
  /// The last scalar that was kept and that is neither a mark nor a joiner.
  private var base: Unicode.Scalar?
  /// How many marks stand on `base`.
  private var marks = 0
  /// Columns since the text's beginning, for the tab stops.
  private var column = 0
  private let insertions: [(index: Int, text: String)]
  /// The first that is not in `output`.
  private var nextInsertion = 0

  init(_ text: ArraySlice<UInt8>, strict: Bool, inserting insertions: [(index: Int, text: String)] = []) {
    self.text = text
    self.strict = strict
    self.insertions = insertions
    copied = text.startIndex
    output.reserveCapacity(text.count)
  }

  mutating func run() -> String {
    var index = text.startIndex
    var previous: Unicode.Scalar?
    while let (scalar, next) = scalar(at: index) {
      insert(before: index)
      if scalar == FlagOfTags.base, !strict, let end = FlagOfTags.end(in: text, from: next) {
        base = scalar
        marks = 0
        column += 2
        previous = scalar
        index = end
        continue
      }
      switch ScalarKind(scalar, strict: strict) {
      case .visible:
        base = scalar
        marks = 0
        column += Width.of(scalar)
      case .tab:
        let gap = TerminalLimits.tabStop - column % TerminalLimits.tabStop
        replace(index..<next, by: repeatElement(UInt8(ascii: " "), count: gap), columns: gap)
      case .mark:
        takeMark(index..<next)
      case .joiner:
        if !joins(scalar, previous, self.scalar(at: next)?.scalar) { spellOut(scalar, index..<next) }
      case .selector:
        if !selects(scalar, previous) { spellOut(scalar, index..<next) }
      case .hidden:
        spellOut(scalar, index..<next)
      }
      previous = scalar
      index = next
    }
    insert(before: index)
    output += text[copied...]
    return String(decoding: output, as: UTF8.self)
  }

  private mutating func insert(before index: Int) {
    while nextInsertion < insertions.count, insertions[nextInsertion].index <= index {
      output += text[copied..<index]
      output += insertions[nextInsertion].text.utf8
      copied = index
      nextInsertion += 1
    }
  }

  /// The scalar that begins there, and where the next one begins; nil at the end.
  private func scalar(at index: Int) -> (scalar: Unicode.Scalar, next: Int)? {
    guard index < text.endIndex else { return nil }
    let first = UInt32(text[index])
    let length = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
    // What the first byte has of the scalar: seven, five, four, three bits.
    var value = length == 1 ? first : first & (0x7F >> UInt32(length))
    for byte in text[index + 1..<index + length] { value = value << 6 | UInt32(byte & 0x3F) }
    return (Unicode.Scalar(value) ?? "\u{FFFD}", index + length)
  }

  /// Eight marks on a letter are more than any script needs; thousands would paint over the lines around.
  private mutating func takeMark(_ range: Range<Int>) {
    if base == nil {
      replace(range.lowerBound..<range.lowerBound, by: "\u{25CC}".utf8, columns: 1)
      base = "\u{25CC}"
    }
    marks += 1
    if marks == TerminalLimits.marksPerCluster + 1 {
      replaceKeepingBase(range, by: "\u{FFFD}".utf8, columns: 1)
    } else if marks > TerminalLimits.marksPerCluster {
      replaceKeepingBase(range, by: "".utf8, columns: 0)
    }
  }

  private mutating func replace(_ range: Range<Int>, by bytes: some Collection<UInt8>, columns: Int) {
    replaceKeepingBase(range, by: bytes, columns: columns)
    base = " "
    marks = 0
  }

  private mutating func replaceKeepingBase(_ range: Range<Int>, by bytes: some Collection<UInt8>, columns: Int) {
    output += text[copied..<range.lowerBound]
    output += bytes
    column += columns
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

  /// `\n`, `\r`, or the scalar's number.
  private mutating func spellOut(_ scalar: Unicode.Scalar, _ range: Range<Int>) {
    switch scalar {
    case "\n": replace(range, by: Self.newline, columns: 2)
    case "\r": replace(range, by: Self.carriageReturn, columns: 2)
    default:
      var spelling = Self.numberStart
      for place in (0..<max(1, (35 - scalar.value.leadingZeroBitCount) / 4)).reversed() {
        spelling.append(Self.digits[Int(scalar.value >> UInt32(4 * place) & 0xF)])
      }
      spelling.append(UInt8(ascii: "}"))
      replace(range, by: spelling, columns: spelling.count)
    }
  }

  private static let newline = Array("\\n".utf8)
  private static let carriageReturn = Array("\\r".utf8)
  private static let numberStart = Array("\\u{".utf8)
  private static let digits = Array("0123456789abcdef".utf8)
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
    // Letters and signs of Latin, Greek, Cyrillic and Armenian, kana, ideographs, Hangul, pictures: the most that comes.
    case 0x20..<0x300, 0x370...0x482, 0x48A...0x58F, 0x3041..<0x3099, 0x3400...0x9FFF, 0xAC00...0xD7A3,
      0x1F000...0x1FAFF:
      self = .visible
    case 0x300..<0x34F, 0x350..<0x370: self = .mark
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
    let isNoncharacter = scalar.value & 0xFFFE == 0xFFFE || (0xFDD0...0xFDEF).contains(scalar.value)
    if isNoncharacter || properties.isDefaultIgnorableCodePoint { return .hidden }
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
