// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawXML
import Testing

/// XML that RFC 6120 11 forbids, and attacks on parsers: entities (CVE-2011-1753), invalid UTF-8 (CVE-2022-25235).
@Suite struct DecoderSecurityTests {
  private func condition(_ content: String) -> String? { decode(header + content).error?.condition }

  @Test(
    "Document types and entities are restricted-xml",
    arguments: [
      "<!DOCTYPE a>", "<!DOCTYPE a [<!ENTITY b 'b'>]>", "<!D",
      "<message><!DOCTYPE a [<!ENTITY b 'b'><!ENTITY c '&b;&b;'>]>",
      "<message><body><!DOCTYPE",
    ])
  func documentTypesAndEntitiesAreRestrictedXML(content: String) {
    #expect(condition(content) == "restricted-xml")
    #expect(decode(content).error?.condition == "restricted-xml")
  }

  @Test("External entities are restricted-xml before their name is read")
  func externalEntitiesAreRestrictedXMLBeforeTheirNameIsRead() {
    #expect(decode("<!DOCTYPE a SYSTEM 'file:///etc/passwd'>").error?.condition == "restricted-xml")
    #expect(decode("<?xml version='1.0'?><!DOC").error?.condition == "restricted-xml")
  }

  @Test(
    "Processing instructions and comments are restricted-xml",
    arguments: [
      "<?x?>", "<?y", "<!-- c -->", "<!-", "<m><?x?></m>", "<m><!-- --></m>", "<m>a<!--", "<?xmlx", "<?xm?>",
    ])
  func instructionsAndCommentsAreRestrictedXML(content: String) {
    #expect(condition(content) == "restricted-xml")
  }

  @Test(
    "XML that is not well-formed ends the stream",
    arguments: [
      "<a></b>", "<a b='1' b='2'/>", "<a>&nbsp;</a>", "<a>b & c</a>", "<?xml version='1.0'?>", "</stream:stream>x",
      "</stream:stream><a/>", "<a>]]></a>", "<a b='&c;'/>",
    ])
  func whatIsNotWellFormedEndsTheStream(content: String) {
    let result = decode(header + content + "<message/>")
    #expect(result.error?.condition == "not-well-formed")
    #expect(!result.events.contains("<message/>"))
  }

  @Test("After an error nothing is delivered by later calls") func afterAnErrorNothingIsDeliveredByLaterCalls() {
    let decoder = StanzaDecoder()
    var count = 0
    let deliver = { (_: StreamEvent) -> DecoderVerdict in
      count += 1
      return .more
    }
    #expect(throws: DecodeError.self) { try decoder.feed(Array((header + "<a></b><c/>").utf8), deliver) }
    #expect(throws: DecodeError.self) { try decoder.feed(Array("<c/>".utf8), deliver) }
    #expect(throws: DecodeError.self) { try decoder.feed(Array((header + "<c/>").utf8), deliver) }
    #expect(count == 1)
  }

  @Test(
    "Unbound prefixes are bad-namespace-prefix",
    arguments: ["<x:a/>", "<a x:b='1'/>", "<a><x:b/></a>", "<a xmlns:x='u'/><x:b/>"])
  func unboundPrefixesAreBadNamespacePrefixes(content: String) {
    #expect(condition(content) == "bad-namespace-prefix")
  }

  @Test("Names are matched with their namespaces") func namesAreMatchedWithTheirNamespaces() throws {
    let stanzas = try elements(
      "<message xmlns='urn:evil'/><c:message xmlns:c='jabber:client'/>"
        + "<message><body xmlns='urn:x'>a</body><body>b</body></message>"
    )
    #expect(!stanzas[0].matches("message", "jabber:client"))
    #expect(stanzas[1].matches("message", "jabber:client"))
    #expect(stanzas[2].text(of: "body", "jabber:client") == "b")
  }

  @Test("Only strict UTF-8 is accepted", arguments: DecoderCorpus.notUTF8)
  func onlyStrictUTF8IsTaken(bytes: [UInt8]) {
    for (before, after) in [
      ("<m>", "</m>"), ("<m a='", "'/>"), ("<m", "/>"), ("<m></m", ">"), ("", ""), ("<m><![CDATA[", "]]>"),
    ] {
      let stream = Array((header + before).utf8) + bytes + Array(after.utf8)
      let error = decode([stream]).error
      // Between stanzas a byte that could begin a character is text first of all.
      let isText = before.isEmpty && bytes[0] >= 0xC2 && bytes[0] <= 0xF4
      #expect(error?.condition == (isText ? "bad-format" : "unsupported-encoding"))
    }
    #expect(decode([bytes]).error != nil)
  }

  @Test(
    "A declaration of another encoding is not obeyed",
    arguments: [
      ("<?xml version='1.0' encoding='ISO-8859-1'?><a>", "unsupported-encoding"),
      ("<?xml version='1.0' encoding='UTF-16'?><a>", "unsupported-encoding"),
      ("<?xml version='1.0' encoding='UTF-7'?><a>", "unsupported-encoding"),
      ("<?xml version='1.0' encoding='US-ASCII'?><a>", "unsupported-encoding"),
      ("<?xml version='1.1'?><a>", "not-well-formed"), ("\u{FEFF}<a>", "not-well-formed"),
    ])
  func aDeclarationOfAnotherEncodingIsNotObeyed(stream: String, condition: String) {
    #expect(decode(stream).error?.condition == condition)
  }

  @Test(
    "Byte order marks of UTF-16 are unsupported-encoding",
    arguments: [[0xFE, 0xFF, 0x00, 0x3C], [0xFF, 0xFE, 0x3C, 0x00]] as [[UInt8]])
  func utf16ByteOrderMarksAreUnsupportedEncodings(start: [UInt8]) {
    #expect(decode([start]).error?.condition == "unsupported-encoding")
  }

  @Test(
    "Characters that XML forbids are not-well-formed",
    arguments: [
      "\0", "\u{1}", "\u{1B}", "\u{1F}", "\u{FFFE}", "\u{FFFF}", "&#0;", "&#1;", "&#27;", "&#xFFFE;", "&#xD800;",
    ])
  func charactersThatXMLForbidsAreNotWellFormed(character: String) {
    #expect(condition("<m>\(character)</m>") == "not-well-formed")
    #expect(condition("<m a='\(character)'/>") == "not-well-formed")
  }

  @Test(
    "Characters at the edge of what is allowed pass",
    arguments: ["\t", "\n", "\u{7F}", "\u{80}", "\u{9F}", "\u{FFFD}", "\u{10000}", "\u{1FFFF}", "\u{10FFFF}"])
  func charactersAtTheEdgeOfWhatIsAllowedPass(character: String) throws {
    #expect(try elements("<m>\(character)</m>").first?.text == character)
  }

  @Test("Stanzas within stanzas are not delivered") func stanzasWithinStanzasAreNotDelivered() throws {
    let stanzas = try elements("<message><message from='admin@x'/><iq/></message>")
    #expect(stanzas.count == 1)
    #expect(stanzas[0].children.map(\.name) == ["message", "iq"])
  }

  @Test("Text between stanzas is bad-format", arguments: ["x", "&#32;", "<![CDATA[ ]]>", "\u{A0}", "&amp;"])
  func textBetweenStanzasIsBadFormat(content: String) {
    #expect(condition(content) == "bad-format")
    #expect(condition("<a/>" + content) == "bad-format")
  }
}
