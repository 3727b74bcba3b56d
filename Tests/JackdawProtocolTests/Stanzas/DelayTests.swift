// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawProtocol
import JackdawXML
import Testing

@Suite struct DelayTests {
  @Test(
    "A delay is the same when it is read and written again",
    arguments: [
      "<delay xmlns='urn:xmpp:delay' from='capulet.example' stamp='2002-09-10T23:08:25.000Z'>Offline Storage</delay>",
      "<delay xmlns='urn:xmpp:delay' stamp='2002-09-10T23:08:25.123Z'/>",
    ])
  func delayGoesBothWays(_ xml: String) throws {
    let element = try Element(parsing: xml)
    #expect(Delay(element)?.element == element)
  }

  @Test("The legacy form of a delay (XEP-0091) is read") func legacyFormIsRead() throws {
    let element = try Element(
      parsing: "<x xmlns='jabber:x:delay' from='capulet.example' stamp='20020910T23:08:25'>Offline Storage</x>")
    let delay = try #require(Delay(element))
    #expect(try delay.from == JID("capulet.example"))
    #expect(delay.stamp.milliseconds == 1_031_699_305_000 && delay.reason == "Offline Storage")
  }

  /// Stamps that are missing, impossible or huge, and foreign elements (XEP-0203).
  @Test(
    "A delay that cannot be read is ignored",
    arguments: [
      "<delay xmlns='urn:xmpp:delay'/>", "<delay xmlns='urn:xmpp:delay' stamp=''/>",
      "<delay xmlns='urn:xmpp:delay' stamp='10000-01-01T00:00:00Z'/>",
      "<delay xmlns='urn:xmpp:delay' stamp='\(String(repeating: "1", count: 10_000))'/>",
      "<delay xmlns='urn:xmpp:delay' stamp='2002-09-10T23:08:25Z' from='@@/'/>",
      "<delay xmlns='urn:evil' stamp='2002-09-10T23:08:25Z'/>",
      "<x xmlns='urn:xmpp:delay' stamp='2002-09-10T23:08:25Z'/>",
    ])
  func delayThatCannotBeReadIsNone(_ xml: String) throws {
    #expect(try Delay(Element(parsing: xml)) == nil)
  }

  @Test("All delays of a message are found, those of XEP-0203 first")
  func allDelaysAreFoundAndTheModernComeFirst() throws {
    let payloads = try [
      "<x xmlns='jabber:x:delay' stamp='20020910T23:08:25' from='a'/>", "<delay xmlns='urn:xmpp:delay' stamp='never'/>",
      "<delay xmlns='urn:xmpp:delay' stamp='2002-09-10T23:08:25Z' from='b'/>",
      "<delay xmlns='urn:xmpp:delay' stamp='2002-09-10T23:08:25Z' from='c'/>", "<y xmlns='urn:y'/>",
    ].map { try Element(parsing: $0) }
    #expect(Delay.all(in: payloads).map { $0.from?.domain } == ["b", "c", "a"])
  }
}
