// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession
import JackdawXML
import Support
import Testing

/// Messages sent, confirmed, bounced, lost; messages received (RFC 6121 5).
@Client @Suite(.onLoop) struct ChatTests {
  private let fixture: SessionFixture
  private let chat: Delivery
  private let bob: JID

  init() throws {
    fixture = try SessionFixture()
    chat = fixture.session.delivery
    bob = try JID("bob@example.net")
  }

  private var states: [String] {
    fixture.events(MessageStateChanged.self).map { "\($0.id) \($0.state.name)" }
  }

  private static func bounce(_ id: String, from: String?, _ condition: String = "service-unavailable") -> String {
    "<message type='error' id='\(id)'\(from.map { " from='\($0)'" } ?? "")><body>hello</body><error type='cancel'>"
      + "<\(condition) xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></error></message>"
  }

  // MARK: Ours

  @Test("A message is sent with an ID and confirmed") func aMessageIsSentWithAnIDAndConfirmed() async throws {
    try await fixture.settleIn()
    let id = try chat.send("hello <&>", to: bob)
    try await chat.confirm([id])
    let sent = fixture.sent()
    #expect(
      sent.first
        == Message(
          kind: .chat, id: id, to: bob, body: "hello <&>",
          payloads: [Element("origin-id", "urn:xmpp:sid:0", ["id": id])]
        ).element)
    #expect(sent.map { $0.firstChild?.name } == ["body", "ping"])
    #expect(states == ["\(id) sent", "\(id) server"])
    // What is confirmed need not be asked for again.
    try await chat.confirm([id])
    await fixture.clock.elapse(.seconds(10))
    #expect(fixture.sent().isEmpty)
    #expect(states.count == 2)
  }

  @Test("Every message has its own ID") func everyMessageHasItsOwnID() async throws {
    try await fixture.settleIn()
    let ids = try (0..<100).map { try chat.send("\($0)", to: bob) }
    #expect(Set(ids).count == 100)
  }

  @Test("One answer of the server confirms all messages written before the question")
  func oneAnswerConfirmsAllThatWasWrittenBefore() async throws {
    try await fixture.settleIn()
    let first = try chat.send("1", to: bob)
    let second = try chat.send("2", to: bob)
    fixture.answer = { _ in [] }
    let confirming = fixture.start { try await chat.confirm([first]) }
    await fixture.clock.settle()
    let third = try chat.send("3", to: bob)
    let ping = try #require(fixture.sent().compactMap { try? IQ($0) }.first)
    await fixture.receive("<iq type='result' id='\(ping.id)'/>")
    #expect(confirming.hasEnded && confirming.error == nil)
    #expect(
      states == ["\(first) sent", "\(second) sent", "\(third) sent", "\(first) server", "\(second) server"])
  }

  /// At the prompt nobody asks.
  @Test("A message that no caller confirms is confirmed after a second")
  func whatNobodyAsksForIsConfirmedAfterASecond() async throws {
    try await fixture.settleIn()
    let id = try chat.send("1", to: bob)
    let other = try chat.send("2", to: bob)
    await fixture.clock.elapse(.milliseconds(999))
    #expect(states == ["\(id) sent", "\(other) sent"])
    await fixture.clock.elapse(.milliseconds(1))
    #expect(states.suffix(2) == ["\(id) server", "\(other) server"])
    #expect(fixture.sent().count { $0.name == "iq" } == 1)
    await fixture.clock.elapse(.seconds(60))
    #expect(fixture.sent().isEmpty)
  }

  @Test("A server that does not answer is asked again") func aServerThatDoesNotAnswerIsAskedAgain() async throws {
    try await fixture.settleIn()
    fixture.answer = { _ in [] }
    let id = try chat.send("1", to: bob)
    let confirming = fixture.start { try await chat.confirm([id]) }
    await fixture.clock.elapse(.seconds(30))
    #expect((confirming.error as? RequestError)?.code == .timedOut)
    fixture.answer = SessionFixture.manners
    await fixture.clock.elapse(.seconds(1))
    #expect(states == ["\(id) sent", "\(id) server"])
  }

  @Test("A message that is refused is reported as failed, and its confirmation throws")
  func aMessageThatIsRefusedIsToldAndThrown() async throws {
    try await fixture.settleIn()
    let id = try chat.send("hello", to: bob)
    let other = try chat.send("hello", to: bob)
    await fixture.receive(Self.bounce(id, from: "bob@example.net"))
    let error = await #expect(throws: MessageBounced.self) { try await chat.confirm([other, id]) }
    #expect(error?.id == id)
    #expect(error?.to == bob)
    #expect(error?.error == .serviceUnavailable)
    #expect(states == ["\(id) sent", "\(other) sent", "\(id) failed", "\(other) server"])
    #expect(fixture.events(MessageArrived.self).isEmpty)
    try await chat.confirm([other])
  }

  /// From whom it may come: the recipient, their server, ours.
  @Test(
    "A bounce counts if it comes from the recipient, its server or ours",
    arguments: ["bob@example.net", "bob@example.net/x", "example.net", "example.org", "alice@example.org", nil])
  func aBounceMayComeFrom(_ from: String?) async throws {
    try await fixture.settleIn()
    let id = try chat.send("hello", to: try JID("bob@example.net/x"))
    await fixture.receive(Self.bounce(id, from: from))
    #expect(states == ["\(id) sent", "\(id) failed"])
  }

  /// Errors for messages that were not sent, or from somebody else.
  @Test(
    "A bounce from anybody else is ignored",
    arguments: ["mallory@example.net", "example.com", "alice@example.org/other", "bob@example.net.example.com"])
  func aBounceFromAnybodyElseIsIgnored(_ from: String) async throws {
    try await fixture.settleIn()
    let id = try chat.send("hello", to: bob)
    await fixture.receive(Self.bounce(id, from: from) + Self.bounce("unknown", from: "bob@example.net"))
    await fixture.receive("<message type='error' from='bob@example.net'><body>no id</body></message>")
    try await chat.confirm([id])
    #expect(states == ["\(id) sent", "\(id) server"])
    #expect(fixture.remarks.count == 3)
  }

  @Test("A bounce without a reason fails the message, and a second bounce changes nothing")
  func aBounceWithoutReasonAndOneThatComesTwice() async throws {
    try await fixture.settleIn()
    let id = try chat.send("hello", to: bob)
    try await chat.confirm([id])
    await fixture.receive("<message type='error' id='\(id)' from='bob@example.net'/>")
    await fixture.receive(Self.bounce(id, from: "bob@example.net"))
    #expect(states == ["\(id) sent", "\(id) server", "\(id) failed"])
    let error = await #expect(throws: MessageBounced.self) { try await chat.confirm([id]) }
    #expect(error?.error == .undefined)
  }

  /// Without anything else to go by, it is better that it comes twice than never.
  @Test("A message that was unacknowledged when the connection ended is sent again")
  func whatWasNotConfirmedWhenTheConnectionEndedGoesOutAgain() async throws {
    try await fixture.settleIn()
    let known = try chat.send("1", to: bob)
    try await chat.confirm([known])
    let unknown = try chat.send("2", to: bob)
    fixture.answer = { _ in [] }
    let confirming = fixture.start { try await chat.confirm([known, unknown]) }
    await fixture.clock.settle()
    fixture.session.drop(ConnectionError(.lost, "cut"))
    await fixture.clock.settle()
    #expect(!confirming.hasEnded, "it may yet arrive")
    #expect(states == ["\(known) sent", "\(known) server", "\(unknown) sent"])

    fixture.answer = SessionFixture.manners
    try await fixture.logIn()
    try await fixture.session.settleIn(showing: nil)
    await fixture.session.catchUp()
    await fixture.clock.settle()
    let messages = fixture.sent().filter { $0.name == "message" }
    #expect(messages.map { $0.attribute("id") } == [unknown])
    #expect(messages.first?.child("delay", Delay.namespace) != nil, "it says when it was first sent")
    #expect(confirming.hasEnded && confirming.error == nil)
    #expect(states.suffix(2) == ["\(unknown) sent", "\(unknown) server"])
  }

  @Test("Where there will be no connection an unconfirmed message is reported as unsent, not as failed")
  func whatIsNotConfirmedWhenThereWillBeNoConnectionIsSaidToWait() async throws {
    try await fixture.settleIn()
    fixture.answer = { _ in [] }
    let id = try chat.send("1", to: bob)
    let confirming = fixture.start { try await chat.confirm([id]) }
    await fixture.clock.settle()
    fixture.session.drop(ConnectionError(.lost, "cut"))
    chat.giveUp(ConnectionError(.lost, "cut"))
    await fixture.clock.settle()
    #expect((confirming.error as? ConnectionError)?.code == .lost)
    #expect(chat.failure(of: id).map { "\($0)" }?.contains("bob@example.net") == true)
    #expect(!states.contains("\(id) failed"), "nobody knows")
  }

  /// Whatever ended a connection that there was: what is to be sent is for the next run, unless somebody has to do something first.
  @Test(
    "Messages that may still be sent when the session ends are reported as unsent, not as refused",
    arguments: [
      (ConnectionError.Code.conflict, ConnectionError.Code.lost), (.refused, .lost), (.unreachable, .lost),
      (.unresolved, .lost), (.timedOut, .lost), (.authentication, .authentication), (.unsafe, .unsafe),
    ])
  func whatMayStillGoIsNotRefused(_ code: ConnectionError.Code, _ told: ConnectionError.Code) async throws {
    try await fixture.settleIn()
    fixture.answer = { _ in [] }
    try chat.send("1", to: bob)
    let confirming = fixture.start { try await chat.confirm([]) }
    await fixture.clock.settle()
    fixture.session.drop(ConnectionError(code, "gone"))
    chat.giveUp(ConnectionError(code, "gone", condition: "a-condition"))
    await fixture.clock.settle()
    let error = try #require(confirming.error as? ConnectionError)
    #expect(error.code == told)
    #expect(error.condition == "a-condition")
    #expect(error.description == "gone. 1 message is still unsent.")
  }

  @Test("Without a connection messages wait and go out in order") func withoutAConnectionMessagesWait() async throws {
    let ids = try ["1", "2"].map { try chat.send($0, to: bob) }
    await fixture.clock.settle()
    #expect(states == ids.map { "\($0) waiting" })
    #expect(chat.sending(to: bob) == .waits)
    try await fixture.logIn()
    try await fixture.session.settleIn(showing: nil)
    try await chat.confirm(ids)
    let messages = fixture.sent().filter { $0.name == "message" }
    #expect(messages.map { $0.attribute("id") } == ids)
    #expect(states.suffix(2) == ids.map { "\($0) server" })
  }

  @Test("A message that waits can be withdrawn, one that is on its way cannot")
  func aMessageThatWaitsCanBeTakenBack() async throws {
    let ids = try ["1", "2", "3"].map { try chat.send($0, to: bob) }
    #expect(try chat.withdraw(ids[1]) == .withdrawn(to: bob))
    try await fixture.logIn()
    try await fixture.session.settleIn(showing: nil)
    try await chat.confirm([ids[0], ids[2]])
    #expect(fixture.sent().filter { $0.name == "message" }.map { $0.attribute("id") } == [ids[0], ids[2]])
    #expect(states.contains("\(ids[1]) failed"))
    #expect(try chat.withdraw(ids[1]) == nil)
    #expect(try chat.withdraw(ids[0]) == nil, "the server has it")
    fixture.answer = { _ in [] }
    let late = try chat.send("4", to: bob)
    #expect(try chat.withdraw(late) == .isOnItsWay(to: bob))
  }

  /// RFC 6120 4.9.3.14 and the like: else every stream from now on would end.
  @Test("A message that ends the stream twice is given up")
  func aMessageThatEndsTheStreamTwiceIsGivenUp() async throws {
    try await fixture.settleIn(showing: nil)
    let bad = try chat.send("too long", to: bob)
    let good = try chat.send("fine", to: bob)
    for _ in 0..<2 {
      fixture.answer = { _ in [] }
      await fixture.clock.settle()
      await fixture.receive(
        "<stream:error><policy-violation xmlns='urn:ietf:params:xml:ns:xmpp-streams'/></stream:error></stream:stream>")
      fixture.answer = SessionFixture.manners
      try await fixture.logIn()
      try await fixture.session.settleIn(showing: nil)
      await fixture.session.catchUp()
      await fixture.clock.settle()
    }
    #expect(states.filter { $0.hasPrefix(bad) }.last == "\(bad) failed")
    try await chat.confirm([good])
    #expect(Set(fixture.sent().filter { $0.name == "message" }.map { $0.attribute("id") }) == [good])
  }

  nonisolated private static let violation =
    "<stream:error><policy-violation xmlns='urn:ietf:params:xml:ns:xmpp-streams'/></stream:error></stream:stream>"

  /// Servers give up a stream that they have ended so, which is heard at the next log-in.
  @Test(
    "of counted streams that end twice, what the server ends over is given up, and nothing for what it sent itself",
    arguments: [
      (ChatTests.violation, true), ("<message></presence>", false),
      // ejabberd's word where it has sent more than it keeps until that is acknowledged.
      (
        String(repeating: "<presence from='bob@example.net/x'/>", count: 500)
          + ChatTests.violation, false
      ),
    ])
  func whatEndsStreamsThatAreCounted(_ end: String, _ isOurs: Bool) async throws {
    let rig = try ResumptionRig()
    try await rig.start()
    (rig.streams.holds, rig.streams.rememberedCount, rig.streams.answersQuestions) = (false, false, false)
    let bad = try rig.chat.send("too long", to: rig.bob)
    let good = try rig.chat.send("fine", to: rig.bob)
    await rig.fixture.clock.settle()
    for isLast in [false, true] {
      #expect(!rig.states.contains("\(bad) failed"))
      await rig.fixture.receive(end)
      #expect(rig.live.state == .retrying)
      rig.streams.answersQuestions = isLast
      for _ in 0..<64 where rig.live.state != .online { await rig.fixture.clock.elapse(.seconds(1)) }
      await rig.fixture.clock.settle()
    }
    #expect(rig.states.contains("\(bad) failed") == isOurs)
    #expect(!rig.states.contains("\(good) failed"))
    if isOurs { #expect(rig.states.contains("\(good) server")) }
  }

  @Test("A text that XML cannot carry is refused and does not end the stream")
  func whatXMLCannotCarryIsRefusedAndCostsNothing() async throws {
    try await fixture.settleIn()
    #expect(throws: XMLWriteError.self) { try chat.send("\u{1}", to: bob) }
    #expect(fixture.events(MessageStateChanged.self).isEmpty)
    try await chat.confirm([try chat.send("good", to: bob)])
    #expect(fixture.sent().map(\.name) == ["message", "iq"])
  }

  // MARK: Theirs

  @Test("A message is reported as it arrived") func aMessageIsToldAsItArrived() async throws {
    try await fixture.settleIn()
    await fixture.receive(
      "<message type='chat' id='m1' from='bob@example.net/x' to='alice@example.org/here'><body> hi\n&lt;b&gt;\u{9b} </body>"
        + "</message>")
    #expect(
      fixture.events(MessageArrived.self) == [
        MessageArrived(
          id: "m1", from: try JID("bob@example.net/x"), to: try JID("alice@example.org/here"), kind: .chat,
          body: " hi\n<b>\u{9b} ")
      ])
    #expect(fixture.sent().isEmpty)
  }

  @Test("A message of each of these types is displayed", arguments: ["normal", "chat", "headline"])
  func theseKindsAreShown(_ kind: String) async throws {
    try await fixture.settleIn()
    await fixture.receive("<message type='\(kind)' from='bob@example.net/x'><body>x</body></message>")
    #expect(fixture.events(MessageArrived.self).map(\.kind.rawValue) == [kind])
  }

  /// Errors, messages without text or of rooms never entered, and a copy that a stranger makes (XEP-0280).
  @Test(
    "A message of these types, or without a body, is not displayed",
    arguments: [
      "<message type='groupchat' from='room@rooms.example.org/boss'><body>x</body></message>",
      "<message type='error' from='bob@example.net'><body>x</body></message>",
      "<message from='bob@example.net'/>",
      "<message from='mallory@example.net'><received xmlns='urn:xmpp:carbons:2'><forwarded xmlns='urn:xmpp:forward:0'>"
        + "<message xmlns='jabber:client' from='bob@example.net'><body>x</body></message></forwarded></received></message>",
    ])
  func theseAreNotShown(_ stanza: String) async throws {
    try await fixture.settleIn()
    await fixture.receive(stanza)
    #expect(fixture.events(MessageArrived.self).isEmpty)
    #expect(fixture.sent().isEmpty)
  }

  @Test("A message that the user sends to themselves arrives") func aNoteToOneselfArrives() async throws {
    try await fixture.settleIn()
    for from in ["alice@example.org", "alice@example.org/phone", "alice@example.org/here", "example.org"] {
      await fixture.receive("<message from='\(from)'><body>x</body></message>")
    }
    #expect(fixture.events(MessageArrived.self).count == 4)
  }

  /// A flood of messages.
  @Test("Ten thousand messages arrive in their order") func tenThousandMessagesArriveInTheirOrder() async throws {
    try await fixture.settleIn()
    var flood = ""
    for number in 0..<10_000 { flood += "<message from='bob@example.net/x'><body>\(number)</body></message>" }
    await fixture.receive(flood + "<iq type='get' id='p'><ping xmlns='urn:xmpp:ping'/></iq>")
    #expect(fixture.events(MessageArrived.self).map(\.body) == (0..<10_000).map { "\($0)" })
    #expect(fixture.sent().map { $0.attribute("id") } == ["p"])
  }
}
