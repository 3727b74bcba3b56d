// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawStore
import JackdawTransport
import JackdawXML
import Support
import Testing

@testable import JackdawSession

/// A stream that is cut and goes on (XEP-0198 5), or does not.
@Client @Suite(.onLoop) struct ResumptionTests {
  @Test("a message that was lost is sent again once, with its ID")
  func whatWasLostOnTheWayIsSentAgainOnceWithItsID() async throws {
    let rig = try ResumptionRig()
    try await rig.start()
    try rig.chat.send("one", to: rig.bob)
    await rig.fixture.clock.settle()
    rig.streams.isTaking = false
    let ids = try ["two", "three"].map { try rig.chat.send($0, to: rig.bob) }
    await rig.fixture.clock.settle()
    await rig.cut()
    #expect(rig.live.state == .retrying)
    rig.streams.isTaking = true
    await rig.comeBack()
    #expect(rig.live.state == .resumed)
    #expect(rig.taken == ["one", "two", "three"])
    #expect(rig.fixture.sent().map(\.name) == ["r", "message", "message", "r"])
    #expect(rig.states.suffix(2) == ids.map { "\($0) server" })
    #expect(!rig.states.contains { $0.hasSuffix("failed") })
  }

  @Test("a message that arrived before the cut is not sent again")
  func whatArrivedBeforeTheCutIsNotSentAgain() async throws {
    let rig = try ResumptionRig()
    try await rig.start()
    rig.streams.answersQuestions = false
    let id = try rig.chat.send("one", to: rig.bob)
    await rig.fixture.clock.settle()
    await rig.cut()
    rig.streams.answersQuestions = true
    await rig.comeBack()
    #expect(rig.taken == ["one"])
    #expect(rig.states == ["\(id) sent", "\(id) server"])
    #expect(rig.fixture.sent().map(\.name) == ["r"])
  }

  @Test("a resumed session requests nothing again and keeps what it knows")
  func nothingIsAskedForAgainAndWhatIsKnownStays() async throws {
    let rig = try ResumptionRig()
    try await rig.start()
    await rig.fixture.receive("<presence from='bob@example.org/x'><show>dnd</show></presence>")
    await rig.cut()
    #expect(rig.fixture.session.phase == .interrupted)
    await rig.comeBack()
    #expect(rig.fixture.session.phase == .resumed)
    #expect(rig.fixture.sent().map(\.name) == ["r"])
    #expect(rig.fixture.session.features[PresenceBoard.self].summary(of: rig.bob) == "dnd")
    #expect(rig.rig.states == [.connecting, .online, .retrying, .connecting, .resumed])
    _ = try await rig.live.online(within: .zero)
  }

  @Test("a request that was open at the cut is answered after the resumption")
  func aRequestThatWasOpenIsAnswered() async throws {
    let rig = try ResumptionRig()
    try await rig.start()
    rig.streams.isTaking = false
    let ping = rig.fixture.start { try await rig.fixture.session.requests.roundTrip(timeout: .seconds(30)) }
    await rig.fixture.clock.settle()
    await rig.cut()
    #expect(!ping.hasEnded)
    rig.streams.isTaking = true
    await rig.comeBack()
    #expect(ping.hasEnded)
    #expect(ping.error == nil)
  }

  @Test("the resumption tells the server how many stanzas were handled")
  func theServerIsToldWhatWasHandled() async throws {
    let rig = try ResumptionRig()
    try await rig.start()
    await rig.fixture.receive("<r xmlns='urn:xmpp:sm:3'/>")
    let before = try #require(rig.streams.clientsCount.flatMap { Int($0) })
    await rig.fixture.receive("<message from='bob@example.org'><body>one</body></message>")
    await rig.cut()
    await rig.comeBack()
    #expect(rig.streams.clientsCount == String(before + 1))
  }

