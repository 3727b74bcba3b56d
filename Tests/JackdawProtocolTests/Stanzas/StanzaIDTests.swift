// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawProtocol
import JackdawXML
import Testing

@Suite struct StanzaIDTests {
  @Test("IDs and nicknames are the same when they are read and written again") func idsGoBothWays() throws {
    let id = try StanzaID(id: "de305d54", by: JID("room@muc.example.com"))
    #expect(StanzaID(id.element) == id)
    let origin = OriginID(id: "a'b\"<c")
    #expect(OriginID(origin.element) == origin)
    let nickname = Nickname("Ishmael <&>")
    #expect(Nickname(nickname.element) == nickname)
  }

  @Test(
    "An ID or nickname that is incomplete is ignored",
    arguments: [
      "<stanza-id xmlns='urn:xmpp:sid:0' id='1'/>", "<stanza-id xmlns='urn:xmpp:sid:0' by='a'/>",
      "<stanza-id xmlns='urn:xmpp:sid:0' id='' by='a'/>", "<stanza-id xmlns='urn:xmpp:sid:0' id='1' by='@@/'/>",
      "<stanza-id xmlns='urn:evil' id='1' by='a'/>", "<origin-id xmlns='urn:xmpp:sid:0'/>",
      "<origin-id xmlns='urn:xmpp:sid:0' id=''/>", "<nick xmlns='http://jabber.org/protocol/nick'/>", "<nick>a</nick>",
    ])
  func whatIsIncompleteIsNone(_ xml: String) throws {
    let element = try Element(parsing: xml)
    #expect(StanzaID(element) == nil && OriginID(element) == nil && Nickname(element) == nil)
  }

  /// Two ids in the name of one assigner: a server that removes forged ids (XEP-0359) lets at most its own pass.
  @Test("A stanza ID that occurs twice for one address is not trusted") func idClaimedTwiceIsNotTrusted() throws {
    let own = try JID("me@example.org")
    let mine = StanzaID(id: "1", by: own).element
    let other = try StanzaID(id: "2", by: JID("mallory@example.org")).element
    #expect(StanzaID.assigned(by: own, in: [other, mine]) == "1")
    #expect(StanzaID.assigned(by: own, in: [other]) == nil)
    #expect(StanzaID.assigned(by: own, in: [mine, StanzaID(id: "3", by: own).element]) == nil)
  }
}
