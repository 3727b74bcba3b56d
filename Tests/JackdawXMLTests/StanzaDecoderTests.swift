// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawXML
import Testing

@Suite struct StanzaDecoderTests {
  @Test("The decoder delivers the header, each stanza and the end") func deliversTheHeaderEachStanzaAndTheEnd() {
    let stream = header + "<message to='a'><body>Hi &amp; bye</body></message>\n <presence/></stream:stream>"
    #expect(
      decode(stream).events == [
        "opened <stream:stream from='example.org' id='1' version='1.0' xml:lang='en'/>",
        "<message to='a'><body>Hi &amp; bye</body></message>", "<presence/>", "closed",
      ])
  }

  @Test("The header has its attributes and no children") func theHeaderHasItsAttributesAndNoChildren() throws {
    var opened: Element?
    try StanzaDecoder().feed(Array((header + "<a/>").utf8)) { event in
      if case .opened(let element) = event { opened = element }
      return .more
    }
    let element = try #require(opened)
    #expect(element.matches("stream", Namespace.streams))
    #expect(element.attribute("from") == "example.org")
    #expect(element.attribute("xml:lang") == "en")
    #expect(element.children.isEmpty)
  }

  @Test(
    "The XML declaration is optional",
    arguments: ["", "<?xml version='1.0'?>", "<?xml version=\"1.0\" encoding='utf-8' standalone='yes' ?>\n", " \n"])
  func theDeclarationIsOptional(declaration: String) {
    #expect(decode(declaration + "<a xmlns='jabber:client'><b/>").events == ["opened <a/>", "<b/>"])
  }

  @Test("Text is read with its references and line ends as XML says") func textIsReadAsXMLSaysIt() throws {
    let stanza = try elements("<m>a&lt;b&#x20AC;<![CDATA[<&amp;]]>\r\nc\rd</m>")[0]
    #expect(stanza.text == "a<b€<&amp;\nc\nd")
    #expect(try elements("<m a='&amp;&quot; \n\tx&#10;'/>")[0].attribute("a") == "&\"   x\n")
  }

  @Test("Stopping ends the delivery") func stopEndsTheDelivery() throws {
    let decoder = StanzaDecoder()
    var names: [String] = []
    let deliver = { (event: StreamEvent) -> DecoderVerdict in
      names.append(text(of: event))
      return names.count == 2 ? .stop : .more
    }
    try decoder.feed(Array((header + "<a/><b/><c/>").utf8), deliver)
    try decoder.feed(Array("<d/> not even XML".utf8), deliver)
    #expect(names.count == 2)
    #expect(decoder.restart() == 8 + 17)
    try decoder.feed(Array((header + "<e/>").utf8), deliver)
    #expect(names.last == "<e/>")
  }

  @Test(
    "Bytes behind proceed are counted at the restart",
    arguments: [
      ("", 0), ("<", 1), (" ", 1), ("\n\n", 2), ("<presence", 9), ("<presence/>", 11), ("<a/> ", 5), ("\u{E9}", 2),
      ("</stream:stream>", 16),
      ("<!DOCTYPE", 9),
    ])
  func bytesBehindProceedAreCounted(injected: String, count: Int) throws {
    let proceed = Array((header + "<proceed xmlns='urn:ietf:params:xml:ns:xmpp-tls'/>").utf8)
    let injected = Array(injected.utf8)
    let stop = { (event: StreamEvent) -> DecoderVerdict in
      if case .element = event { return .stop }
      return .more
    }
    // In one segment.
    let one = StanzaDecoder()
    try one.feed(proceed + injected, stop)
    #expect(one.restart() == count)
    // In a segment of its own.
    let two = StanzaDecoder()
    try two.feed(proceed, stop)
    try two.feed(injected, stop)
    #expect(two.restart() == count)
    // Byte by byte, the decoder restarting itself.
    for cut in 0...injected.count {
      let three = StanzaDecoder()
      var left: Int?
      try three.feed(proceed + injected[..<cut]) { event in
        guard case .element = event else { return .more }
        left = three.restart()
        return .stop
      }
      #expect(left == cut)
    }
  }

  @Test("Bytes before the first event are counted too") func bytesBeforeTheFirstEventAreCountedToo() throws {
    let decoder = StanzaDecoder()
    try decoder.feed(Array("<stream".utf8)) { _ in .more }
    #expect(decoder.restart() == 7)
    #expect(decoder.restart() == 0)
  }

  @Test("A restart within a delivery drops the rest of the bytes", arguments: [DecoderVerdict.more, .stop])
  func aRestartWithinDeliverDropsTheRestOfTheBytes(verdict: DecoderVerdict) throws {
    let decoder = StanzaDecoder()
    var seen: [String] = []
    var left = -1
    try decoder.feed(Array((header + "<success/><a/></stream:stream>").utf8)) { event in
      seen.append(text(of: event))
      guard case .element = event else { return .more }
      left = decoder.restart()
      return verdict
    }
    #expect(left == 20)
    #expect(seen.last == "<success/>")
    try decoder.feed(Array((header + "<b/>").utf8)) { event in
      seen.append(text(of: event))
      return .more
    }
    #expect(seen.last == "<b/>")
    #expect(seen.count == 4)
  }

  @Test("The decoder may be released within a delivery") func deliverMayLetGoOfTheDecoder() throws {
    final class Owner {
      var decoder: StanzaDecoder? = StanzaDecoder()
    }
    let owner = Owner()
    var kept: [Element] = []
    try owner.decoder?.feed(Array((header + "<message><body>text that is not small</body></message><a/>").utf8)) {
      event in
      owner.decoder = nil
      if case .element(let element) = event { kept.append(element) }
      return .more
    }
    #expect(owner.decoder == nil)
    #expect(kept.first?.firstChild?.text == "text that is not small")
  }

  @Test("Elements outlive the decoder") func elementsOutliveTheDecoder() throws {
    var stanzas: [Element] = []
    for number in 0..<50 {
      stanzas += try elements("<a-name-longer-than-fifteen-bytes-\(number) xmlns='urn:a-namespace-\(number)'/>")
    }
    for (number, stanza) in stanzas.enumerated() {
      #expect(stanza.name == "a-name-longer-than-fifteen-bytes-\(number)")
      #expect(stanza.namespace == "urn:a-namespace-\(number)")
    }
  }

  @Test("White space between stanzas is ignored") func whiteSpaceBetweenStanzasIsIgnored() throws {
    #expect(try elements(" \n <a/>\t\r\n<b/> ").map(\.name) == ["a", "b"])
  }

  @Test("Namespaces need not be URIs") func namespacesNeedNotBeURIs() throws {
    let stanza = try elements("<a xmlns='not a uri'/>")[0]
    #expect(stanza.namespace == "not a uri")
    #expect(try elements("<a xmlns='http://exämple/%zz'/>")[0].namespace == "http://exämple/%zz")
    #expect(try elements("<a xmlns='vcard-temp'/>")[0].namespace == "vcard-temp")
  }

  @Test("The stream may use any prefixes") func theStreamMayHaveAnyPrefixes() throws {
    let stream =
      "<s:stream xmlns:s='http://etherx.jabber.org/streams' xmlns:c='jabber:client'>"
      + "<c:message><c:body>x</c:body></c:message></s:stream>"
    #expect(decode(stream).events == ["opened <stream:stream/>", "<message><body>x</body></message>", "closed"])
  }

  @Test("An exchanged parser reads on as the old one") func anExchangedParserReadsOnAsTheOldOne() throws {
    // Each stanza brings a name and a prefix of the header's; every thousand of them the parser is exchanged.
    let decoder = StanzaDecoder()
    let opening = "<s:stream xmlns:s='http://etherx.jabber.org/streams' xmlns='jabber:client' xmlns:p='urn:p' a='&lt;'>"
    try decoder.feed(Array(opening.utf8)) { _ in .more }
    var names: [String] = []
    for number in 0..<5000 {
      try decoder.feed(Array("<name\(number) p:a='1'><p:x/></name\(number)>".utf8)) { event in
        if case .element(let element) = event {
          names.append(element.name)
          #expect(element.namespace == "jabber:client")
          #expect(element.child("x", "urn:p") != nil)
        }
        return .more
      }
    }
    #expect(names == (0..<5000).map { "name\($0)" })
    try decoder.feed(Array("</s:stream>".utf8)) { event in
      #expect(text(of: event) == "closed")
      return .more
    }
  }
}
