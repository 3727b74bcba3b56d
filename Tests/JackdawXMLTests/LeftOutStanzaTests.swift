// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawXML
import Testing

/// A stanza that exceeds a limit costs itself alone.
@Suite("A stanza that exceeds a limit") struct LeftOutStanzaTests {
  /// What others could send, and servers take, in a message of their own.
  static let poison: [String: String] = [
    "the number of attributes": "<a" + (0..<140).map { " a\($0)=''" }.joined() + "/>",
    "the number or the length of names": (0..<1200).map { "<a\($0)/>" }.joined(),
    "the length of an attribute": "<a b='" + String(repeating: "x", count: 262_145) + "'/>",
    "the depth of elements": String(repeating: "<a>", count: 300) + String(repeating: "</a>", count: 300),
    "the number of namespaces": String(
      repeating: "<a" + (0..<100).map { " xmlns:p\($0)='u'" }.joined() + ">", count: 6)
      + String(repeating: "</a>", count: 6),
    "the number of elements": String(repeating: "<a/>", count: 131_072),
    "the size of a stanza": "<a>" + String(repeating: "x", count: 1_048_576) + "</a>",
  ]

  @Test("is left out, and what comes next is there", arguments: poison.sorted { $0.key < $1.key })
  func next(limit: String, content: String) {
    let tag = "<message from='mallory@example.org/x' to='alice@example.org' id='1' type='chat'"
    let result = decode(header + tag + ">" + content + "</message><presence/>")
    #expect(result.error == nil)
    #expect(result.events.count == 3)
    #expect(result.events.dropFirst().first == "left out \(envelope): The XML exceeds a limit: \(limit).")
    #expect(result.events.last?.hasPrefix("<presence") == true)
  }

  private var envelope: String {
    "<message from='mallory@example.org/x' to='alice@example.org' id='1' type='chat'/>"
  }

  @Test(
    "in its own tag still says who sent it",
    arguments: [
      (0..<140).map { " a\($0)=''" }.joined(), " " + String(repeating: "n", count: 1100) + "=''",
      " " + String(repeating: "n", count: 50_100) + "=''",
      " a='" + String(repeating: "x", count: 300_000) + "'", String(repeating: " ", count: 1_100_000),
    ])
  func ownTag(attributes: String) {
    let addresses = [" from='mallory@example.org/x' to='alice@example.org'", " id='1' type='chat'"]
    for tag in [
      "<message\(addresses.joined())\(attributes)>", "<message\(attributes)\(addresses.joined())>",
      "<message\(addresses[0])\(attributes)\(addresses[1])>",
    ] {
      let result = decode(header + tag + "<body>Hi</body></message><presence/>")
      #expect(result.error == nil)
      #expect(result.events.count == 3)
      #expect(result.events.dropFirst().first?.hasPrefix("left out \(envelope): ") == true, "\(result)")
    }
  }

  @Test("is read with its entities, and with its own prefix")
  func entities() {
    let many = (0..<140).map { " a\($0)=''" }.joined()
    let result = decode(header + "<p:iq\(many) xmlns:p='jabber:client' from='a@b/&lt;&#x26;&apos;'/>")
    #expect(result.error == nil)
    #expect(result.events.last?.contains("from='a@b/&lt;&amp;&apos;'") == true, "\(result)")
    // What can be no stanza's tag.
    for tag in ["<\(String(repeating: "n", count: 1100))/>", "<q:iq\(many)/>", "<iq\(many) id='1' id='2'/>"] {
      #expect(decode(header + tag).events.last?.hasPrefix("left out something") == true)
    }
  }

