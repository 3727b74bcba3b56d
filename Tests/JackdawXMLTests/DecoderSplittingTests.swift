// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawXML
import Support
import Testing

/// The result is the same for every way to cut the bytes.
@Suite struct DecoderSplittingTests {
  @Test("A cut at any byte changes nothing", arguments: DecoderCorpus.streams)
  func aCutAtAnyByteChangesNothing(stream: [UInt8]) {
    let whole = decode([stream], limits: .small)
    for cut in 0...stream.count {
      let halves = decode([stream[..<cut], stream[cut...]], limits: .small)
      #expect(halves == whole, "cut at \(cut) of \(String(decoding: stream, as: UTF8.self))")
    }
    #expect(decode(stream.map { [$0] }, limits: .small) == whole)
  }

  @Test("Random pieces change nothing", arguments: 0..<12)
  func randomPiecesChangeNothing(seed: Int) {
    var random = SplitMix(seed: UInt64(seed))
    for stream in DecoderCorpus.streams {
      var pieces: [ArraySlice<UInt8>] = []
      var start = 0
      while start < stream.count {
        let end = min(stream.count, start + Int.random(in: 0...(seed % 3 == 0 ? 4 : 60), using: &random))
        pieces.append(stream[start..<end])
        start = end
      }
      #expect(decode(pieces, limits: .small) == decode([stream], limits: .small))
    }
  }

  /// Whole tags are skipped at once where they are plain, which no tag is that comes byte by byte.
  @Test("Random markup is read alike whole, byte by byte and in pieces", arguments: 0..<8)
  func randomMarkupIsReadAlike(seed: Int) {
    var random = SplitMix(seed: UInt64(1000 + seed))
    let parts = [
      "<m>", "</m>", "<m/>", "<m a='b'>", "<n c=\"d\" e='f'/>", "<m a='>'>", "<m a='/'>", "<m a=\"'\" b=\"'\">", "<",
      ">", "/", "'", "\"",
      "text", "&amp;", "&", "\n", "é", "<m\n a='1'/>", "</m >", "<>", "<//>", "</>", "<![CDATA[<x>]]>", "<!", "<?",
      String(repeating: "x", count: 70),
      "<m " + String(repeating: "a='1' ", count: 30) + "/>", "<m a='" + String(repeating: "y", count: 90) + "'/>",
    ]
    let limits = seed % 2 == 0 ? DecoderLimits.small : .standard
    // Those that are right come more often, or nearly nothing would be read.
    let right = ["<m>", "</m>", "<m/>", "<m a='b'>", "</m>", "text"]
    for _ in 0..<400 {
      var stream = Array(header.utf8)
      for _ in 0..<Int.random(in: 1...24, using: &random) {
        let from = Int.random(in: 0..<8, using: &random) == 0 ? parts : right
        stream += Array((from.randomElement(using: &random) ?? "").utf8)
      }
      let whole = decode([stream], limits: limits)
      #expect(decode(stream.map { [$0] }, limits: limits) == whole, "\(String(decoding: stream, as: UTF8.self))")
      let cut = Int.random(in: 0...stream.count, using: &random)
      #expect(decode([stream[..<cut], stream[cut...]], limits: limits) == whole, "cut at \(cut)")
    }
  }

  /// Which of two faults is reported at a limit was found to depend on the cut, by fuzzing.
  @Test("A cut at a limit changes nothing", arguments: 37...42)
  func aCutAtALimitChangesNothing(count: Int) {
    var limits = DecoderLimits.small
    limits.attributeBytes = 40
    limits.stanzaBytes = 50
    let tails: [[UInt8]] = [
      Array("'/>".utf8), Array("<".utf8), [1], [0xFF], [0xC3], [0xC3, 0x28], [0xC3, 0xA9], [0xF0, 0x9F, 0x98, 0x28],
      [0xF0, 0x9F, 0x28], [0xF0, 0x9F, 0x98, 0x80], [0xEF, 0xBF, 0xBF],
    ]
    for start in ["<m a='", "<m>", "<m ", "<m><![CDATA["] {
      for tail in tails {
        let stream = Array((header + start + String(repeating: "x", count: count)).utf8) + tail + Array("'/>x</m>".utf8)
        let whole = decode([stream], limits: limits)
        #expect(decode(stream.map { [$0] }, limits: limits) == whole)
        for cut in header.utf8.count..<stream.count {
          #expect(decode([stream[..<cut], stream[cut...]], limits: limits) == whole)
        }
      }
    }
  }

  @Test("Each event comes with its last byte", arguments: DecoderCorpus.marked)
  func eachEventComesWithItsLastByte(marked: String) throws {
    let decoder = StanzaDecoder()
    var seen = ""
    for character in marked where character != "¦" {
      var due = 0
      for byte in character.utf8 {
        try decoder.feed([byte]) { _ in
          due += 1
          return .more
        }
      }
      seen.append(character)
      seen.append(String(repeating: "¦", count: due))
    }
    #expect(seen == marked)
  }

  @Test("Malformed XML is found, and nothing after it is delivered", arguments: DecoderCorpus.broken)
  func whatIsBrokenIsFoundAndNothingAfterItIsDelivered(stanza: String) throws {
    let result = decode(header + "<presence/>" + stanza + "<message/>")
    #expect(result.error != nil)
    #expect(result.events.count == 2 || result.events.count == 3 && result.events.last == "closed", "\(result)")
  }

  @Test("Half a stanza is never delivered") func halfAStanzaIsNeverDelivered() {
    let stanza = "<message to='a'><body>Hi</body></message>"
    for end in stanza.indices.dropFirst() {
      #expect(decode(header + stanza[..<end]).events.count == 1)
    }
  }
}

extension DecoderLimits {
  /// Enough for the corpus, and quickly set up.
  fileprivate static let small: DecoderLimits = {
    var limits = DecoderLimits()
    limits.distinctNames = 64
    return limits
  }()
}