  @Test("a stream that the server no longer has is replaced by a new one", arguments: [true, false])
  func aStreamThatIsGoneIsReplacedByANewOne(_ remembersCount: Bool) async throws {
    let rig = try ResumptionRig()
    try await rig.start()
    rig.streams.answersQuestions = false
    let first = try rig.chat.send("one", to: rig.bob)
    await rig.fixture.clock.settle()
    rig.streams.isTaking = false
    let second = try rig.chat.send("two", to: rig.bob)
    let ping = rig.fixture.start { try await rig.fixture.session.requests.roundTrip(timeout: .seconds(30)) }
    await rig.fixture.clock.settle()
    await rig.cut()
    rig.streams.isTaking = true
    rig.streams.answersQuestions = true
    rig.streams.holds = false
    rig.streams.rememberedCount = remembersCount
    await rig.comeBack()
    #expect(rig.live.state == .online)
    // What the server says it has is not sent again; what it may have is, where nobody can say.
    #expect(
      rig.states.suffix(2)
        == (remembersCount ? ["\(second) sent", "\(second) server"] : ["\(first) server", "\(second) server"]))
    #expect((ping.error as? RequestError)?.code == .connectionGone)
    #expect(rig.fixture.sent().first?.name == "enable")
    #expect(rig.taken == (remembersCount ? ["one", "two"] : ["one", "one", "two"]))
  }

  @Test("a stream can be cut and resumed many times") func aStreamCanBeCutAndGoOnManyTimes() async throws {
    let rig = try ResumptionRig()
    try await rig.start()
    for round in 0..<20 {
      rig.streams.isTaking = round % 3 == 0
      try rig.chat.send("\(round)", to: rig.bob)
      await rig.fixture.clock.settle()
      await rig.cut()
      rig.streams.isTaking = true
      await rig.fixture.clock.elapse(.seconds(64))
      #expect(rig.live.state == .resumed)
    }
    #expect(rig.taken == (0..<20).map(String.init))
    #expect(rig.states.count(where: { $0.hasSuffix("server") }) == 20)
  }

  @Test("when the server's time for resumption is over the open request fails")
  func theServersPatienceEnds() async throws {
    let rig = try ResumptionRig()
    rig.streams.lifetime = 30
    try await rig.start()
    let id = try rig.chat.send("one", to: rig.bob)
    rig.streams.isTaking = false
    let ping = rig.fixture.start { try await rig.fixture.session.requests.roundTrip(timeout: .seconds(300)) }
    await rig.fixture.clock.settle()
    rig.fixture.connector.outcome = { _ in .fails(TransportError(.unreachable, "no address answers")) }
    await rig.cut()
    await rig.fixture.clock.elapse(.seconds(120))
    #expect(rig.fixture.session.phase == .suspended)
    #expect((ping.error as? RequestError)?.code == .connectionGone)
    #expect(rig.states.first == "\(id) sent")
  }

  @Test("no try to come back puts off the end of the server's patience")
  func patienceIsThatSinceTheCut() async throws {
    let rig = try ResumptionRig()
    rig.streams.lifetime = 300
    try await rig.start()
    rig.fixture.connector.outcome = { _ in .fails(TransportError(.unreachable, "no address answers")) }
    await rig.cut()
    await rig.fixture.clock.elapse(.seconds(299))
    #expect(rig.fixture.session.phase == .interrupted)
    await rig.fixture.clock.elapse(.seconds(2))
    #expect(rig.fixture.session.phase == .suspended)
  }

  @Test("a message that is sent again on a resumed stream says when it was first sent")
  func resentWithStamp() async throws {
    let rig = try ResumptionRig()
    try await rig.start()
    rig.streams.isTaking = false
    let id = try rig.chat.send("one", to: rig.bob)
    await rig.fixture.clock.settle()
    await rig.cut()
    rig.streams.isTaking = true
    await rig.comeBack()
    let again = try #require(rig.streams.taken.last)
    #expect(again.attribute("id") == id)
    #expect(again.child("delay", "urn:xmpp:delay")?.attribute("stamp") == rig.fixture.date.description)
  }

  @Test("a connection that is closed below the stream is a cut")
  func aConnectionThatIsClosedBelowTheStreamIsACut() async throws {
    let rig = try ResumptionRig()
    try await rig.start()
    rig.fixture.connector.transport?.peerEnds(nil)
    await rig.comeBack()
    #expect(rig.live.state == .resumed)
  }

  @Test("after a conflict or a proper end no stream is resumed")
  func aConflictAndAProperEndLeaveNothingToResume() async throws {
    for end in [
      "<stream:error><conflict xmlns='urn:ietf:params:xml:ns:xmpp-streams'/></stream:error></stream:stream>",
      "</stream:stream>",
    ] {
      let rig = try ResumptionRig()
      try await rig.start()
      await rig.fixture.clock.elapse(.seconds(61))
      await rig.fixture.receive(end)
      #expect(rig.fixture.session.phase == .suspended)
      rig.live.reconnectNow()
      await rig.comeBack()
      #expect(rig.live.state == .online)
      #expect(!rig.fixture.connector.records[1].text.contains("<resume"))
    }
  }

  /// Prosody 0.12 may take what comes on the new connection for the rest of a stanza that the cut tore apart.
  @Test("a resumed stream on which nothing arrives is followed by a new one", arguments: [true, false])
  func aResumedStreamOnWhichNothingGetsThroughIsFollowedByAFreshOne(_ endsWithError: Bool) async throws {
    let rig = try ResumptionRig()
    try await rig.start()
    rig.streams.isTaking = false
    rig.streams.answersQuestions = false
    try rig.chat.send("torn", to: rig.bob)
    await rig.cut()
    await rig.comeBack()
    #expect(rig.live.state == .resumed)
    if endsWithError {
      await rig.fixture.receive(
        "<stream:error><not-well-formed xmlns='urn:ietf:params:xml:ns:xmpp-streams'/></stream:error></stream:stream>")
    } else {
      await rig.fixture.clock.elapse(.seconds(2))
    }
    #expect(rig.live.state == .retrying)
    rig.streams.isTaking = true
    rig.streams.answersQuestions = true
    await rig.fixture.clock.elapse(.seconds(64))
    #expect(rig.live.state == .online)
    #expect(rig.taken == ["torn"])
  }

  @Test("what a stream that was resumed ends over is no message's fault, however often", arguments: ["", "<a h='0'/>"])
  func noBlameAfterAResumption(_ lastWord: String) async throws {
    let word = lastWord.replacing("<a", with: "<a xmlns='\(StreamManagement.namespace)'")
    let rig = try ResumptionRig()
    try await rig.start()
    rig.streams.answersQuestions = false
    try rig.chat.send("torn", to: rig.bob)
    await rig.fixture.clock.settle()
    for _ in 0..<SessionLimits.refusedStreams {
      // It has nothing of the stream.
      rig.streams.lie = "0"
      await rig.cut()
      for _ in 0..<64 where rig.live.state != .resumed { await rig.fixture.clock.elapse(.seconds(1)) }
      rig.streams.lie = nil
      await rig.fixture.receive(
        "\(word)<stream:error><not-well-formed xmlns='\(Namespace.streamErrors)'/></stream:error></stream:stream>")
      for _ in 0..<64 where rig.live.state != .online { await rig.fixture.clock.elapse(.seconds(1)) }
      #expect(rig.live.state == .online)
      await rig.fixture.clock.settle()
      #expect(rig.chat.outbox.lastWritten != nil)
    }
    #expect(!rig.fixture.events(MessageStateChanged.self).map(\.state.name).contains("failed"))
  }

  @Test("a resumed stream that is cut before the server answers is resumed again")
  func aResumedStreamThatIsCutBeforeTheServerAnswersGoesOn() async throws {
    let rig = try ResumptionRig()
    try await rig.start()
    rig.streams.answersQuestions = false
    await rig.cut()
    await rig.comeBack()
    #expect(rig.live.state == .resumed)
    await rig.cut()
    await rig.fixture.clock.elapse(.seconds(4))
    #expect(rig.live.state == .resumed)
  }

  @Test("a stream that is cut twice before the server answers is followed by a new one")
  func aStreamThatIsTwiceCutBeforeTheServerAnswersIsFollowedByAFreshOne() async throws {
    let rig = try ResumptionRig()
    try await rig.start()
    rig.streams.answersQuestions = false
    await rig.cut()
    await rig.comeBack()
    await rig.cut()
    await rig.fixture.clock.elapse(.seconds(4))
    #expect(rig.live.state == .resumed)
    await rig.cut()
    rig.streams.answersQuestions = true
    await rig.fixture.clock.elapse(.seconds(8))
    #expect(rig.live.state == .online)
  }

  @Test("the first acknowledgement proves a resumed stream though resending takes long")
  func aStreamIsProvedByTheFirstAnswerThoughWhatIsSentAgainTakesLong() async throws {
    let rig = try ResumptionRig()
    try await rig.start()
    rig.streams.isTaking = false
    try rig.chat.send("slow", to: rig.bob)
    await rig.cut()
    rig.streams.answersQuestions = false
    await rig.comeBack()
    let sent = rig.fixture.sent()
    let question = try #require(sent.firstIndex { $0.name == "r" })
    let message = try #require(sent.firstIndex { $0.text(of: "body", Namespace.client) == "slow" })
    #expect(question < message)
    await rig.fixture.receive("<a xmlns='urn:xmpp:sm:3' h='\(rig.streams.handled)'/>")
    // What has come again is asked about in its turn.
    #expect(rig.fixture.sent().contains { $0.name == "r" })
    await rig.fixture.clock.elapse(.seconds(59))
    #expect(rig.live.state == .resumed)
  }

  /// More than may wait for a server that does not read is under way, part of it in the kernel or lost on the line.
  @Test("what is sent again is sent whole, however much it is")
  func resentBeyondTheLimit() async throws {
    let rig = try ResumptionRig()
    try await rig.start()
    rig.streams.isTaking = false
    let text = String(repeating: "x", count: 1_000_000)
    func send(_ numbers: ClosedRange<Int>) async throws {
      for number in numbers { try rig.chat.send("\(number) \(text)", to: rig.bob) }
      await rig.fixture.clock.settle()
    }
    try await send(1...2)
    rig.fixture.connector.transport?.isStuck = true
    try await send(3...40)
    #expect(rig.states.count > 34 && rig.states.count < 40, "more than the limit is under way, and the rest waits")
    await rig.cut()
    rig.streams.isTaking = true
    await rig.comeBack()
    #expect(rig.live.state == .resumed)
    let numbers = rig.taken.compactMap { body in Int(body.prefix { $0 != " " }) }
    #expect(numbers == Array(1...40))
    #expect(rig.states.count(where: { $0.hasSuffix(" server") }) == 40)
    #expect(!rig.fixture.remarks.contains { $0.hasPrefix("Could not send") })
  }

  @Test("a server that is slow with what is sent again is asked among it, and shows that it goes on")
  func questionsAmongWhatIsResent() async throws {
    let rig = try ResumptionRig()
    try await rig.start()
    rig.streams.isTaking = false
    for number in 1...250 { try rig.chat.send("\(number)", to: rig.bob) }
    await rig.fixture.clock.settle()
    await rig.cut()
    let before = rig.streams.handled
    rig.streams.isTaking = true
    rig.streams.answersQuestions = false
    await rig.comeBack()
    let sent = rig.fixture.sent()
    #expect(sent.indices.filter { sent[$0].name == "r" } == [0, 101, 202])
    #expect(rig.taken.count == 250)
    for more: UInt32 in [0, 100, 200] {
      await rig.fixture.receive("<a xmlns='urn:xmpp:sm:3' h='\(before + more)'/>")
    }
    #expect(rig.states.count(where: { $0.hasSuffix(" server") }) == 200)
    // What stands behind the last question is asked about in its turn.
    #expect(rig.fixture.sent().map(\.name) == ["r"])
  }

  @Test("a server that asks and asks while it reads nothing gets one answer, when there is room")
  func answerWaitsForRoom() async throws {
    let rig = try ResumptionRig()
    try await rig.start()
    let transport = try #require(rig.fixture.connector.transport)
    transport.isStuck = true
    transport.untaken = SessionLimits.pendingOutput - 1_000_000
    let text = String(repeating: "x", count: 100_000)
    for _ in 0..<40 { try rig.chat.send(text, to: rig.bob) }
    await rig.fixture.clock.settle()
    let waiting = transport.pendingOutput
    await rig.fixture.receive(String(repeating: "<r xmlns='urn:xmpp:sm:3'/>", count: 1_000))
    #expect(transport.pendingOutput == waiting)
    transport.isStuck = false
    transport.send([0x20])
    await rig.fixture.clock.settle()
    transport.peerMakesRoom()
    await rig.fixture.clock.settle()
    #expect(rig.fixture.sent().count(where: { $0.name == "a" }) == 1)
  }

  @Test("a server that claims to have handled more than was sent is disconnected")
  func aServerThatResumesWithTooMuchIsLeft() async throws {
    let rig = try ResumptionRig()
    try await rig.start()
    await rig.cut()
    rig.streams.lie = "4000"
    await rig.comeBack()
    #expect(rig.live.state == .retrying)
    rig.streams.lie = nil
    await rig.fixture.clock.elapse(.seconds(4))
    #expect(rig.live.state == .online)
  }
}