  @Test("is the same whatever way it comes cut")
  func cuts() {
    var limits = DecoderLimits()
    limits.distinctNames = 20
    limits.attributes = 6
    limits.attributeBytes = 40
    limits.depth = 4
    limits.stanzaBytes = 200
    let stanzas = [
      "<m from='x'><b a='' b='' c='' d='' e='' f='' g=''/>x</m>", "<m a='' b='' c='' d='' e='' from='y' id='1'></m>",
      "<m from='x'><b a='\(String(repeating: "é>", count: 20))'/></m>", "<m><a><b><c><d><e/></d></c></b></a></m>",
      "<m id='7'>\(String(repeating: "<![CDATA[</m>]]>é", count: 20))</m>",
      "<m>" + (0..<30).map { "<a\($0)/>" }.joined() + "</m>",
      "<m from='x'>" + (0..<30).map { "<a\($0)/>" }.joined() + "<b a='' b='' c='' d='' e='' f='' g=''/></m>",
    ]
    let stream = Array((header + stanzas.joined(separator: "<p/>\n") + "<p/></stream:stream>").utf8)
    let whole = decode([stream], limits: limits)
    #expect(whole.error == nil)
    #expect(whole.events.count { $0.hasPrefix("left out ") } == stanzas.count, "\(whole)")
    #expect(whole.events.last == "closed")
    #expect(decode(stream.map { [$0] }, limits: limits) == whole)
    for cut in 0...stream.count {
      #expect(decode([stream[..<cut], stream[cut...]], limits: limits) == whole)
    }
  }

  @Test(
    "ends the stream all the same where it is not XML that XMPP allows",
    arguments: [
      ("<!-- -->", "restricted-xml"), ("<?x?>", "restricted-xml"), ("\u{1}", "not-well-formed"),
      ("<a b='<'/>", "not-well-formed"), ("\u{FFFE}", "not-well-formed"),
    ])
  func faults(content: String, condition: String) {
    let many = (0..<140).map { " a\($0)=''" }.joined()
    let result = decode(header + "<m><a\(many)/>" + content + "</m><presence/>")
    #expect(result.error?.condition == condition)
    #expect(result.events.count == 1)
  }

  @Test("ends the stream when it does not end in time")
  func endless() {
    var limits = DecoderLimits()
    limits.stanzaBytes = 1000
    limits.leftOutBytes = 5000
    func result(_ size: Int) -> Decoding {
      decode(header + "<m>" + String(repeating: "x", count: size - 7) + "</m><presence/>", limits: limits)
    }
    #expect(result(5000).events.count == 3)
    #expect(result(5001).error?.condition == "policy-violation")
  }

  @Test("in the stream's opening tag ends the stream")
  func openingTag() {
    let many = (0..<140).map { " a\($0)=''" }.joined()
    #expect(decode("<a\(many)>").error?.condition == "policy-violation")
  }

  @Test(
    "can be one whose XML is wrong, where its end is certain",
    arguments: [
      "<m><p:a/></m>", "<m><a b='1' b='2'/></m>", "<m>&nbsp;</m>", "<m>x & y</m>", "<m><a></b></m>", "<p:m/>",
    ])
  func wrong(stanza: String) throws {
    #expect(decode(header + stanza + "<presence/>").error != nil)
    let decoder = StanzaDecoder()
    decoder.leavesOutFaults = true
    var events: [String] = []
    for byte in (header + stanza + "<presence/>").utf8 {
      try decoder.feed([byte]) { event in
        events.append(text(of: event))
        return .more
      }
    }
    #expect(events.count == 3)
    #expect(events.dropFirst().first?.hasPrefix("left out ") == true, "\(events)")
  }

  @Test("whose end is not certain is never left out", arguments: ["<m><!-- --></m>", "<m>\u{1}</m>", "<m a='<'/>"])
  func uncertain(stanza: String) {
    let decoder = StanzaDecoder()
    decoder.leavesOutFaults = true
    #expect(throws: DecodeError.self) { try decoder.feed(Array((header + stanza).utf8)) { _ in .more } }
    #expect(decoder.losesStanza)
    // Between two stanzas nothing of them is lost.
    let other = StanzaDecoder()
    #expect(throws: DecodeError.self) { try other.feed(Array((header + "<!-- -->").utf8)) { _ in .more } }
    #expect(!other.losesStanza)
  }
}
