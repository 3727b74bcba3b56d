// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawProtocol
import JackdawSession
import JackdawXML
import Testing

/// What service discovery says, from XML and back.
@Suite struct DiscoveryInformationTests {
  static let info = ServiceDiscovery.information

  static let bothWays: [(String, DiscoveryInformation)] = [
    ("<query xmlns='\(info)'/>", DiscoveryInformation()),
    (
      "<query xmlns='\(info)'><identity category='client' type='pc'/><feature var='a'/></query>",
      DiscoveryInformation(identities: [.init(category: "client", type: "pc")], features: ["a"])
    ),
    (
      "<query xmlns='\(info)'><identity category='client' type='pc' name='Ψ &amp; Co' xml:lang='el'/>"
        + "<identity category='client' type='pc' name='' xml:lang=''/><feature var='b'/><feature var='a'/></query>",
      DiscoveryInformation(
        identities: [
          .init(category: "client", type: "pc", name: "Ψ & Co", language: "el"),
          .init(category: "client", type: "pc", name: "", language: ""),
        ], features: ["b", "a"])
    ),
    (
      "<query xmlns='\(info)'><x xmlns='jabber:x:data' type='result'><field var='FORM_TYPE' type='hidden'>"
        + "<value>t</value></field><field var='f'><value>1</value><value>2</value></field></x></query>",
      DiscoveryInformation(forms: [
        DataForm(
          kind: .result,
          fields: [.init("FORM_TYPE", .hidden, values: ["t"]), .init("f", values: ["1", "2"])])
      ])
    ),
  ]

  @Test("Service discovery information is read and written", arguments: bothWays)
  func isReadAndWritten(_ xml: String, _ information: DiscoveryInformation) throws {
    #expect(try DiscoveryInformation(Element(parsing: xml)) == information)
    #expect(information.element().description == (try Element(parsing: xml)).description)
  }

  @Test("The node that was queried is written into the answer") func theNodeIsWritten() throws {
    #expect(DiscoveryInformation().element(node: "n").attribute("node") == "n")
  }

  @Test(
    "Entries that cannot be read are left out",
    arguments: [
      "<identity category='client'/>", "<identity type='pc'/>", "<identity category='' type='pc'/>", "<feature/>",
      "<feature var=''/>", "<x xmlns='jabber:x:data'/>", "<x xmlns='jabber:x:data' type='odd'/>", "<other/>",
      "<identity xmlns='urn:other' category='client' type='pc'/>", "<feature xmlns='urn:other' var='a'/>", "text",
    ])
  func whatCannotBeReadIsLeftOut(_ part: String) throws {
    #expect(
      try DiscoveryInformation(Element(parsing: "<query xmlns='\(Self.info)'>\(part)</query>"))
        == DiscoveryInformation())
  }

  @Test(
    "An element that is not service discovery information is refused",
    arguments: ["<query xmlns='\(ServiceDiscovery.items)'/>", "<vCard xmlns='vcard-temp'/>", "<query/>"])
  func anythingElseIsRefused(_ xml: String) throws {
    let element = try Element(parsing: xml)
    #expect(throws: StanzaFormatError.self) { try DiscoveryInformation(element) }
  }

  @Test(
    "An answer with more features, identities or forms than the limit is refused",
    arguments: [
      String(repeating: "<feature var='a'/>", count: 3_000),
      String(repeating: "<identity category='a' type='b'/>", count: 300),
      String(repeating: "<x xmlns='jabber:x:data' type='result'/>", count: 300),
    ])
  func anAnswerWithoutMeasureIsRefused(_ parts: String) throws {
    let element = try Element(parsing: "<query xmlns='\(Self.info)'>\(parts)</query>")
    #expect(throws: StanzaFormatError.self) { try DiscoveryInformation(element) }
  }

  @Test("Features and identities are found") func supportingAndBeing() {
    let information = DiscoveryInformation(
      identities: [.init(category: "pubsub", type: "pep")], features: ["urn:xmpp:ping"])
    #expect(information.supports("urn:xmpp:ping"))
    #expect(!information.supports("urn:xmpp:pin"))
    // XEP-0030 3.1: some do not say that they can be asked.
    #expect(information.supports(ServiceDiscovery.information))
    #expect(information.has(category: "pubsub"))
    #expect(information.has(category: "pubsub", type: "pep"))
    #expect(!information.has(category: "pubsub", type: "service"))
    #expect(!information.has(category: "client"))
  }

  @Test(
    "Service discovery items are read and written",
    arguments: [
      ("jid='rooms.example.org'", "rooms.example.org", nil, nil),
      ("jid='a@example.org' node='n' name='N &lt; M'", "a@example.org", "n", "N < M"),
    ] as [(String, String, String?, String?)])
  func itemsAreReadAndWritten(_ attributes: String, _ jid: String, _ node: String?, _ name: String?) throws {
    let item = DiscoveryItem(jid: try JID(jid), node: node, name: name)
    let element = try Element(parsing: "<item xmlns='\(ServiceDiscovery.items)' \(attributes)/>")
    #expect(DiscoveryItem(element) == item)
    #expect(item.element == element)
  }

  @Test("An item without a valid address is ignored", arguments: ["", "jid=''", "jid='@@'", "node='n'"])
  func itemsWithoutAddressAreNone(_ attributes: String) throws {
    #expect(DiscoveryItem(try Element(parsing: "<item xmlns='\(ServiceDiscovery.items)' \(attributes)/>")) == nil)
  }
}
