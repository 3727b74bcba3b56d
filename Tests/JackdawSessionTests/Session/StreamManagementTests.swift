// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession
import JackdawXML
import Support
import Testing

/// Acknowledgements of a stream that stands (XEP-0198 4).
@Client @Suite(.onLoop) struct StreamManagementTests {
  @Test("Stream management is enabled before anything else is sent")
  func countingBeginsBeforeAnythingElseIsSent() async throws {
    let rig = try ResumptionRig()
    try await rig.rig.start()
    #expect(rig.fixture.sent().map(\.name).prefix(2) == ["enable", "iq"])
  }

  /// It has nothing to lose before.
  @Test("A one-shot session enables stream management with its first message, not before")
  func aSingleCommandIsCountedFromItsFirstMessageOn() async throws {
    let rig = try ResumptionRig(.oneShot)
    try await rig.rig.start()
    #expect(rig.fixture.sent().isEmpty)
    for body in ["one", "two"] {
      try rig.chat.send(body, to: rig.bob)
      await rig.fixture.clock.settle()
    }
    #expect(rig.fixture.sent().map(\.name) == ["enable", "message", "r", "message", "r"])
  }

  /// What it wants to know does not wait for the server to begin to count.
  @Test("A one-shot session waits for one round trip") func aSingleCommandWaitsForOneRoundTrip() async throws {
    let rig = try ResumptionRig(.oneShot)
    rig.fixture.edit = { .says($1.replacing(/<enabled[^>]*>/, with: "")) }
    try await rig.rig.start()
    let id = try rig.chat.send("one", to: rig.bob)
    try await rig.chat.confirm([id])
    #expect(rig.fixture.sent().map(\.name) == ["enable", "message", "iq"])
  }

  @Test("A message is acknowledged without waiting") func aMessageIsAcknowledgedWithoutWaiting() async throws {
    let rig = try ResumptionRig()
    try await rig.start()
    let id = try rig.chat.send("one", to: rig.bob)
    await rig.fixture.clock.settle()
    #expect(rig.fixture.sent().map(\.name) == ["message", "r"])
    #expect(rig.states == ["\(id) sent", "\(id) server"])
    // Nothing more is to be asked.
    await rig.fixture.clock.elapse(.seconds(50))
    #expect(rig.fixture.sent().isEmpty)
  }

  @Test("A thousand messages of one turn request an acknowledgement for each hundred")
  func aThousandMessagesOfOneTurnAreAQuestionEachHundred() async throws {
    let rig = try ResumptionRig()
    try await rig.start()
    for number in 0..<1_000 { try rig.chat.send("\(number)", to: rig.bob) }
    await rig.fixture.clock.settle()
    // What the log-in sent counts, too.
    #expect((10...11).contains(rig.streams.questions))
    #expect(rig.states.count(where: { $0.hasSuffix(" server") }) == 1_000)
  }

  @Test("Long messages of one turn request an acknowledgement for each 64 kilobytes")
  func longMessagesOfOneTurnAreAQuestionEach64Kilobytes() async throws {
    let rig = try ResumptionRig()
    try await rig.start()
    // Seven of them are that much.
    for _ in 0..<70 { try rig.chat.send(String(repeating: "x", count: 10_000), to: rig.bob) }
    await rig.fixture.clock.settle()
    #expect((10...11).contains(rig.streams.questions), "\(rig.streams.questions)")
    #expect(rig.states.count(where: { $0.hasSuffix(" server") }) == 70)
  }

  /// One that takes ten seconds for a hundred messages takes three times as long for all of them as an answer may take.
  @Test("A slow server that makes progress is waited for") func aSlowServerThatGoesOnIsWaitedFor() async throws {
    let rig = try ResumptionRig()
    try await rig.start()
    let before = rig.streams.handled
    rig.streams.answersQuestions = false
    let ids = try (0..<1_000).map { try rig.chat.send("\($0)", to: rig.bob) }
    let confirmed = rig.fixture.start { try await rig.chat.confirm(ids) }
    for hundred in 1...9 {
      await rig.fixture.clock.elapse(.seconds(10))
      await rig.fixture.receive("<a xmlns='urn:xmpp:sm:3' h='\(before + UInt32(hundred) * 100)'/>")
    }
    #expect(!confirmed.hasEnded && rig.live.state == .online, "\(String(describing: confirmed.error)) \(before)")
    await rig.fixture.clock.elapse(.seconds(29))
    #expect(!confirmed.hasEnded)
    await rig.fixture.clock.elapse(.seconds(1))
    #expect((confirmed.error as? RequestError)?.description.hasPrefix("100 messages are still unsent") == true)
  }

