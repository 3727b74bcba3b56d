// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawXML
import Testing

@Suite struct ElementTests {
  static let message = Element(
    "message", Namespace.client, ["to": "a@b", "id": nil, "xml:lang": "en"],
    [
      Element("body", Namespace.client, text: "Hi"),
      Element("x", "urn:x", ["a": ""], [Element("y", "urn:x"), Element("y", "urn:y", text: "why")]),
    ])

  @Test("the parts of a built element are found") func whatIsBuiltIsFoundAgain() {
    let message = Self.message
    #expect(message.name == "message")
    #expect(message.namespace == Namespace.client)
    #expect(message.attribute("to") == "a@b")
    #expect(message.attribute("id") == nil)
    #expect(message.attribute("xml:lang") == "en")
    #expect(message.attributes.map(\.name) == ["to", "xml:lang"])
    #expect(message.text(of: "body", Namespace.client) == "Hi")
    #expect(message.text(of: "body", "urn:x") == nil)
    #expect(message.child("x", "urn:x")?.attribute("a") == "")
    #expect(message.child("x", "urn:x")?.child("y", "urn:y")?.text == "why")
    #expect(message.children.map(\.name) == ["body", "x"])
    #expect(message.firstChild?.name == "body")
    #expect(message.child("x", "urn:x")?.text == "")
  }

  @Test("a built element equals the decoded one") func aBuiltElementEqualsTheDecodedOne() throws {
    let text =
      "<message xml:lang='en' to='a@b'><body>Hi</body><x xmlns='urn:x' a=''><y/><y xmlns='urn:y'>why</y></x></message>"
    let decoded = try elements(text)[0]
    #expect(decoded == Self.message)
    #expect(Self.message == decoded)
    #expect(try Element(parsing: text) == decoded)
  }

  @Test(
    "different elements are not equal",
    arguments: [
      "<m a='1' b='2'/>", "<m b='1' a='1'/>", "<m a='1'/>", "<m a='1' b='1' c='1'/>", "<n a='1' b='1'/>",
      "<m xmlns='x' a='1' b='1'/>",
      "<m a='1' b='1'>x</m>", "<m a='1' b='1'><x/></m>", "<m a='1' b='1'>x<x/></m>", "<m a='1' b='1'><x/>x</m>",
      "<m a='1' b='1'><x/><x/></m>", "<m a='1' b='1'><x><x/></x></m>", "<m a='1' b='1'><x y=''/></m>",
      "<m a='1' b='1'><x>x</x></m>",
      "<m xmlns:p='x' a='1' p:b='1'/>", "<m xmlns:p='y' a='1' p:b='1'/>",
    ])
  func unequalElementsAreUnequal(text: String) throws {
    let all = try elements(
      "<m a='1' b='2'/><m a='1'/><m a='1' b='1' c='1'/><n a='1' b='1'/><m xmlns='x' a='1' b='1'/><m a='1' b='1'>x</m>"
        + "<m a='1' b='1'><x/></m><m a='1' b='1'>x<x/></m><m a='1' b='1'><x/>x</m><m a='1' b='1'><x/><x/></m>"
        + "<m a='1' b='1'><x><x/></x></m><m a='1' b='1'><x y=''/></m><m a='1' b='1'><x>x</x></m>"
        + "<m xmlns:p='x' a='1' p:b='1'/>"
        + "<m xmlns:p='y' a='1' p:b='1'/><m a='1' b='1'/>")
    let element = try Element(parsing: text)
    // The one in the list that was written the same way (attributes may change places), and no other.
    #expect(all.count(where: { $0 == element }) == 1)
  }

  @Test("elements are compared by bytes, not by canonical equivalence")
  func comparisonIsByBytesNotByCanonicalEquivalence() throws {
    let kelvin = try elements("<\u{212A} \u{212A}='\u{212A}'>\u{212A}</\u{212A}>")[0]
    let letter = try elements("<K K='K'>K</K>")[0]
    #expect(!kelvin.matches("K", Namespace.client))
    #expect(kelvin.attribute("K") == nil)
    #expect(!letter.attribute("K", equals: "\u{212A}"))
    #expect(kelvin != letter)
    let composed = Element("a", "", text: "\u{E9}")
    let decomposed = Element("a", "", text: "e\u{301}")
    #expect(composed != decomposed)
    // Of the same length and canonically the same.
    let above = try elements("<a\u{323}\u{307}/>")[0]
    #expect(!above.matches("a\u{307}\u{323}", Namespace.client))
    #expect(above.matches("a\u{323}\u{307}", Namespace.client))
  }

