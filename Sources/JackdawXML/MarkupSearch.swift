// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import CMarkup

/// Finds the next byte that the scanner has to look at, and whole tags in which there is nothing to look at.
///
/// 64 bytes are compared together, and each then is a bit. Names and values are short: a search that ends with each of them is a
/// branch that the processor cannot foretell, which took more of the scanner's time than the comparing.
struct MarkupSearch {
  private let bytes: UnsafePointer<UInt8>
  private let count: Int
  /// Where the 64 bytes begin that ``markup`` is about.
  private var base: Int
  private var markup = jackdaw_markup()

  /// - Parameter count: so many bytes may be read.
  @inline(__always)
  init(_ bytes: UnsafePointer<UInt8>, count: Int) {
    self.bytes = bytes
    self.count = count
    // Nothing is read yet: all that is asked for is before this.
    base = count
  }

  /// In text: up to `<`, a control, also a line feed or the like, or what is not ASCII.
  @inline(__always)
  mutating func text(_ start: Int, _ end: Int) -> Int {
    next(start, end) { $0.less | $0.unusual }
  }

  /// In a value: up to the quotation mark that ends it, or what ends text.
  @inline(__always)
  mutating func value(_ start: Int, _ end: Int, quote: UInt8) -> Int {
    quote == UInt8(ascii: "'")
      ? next(start, end) { $0.apostrophes | $0.less | $0.unusual }
      : next(start, end) { $0.quotes | $0.less | $0.unusual }
  }

  /// In a tag, outside values: up to `<`, `>`, a quotation mark, a control or what is not ASCII.
  @inline(__always)
  mutating func tag(_ start: Int, _ end: Int) -> Int {
    next(start, end) { $0.less | $0.greater | $0.apostrophes | $0.quotes | $0.unusual }
  }

  /// The `>` that ends the start tag which begins at `start`, where nothing in the tag must be looked at: only one kind of
  /// quotation marks, so that each second one ends a value, and neither `<` nor what is unusual. Nil where there is, where the tag
  /// does not end before `end`, and where it is longer than `length`.
  @inline(__always)
  mutating func endOfPlainTag(_ start: Int, _ end: Int, length: Int) -> Int? {
    var position = start
    // Only whether there are any, and whether their number is odd.
    var (apostrophes, quotes, parity) = (UInt64(0), UInt64(0), UInt64(0))
    // Not on through a long value, which the scanner would read again.
    while position < end, position &- start <= length {
      if UInt(bitPattern: position &- base) >= 64 {
        base = position
        load()
      }
      let here = UInt64.max &<< UInt64(truncatingIfNeeded: position &- base)
      let stops = (markup.less | markup.greater | markup.unusual) & here
      // Those before the first stop; all that are left where there is none.
      let inside = here & ~stops & (stops &- 1)
      apostrophes |= markup.apostrophes & inside
      quotes |= markup.quotes & inside
      parity ^= (markup.apostrophes ^ markup.quotes) & inside
      if stops != 0 {
        let found = base &+ stops.trailingZeroBitCount
        // With an odd number this `>` is within a value.
        guard found < end, found &- start <= length, bytes[found] == UInt8(ascii: ">"),
          apostrophes == 0 || quotes == 0, !Self.isOdd(parity)
        else { return nil }
        return found
      }
      position = base &+ 64
    }
    return nil
  }

  /// Whether the number of bits is odd.
  @inline(__always)
  private static func isOdd(_ bits: UInt64) -> Bool {
    var folded = bits ^ bits &>> 32
    folded ^= folded &>> 16
    folded ^= folded &>> 8
    folded ^= folded &>> 4
    // The answers for 0 to 15.
    return 0x6996 &>> (folded & 15) & 1 != 0
  }

  @inline(__always)
  private mutating func next(_ start: Int, _ end: Int, _ marks: (jackdaw_markup) -> UInt64) -> Int {
    var position = start
    while position < end {
      // One comparison for what is before these bytes and what is behind them.
      if UInt(bitPattern: position &- base) >= 64 {
        base = position
        load()
      }
      let found = marks(markup) &>> UInt64(truncatingIfNeeded: position &- base)
      if found != 0 { return min(end, position &+ found.trailingZeroBitCount) }
      position = base &+ 64
    }
    return end
  }

  /// Reads what is at `base`, and not a byte behind the last. Never inlined, as it would be at each search of the scanner.
  @inline(never)
  private mutating func load() {
    guard count &- base < 64 else {
      markup = jackdaw_find_markup(bytes + base)
      return
    }
    // What is added is unusual, and behind each `end`.
    markup = withUnsafeTemporaryAllocation(byteCount: 64, alignment: 16) { block in
      block.initializeMemory(as: UInt8.self, repeating: 0)
      if count > base { block.copyMemory(from: UnsafeRawBufferPointer(start: bytes + base, count: count - base)) }
      return block.baseAddress.map { jackdaw_find_markup($0) } ?? jackdaw_markup()
    }
  }
}
