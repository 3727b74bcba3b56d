// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Testing

@testable import JackdawXML

/// What is kept of the tag of a stanza that is left out.
@Suite struct EnvelopeReaderTests {
  private func tag(_ texts: String...) -> String? {
    var reader = EnvelopeReader()
    for text in texts { Array(text.utf8).withUnsafeBufferPointer { reader.read($0) } }
    return reader.tag.map { String(decoding: $0, as: UTF8.self) }
  }

  @Test("Of a stanza that is left out its type and sender are kept") func kindAndSenderAreKept() {
    #expect(
      tag("<message x='1' fr", "om=\"a@b\" to='c' other=''", " id='4' type='chat'>more")
        == "<message from=\"a@b\" to='c' id='4' type='chat'/>")
  }

  /// No well-formed tag has one attribute twice, but nobody has looked yet.
  @Test("The kept part of a stanza that is left out is bounded") func whatComesAgainAndAgainTakesNoMemory() throws {
    let again = String(repeating: " from='\(String(repeating: "x", count: 1_000))'", count: 1_000)
    let kept = try #require(tag("<message", again, again, ">"))
    #expect(kept.utf8.count < 60_000)
    #expect(kept.hasPrefix("<message from='x"))
  }
}