  @Test(
    "A name is compared by its bytes, in whatever way it and the other are kept", arguments: ["", "-with-more-letters"])
  func namesAreComparedByBytes(end: String) throws {
    // The first and the third are canonically the same; all but the first are of one length.
    let names = ["K", "KKK", "\u{212A}", "\u{2126}", "KKL"].map { $0 + end }
    for name in names {
      let made = Element(name, "urn:" + name, [name: "value"])
      let read = try Element(parsing: "<\(name) xmlns='urn:\(name)' \(name)='value'/>")
      #expect(made == read)
      for other in names {
        let isSame = name.utf8.elementsEqual(other.utf8)
        for element in [made, read] {
          #expect(element.matches(other, "urn:" + name) == isSame)
          #expect(element.matches(name, "urn:" + other) == isSame)
          #expect((element.attribute(other) != nil) == isSame)
        }
      }
    }
  }

  @Test("the text of an element is its own, joined, without that of its children")
  func textIsThatOfTheElementAloneJoined() throws {
    let element = try Element(parsing: "<m>one<b>two</b>three<b/>four</m>")
    #expect(element.text == "onethreefour")
    #expect(element.hasText)
    #expect(element.withTextBytes { $0.count } == 12)
    #expect(try Element(parsing: "<m><b>two</b></m>").text == "")
    #expect(try !Element(parsing: "<m><b>two</b></m>").hasText)
    #expect(Element("m", "", text: "").hasText == false)
  }

  @Test("texts and children come in document order, those of a child with the child alone")
  func contentsKeepTheirOrder() throws {
    let element = try Element(parsing: "<p a='1'>one <b>two<i>too</i></b> three<br/></p>")
    let found = element.contents.map { content in
      switch content {
      case .text(let text): "'\(text)'"
      case .child(let child): child.name
      }
    }
    #expect(found == ["'one '", "b", "' three'", "br"])
    #expect(element.firstChild?.contents.first == .text("two"))
    #expect(try Element(parsing: "<p a='1'/>").contents.isEmpty)
  }

  @Test("an error leaves withTextBytes") func anErrorLeavesWithTextBytes() throws {
    struct Stop: Error {}
    for text in ["<m/>", "<m>a</m>", "<m>a<b/>c</m>"] {
      let element = try Element(parsing: text)
      #expect(throws: Stop.self) { try element.withTextBytes { _ throws(Stop) in throw Stop() } }
    }
  }

  @Test("attributes are compared without making a string") func attributesAreComparedWithoutAString() throws {
    let element = try Element(parsing: "<m a='one' xmlns:p='u' p:a='two'/>")
    #expect(element.attribute("a", equals: "one"))
    #expect(!element.attribute("a", equals: "two"))
    #expect(!element.attribute("a", equals: "on"))
    #expect(!element.attribute("b", equals: ""))
    #expect(element.attributes.map(\.namespace) == ["", "u"])
  }

  @Test("appending and setting make new elements") func appendingAndSettingMakeNewElements() throws {
    let element = try Element(parsing: "<m a='1' xmlns:p='u' p:a='2'>x<b/>y</m>")
    let longer = element.appending(Self.message).appending([])
    #expect(longer.children.map(\.name) == ["b", "message"])
    #expect(longer.child("message", Namespace.client) == Self.message)
    #expect(longer.text == "xy")
    #expect(element.children.map(\.name) == ["b"])
    #expect(element.settingAttribute("a", "3").attribute("a") == "3")
    #expect(element.settingAttribute("a", nil) == (try Element(parsing: "<m xmlns:p='u' p:a='2'>x<b/>y</m>")))
    #expect(element.settingAttribute("a", namespace: "u", nil) == (try Element(parsing: "<m a='1'>x<b/>y</m>")))
    #expect(element.settingAttribute("b", nil) == element)
    #expect(Element("m", "", ["a": "1", "a": "2"]).attributes.map(\.value) == ["2"])
  }

  @Test("a very deep element is copied, compared and printed without recursion")
  func aVeryDeepElementIsCopiedComparedAndPrintedWithoutRecursion() throws {
    let depth = 256
    let text = String(repeating: "<a>", count: depth - 1) + "<b/>" + String(repeating: "</a>", count: depth - 1)
    let decoded = try Element(parsing: text)
    let copy = Element("wrapper", "urn:w", [decoded])
    #expect(copy.firstChild == decoded)
    #expect(decoded.description == text)
    // What is built here may be far deeper than what a peer may send.
    var element = Element("a", Namespace.client)
    for _ in 0..<2000 { element = Element("a", Namespace.client, [element]) }
    #expect(element == element.appending([]))
    #expect(element.description.utf8.count == 2000 * 7 + 4)
  }

  @Test("many names are kept apart") func manyNamesKeepApart() throws {
    let children = (0..<300).map { Element("n\($0)", "u\($0 % 7)", ["a\($0)": "\($0)"], text: "t\($0)") }
    let element = Element("all", "", children)
    for (number, child) in element.children.enumerated() {
      #expect(child == children[number])
      #expect(child.name == "n\(number)")
      #expect(child.attribute("a\(number)") == "\(number)")
    }
  }

