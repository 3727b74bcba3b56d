// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawProtocol
import JackdawXML
import Testing

@Suite struct MessageTests {
  static let bob = "bob@example.org/phone"

  /// What is written here is what we write, and read back as the same.
  @Test(
    "A message is the same when it is read and written again",
    arguments: [
      "<message id='1' to='bob@example.org'><body>hello</body></message>",
      "<message type='chat' id='1' to='bob@example.org/phone' from='alice@example.org/x'><body>a &lt; b</body></message>",
      "<message type='groupchat' to='room@example.org'><subject/></message>",
      "<message type='headline' from='example.org'><subject>s</subject><body>b</body><thread>t</thread></message>",
      "<message type='chat' to='bob@example.org'><body/><x xmlns='urn:a'><y/></x><z xmlns='urn:b'>t</z></message>",
      "<message id='1' to='bob@example.org'><body>hello</body><origin-id xmlns='urn:xmpp:sid:0' id='o1'/><x xmlns='urn:a'/></message>",
      """
      <message type='error' id='1' from='bob@example.org'><body>hello</body><error type='cancel'>\
      <item-not-found xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></error></message>
      """,
    ])
  func messageGoesBothWays(_ xml: String) throws {
    let element = try Element(parsing: xml)
    #expect(try Message(element).element == element)
    #expect(try Message(Message(element).element) == Message(element))
  }

  @Test("The parts of a message are read") func partsAreRead() throws {
    let message = try Message(
      Element(
        parsing: """
          <message type='chat' id='a1' from='Bob@Example.org/phone' to='alice@example.org'><subject>s</subject>\
          <body>b</body><thread>t</thread><active xmlns='http://jabber.org/protocol/chatstates'/></message>
          """))
    #expect(message.kind == .chat && message.id == "a1")
    #expect(try message.from == JID(Self.bob))
    #expect(try message.to == JID("alice@example.org"))
    #expect(message.subject == "s" && message.body == "b" && message.thread == "t")
    #expect(message.payloads.map(\.name) == ["active"])
    #expect(message.error == nil)
  }

  @Test("Addresses are read the same whatever the message before had") func addressesAfterOthers() throws {
    let addresses = [
      "bob@example.org", "bob@example.org/phone", "bob@example.org/phon", "bob@example.org/phones", "Bob@Example.org",
      "bob@example.org/\u{265A}", "b\u{F6}b@example.org/phone", "example.org", "example.org/phone", "bob@example.org/",
    ]
    for before in addresses {
      for address in addresses {
        var last = Message.Addresses()
        _ = try? Message.read(Element("message", Namespace.client, ["from": before, "to": before]), last: &last)
        for name in ["from", "to"] {
          let element = Element("message", Namespace.client, [name: address, "type": "chat"])
          let read = try? Message.read(element, last: &last)
          #expect(read == (try? Message(element)), "\(name) \(address) after \(before)")
        }
      }
    }
  }

  @Test("Of several origin IDs the first valid one counts") func theFirstProperOriginIDCounts() throws {
    let broken = "<origin-id xmlns='urn:xmpp:sid:0'/><origin-id id='c'/>"
    let message = try Message(
      Element(
        parsing:
          "<message>\(broken)<origin-id xmlns='urn:xmpp:sid:0' id='a'/><origin-id xmlns='urn:xmpp:sid:0' id='b'/></message>"
      ))
    #expect(message.originID == "a")
    #expect(message.payloads.map { $0.attribute("id") } == [nil, "c", "b"])
    #expect(try Message(Element(parsing: "<message><body>a</body></message>")).originID == nil)
    let sent = Message(id: "1", to: try JID("bob@example.org"), body: "b", originID: "a&")
    #expect(try Message(sent.element) == sent)
  }

  /// No sender, an unknown type (RFC 6121 5.2.2), bodies in several languages (5.2.3) or in a foreign namespace.
  @Test(
    "Of a malformed message the parts that can be read are read",
    arguments: [
      ("<message/>", .normal, nil), ("<message type='frob'><body>a</body></message>", .normal, "a"),
      ("<message type=''><body>a</body></message>", .normal, "a"), ("<message type='CHAT'/>", .normal, nil),
      ("<message type='chat'><body xml:lang='de'>a</body><body>b</body><body>c</body></message>", .chat, "b"),
      ("<message><body xml:lang='de'>a</body><body xml:lang='en'>b</body></message>", .normal, "a"),
      ("<message><body xmlns='urn:evil'>a</body></message>", .normal, nil),
      ("<message><body>a<b xmlns='urn:x'>c</b>d</body></message>", .normal, "ad"),
      ("<message><message><body>a</body></message></message>", .normal, nil),
      ("<message id=''><body>%n%s</body></message>", .normal, "%n%s"),
    ] as [(String, Message.Kind, String?)])
  func oddMessageIsReadForWhatItHas(_ xml: String, _ kind: Message.Kind, _ body: String?) throws {
    let message = try Message(Element(parsing: xml))
    #expect(message.kind == kind && message.body == body)
    #expect(message.from == nil && message.id == nil)
  }

  /// Nobody could name the message by it, and whoever keeps messages would keep all of it.
  @Test("An ID that is too long is ignored") func anIDThatIsTooLongIsNone() throws {
    func ids(_ id: String) throws -> [String?] {
      let sid = "xmlns='urn:xmpp:sid:0' id='\(id)'"
      let message = try Message(
        Element(parsing: "<message id='\(id)'><origin-id \(sid)/><stanza-id \(sid) by='example.org'/></message>"))
      return [message.id, message.originID, StanzaID.assigned(by: try JID("example.org"), in: message.payloads)]
    }
    let longest = String(repeating: "i", count: StanzaLimits.relatedIDBytes)
    #expect(try ids(longest) == [longest, longest, longest])
    #expect(try ids(longest + "i") == [nil, nil, nil])
  }

  @Test("An error element counts only in a message of type error") func errorCountsInAnErrorOnly() throws {
    let error = "<error type='wait'><conflict xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></error>"
    let plain = try Message(Element(parsing: "<message><body>a</body>\(error)</message>"))
    #expect(plain.error == nil && plain.payloads.isEmpty)
    let failed = try Message(Element(parsing: "<message type='error'>\(error)\(error)</message>"))
    #expect(failed.error == StanzaError(kind: .wait, condition: "conflict"))
    let bare = try Message(Element(parsing: "<message type='error'><body>a</body></message>"))
    #expect(bare.error == .undefined && bare.body == "a")
  }

  @Test(
    "A message with an invalid address is refused",
    arguments: [
      "<presence/>", "<message xmlns='urn:evil'/>", "<message from=''/>", "<message from='@@/'/>",
      "<message to='bob@'/>",
      "<message from='bob\u{200B}@example.org'/>", "<message from=' bob@example.org'/>",
      "<message from='\(String(repeating: "a", count: 3000))@example.org'/>",
    ])
  func messageWithoutProperAddressesIsNone(_ xml: String) throws {
    let element = try Element(parsing: xml)
    let error = try #require(throws: StanzaFormatError.self) { try Message(element) }
    #expect(error.answer == nil && error.description.utf8.count < 200)
  }
}
