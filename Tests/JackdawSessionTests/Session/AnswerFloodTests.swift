// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawXML
import Support
import Testing

@testable import JackdawSession

/// Requests that others have us answer, beside what we say ourselves (XEP-0198 4).
@Client @Suite("Answers", .onLoop) struct AnswerFloodTests {
  private func ping(_ number: Int, from sender: String? = nil) -> String {
    let from = sender.map { " from='\($0)'" } ?? ""
    return "<iq type='get' id='p\(number)'\(from)><ping xmlns='urn:xmpp:ping'/></iq>"
  }

  private func pings(_ numbers: Range<Int>, from sender: String? = nil) -> String {
    numbers.map { ping($0, from: sender) }.joined()
  }

  @Test("are asked about each hundred, though nothing else is said")
  func asking() async throws {
    let rig = try ResumptionRig()
    try await rig.start()
    // The server has all of the log-in.
    try await rig.fixture.session.confirm(within: .seconds(1))
    let before = rig.streams.questions
    for number in 0..<99 { await rig.fixture.receive(ping(number)) }
    #expect(rig.streams.questions == before)
    await rig.fixture.receive(ping(99))
    #expect(rig.streams.questions == before + 1)
    await rig.fixture.receive(pings(100..<600))
    #expect(rig.streams.questions == before + 2, "one question for what goes out together")
    // What went out while a question was open is asked about when it is answered.
    rig.streams.answersQuestions = false
    for round in 6..<9 { await rig.fixture.receive(pings(round * 100..<(round + 1) * 100)) }
    #expect(rig.streams.questions == before + 3)
    rig.streams.answersQuestions = true
    await rig.fixture.receive("<a xmlns='urn:xmpp:sm:3' h='\(rig.streams.handled - 200)'/>")
    #expect(rig.streams.questions == before + 4)
  }

  @Test("to strangers stop before they take the room of what the user says, and go on when the server has them")
  func strangers() async throws {
    let rig = try ResumptionRig()
    try await rig.start()
    rig.streams.answersQuestions = false
    _ = rig.fixture.sent()
    let limit = SessionLimits.unacknowledgedStrangerAnswers
    await rig.fixture.receive(pings(0..<limit + 2_000, from: "eve@example.net/x"))
    let answers = rig.fixture.sent().filter { $0.name == "iq" }
    // What was sent at the log-in may count as well.
    #expect((limit - 100...limit).contains(answers.count))
    #expect(rig.fixture.remarks.count { $0.contains("unanswered") } == 1)
    await rig.fixture.receive(ping(1))
    #expect(rig.fixture.sent().contains { $0.attribute("id") == "p1" }, "our server is answered")
    let id = try rig.chat.send("one", to: rig.bob)
    await rig.fixture.clock.settle()
    #expect(rig.states == ["\(id) sent"])
    rig.streams.answersQuestions = true
    await rig.fixture.receive("<a xmlns='urn:xmpp:sm:3' h='\(rig.streams.handled)'/>")
    #expect(rig.states == ["\(id) sent", "\(id) server"])
    await rig.fixture.receive(ping(2, from: "eve@example.net/x"))
    #expect(rig.fixture.sent().contains { $0.attribute("id") == "p2" })
  }

  @Test("and all else that was never acknowledged hold no message up for longer than that")
  func full() async throws {
    let rig = try ResumptionRig()
    try await rig.start()
    rig.streams.answersQuestions = false
    let wire = rig.fixture.session.wire
    let presence = Presence().element
    while true {
      do { try wire.send(presence) } catch { break }
    }
    await rig.fixture.clock.settle()
    let id = try rig.chat.send("one", to: rig.bob)
    await rig.fixture.clock.settle()
    #expect(rig.states == [])
    #expect(rig.fixture.sent().last?.name == "r", "it was asked at the limit")
    rig.streams.answersQuestions = true
    await rig.fixture.receive("<a xmlns='urn:xmpp:sm:3' h='\(rig.streams.handled)'/>")
    #expect(rig.states == ["\(id) sent", "\(id) server"])
  }
}
