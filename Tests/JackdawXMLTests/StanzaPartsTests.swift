// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Testing

@testable import JackdawXML

/// One answer that is larger than a stanza may be, taken in parts.
@Suite struct StanzaPartsTests {
  private static let header =
    "<stream:stream xmlns='jabber:client' xmlns:stream='http://etherx.jabber.org/streams' version='1.0'>"

  private static func list(
    _ count: Int, id: String = "r1", before: String = "", item: (Int) -> String = item
  ) -> String {
    let items = (0..<count).map(item).joined()
    return "<iq type='result' id='\(id)'>\(before)<query xmlns='jabber:iq:roster' ver='7'>\(items)</query></iq>"
  }

  private static func item(_ number: Int) -> String {
    number.isMultiple(of: 2)
      ? "<item jid='u\(number)@example.org' name='Ü &amp; \(number)'><group>Friends</group></item>"
      : "<item jid='u\(number)@example.org' subscription='both'/>"
  }

  private struct Taken {
    var parts: [Element] = []
    var elements: [Element] = []
    var error: DecodeError?
    var jids: [String?] {
      (parts + elements).compactMap(\.firstChild).flatMap(\.children).map { $0.attribute("jid") }
    }
  }

  /// Decodes pieces of `size` bytes behind a stream header, with parts for `id`.
  private func decode(
    _ text: String, piece size: Int = 4_096, id: String? = "r1", limits: DecoderLimits = .standard,
    wants: @escaping (Element) -> Bool = { _ in true }
  ) -> Taken {
    final class Box { var taken = Taken() }
    let box = Box()
    let decoder = StanzaDecoder(limits: limits)
    do throws(DecodeError) {
      try decoder.feed(Self.header.utf8) { _ in .more }
      decoder.parts = id.map { id in
        StanzaParts(id: id) {
          guard wants($0) else { return false }
          box.taken.parts.append($0)
          return true
        }
      }
      let bytes = Array(text.utf8)
      var start = 0
      while start < bytes.count {
        let end = min(start + size, bytes.count)
        try decoder.feed(bytes[start..<end]) { event in
          switch event {
          case .element(let element): box.taken.elements.append(element)
          case .leftOut(let stanza): box.taken.error = stanza.reason
          case .opened, .closed: break
          }
          return .more
        }
        start = end
      }
    } catch {
      box.taken.error = error
    }
    return box.taken
  }

  @Test("A list larger than a stanza comes in parts that are whole stanzas", arguments: [97, 4_096, 10_000_000])
  func aListLargerThanAStanzaComesInPartsThatAreWholeStanzas(_ piece: Int) throws {
    let count = 40_000
    let text = Self.list(count) + "<message><body>next</body></message>"
    #expect(text.utf8.count > 2 * DecoderLimits.standard.stanzaBytes)
    let taken = decode(text, piece: piece)
    #expect(taken.error == nil)
    #expect(taken.jids == (0..<count).map { "u\($0)@example.org" })
    #expect(taken.parts.count > 10)
    #expect(taken.elements.count == 2)
    let inOrder = taken.parts + taken.elements.prefix(1)
    for part in inOrder {
      #expect(part.matches("iq", "jabber:client"))
      #expect(part.attribute("id") == "r1")
      let query = try #require(part.firstChild)
      #expect(query.matches("query", "jabber:iq:roster"))
      #expect(query.attribute("ver") == "7")
      #expect(part.children.count { _ in true } == 1)
    }
    let first = try #require(taken.parts.first?.firstChild?.firstChild)
    #expect("\(first)".contains("Ü &amp; 0"))
    #expect(first.text(of: "group", "jabber:iq:roster") == "Friends")
    #expect(taken.elements.last?.text(of: "body", "jabber:client") == "next")
  }

  /// Whatever way the bytes came cut, the parts are the same.
  @Test("The parts do not depend on the pieces that arrive") func thePartsDoNotDependOnThePieces() {
    let text = Self.list(4_000)
    let whole = decode(text, piece: 10_000_000)
    #expect(whole.parts.count == 1)
    for piece in [1_000, 131_071, 131_072, 131_073] {
      let taken = decode(text, piece: piece)
      #expect(taken.parts == whole.parts)
      #expect(taken.elements == whole.elements)
    }
  }

  @Test("A small list is one stanza") func aSmallListIsOneStanza() {
    let taken = decode(Self.list(100))
    #expect(taken.parts.isEmpty)
    #expect(taken.elements.count == 1)
    #expect(taken.jids.count == 100)
  }

  // MARK: Size

  /// Nothing but the one answer may be large.
  @Test("No stanza is delivered in parts unless that is expected") func withoutExpectingItNoStanzaIsLarge() {
    for id in [nil, "r2"] {
      let taken = decode(Self.list(40_000), id: id)
      #expect(taken.error?.condition == "policy-violation")
      #expect(taken.elements.isEmpty)
      #expect(taken.parts.isEmpty)
    }
  }

  @Test("A list that the receiver does not want in parts is not delivered in parts")
  func whatTheReceiverDoesNotWantIsNotLarge() {
    let taken = decode(Self.list(40_000)) { _ in false }
    #expect(taken.error?.condition == "policy-violation")
    #expect(taken.parts.isEmpty)
    // What keeps within the limits of a stanza is one, unwanted parts or not.
    let small = decode(Self.list(4_000)) { _ in false }
    #expect(small.error == nil)
    #expect(small.jids.count == 4_000)
  }

  @Test("A part is no larger than a stanza") func aPartIsNoLargerThanAStanza() {
    let limits = DecoderLimits.standard
    let long = String(repeating: "x", count: limits.stanzaBytes)
    let taken = decode(Self.list(4_002) { $0 < 4_000 ? Self.item($0) : "<item><group>\(long)</group></item>" })
    #expect(taken.parts.count == 1)
    #expect(taken.error?.condition == "policy-violation")
  }

  @Test("All parts together have a limit") func allPartsTogetherHaveALimit() {
    var limits = DecoderLimits.standard
    limits.partedBytes = 1_500_000
    #expect(decode(Self.list(20_000), limits: limits).error == nil)
    let taken = decode(Self.list(40_000), limits: limits)
    #expect(taken.error?.condition == "policy-violation")
    #expect(taken.parts.count > 5)
  }

  /// Only children of the first child are cut off; anything else is one stanza with its limits.
  @Test("A payload that is not the expected list is not delivered in parts") func anythingElseThanAListIsNotCut() {
    let taken = decode(Self.list(4_000, before: "<other xmlns='urn:x'/>"))
    #expect(taken.error == nil)
    #expect(taken.parts.isEmpty)
    #expect(decode(Self.list(40_000, before: "<other xmlns='urn:x'/>")).error?.condition == "policy-violation")
  }

  /// The next stanza is measured anew.
  @Test("After a list in parts the limits are as before") func afterwardsTheLimitsAreAsBefore() {
    let long = String(repeating: "x", count: DecoderLimits.standard.stanzaBytes)
    let taken = decode(Self.list(40_000) + "<message><body>\(long)</body></message>")
    #expect(taken.error?.condition == "policy-violation")
    #expect(taken.elements.count == 1)
  }

  @Test("A restart ends a list in parts") func aRestartEndsIt() throws {
    let decoder = StanzaDecoder()
    decoder.parts = StanzaParts(id: "r1") { _ in true }
    _ = decoder.restart()
    #expect(decoder.parts?.id == nil)
    var isLeftOut = false
    try decoder.feed((Self.header + Self.list(40_000)).utf8) { event in
      if case .leftOut = event { isLeftOut = true }
      return .more
    }
    #expect(isLeftOut)
  }
}
