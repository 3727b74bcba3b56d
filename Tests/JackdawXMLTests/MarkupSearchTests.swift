// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
import Support
import Testing

@testable import JackdawXML

/// The search over 64 bytes at once against one that looks at each byte.
@Suite struct MarkupSearchTests {
  private static let alphabet =
    Array("<>'\"/ a".utf8) + [0x09, 0x0A, 0x1F, 0x20, 0x3B, 0x3D, 0x3F, 0x7F, 0x80, 0xC3, 0xFF]

  /// Bytes of which one in `rarity` is anything, and the others are letters.
  private static func bytes(_ count: Int, rarity: Int, _ random: inout SplitMix) -> [UInt8] {
    (0..<count).map { _ in
      Int.random(in: 0..<rarity, using: &random) == 0 ? alphabet.randomElement(using: &random) ?? 0 : UInt8(ascii: "x")
    }
  }

  private static func isUnusual(_ byte: UInt8) -> Bool { byte < 0x20 || byte >= 0x80 }

  /// The first place of one of two bytes, or of an unusual one. A loop over an index: it is not optimised, and looks at millions.
  private static func first(
    _ one: UInt8, _ other: UInt8, _ bytes: UnsafeBufferPointer<UInt8>, _ start: Int, _ end: Int
  ) -> Int {
    var position = start
    while position < end {
      let byte = bytes[position]
      if byte == one || byte == other || isUnusual(byte) { return position }
      position += 1
    }
    return end
  }

  /// What ``MarkupSearch/endOfPlainTag(_:_:length:)`` says, by its description.
  private static func endOfPlainTag(
    _ bytes: UnsafeBufferPointer<UInt8>, _ start: Int, _ end: Int, length: Int
  ) -> Int? {
    var quote: UInt8?
    var kinds: Set<UInt8> = []
    var position = start
    while position < end {
      defer { position += 1 }
      switch bytes[position] {
      case 0x3E: return quote == nil && kinds.count < 2 && position - start <= length ? position : nil
      case 0x3C: return nil
      case let byte where isUnusual(byte): return nil
      case 0x22, 0x27:
        kinds.insert(bytes[position])
        quote = quote == nil ? bytes[position] : nil
      default: break
      }
    }
    return nil
  }

  @Test(
    "A search over 64 bytes finds what one by single bytes finds, wherever it starts and ends", arguments: [2, 9, 80])
  func findsTheSame(rarity: Int) {
    var random = SplitMix(seed: UInt64(rarity))
    for _ in 0..<3_000 {
      let bytes = Self.bytes(Int.random(in: 1...200, using: &random), rarity: rarity, &random)
      let count = bytes.count
      bytes.withUnsafeBufferPointer { buffer in
        guard let address = buffer.baseAddress else { return }
        var search = MarkupSearch(address, count: count)
        // One search, which goes back and forth.
        for _ in 0..<6 {
          let start = Int.random(in: 0..<count, using: &random)
          let end = Int.random(in: start...count, using: &random)
          let length = Int.random(in: 0...150, using: &random)
          let found = [
            search.text(start, end), search.value(start, end, quote: 0x27), search.value(start, end, quote: 0x22),
            search.tag(start, end), search.endOfPlainTag(start, end, length: length),
          ]
          let expected = [
            Self.first(0x3C, 0x3C, buffer, start, end), Self.first(0x27, 0x3C, buffer, start, end),
            Self.first(0x22, 0x3C, buffer, start, end),
            min(Self.first(0x22, 0x27, buffer, start, end), Self.first(0x3C, 0x3E, buffer, start, end)),
            Self.endOfPlainTag(buffer, start, end, length: length),
          ]
          // Compared before it is expected, which would describe both each of the many times.
          if found != expected { Issue.record("\(found), not \(expected), from \(start) to \(end) of \(bytes)") }
        }
      }
    }
  }

  @Test("A search reads no byte behind the last, were it in memory that nobody may read")
  func readsNothingBehindTheLast() throws {
    let page = Int(sysconf(Int32(_SC_PAGESIZE)))
    let memory = try #require(mmap(nil, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))
    defer { munmap(memory, 2 * page) }
    try #require(memory != MAP_FAILED && mprotect(memory + page, page, PROT_NONE) == 0)
    for count in 1...130 {
      let bytes = (memory + page - count).initializeMemory(as: UInt8.self, repeating: UInt8(ascii: "x"), count: count)
      for start in 0..<count {
        var search = MarkupSearch(bytes, count: count)
        #expect(search.text(start, count) == count)
        #expect(search.endOfPlainTag(start, count, length: count) == nil)
      }
    }
  }
}