  /// What a script asked behind a thousand lines had no answer in time, though the server went on with them.
  @Test("The timeout of a wait behind many messages begins once the server has most of them")
  func aRequestBehindManyMessagesHasItsTimeOnceTheServerHasMostOfThem() async throws {
    let rig = try ResumptionRig()
    try await rig.start()
    let before = rig.streams.handled
    rig.streams.answersQuestions = false
    for number in 0..<300 { try rig.chat.send("\(number)", to: rig.bob) }
    try await rig.chat.letGo()
    let waiting = rig.fixture.start { try await rig.chat.waitForServer(within: .seconds(10)) }
    await rig.fixture.clock.elapse(.seconds(8))
    await rig.fixture.receive("<a xmlns='urn:xmpp:sm:3' h='\(before + 100)'/>")
    await rig.fixture.clock.elapse(.seconds(8))
    #expect(!waiting.hasEnded)
    await rig.fixture.receive("<a xmlns='urn:xmpp:sm:3' h='\(before + 200)'/>")
    #expect(waiting.hasEnded && waiting.error == nil)
    // Few are in nobody's way.
    try await rig.chat.waitForServer(within: .seconds(10))
    // Where the server takes none, whoever asks is to hear of it.
    for number in 300..<400 { try rig.chat.send("\(number)", to: rig.bob) }
    try await rig.chat.letGo()
    let stuck = rig.fixture.start { try await rig.chat.waitForServer(within: .seconds(10)) }
    await rig.fixture.clock.elapse(.seconds(9))
    #expect(!stuck.hasEnded)
    await rig.fixture.clock.elapse(.seconds(1))
    #expect(stuck.hasEnded && stuck.error == nil)
  }

  @Test("No acknowledgement is requested while one is outstanding")
  func noQuestionIsAskedWhileOneIsOpen() async throws {
    let rig = try ResumptionRig()
    try await rig.start()
    rig.streams.answersQuestions = false
    for number in 0..<10 {
      try rig.chat.send("\(number)", to: rig.bob)
      await rig.fixture.clock.settle()
    }
    #expect(rig.streams.questions == 1)
    rig.streams.answersQuestions = true
    await rig.fixture.receive("<a xmlns='urn:xmpp:sm:3' h='\(rig.streams.handled - 9)'/>")
    // The rest is asked about once.
    #expect(rig.streams.questions == 2)
    #expect(rig.states.count(where: { $0.hasSuffix(" server") }) == 10)
  }

  @Test("A confirmation is an acknowledgement, without a ping")
  func aConfirmationIsAnAcknowledgementAndNoPing() async throws {
    let rig = try ResumptionRig()
    try await rig.start()
    let id = try rig.chat.send("one", to: rig.bob)
    try await rig.chat.confirm([id])
    await rig.fixture.clock.settle()
    #expect(rig.fixture.sent().map(\.name) == ["message", "r"])
  }

  @Test("A confirmation that does not come times out") func aConfirmationThatDoesNotComeEnds() async throws {
    let rig = try ResumptionRig()
    try await rig.start()
    rig.streams.answersQuestions = false
    let confirmed = rig.fixture.start { try await rig.fixture.session.confirm(within: .seconds(5)) }
    await rig.fixture.clock.elapse(.seconds(5))
    #expect((confirmed.error as? RequestError)?.code == .timedOut)
  }

  @Test("The server's request is answered with the number of handled stanzas")
  func theServersQuestionIsAnsweredWithWhatWasHandled() async throws {
    let rig = try ResumptionRig()
    try await rig.start()
    _ = rig.streams.clientsCount
    // The answer to the roster request came after <enabled/>.
    await rig.fixture.receive("<r xmlns='urn:xmpp:sm:3'/>")
    let before = try #require(rig.streams.clientsCount.flatMap { Int($0) })
    await rig.fixture.receive(
      "<message from='bob@example.org'><body>one</body></message><presence from='bob@example.org/x'/>"
        + "<iq type='get' id='q' from='bob@example.org'><frob xmlns='urn:frob'/></iq><message type='frob'/>"
        + "<r xmlns='urn:xmpp:sm:3'/>")
    #expect(rig.streams.clientsCount == String(before + 4))
  }