  @Test("what is built at once is what is built of elements, whatever comes from where")
  func builtAtOnce() throws {
    let children = (0..<40).map {
      Element("n\($0)", "u\($0 % 3)", ["a\($0)": "\($0)", "xml:lang": "en"], text: "t\($0)")
    }
    let decoded = try elements("<x xmlns='u1' b='&lt;'>one<y xmlns='u2'><n1/></y>two</x>")[0]
    for count in [0, 1, 5, 12, 40] {
      var builder = ElementBuilder("message", Namespace.client, nodes: 1, bytes: 1)
      builder.attribute("to", "a@b")
      builder.attribute("id", nil)
      builder.attribute("xml:lang", "en")
      builder.child("body", Namespace.client, text: "Hi 🐦")
      builder.child("subject", Namespace.client, text: "")
      for child in children.prefix(count) { builder.append(child) }
      builder.append(decoded)
      builder.begin("x", "urn:x")
      builder.attribute("a", "")
      builder.begin("y", "urn:x")
      let built = builder.build()
      let parts = Element(
        "message", Namespace.client, ["to": "a@b", "xml:lang": "en"],
        [Element("body", Namespace.client, text: "Hi 🐦"), Element("subject", Namespace.client)]
          + children.prefix(count) + [decoded, Element("x", "urn:x", ["a": ""], [Element("y", "urn:x")])])
      #expect(built == parts && built.description == parts.description)
      #expect(built.child("x", "u1")?.text == "onetwo" && built.child("body", Namespace.client)?.text == "Hi 🐦")
    }
  }

  @Test("elements built one after the other have their names in common, and none sees what another one adds")
  func sharedNames() {
    var names = ElementNames()
    func build(_ attributes: [String], from names: ElementNames) -> ElementBuilder {
      var builder = ElementBuilder("message", Namespace.client, nodes: 4, bytes: 4, names: names)
      for name in attributes { builder.attribute(name, "of \(name)") }
      return builder
    }
    let first = build(["to", "id"], from: names).build(keeping: &names)
    let known = names
    let second = build(["id", "type", "to"], from: known).build(keeping: &names)
    var others = known
    let third = build(["xml:lang", "id"], from: known).build(keeping: &others)
    let many = build((0..<60).map { "a\($0)" }, from: names).build(keeping: &names)
    let last = build(["type", "to"], from: names).build(keeping: &names)
    #expect(first.attributes.map(\.name) == ["to", "id"] && first.attribute("id") == "of id")
    #expect(second.attributes.map(\.name) == ["id", "type", "to"] && second.attribute("type") == "of type")
    #expect(third.attributes.map(\.name) == ["xml:lang", "id"] && third.description.contains("xml:lang='of xml:lang'"))
    #expect(many.attributes.count == 60 && many.attribute("a59") == "of a59")
    #expect(last.description == "<message type='of type' to='of to'/>" && last.name == "message")
  }

  @Test("subtrees of one stanza are copied with their text") func subtreesOfOneStanzaAreCopiedWithTheirText() throws {
    let stanza = try elements("<m a='0'>t<f><n a='1'>one</n><n xml:a='2'>two<o/>three</n></f>u</m>")[0]
    let forwarded = try #require(stanza.firstChild)
    let built = Element("forward", "urn:f", text: "x", [forwarded, forwarded])
    #expect(
      built.description
        == "<forward xmlns='urn:f'>x"
        + String(
          repeating: "<f xmlns='jabber:client'><n a='1'>one</n><n xml:a='2'>two<o/>three</n></f>", count: 2)
        + "</forward>")
  }

  @Test(
    "a text that is not exactly one element is not parsed",
    arguments: [
      "", " ", "x", "<a", "<a>", "<a/><b/>", "<a/>x", "x<a/>", "<?xml version='1.0'?><a/>", "<!-- --><a/>",
      "</stream:stream>",
      "<a/></stream:stream>", "<a/><", "<a/><b", "&amp;", "<x:a/>",
    ])
  func whatIsNotExactlyOneElementIsNotParsed(text: String) {
    #expect(throws: DecodeError.self) { try Element(parsing: text) }
  }

  @Test("a parsed element is in the client namespace unless it declares another")
  func aParsedElementIsInTheClientsNamespaceUnlessItSaysOtherwise() throws {
    #expect(try Element(parsing: " \n<a/>\n").namespace == Namespace.client)
    #expect(try Element(parsing: "<a xmlns='u'/>").namespace == "u")
    #expect(try Element(parsing: "<stream:error/>").namespace == Namespace.streams)
  }
}
