// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession
import JackdawXML
import Support
import Testing

/// Contact lists that are larger than any other stanza may be (RFC 6120 13.12).
@Client @Suite(.onLoop) struct RosterSizeTests {
  private static func items(_ count: Int) -> String {
    (0..<count).map {
      "<item jid='contact\($0)@example.org' name='Contact Number \($0)' subscription='both'><group>Friends</group></item>"
    }
    .joined()
  }

  /// Logged in, with the question for the list asked and not answered.
  private func asked() async throws -> (fixture: SessionFixture, id: String, loading: StartedTask<Void>) {
    let fixture = try SessionFixture()
    fixture.answer = { _ in [] }
    try await fixture.logIn()
    let friends = fixture.session.features[FriendManager.self]
    let loading = fixture.start { try await friends.load() }
    await fixture.clock.settle()
    return (fixture, try #require(fixture.sent().first?.attribute("id")), loading)
  }

  @Test("A roster of fifty thousand friends is read") func fiftyThousandFriendsAreAList() async throws {
    let (fixture, id, loading) = try await asked()
    let friends = fixture.session.features[FriendManager.self]
    let text =
      "<iq type='result' id='\(id)'><query xmlns='jabber:iq:roster' ver='v'>\(Self.items(50_000))</query></iq>"
    // Before the end nothing of it counts.
    let bytes = Array(text.utf8)
    fixture.connector.transport?.deliver(Array(bytes[..<3_000_000]))
    await fixture.clock.settle()
    #expect(friends.unsorted.isEmpty)
    #expect(!loading.hasEnded)
    fixture.connector.transport?.deliver(Array(bytes[3_000_000...]))
    await fixture.clock.settle()
    #expect(loading.hasEnded && loading.error == nil)
    #expect(friends.unsorted.count == 50_000)
    #expect(
      friends.item(for: try JID("contact49999@example.org"))
        == (try FriendRig.item("contact49999@example.org", .both, name: "Contact Number 49999", groups: ["Friends"])))
    #expect(fixture.remarks.isEmpty)
    #expect(fixture.session.isOnline)
    // It was the one answer: the next large stanza is too large.
    await fixture.receive(text)
    #expect(fixture.notices == ["An answer was left out. The XML exceeds a limit: the size of a stanza."])
    #expect(fixture.session.isOnline)
    #expect(friends.unsorted.count == 50_000)
  }

  @Test(
    "A large answer from somebody else is left out",
    arguments: ["from='mallory@example.net'", "from='example.net'", "from='@@/'"])
  func aLargeAnswerOfSomebodyElseIsLeftOut(_ from: String) async throws {
    let (fixture, id, loading) = try await asked()
    await fixture.receive(
      "<iq type='result' id='\(id)' \(from)><query xmlns='jabber:iq:roster'>\(Self.items(50_000))</query></iq>")
    #expect(!loading.hasEnded)
    #expect(fixture.session.isOnline)
    #expect(fixture.session.features[FriendManager.self].unsorted.isEmpty)
  }

  @Test("A large answer that is not a roster ends the request")
  func aLargeAnswerThatIsNoContactListEndsTheRequest() async throws {
    let (fixture, id, loading) = try await asked()
    await fixture.receive("<iq type='result' id='\(id)'><query xmlns='urn:x'>\(Self.items(50_000))</query></iq>")
    #expect((loading.error as? RequestError)?.code == .leftOut)
    #expect(fixture.notices.isEmpty)
    #expect(fixture.session.isOnline)
  }

  @Test("A connection that ends halfway through the roster leaves the list as it was")
  func aConnectionThatEndsHalfwayLeavesTheListAsItWas() async throws {
    let (fixture, id, loading) = try await asked()
    let text = "<iq type='result' id='\(id)'><query xmlns='jabber:iq:roster'>\(Self.items(20_000))"
    fixture.connector.transport?.deliver(Array(text.utf8))
    await fixture.clock.settle()
    fixture.session.drop(ConnectionError(.lost, "cut"))
    await fixture.clock.settle()
    #expect(loading.error != nil)
    let server = RosterServer(fixture)
    server.items["bob@example.org"] = try FriendRig.item()
    try await fixture.settleIn()
    #expect(fixture.session.features[FriendManager.self].unsorted == [try FriendRig.item()])
  }

  @Test("Ten thousand pushes are applied one by one") func tenThousandPushesAreAppliedOneByOne() async throws {
    let rig = try await FriendRig()
    await rig.fixture.receive(
      (0..<10_000).map {
        """
        <iq type='set' id='p\($0)'><query xmlns='jabber:iq:roster'><item jid='u\($0 % 5_000)@example.org' \
        subscription='\($0 < 5_000 ? "both" : "remove")'/></query></iq>
        """
      }
      .joined())
    #expect(rig.friends.friends.isEmpty)
    #expect(rig.fixture.events(FriendChanged.self).count == 10_000)
    #expect(rig.fixture.sent().count == 10_000)
  }
}
