// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawXML
import Testing

@Suite struct StanzaWriterTests {
  private func write(_ element: Element, in namespace: String = Namespace.client) throws(XMLWriteError) -> String {
    var output: [UInt8] = []
    try StanzaWriter.append(element, defaultNamespace: namespace, to: &output)
    return String(decoding: output, as: UTF8.self)
  }

  @Test(
    "Namespaces are declared where they change",
    arguments: [
      (Element("presence", Namespace.client), "<presence/>"),
      (Element("auth", Namespace.sasl, text: "="), "<auth xmlns='urn:ietf:params:xml:ns:xmpp-sasl'>=</auth>"),
      (Element("a", ""), "<a xmlns=''/>"),
      (
        Element(
          "iq", Namespace.client,
          [Element("query", "u", [Element("x", "u"), Element("y", Namespace.client)]), Element("z", Namespace.client)]),
        "<iq><query xmlns='u'><x/><y xmlns='jabber:client'/></query><z/></iq>"
      ),
      (
        Element(
          "error", Namespace.streams,
          [Element("conflict", Namespace.streamErrors), Element("text", Namespace.streamErrors, text: "x")]),
        "<stream:error><conflict xmlns='urn:ietf:params:xml:ns:xmpp-streams'/>"
          + "<text xmlns='urn:ietf:params:xml:ns:xmpp-streams'>x</text></stream:error>"
      ),
      (Element("a", "u'<&>\""), "<a xmlns='u&apos;&lt;&amp;&gt;&quot;'/>"),
      (
        Element("a", Namespace.client).settingAttribute("b", namespace: "u", "1").settingAttribute(
          "c", namespace: "v", "2"
        )
        .settingAttribute("d", namespace: "u", "3"),
        "<a xmlns:ns1='u' ns1:b='1' xmlns:ns2='v' ns2:c='2' ns1:d='3'/>"
      ),
      (Element("a", Namespace.client, ["xml:lang": "de"]), "<a xml:lang='de'/>"),
      (Element("x", "http://www.w3.org/XML/1998/namespace", [Element("y", Namespace.client)]), "<xml:x><y/></xml:x>"),
    ])
  func declaresNamespacesWhereTheyChange(element: Element, text: String) throws {
    #expect(try write(element) == text)
    #expect(try Element(parsing: text) == element)
    #expect(element.description == text)
  }

  @Test("The default namespace is the caller's") func theDefaultNamespaceIsTheCallers() throws {
    #expect(try write(Element("a", "u"), in: "u") == "<a/>")
    #expect(try write(Element("a", Namespace.client), in: "") == "<a xmlns='jabber:client'/>")
  }

