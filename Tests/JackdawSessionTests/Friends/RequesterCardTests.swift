// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession
import JackdawXML
import Support
import Testing

/// The vCards of those who ask to be friends, which are asked for when the user wants them.
@Client @Suite(.onLoop) struct RequesterCardTests {
  private typealias Store = FriendRequestStoreTests.Store

  private static let card = """
    <vCard xmlns='vcard-temp'><FN>Bob the Builder</FN><NICKNAME>Bobby</NICKNAME>\
    <PHOTO><TYPE>image/png</TYPE><BINVAL>aGVsbG8=</BINVAL></PHOTO></vCard>
    """
  /// Of "hello".
  private static let hash = "aaf4c61ddcc5e8a2dabede0f3b482cd9aea9434d"

  /// Lets the server have a card for everybody whose question `answers`; to others it says nothing.
  private func serveCards(_ fixture: SessionFixture, answers: @escaping @Client (JID) -> Bool = { _ in true }) {
    let answer = fixture.answer
    fixture.answer = { element in
      guard let iq = try? IQ(element), iq.payload?.matches("vCard", VCardTemp.namespace) == true, let to = iq.to else {
        return answer(element)
      }
      guard answers(to) else { return [] }
      var result = iq.result(try? Element(parsing: Self.card))
      result.from = iq.to
      return [result.element]
    }
  }

  /// Whose cards were asked for; our own is no one's of these.
  private func cardQuestions(_ sent: [Element]) -> [String] {
    sent.filter { $0.firstChild?.matches("vCard", VCardTemp.namespace) == true }.compactMap { $0.attribute("to") }
  }

  /// It would tell a stranger that we are online, and at which address.
  @Test("No vCard is requested unless it is wanted") func noCardIsAskedForUnlessItIsWanted() async throws {
    let rig = try await FriendRig()
    serveCards(rig.fixture)
    for kind in [Presence.Kind.subscribe, .unsubscribe, .subscribe, .subscribe] {
      await rig.presence(kind, from: "bob@example.org/phone")
    }
    #expect(rig.fixture.sent().isEmpty)
    try await rig.fixture.session.logIn()
    try await rig.fixture.session.settleIn(showing: Presence())
    await rig.presence(.subscribe, from: "bob@example.org")
    #expect(cardQuestions(rig.fixture.sent()).isEmpty)
  }

