// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession
import JackdawXML
import Support
import Testing

/// Requests are kept until they are answered, and come with the vCard of who asks.
@Client @Suite(.onLoop) struct FriendRequestStoreTests {
  @Client final class Store: FriendRequestStore {
    var kept: [FriendRequest] = []
    private(set) var writes = 0
    private(set) var reads = 0
    var isBroken = false

    struct Broken: Error {}

    func loadRequests() throws -> [FriendRequest] {
      reads += 1
      if isBroken { throw Broken() }
      return kept
    }

    func changeRequests(keep: [FriendRequest], forget: [JID]) throws {
      writes += 1
      if isBroken { throw Broken() }
      let gone = Set(forget)
      kept.removeAll { gone.contains($0.jid) }
      for request in keep {
        if let index = kept.firstIndex(where: { $0.jid == request.jid }) {
          kept[index] = request
        } else {
          kept.append(request)
        }
      }
    }
  }

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

  @Test func aRequestIsKeptUntilItIsAnswered() async throws {
    let store = Store()
    let rig = try await FriendRig(requests: store)
    await rig.presence(.subscribe, from: "bob@example.org/phone", "<status>Hi</status>")
    #expect(store.kept.map(\.message) == ["Hi"])
    rig.server.asking = ["bob@example.org"]
    _ = try await rig.friends.accept(rig.bob, oneWay: false)
    await rig.fixture.clock.settle()
    #expect(store.kept.isEmpty)
  }

  @Test func aRequestSurvivesARestartAndIsNoSecondNotice() async throws {
    let store = Store()
    store.kept = [FriendRequest(jid: try JID("bob@example.org"), message: "Hi", cardName: "Bob", hasCard: true)]
    let rig = try await FriendRig(requests: store)
    let request = FriendRequested(jid: rig.bob, displayName: "Bob", message: "Hi")
    #expect(rig.friends.pendingRequests == [request])
    // The server tells it again, without what was written with it.
    await rig.presence(.subscribe, from: "bob@example.org")
    try await rig.friends.settle()
    #expect(rig.friends.pendingRequests == [request])
    #expect(rig.fixture.events(FriendRequested.self).isEmpty)
    #expect(store.writes == 0)
  }

  @Test func whatTheServerDoesNotTellAgainIsGone() async throws {
    let store = Store()
    store.kept = [FriendRequest(jid: try JID("bob@example.org"))]
    let rig = try await FriendRig(requests: store)
    try await rig.friends.settle()
    #expect(rig.friends.pendingRequests.isEmpty)
    await rig.fixture.clock.settle()
    #expect(store.kept.isEmpty)
  }

  @Test func aRequestOfSomebodyWeAskedWhileAwayIsGranted() async throws {
    let store = Store()
    store.kept = [FriendRequest(jid: try JID("bob@example.org"))]
    let rig = try await FriendRig([FriendRig.item(ask: true)], requests: store)
    #expect(rig.passedOn == ["subscribed bob@example.org"])
    #expect(rig.friends.pendingRequests.isEmpty)
  }

  @Test func aBrokenStoreIsOneRemark() async throws {
    let store = Store()
    store.isBroken = true
    let rig = try await FriendRig(requests: store)
    for number in 0..<5 { await rig.presence(.subscribe, from: "u\(number)@example.org") }
    #expect(rig.friends.pendingRequests.count == 5)
    #expect(rig.fixture.remarks.count == 1)
  }

  /// SECURITY: flood of requests: what comes in one turn is one transaction.
  @Test func aFloodIsWrittenInOnePiece() async throws {
    let store = Store()
    let rig = try await FriendRig(requests: store)
    let flood = (0..<500).map { "<presence type='subscribe' from='u\($0)@example.net'/>" }.joined()
    // They come while no card is answered, so that nothing else changes.
    serveCards(rig.fixture) { _ in false }
    await rig.fixture.receive(flood)
    #expect(store.kept.count == 500)
    #expect(store.writes == 1)
  }