  @Test("The liveness check is an acknowledgement request") func theHeartbeatIsAQuestion() async throws {
    let rig = try ResumptionRig()
    try await rig.start()
    await rig.fixture.clock.elapse(.seconds(60))
    #expect(rig.fixture.sent().map(\.name) == ["r"])
    await rig.fixture.clock.elapse(.seconds(30))
    #expect(rig.live.state == .online)
    rig.streams.answersQuestions = false
    await rig.fixture.clock.elapse(.seconds(30 + 15))
    #expect(rig.live.state == .retrying)
  }

  @Test(
    "A server that counts wrongly gets a stream error and is disconnected",
    arguments: ["7000", "-1", "", "99999999999"])
  func aServerThatCountsWrongIsToldAndLeft(_ lie: String) async throws {
    let rig = try ResumptionRig()
    try await rig.start()
    rig.streams.lie = lie
    let id = try rig.chat.send("one", to: rig.bob)
    await rig.fixture.clock.settle()
    #expect(rig.live.state == .retrying)
    #expect(rig.states == ["\(id) sent"], "what became of it is open")
    #expect(rig.fixture.connector.records[0].text.contains("<undefined-condition"))
    // Nothing of that stream goes on.
    rig.streams.lie = nil
    await rig.comeBack()
    #expect(rig.live.state == .online)
    #expect(!rig.fixture.connector.records[1].text.contains("<resume"))
    #expect(rig.states.last == "\(id) server")
  }

  @Test("A server that refuses stream management is pinged") func aServerThatRefusesToCountIsPinged() async throws {
    let rig = try LiveRig()
    rig.fixture.script.moreFeatures = "<sm xmlns='urn:xmpp:sm:3'/>"
    let polite = rig.fixture.answer
    rig.fixture.answer = { element in
      guard element.name == "enable" else { return polite(element) }
      return [
        Element("failed", "urn:xmpp:sm:3", [Element("feature-not-implemented", "urn:ietf:params:xml:ns:xmpp-stanzas")])
      ]
    }
    try await rig.start()
    _ = rig.fixture.sent()
    let chat = rig.fixture.session.delivery
    let id = try chat.send("one", to: try JID("bob@example.org"))
    try await chat.confirm([id])
    #expect(rig.fixture.sent().map { $0.firstChild?.name } == ["body", "ping"])
    #expect(rig.fixture.remarks.contains { $0.contains("does not count") })
  }

  /// It stands behind what others of the session have sent.
  @Test("A slow server gets more time for a message behind others")
  func aSlowServerGetsItsTimeForWhatStandsBehindOthers() async throws {
    let rig = try ResumptionRig()
    try await rig.start()
    // What it has is said by each of its answers to come.
    rig.streams.answersQuestions = false
    let ids = try (1...4).map { try rig.chat.send("\($0)", to: rig.bob) }
    let last = try #require(ids.last)
    let confirming = rig.fixture.start { try await rig.chat.confirm([last], within: .seconds(10)) }
    let after = try rig.chat.send("5", to: rig.bob)
    for count in 1...3 {
      await rig.fixture.clock.elapse(.seconds(8))
      #expect(!confirming.hasEnded, "\(count)")
      await rig.fixture.receive("<a xmlns='urn:xmpp:sm:3' h='\(Int(rig.streams.handled) - 5 + count)'/>")
    }
    await rig.fixture.clock.elapse(.seconds(8))
    #expect(!confirming.hasEnded)
    await rig.fixture.clock.elapse(.seconds(3))
    let error = confirming.error as? RequestError
    #expect(error?.description == "1 message is still unsent: The server did not confirm it in time.")
    #expect(rig.chat.openCount == 2 && rig.states.last == "\(ids[2]) server" && last != after)
  }

  @Test("Leaving acknowledges what was received") func whoLeavesSaysHowMuchItHas() async throws {
    let rig = try ResumptionRig()
    try await rig.start()
    let leaving = rig.fixture.start { await rig.live.leave() }
    await rig.fixture.clock.settle()
    #expect(leaving.hasEnded)
    #expect(rig.streams.clientsCount != nil)
    #expect(rig.fixture.connector.records[0].text.hasSuffix("'/></stream:stream>"))
  }
}
