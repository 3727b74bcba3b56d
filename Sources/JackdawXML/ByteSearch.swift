// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// Finds the next byte that the scanner has to look at. What it may skip depends on where it is.
///
/// Values and text are long enough for looking at eight bytes together: a byte equals another where their exclusive or
/// is zero, and subtracting one from each byte sets the upper bit of those that were zero. A borrow can mark a byte
/// above one that was rightly marked, so only the lowest mark counts. Between tags' names and values a table is
/// faster.
enum ByteSearch {
  /// In text: up to `<` or an unusual byte. That is a control, also a line feed or the like, or what is not ASCII.
  @inline(__always)
  static func text(_ bytes: UnsafePointer<UInt8>, _ start: Int, _ end: Int) -> Int {
    var position = start
    while end &- position >= 8 {
      let marks = unusual(bytes, position) { equal($0, less) }
      if marks != 0 { return position &+ marks.trailingZeroBitCount &>> 3 }
      position &+= 8
    }
    while position < end, !isUnusual(bytes[position]), bytes[position] != 0x3C { position &+= 1 }
    return position
  }

  /// In a value: up to the quotation mark that ends it, `<` or an unusual byte.
  @inline(__always)
  static func value(_ bytes: UnsafePointer<UInt8>, _ start: Int, _ end: Int, quote: UInt8) -> Int {
    let quotes = UInt64(quote) &* each
    var position = start
    while end &- position >= 8 {
      let marks = unusual(bytes, position) { equal($0, less) | equal($0, quotes) }
      if marks != 0 { return position &+ marks.trailingZeroBitCount &>> 3 }
      position &+= 8
    }
    while position < end, !isUnusual(bytes[position]), bytes[position] != 0x3C, bytes[position] != quote {
      position &+= 1
    }
    return position
  }

  /// In a CDATA section: up to `]`, `>` or an unusual byte.
  static func cdata(_ bytes: UnsafePointer<UInt8>, _ start: Int, _ end: Int) -> Int {
    var position = start
    while position < end, !isUnusual(bytes[position]), bytes[position] != 0x5D, bytes[position] != 0x3E {
      position += 1
    }
    return position
  }

  /// Up to what is not white space.
  static func space(_ bytes: UnsafePointer<UInt8>, _ start: Int, _ end: Int) -> Int {
    var position = start
    while position < end, isSpace(bytes[position]) { position += 1 }
    return position
  }

  /// White space (XML 1.0, 2.3).
  static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A || byte == 0x09 || byte == 0x0D }

  private static func isUnusual(_ byte: UInt8) -> Bool { byte >= 0x80 || byte < 0x20 }

  private static let each: UInt64 = 0x0101_0101_0101_0101
  private static let upperBits: UInt64 = 0x8080_8080_8080_8080
  private static let less: UInt64 = each &* 0x3C

  /// Marks bytes below 0x20, above 0x7F, and those that `others` marks.
  @inline(__always)
  private static func unusual(
    _ bytes: UnsafePointer<UInt8>, _ position: Int, _ others: (UInt64) -> UInt64
  ) -> UInt64 {
    let word = UInt64(littleEndian: UnsafeRawPointer(bytes + position).loadUnaligned(as: UInt64.self))
    return ((word &- each &* 0x20) & ~word | word | others(word)) & upperBits
  }

  /// Marks bytes that are equal.
  @inline(__always)
  private static func equal(_ word: UInt64, _ other: UInt64) -> UInt64 {
    let difference = word ^ other
    return (difference &- each) & ~difference
  }
}

/// Finds the next byte within a tag that the scanner has to look at.
struct TagBytes: Sendable {
  /// The one table, which is never freed. It does not change once it is made.
  private nonisolated(unsafe) let isStop: UnsafePointer<Bool>

  static let shared = TagBytes()

  private init() {
    let table = UnsafeMutablePointer<Bool>.allocate(capacity: 256)
    for byte in UInt8.min...UInt8.max {
      let isMarkup = byte == 0x22 || byte == 0x27 || byte == 0x3C || byte == 0x3E
      let isUnusual = byte >= 0x80 || byte < 0x20 && !ByteSearch.isSpace(byte)
      (table + Int(byte)).initialize(to: isMarkup || isUnusual)
    }
    isStop = UnsafePointer(table)
  }

  /// Up to `<`, `>`, a quotation mark, a control or what is not ASCII.
  @inline(__always)
  func next(_ bytes: UnsafePointer<UInt8>, _ start: Int, _ end: Int) -> Int {
    var position = start
    while position < end, !isStop[Int(bytes[position])] { position &+= 1 }
    return position
  }
}
