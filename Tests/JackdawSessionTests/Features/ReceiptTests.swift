// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawStore
import JackdawXML
import Support
import Testing

@testable import JackdawSession

/// Receipts, displayed markers and chat states: a session with its log, against a scripted server.
@Client @Suite("What people tell of messages", .onLoop) struct ReceiptTests {
  private let store = AccountStore.inMemory()

  private func started(_ discloses: Set<Disclosure> = Set(Disclosure.allCases)) async throws -> SessionFixture {
    try store.messages.keepArchiveCursor(ArchiveCursor.beginning)
    let fixture = try SessionFixture(
      role: .script(Presence()),
      stores: SessionStores(messages: store.messages, log: store.log, readMarks: store.readMarks),
      discloses: discloses,
      features: SessionFixture.core + [MessageCarbons.self, DeliveryReceipts.self, ChatMarkers.self, ChatStates.self])
    let manners = fixture.answer
    fixture.answer = { element in
      guard let iq = try? IQ(element), iq.payload?.matches("query", Namespace.roster) == true, iq.kind == .get else {
        return manners(element)
      }
      let list = try? Element(
        parsing: "<query xmlns='jabber:iq:roster'><item jid='bob@example.org' subscription='both'/></query>")
      return [iq.result(list).element]
    }
    try await fixture.settleIn()
    return fixture
  }

  private func message(
    _ id: String, _ content: String, from sender: String = "bob@example.org/phone", type: String = "chat"
  ) -> String {
    "<message from='\(sender)' to='alice@example.org/here' id='\(id)' type='\(type)'>\(content)</message>"
  }

  private static let request = "<request xmlns='urn:xmpp:receipts'/>"
  private static let markable = "<markable xmlns='urn:xmpp:chat-markers:0'/>"

  private func receipt(_ id: String) -> String { "<received xmlns='urn:xmpp:receipts' id='\(id)'/>" }
  private func displayed(_ id: String) -> String { "<displayed xmlns='urn:xmpp:chat-markers:0' id='\(id)'/>" }
  private func state(_ name: String) -> String { "<\(name) xmlns='http://jabber.org/protocol/chatstates'/>" }

  /// What was told others, each as its address and what it is.
  private func told(_ fixture: SessionFixture) async -> [String] {
    await fixture.clock.settle()
    return fixture.sent().compactMap { try? Message($0) }.flatMap { message in
      message.payloads.filter {
        [DeliveryReceipts.namespace, ChatMarkers.namespace, ChatStates.namespace].contains($0.namespace)
      }
      .map { "\($0.name)\($0.attribute("id").map { " \($0)" } ?? "") to \(message.to?.description ?? "")" }
    }
  }

  /// The states that messages of ours were told to be in beyond the server's, in order.
  private func states(_ fixture: SessionFixture) -> [String] {
    fixture.events(MessageStateChanged.self).filter { [.delivered, .displayed].contains($0.state) }
      .map { "\($0.id) \($0.state.name)" }
  }

  private func send(_ text: String, to: String = "bob@example.org", _ fixture: SessionFixture) async throws -> String {
    let id = try fixture.session.delivery.send(text, to: JID(to))
    await fixture.clock.settle()
    try await fixture.session.delivery.confirm([id])
    return id
  }

  @Test("a receipt is sent to a contact who asks, once, and to nobody for what asks for none")
  func receiptIsSent() async throws {
    let fixture = try await started()
    await fixture.receive(message("m1", "<body>hi</body>" + Self.request))
    await fixture.receive(message("m2", "<body>hi</body>"))
    await fixture.receive(message("m3", Self.request))
    #expect(await told(fixture) == ["received m1 to bob@example.org/phone"])
  }

  @Test("a stranger gets no receipt before one has written to them")
  func strangersReceipt() async throws {
    let fixture = try await started()
    await fixture.receive(message("m1", "<body>hi</body>" + Self.request, from: "eve@example.net/x"))
    #expect(await told(fixture) == [])
    _ = try await send("yes?", to: "eve@example.net", fixture)
    _ = fixture.sent()
    await fixture.receive(message("m2", "<body>hi</body>" + Self.request, from: "eve@example.net/x"))
    #expect(await told(fixture) == ["received m2 to eve@example.net/x"])
  }

