// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Testing

@testable import JackdawXML

/// The scanner's idea of UTF-8 against that of the standard library.
@Suite struct CharacterCheckerTests {
  /// Every first and second byte, and for the rest each edge of what may follow.
  static let sequences: [[UInt8]] = {
    let edges: [UInt8] = [0x00, 0x3C, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBD, 0xBE, 0xBF, 0xC0, 0xFF]
    var sequences: [[UInt8]] = []
    for first in UInt8(0x80)...0xFF {
      sequences.append([first])
      for second in UInt8.min...UInt8.max {
        sequences.append([first, second])
        if first < 0xE0 { continue }
        for third in edges {
          sequences.append([first, second, third])
          if first >= 0xF0 { sequences += [0x7F, 0x80, 0xBE, 0xBF, 0xC0].map { [first, second, third, $0] } }
        }
      }
    }
    return sequences
  }()

  @Test("The checker agrees with the standard library") func agreesWithTheStandardLibrary() {
    var wrong: [[UInt8]] = []
    for sequence in Self.sequences {
      var checker = CharacterChecker()
      var position = 0
      var isFine = true
      sequence.withUnsafeBufferPointer { bytes in
        guard let start = bytes.baseAddress else { return }
        while position < bytes.count, isFine {
          if bytes[position] < 0x80, !checker.isWithin {
            position += 1
          } else {
            isFine = checker.take(start, &position, bytes.count) == .fine
          }
        }
      }
      let string = String(validating: sequence, as: UTF8.self)
      let expected =
        string.map { $0.unicodeScalars.allSatisfy { $0.value < 0x80 || XMLCharacters.isAllowed($0) } } ?? false
      if (isFine && !checker.isWithin) != expected { wrong.append(sequence) }
    }
    #expect(wrong.isEmpty, "\(wrong.prefix(5))")
  }

  @Test("Every character passes the decoder or is forbidden")
  func everyCharacterPassesTheDecoderOrIsForbidden() throws {
    for start in stride(from: UInt32(0), to: 0x11_0000, by: 0x1000) {
      let scalars = (start..<start + 0x1000).compactMap(Unicode.Scalar.init)
      let allowed = String(String.UnicodeScalarView(scalars.filter(XMLCharacters.isAllowed)))
      var written: [UInt8] = []
      try StanzaWriter.append(Element("m", Namespace.client, ["a": allowed], text: allowed), to: &written)
      let read = try Element(parsing: String(decoding: written, as: UTF8.self))
      #expect(read.withTextBytes { $0.elementsEqual(allowed.utf8) })
      #expect(read.attribute("a", equals: allowed))
    }
  }
}
