// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawXML
import Support
import Testing

@testable import JackdawSession

/// Names that could be taken for each other.
@Client @Suite(.onLoop) struct NameLikenessTests {
  @Test(
    "Names that differ in case, signs or look-alike letters are alike",
    arguments: [
      ("bob", "B0b"), ("bob", " Bob "), ("bob", "b.o_b!"), ("bob", "b\u{43E}b"), ("alice", "\u{430}1ice"),
      ("Ольга", "ольга"),
      ("paul", "ρau1"),
    ])
  func areAlike(one: String, other: String) { #expect(NameLikeness.key(one) == NameLikeness.key(other)) }

  @Test(
    "Names that differ in letters or digits are not alike",
    arguments: [("bob", "bobby"), ("bob", "rob"), ("anna", "anne"), ("李", "王")])
  func areNot(one: String, other: String) { #expect(NameLikeness.key(one) != NameLikeness.key(other)) }

  @Test("A name without letters and digits is like no other")
  func aNameOfSignsAloneIsLikeNone() throws { #expect(NameLikeness.key("*** !?") == "") }

  @Test("A contact is found by the displayed name") func aContactIsFoundByTheNameThatIsShown() async throws {
    let fixture = try SessionFixture(role: .interactive(Presence()), features: SessionFixture.core)
    try await fixture.settleIn()
    let friends = fixture.session.features[FriendManager.self]
    await fixture.receive(
      "<iq type='set' id='p1'><query xmlns='jabber:iq:roster'><item jid='x@example.org' name='Bob B.'/></query></iq>")
    await fixture.receive(
      "<iq type='set' id='p2'><query xmlns='jabber:iq:roster'><item jid='carol@example.org'/></query></iq>")
    #expect(friends.contact(calledLike: "bob-b")?.jid.localpart == "x")
    #expect(friends.contact(calledLike: "CAR0L")?.jid.localpart == "carol")
    #expect(friends.contact(calledLike: "x") == nil)
    #expect(friends.contact(calledLike: "X@example.org")?.jid.localpart == "x")
    #expect(friends.contact(calledLike: "caro1@examp1e.org")?.jid.localpart == "carol")
    #expect(friends.contact(calledLike: "!") == nil)
    await fixture.receive(
      "<iq type='set' id='p3'><query xmlns='jabber:iq:roster'><item jid='x@example.org' name='Rob'/></query></iq>")
    #expect(friends.contact(calledLike: "bob-b") == nil)
    #expect(friends.contact(calledLike: "rob")?.jid.localpart == "x")
  }
}