  @Test("what is switched off is neither asked nor told, for all or for one")
  func switchedOff() async throws {
    let fixture = try await started([.typing])
    await fixture.receive(message("m1", "<body>hi</body>" + Self.request + Self.markable + state("active")))
    try store.log.markRead(JID("bob@example.org"), through: 1)
    await fixture.clock.elapse(.seconds(2))
    fixture.session.features[ChatStates.self].typed(to: try JID("bob@example.org"))
    #expect(await told(fixture) == ["composing to bob@example.org"])
    try store.log.privacy.disclose(.typing, to: JID("bob@example.org"), false)
    try store.log.privacy.disclose(.receipts, to: JID("bob@example.org"), true)
    fixture.session.features[ChatStates.self].typed(to: nil)
    _ = await told(fixture)
    _ = try await send("hello", fixture)
    #expect(await told(fixture) == ["request to bob@example.org"])
  }

  @Test("what was sent asks for both, and is told to be delivered and displayed, once each")
  func statesOfOurs() async throws {
    let fixture = try await started()
    let id = try await send("hello", fixture)
    #expect(
      await told(fixture) == ["request to bob@example.org", "markable to bob@example.org", "active to bob@example.org"])
    for content in [receipt(id), receipt(id), displayed(id), displayed(id), receipt(id)] {
      await fixture.receive(message("r", content))
    }
    #expect(states(fixture) == ["\(id) delivered", "\(id) displayed"])
    #expect(try store.log.page(LogQuery(), after: nil).messages.map(\.state) == [.displayed])
  }

  /// A prompt of the account gets copies of what they tell, and may be the first to note it in the store that both share.
  @Test("what they tell of ours is told here, once, also where another program has noted it before")
  func notedElsewhere() async throws {
    let fixture = try await started()
    let first = try await send("one", fixture)
    let second = try await send("two", fixture)
    await fixture.clock.settle()
    let bob = try JID("bob@example.org")
    let log: any MessageStore = store.messages
    #expect(try log.advance(second, with: bob, to: .delivered)?.isNoted == true)
    #expect(try log.advance(second, with: bob, to: .displayed)?.isNoted == true)
    for content in [receipt(second), receipt(second), displayed(second), displayed(second), displayed(first)] {
      await fixture.receive(message("r", content))
    }
    #expect(states(fixture) == ["\(second) delivered", "\(second) displayed"])
  }

  @Test("a message that they have read is not told to have been delivered afterwards, and one before it is")
  func deliveredAfterDisplayed() async throws {
    let fixture = try await started()
    let first = try await send("one", fixture)
    let second = try await send("two", fixture)
    for content in [displayed(second), receipt(second), receipt(first)] {
      await fixture.receive(message("r", content))
    }
    #expect(states(fixture) == ["\(second) displayed", "\(first) delivered"])
    #expect(try store.log.page(LogQuery(), after: nil).messages.map(\.state) == [.displayed, .displayed])
  }

  /// Programs that share a store each hear on their own stream what others tell, in any order among each other.
  @Test(
    "what they tell of a message of another program is told here once, whichever of both hears it first",
    arguments: [false, true], [false, true])
  func sentByAnotherProgram(otherHearsFirst: Bool, otherHasNoted: Bool) async throws {
    let fixture = try await started()
    let bob = try JID("bob@example.org")
    let log: any MessageStore = store.messages
    let text = OutgoingMessage(id: "x1", to: bob, body: "hello", time: Timestamp(milliseconds: 1_000))
    let numbers = try log.keep([OutboxRecord(text, state: .sent)], from: JID("alice@example.org"))
    if otherHasNoted { try log.settle([MessageOutcome(number: numbers[0], id: "x1", state: .server)]) }
    for (content, state) in [(receipt("x1"), DeliveryState.delivered), (displayed("x1"), .displayed)] {
      if otherHearsFirst { _ = try log.advance("x1", with: bob, to: state) }
      await fixture.receive(message("r", content) + message("r", content))
    }
    await fixture.receive(message("r", receipt("x1")))
    #expect(states(fixture) == ["x1 delivered", "x1 displayed"])
  }

  @Test("what was kept for later of a message of another program is told where no program has noted it")
  func keptReports() async throws {
    let fixture = try await started()
    let bob = try JID("bob@example.org")
    let log: any MessageStore = store.messages
    for id in ["x1", "x2"] {
      let text = OutgoingMessage(id: id, to: bob, body: "hello", time: Timestamp(milliseconds: 1_000))
      let numbers = try log.keep([OutboxRecord(text, state: .sent)], from: JID("alice@example.org"))
      try log.settle([MessageOutcome(number: numbers[0], id: id, state: .server)])
    }
    #expect(try log.advance("x1", with: bob, to: .delivered)?.isNoted == true)
    for id in ["x1", "x2"] { fixture.session.delivery.heard(of: id, from: bob, .delivered, .kept) }
    #expect(states(fixture) == ["x2 delivered"])
  }

  @Test("of what was never sent, or was sent to others, nobody can tell anything")
  func forged() async throws {
    let fixture = try await started()
    let id = try await send("hello", fixture)
    await fixture.receive(message("r", receipt(id) + displayed(id), from: "eve@example.net/x"))
    await fixture.receive(message("r", receipt("unknown") + displayed("unknown")))
    await fixture.receive(message("r", "<received xmlns='urn:xmpp:receipts'/>"))
    await fixture.receive(message("r", receipt(String(repeating: "x", count: 100_000))))
    #expect(states(fixture) == [])
  }

  @Test("who has read a message has read those before it")
  func displayedUpTo() async throws {
    let fixture = try await started()
    _ = try await send("one", fixture)
    let second = try await send("two", fixture)
    _ = try await send("three", fixture)
    await fixture.receive(message("r", displayed(second)))
    #expect(states(fixture) == ["\(second) displayed"])
    #expect(
      try store.log.page(LogQuery(), after: nil).messages.map(\.state) == [.displayed, .displayed, .server])
  }

  @Test("what was read is told, the last message alone, and once")
  func markerIsSent() async throws {
    let fixture = try await started()
    for id in ["m1", "m2", "m3"] { await fixture.receive(message(id, "<body>hi</body>" + Self.markable)) }
    await fixture.receive(message("m4", "<body>hi</body>"))
    #expect(await told(fixture) == [])
    let bob = try JID("bob@example.org")
    try store.log.markRead(bob, through: 1)
    try store.log.markRead(bob, through: 2)
    await fixture.clock.elapse(.seconds(2))
    #expect(await told(fixture) == ["displayed m2 to bob@example.org/phone"])
    try store.log.markRead(bob, through: 4)
    await fixture.clock.elapse(.seconds(2))
    #expect(await told(fixture) == ["displayed m3 to bob@example.org/phone"])
    try store.log.markRead(bob, through: 4)
    await fixture.clock.elapse(.seconds(60))
    #expect(await told(fixture) == [])
  }

  @Test("a stranger is not told that they were read, and not later either")
  func strangersMarker() async throws {
    let fixture = try await started()
    await fixture.receive(message("m1", "<body>hi</body>" + Self.markable, from: "eve@example.net/x"))
    let eve = try JID("eve@example.net")
    try store.log.markRead(eve, through: 1)
    await fixture.clock.elapse(.seconds(2))
    _ = try await send("yes?", to: "eve@example.net", fixture)
    _ = fixture.sent()
    try store.log.markRead(eve, through: 2)
    await fixture.clock.elapse(.seconds(2))
    #expect(await told(fixture) == [])
  }

  @Test("what was read without a connection is told when there is one")
  func readOffline() async throws {
    let fixture = try await started()
    await fixture.receive(message("m1", "<body>hi</body>" + Self.markable))
    fixture.connector.transport?.peerEnds(FakeConnector.brokenLine)
    await fixture.clock.settle()
    try store.log.markRead(JID("bob@example.org"), through: 1)
    await fixture.clock.elapse(.seconds(2))
    try await fixture.settleIn()
    await fixture.clock.elapse(.seconds(2))
    #expect(try store.log.privacy.unsentMarkers(limit: 10) == [])
  }

  /// What another device of the account has sent to Bob.
  private func carbon(_ content: String, from sender: String = "alice@example.org") -> String {
    "<message from='\(sender)' to='alice@example.org/here'><sent xmlns='urn:xmpp:carbons:2'>"
      + "<forwarded xmlns='urn:xmpp:forward:0'><message xmlns='jabber:client' from='alice@example.org/phone' "
      + "to='bob@example.org' type='chat'>\(content)</message></forwarded></sent></message>"
  }

  @Test("what another device of ours told them to be read is read here, and they are not told again")
  func readElsewhere() async throws {
    let fixture = try await started()
    for id in ["m1", "m2"] { await fixture.receive(message(id, "<body>hi</body>" + Self.markable)) }
    await fixture.receive(carbon(displayed("m2"), from: "mallory@example.org"))
    #expect(try store.log.unread().messages == 2)
    await fixture.receive(carbon(displayed("m1")))
    #expect(try store.log.unread().messages == 1)
    await fixture.clock.elapse(.seconds(60))
    #expect(await told(fixture) == [])
  }

  /// A page of the archive has a message together with the marker of the device that read it, and is kept as a whole.
  @Test(
    "what another device of ours has read is read here too where the marker is known before the message is in the log")
  func readElsewhereBefore() async throws {
    let fixture = try await started()
    await fixture.receive(carbon(displayed("m2")))
    for id in ["m1", "m2"] { await fixture.receive(message(id, "<body>hi</body>" + Self.markable)) }
    #expect(try store.log.unread().messages == 0)
    await fixture.receive(message("m3", "<body>hi</body>" + Self.markable))
    #expect(try store.log.unread().messages == 1)
    await fixture.clock.elapse(.seconds(60))
    #expect(await told(fixture).filter { $0.hasPrefix("displayed") } == [])
  }

  // MARK: Typing

  private func typing(_ fixture: SessionFixture) -> [String] {
    fixture.events(TypingChanged.self).map { "\($0.state) \($0.from)" }
  }

  @Test("somebody types until they stop, write, go, or have said nothing more for half a minute")
  func typingEnds() async throws {
    let fixture = try await started()
    let bob = "bob@example.org/phone"
    for end in [
      message("m", state("paused")), message("m", "<body>hi</body>" + state("active")), message("m", "<body>hi</body>"),
      message("m", "<body>hi</body>" + state("composing")), "<presence from='\(bob)' type='unavailable'/>", "",
    ] {
      await fixture.receive(message("m", state("composing")))
      await fixture.receive(message("m", state("composing")))
      #expect(fixture.session.features[ChatStates.self].typists(in: try JID("bob@example.org")).count == 1)
      if end.isEmpty { await fixture.clock.elapse(.seconds(30)) } else { await fixture.receive(end) }
      #expect(fixture.session.features[ChatStates.self].typists(in: try JID("bob@example.org")).isEmpty)
    }
    let ends = ["paused", "active", "active", "active", "gone", "paused"]
    #expect(typing(fixture) == ends.flatMap { ["composing \(bob)", "\($0) \(bob)"] })
  }

  @Test("a message that says that its sender types ends their typing, and is not told as typing")
  func typingEndsWithAMessage() async throws {
    let fixture = try await started()
    await fixture.receive(message("m1", state("composing")))
    await fixture.receive(message("m2", "<body>hi</body>" + state("composing")))
    #expect(typing(fixture) == ["composing bob@example.org/phone", "active bob@example.org/phone"])
  }

  @Test("that strangers type, and what is said of earlier times, is not told")
  func typingOfNobody() async throws {
    let fixture = try await started()
    await fixture.receive(message("m", state("composing"), from: "eve@example.net/x"))
    await fixture.receive(
      message(
        "m", state("composing") + "<delay xmlns='urn:xmpp:delay' stamp='2020-01-01T00:00:00Z' from='example.org'/>"))
    await fixture.receive(message("m", state("composing"), type: "groupchat"))
    #expect(typing(fixture) == [])
  }

  @Test("a thousand devices that type take no more room than some do")
  func typingFlood() async throws {
    let fixture = try await started()
    for number in 0..<1_000 {
      await fixture.receive(message("m", state("composing"), from: "bob@example.org/\(number)"))
    }
    #expect(typing(fixture).count == FeatureLimits.typists)
  }

  @Test("that one types is told to those who understand it, when one begins, pauses, and goes elsewhere")
  func typingIsTold() async throws {
    let fixture = try await started()
    let (states, bob) = (fixture.session.features[ChatStates.self], try JID("bob@example.org"))
    states.typed(to: bob)
    #expect(await told(fixture) == [], "nobody knows whether they understand it")
    await fixture.receive(message("m", "<body>hi</body>" + state("active")))
    for _ in 0..<100 { states.typed(to: bob) }
    #expect(await told(fixture) == ["composing to bob@example.org"])
    await fixture.clock.elapse(.seconds(60))
    #expect(await told(fixture) == ["paused to bob@example.org"])
    states.typed(to: bob)
    states.typed(to: nil)
    #expect(await told(fixture) == ["composing to bob@example.org", "active to bob@example.org"])
    states.typed(to: bob)
    _ = await told(fixture)
    _ = try await send("hello", fixture)
    states.typed(to: nil)
    #expect(
      await told(fixture).filter { !$0.hasPrefix("request") && !$0.hasPrefix("mark") } == ["active to bob@example.org"])
  }

  @Test("that a contact's client understands it is known, however many strangers' did before")
  func knownAmongStrangers() async throws {
    let fixture = try await started()
    for number in 0...FeatureLimits.typists {
      await fixture.receive(message("m", "<body>hi</body>" + state("active"), from: "eve\(number)@example.net/x"))
    }
    await fixture.receive(message("m", "<body>hi</body>" + state("active")))
    _ = await told(fixture)
    fixture.session.features[ChatStates.self].typed(to: try JID("bob@example.org"))
    #expect(await told(fixture) == ["composing to bob@example.org"])
  }
}