  @Test("Everything that needs it is escaped") func everythingIsEscaped() throws {
    let nasty = "<>&'\"]]>\r\n\t</body><evil/>&amp; é 🐦"
    let element = Element("m", Namespace.client, ["a": nasty], text: nasty)
    let text = try write(element)
    #expect(
      text == "<m a='&lt;&gt;&amp;&apos;&quot;]]&gt;&#13;&#10;&#9;&lt;/body&gt;&lt;evil/&gt;&amp;amp; é 🐦'>"
        + "&lt;&gt;&amp;'\"]]&gt;&#13;\n\t&lt;/body&gt;&lt;evil/&gt;&amp;amp; é 🐦</m>")
    let read = try Element(parsing: text)
    #expect(read == element)
    #expect(read.text == nasty)
    #expect(read.attribute("a") == nasty)
  }

  @Test(
    "What XML cannot carry is refused, and the output is unchanged",
    arguments: ["\0", "\u{1}", "a\u{8}", "\u{B}", "\u{1B}[31m", "\u{1F}", "x\u{FFFE}", "\u{FFFF}y"])
  func whatXMLCannotCarryIsRefusedAndTheOutputUnchanged(text: String) {
    let elements = [
      Element("a", Namespace.client, text: text), Element("a", Namespace.client, ["b": text]), Element("a", text),
      Element(text, ""),
      Element("a", "", [text: "b"]), Element("a", "", [Element("b", "", [Element("c", "", text: text)])]),
      Element("a", "").settingAttribute("b", namespace: text, "c"),
    ]
    for element in elements {
      var output = Array("before".utf8)
      #expect(throws: XMLWriteError.self) { try StanzaWriter.append(element, to: &output) }
      #expect(output == Array("before".utf8))
      #expect(element.description.contains("\u{FFFD}"))
      #expect(StanzaWriter.canCarry(element.description))
    }
    #expect(!StanzaWriter.canCarry(text))
  }

  @Test(
    "Line ends of a text are made alike, and nothing else of it is changed",
    arguments: [
      ("", ""), ("a\nb 🐦", "a\nb 🐦"), ("a\r\nb\rc\n\rd\r\r\n", "a\nb\nc\n\nd\n\n"), ("\r", "\n"),
      ("e\u{301}\r\n\u{301}", "e\u{301}\n\u{301}"),
    ])
  func lineEnds(text: String, read: String) {
    #expect(Array(StanzaWriter.asRead(text).utf8) == Array(read.utf8))
  }

  @Test(
    "A text that is not a name is refused",
    arguments: [
      "", "a b", "a>", "a/", "a=", "1", "-a", ".a", "a:b", "xml:", "xml:a:b", ":a", "a'", "a\u{D7}", "\u{301}a", "a\n",
      "xmlns", "é&",
    ])
  func whatIsNoNameIsRefused(name: String) {
    var output: [UInt8] = []
    #expect(throws: XMLWriteError.self) { try StanzaWriter.append(Element("a", "", [name: "b"]), to: &output) }
    if name != "xmlns" {
      #expect(throws: XMLWriteError.self) { try StanzaWriter.append(Element(name, ""), to: &output) }
    }
    #expect(output.isEmpty)
  }

  @Test(
    "A name is written and read back",
    arguments: ["a", "_", "a-1.b", "é", "a\u{301}", "你好", "x\u{B7}", "\u{10000}", "xmlns", "xml"])
  func whatIsANameIsReadBack(name: String) throws {
    let element = Element(name, "u", name == "xmlns" ? [:] : [name: "1"])
    #expect(try Element(parsing: try write(element)) == element)
  }

  @Test("Nothing is written in the namespace of namespace declarations")
  func nothingIsWrittenInTheNamespaceOfDeclarations() {
    var output: [UInt8] = []
    let namespace = "http://www.w3.org/2000/xmlns/"
    #expect(throws: XMLWriteError.self) { try StanzaWriter.append(Element("a", namespace), to: &output) }
    #expect(throws: XMLWriteError.self) {
      try StanzaWriter.append(Element("a", "").settingAttribute("b", namespace: namespace, "u"), to: &output)
    }
  }

  @Test("What was read is written so that it reads the same", arguments: DecoderCorpus.marked)
  func whatIsReadIsWrittenSoThatItIsReadTheSame(marked: String) throws {
    var stanzas: [Element] = []
    try StanzaDecoder().feed(Array(marked.filter { $0 != "¦" }.utf8)) { event in
      if case .element(let element) = event { stanzas.append(element) }
      return .more
    }
    for stanza in stanzas {
      let again = try Element(parsing: try write(stanza))
      #expect(again == stanza)
      #expect(again.description == stanza.description)
      #expect(try Element(parsing: stanza.description) == stanza)
      #expect(Element("w", "urn:w", [stanza]).firstChild == stanza)
    }
  }

  @Test("The stream header opens a stream") func theStreamHeaderOpensAStream() throws {
    let bytes = StanzaWriter.streamHeader(to: "exa'mple.org", from: "a&b@example.org", language: "de")
    #expect(
      String(decoding: bytes, as: UTF8.self) == "<?xml version='1.0'?><stream:stream to='exa&apos;mple.org' "
        + "from='a&amp;b@example.org' version='1.0' xml:lang='de' xmlns='jabber:client' "
        + "xmlns:stream='http://etherx.jabber.org/streams'>")
    let plain = StanzaWriter.streamHeader(to: "example.org", from: nil, language: nil)
    #expect(
      decode([plain, StanzaWriter.streamEnd]).events == [
        "opened <stream:stream to='example.org' version='1.0'/>", "closed",
      ])
  }
}
