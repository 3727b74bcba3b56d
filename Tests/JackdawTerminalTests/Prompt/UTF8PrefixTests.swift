// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Testing

@testable import JackdawTerminal

@Suite struct UTF8PrefixTests {
  @Test(
    "A character is known when its last byte is there, and not before",
    arguments: ["a", "\0", "ß", "é", "世", "\u{800}", "\u{D7FF}", "\u{E000}", "\u{FFFF}", "👍", "\u{10FFFF}"])
  func aCharacterIsKnownWhenItsLastByteIsThere(character: String) {
    let bytes = Array(character.utf8)
    for count in 1..<bytes.count { #expect(UTF8Prefix(bytes[..<count]) == .incomplete) }
    #expect(UTF8Prefix((bytes + [0x80])[...]) == .character(bytes.count))
    #expect(UTF8Prefix(bytes[...]) == .character(bytes.count))
  }

  @Test(
    "As many bytes are skipped as can begin no character",
    arguments: [
      ([0x80], 1), ([0xBF, 0x80], 1), ([0xC0, 0x80], 1), ([0xC1, 0xBF], 1), ([0xE9, 0x61], 1), ([0xC3, 0xC3, 0xA9], 1),
      ([0xE0, 0x9F, 0x80], 1), ([0xED, 0xA0, 0x80], 1), ([0xE4, 0xB8, 0x61], 2), ([0xF0, 0x8F, 0xBF, 0xBF], 1),
      ([0xF0, 0x9F, 0x91, 0x61], 3), ([0xF4, 0x90, 0x80, 0x80], 1), ([0xF5, 0x80], 1), ([0xFF], 1),
    ] as [([UInt8], Int)])
  func asManyBytesAreSkippedAsCanBeginNoCharacter(bytes: [UInt8], count: Int) {
    #expect(UTF8Prefix(bytes[...]) == .invalid(count))
  }

  @Test("Keys are handed out in whole characters, however they come") func keysAreHandedOutInWholeCharacters() {
    let bytes = Array("aé世👍b".utf8)
    for first in 0...bytes.count {
      for second in first...bytes.count {
        var input = PromptInput()
        var found: [UInt8] = []
        for piece in [bytes[..<first], bytes[first..<second], bytes[second...]] {
          input.append(Array(piece))
          var taken: [UInt8] = []
          while let byte = input.popFirst() { taken.append(byte) }
          #expect(String(validating: taken, as: UTF8.self) != nil, "\(first), \(second)")
          found += taken
        }
        #expect(found == bytes)
        #expect(input.isEmpty && !input.hasDropped)
      }
    }
  }

  @Test("Half a character is kept until it is whole, or dropped") func halfACharacterIsKeptUntilItIsWhole() {
    var input = PromptInput()
    input.append([0x61, 0xE4, 0xB8])
    #expect(input.popFirst() == 0x61)
    #expect(!input.hasKey && input.isIncomplete && !input.isEmpty)
    input.append([0x96])
    #expect(input.hasKey && !input.isIncomplete)
    #expect((0..<4).map { _ in input.popFirst() } == [0xE4, 0xB8, 0x96, nil])
    input.append([0xE9])
    input.dropIncomplete()
    #expect(input.isEmpty && input.hasDropped)
    input.append([0x62])
    #expect(input.popFirst() == 0x62)
  }

  @Test("Bytes that are not UTF-8 are not keys, and what follows them is") func bytesThatAreNotUTF8AreNotKeys() {
    var input = PromptInput()
    // "café au" in Latin-1.
    input.append([0x63, 0x61, 0x66, 0xE9, 0x20, 0x61, 0x75])
    var found: [UInt8] = []
    while let byte = input.popFirst() { found.append(byte) }
    #expect(String(decoding: found, as: UTF8.self) == "caf au")
    #expect(input.hasDropped)
  }
}