  @Test("The vCard is requested once and adds name and picture")
  func theCardIsAskedForOnceAndAddsNameAndPicture() async throws {
    let store = Store()
    let rig = try await FriendRig(requests: store)
    serveCards(rig.fixture)
    await rig.presence(.subscribe, from: "bob@example.org/phone", "<status>Hi</status>")
    await rig.presence(.subscribe, from: "bob@example.org/tablet")
    try await rig.friends.fetchCards()
    #expect(rig.fixture.events(FriendRequested.self) == [FriendRequested(jid: rig.bob, message: "Hi")])
    #expect(
      rig.friends.pendingRequests
        == [FriendRequested(jid: rig.bob, displayName: "Bob the Builder", message: "Hi", photo: Self.hash)])
    #expect(cardQuestions(rig.fixture.sent()) == ["bob@example.org"])
    await rig.fixture.clock.settle()
    #expect(store.kept.first?.cardName == "Bob the Builder")
    #expect(store.kept.first?.hasCard == true)
    // Not on the next stream either.
    try await rig.fixture.session.logIn()
    try await rig.fixture.session.settleIn(showing: Presence())
    await rig.presence(.subscribe, from: "bob@example.org")
    try await rig.friends.fetchCards()
    #expect(cardQuestions(rig.fixture.sent()).isEmpty)
  }

  @Test("A nickname and a picture hash that come with the request count")
  func aNicknameAndAPictureThatComeWithTheRequestCount() async throws {
    let rig = try await FriendRig()
    let nick = "<nick xmlns='http://jabber.org/protocol/nick'>Bobby</nick>"
    await rig.presence(
      .subscribe, from: "bob@example.org",
      nick + "<x xmlns='vcard-temp:x:update'><photo>\(Self.hash.uppercased())</photo></x>")
    await rig.presence(
      .subscribe, from: "carol@example.org", "<x xmlns='vcard-temp:x:update'><photo>\u{9B}2J</photo></x>")
    // There is no card at all.
    #expect(rig.friends.pendingRequests.map(\.displayName) == ["Bobby", nil])
    #expect(rig.friends.pendingRequests.map(\.photo) == [Self.hash, nil])
  }

  /// A flood of requests does not make us send a flood of vCard requests.
  @Test("Only a few vCards are requested at a time") func onlyAFewAreAskedAtATime() async throws {
    let rig = try await FriendRig()
    serveCards(rig.fixture) { _ in false }
    await rig.fixture.receive(
      (0..<2_000).map { "<presence type='subscribe' from='u\($0)@example.net'/>" }.joined())
    #expect(rig.fixture.events(FriendRequested.self).count == 2_000)
    let fetching = rig.fixture.start { try await rig.friends.fetchCards() }
    await rig.fixture.clock.settle()
    #expect(cardQuestions(rig.fixture.sent()).count == SessionLimits.requesterCards)
    await rig.fixture.clock.elapse(SessionLimits.requesterCardPatience)
    #expect(cardQuestions(rig.fixture.sent()).count == SessionLimits.requesterCards)
    for _ in 0..<SessionLimits.requesterCardsOfStream / SessionLimits.requesterCards + 2 {
      await rig.fixture.clock.elapse(SessionLimits.requesterCardPatience)
    }
    let asked = cardQuestions(rig.fixture.sent()).count
    #expect(asked == SessionLimits.requesterCardsOfStream - 2 * SessionLimits.requesterCards)
    #expect(rig.fixture.clock.pendingTimers == 0)
    #expect(fetching.hasEnded && fetching.error == nil)
  }

  /// A server that answers each vCard request at once gets no more of them.
  @Test("The vCards requested on one stream are limited") func notAllOfAFloodAreAsked() async throws {
    let rig = try await FriendRig()
    serveCards(rig.fixture)
    for number in 0..<1_000 { await rig.presence(.subscribe, from: "u\(number)@example.net") }
    for _ in 0..<2 { try await rig.friends.fetchCards() }
    #expect(cardQuestions(rig.fixture.sent()).count == SessionLimits.requesterCardsOfStream)
  }

  @Test("The list of requests waits for the vCards, but not for ever")
  func aListWaitsForTheCardsButNotForEver() async throws {
    let rig = try await FriendRig()
    serveCards(rig.fixture) { $0.localpart != "mute" }
    await rig.presence(.subscribe, from: "bob@example.org")
    try await rig.friends.fetchCards()
    await rig.presence(.subscribe, from: "mute@example.org")
    let waiting = rig.fixture.start { try await rig.friends.fetchCards() }
    await rig.fixture.clock.settle()
    #expect(!waiting.hasEnded)
    await rig.fixture.clock.elapse(SessionLimits.requesterCardPatience)
    #expect(waiting.hasEnded)
    #expect(waiting.error == nil)
    #expect(rig.friends.pendingRequests.map(\.displayName) == ["Bob the Builder", nil])
  }

  @Test("A vCard is requested again when the connection ended before it came")
  func aConnectionThatEndsBeforeTheCardIsHereMakesItAskedAgain() async throws {
    let rig = try await FriendRig()
    serveCards(rig.fixture) { _ in false }
    await rig.presence(.subscribe, from: "bob@example.org")
    _ = rig.fixture.start { try await rig.friends.fetchCards() }
    await rig.fixture.clock.settle()
    rig.fixture.session.drop(ConnectionError(.lost, "cut"))
    await rig.fixture.clock.settle()
    _ = rig.fixture.sent()
    try await rig.fixture.session.logIn()
    try await rig.fixture.session.settleIn(showing: Presence())
    _ = rig.fixture.start { try await rig.friends.fetchCards() }
    await rig.fixture.clock.settle()
    #expect(cardQuestions(rig.fixture.sent()) == ["bob@example.org"])
  }
}