  @Test func whatChangedIsKeptWhenTheConnectionEnds() async throws {
    let store = Store()
    let rig = try await FriendRig(requests: store)
    await rig.presence(.subscribe, from: "bob@example.org")
    await rig.presence(.unsubscribe, from: "bob@example.org")
    rig.fixture.session.drop(ConnectionError(.lost, "cut"))
    #expect(store.kept.isEmpty)
  }

  // MARK: Cards

  @Test func theCardIsAskedForOnceAndAddsNameAndPicture() async throws {
    let store = Store()
    let rig = try await FriendRig(requests: store)
    serveCards(rig.fixture)
    await rig.presence(.subscribe, from: "bob@example.org/phone", "<status>Hi</status>")
    await rig.presence(.subscribe, from: "bob@example.org/tablet")
    // The notice did not wait for it.
    #expect(rig.fixture.events(FriendRequested.self) == [FriendRequested(jid: rig.bob, message: "Hi")])
    #expect(
      rig.friends.pendingRequests
        == [FriendRequested(jid: rig.bob, displayName: "Bob the Builder", message: "Hi", photo: Self.hash)])
    #expect(cardQuestions(rig.fixture.sent()) == ["bob@example.org"])
    #expect(store.kept.first?.cardName == "Bob the Builder")
    #expect(store.kept.first?.hasCard == true)
    // Not on the next stream either.
    try await rig.fixture.session.logIn()
    try await rig.fixture.session.settleIn(showing: Presence())
    await rig.presence(.subscribe, from: "bob@example.org")
    #expect(cardQuestions(rig.fixture.sent()).isEmpty)
  }

  @Test func aNicknameAndAPictureThatComeWithTheRequestCount() async throws {
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

  /// SECURITY: a flood of requests makes no flood of questions.
  @Test func onlyAFewAreAskedAtATime() async throws {
    let rig = try await FriendRig()
    serveCards(rig.fixture) { _ in false }
    await rig.fixture.receive(
      (0..<2_000).map { "<presence type='subscribe' from='u\($0)@example.net'/>" }.joined())
    #expect(rig.fixture.events(FriendRequested.self).count == 2_000)
    #expect(cardQuestions(rig.fixture.sent()).count == SessionLimits.requesterCards)
    await rig.fixture.clock.elapse(SessionLimits.requesterCardPatience)
    #expect(cardQuestions(rig.fixture.sent()).count == SessionLimits.requesterCards)
    for _ in 0..<SessionLimits.waitingRequesterCards / SessionLimits.requesterCards + 2 {
      await rig.fixture.clock.elapse(SessionLimits.requesterCardPatience)
    }
    let asked = cardQuestions(rig.fixture.sent()).count
    #expect(asked == SessionLimits.waitingRequesterCards - 2 * SessionLimits.requesterCards)
    #expect(rig.fixture.clock.pendingTimers == 0)
  }

  @Test func aListWaitsForTheCardsButNotForEver() async throws {
    let rig = try await FriendRig()
    serveCards(rig.fixture) { $0.localpart != "mute" }
    await rig.presence(.subscribe, from: "bob@example.org")
    try await rig.friends.waitForCards()
    await rig.presence(.subscribe, from: "mute@example.org")
    let waiting = rig.fixture.start { try await rig.friends.waitForCards() }
    await rig.fixture.clock.settle()
    #expect(!waiting.hasEnded)
    await rig.fixture.clock.elapse(SessionLimits.requesterCardsPatience)
    #expect(waiting.hasEnded)
    #expect(waiting.error == nil)
    #expect(rig.friends.pendingRequests.map(\.displayName) == ["Bob the Builder", nil])
  }

  @Test func aConnectionThatEndsBeforeTheCardIsHereMakesItAskedAgain() async throws {
    let rig = try await FriendRig()
    serveCards(rig.fixture) { _ in false }
    await rig.presence(.subscribe, from: "bob@example.org")
    rig.fixture.session.drop(ConnectionError(.lost, "cut"))
    await rig.fixture.clock.settle()
    _ = rig.fixture.sent()
    try await rig.fixture.session.logIn()
    try await rig.fixture.session.settleIn(showing: Presence())
    await rig.fixture.clock.settle()
    #expect(cardQuestions(rig.fixture.sent()) == ["bob@example.org"])
  }
}
