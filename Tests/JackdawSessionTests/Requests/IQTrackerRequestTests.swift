// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawXML
import Support
import Testing

@testable import JackdawSession

@Client @Suite("A request that is awaited", .onLoop) struct IQTrackerRequestTests {
  let rig: TrackerRig
  var tracker: IQTracker { rig.tracker }

  init() throws { rig = try TrackerRig() }

  private func begin(_ iq: IQ, timeout: Timeout = .standard) -> Task<Result<IQ, RequestError>, Never> {
    Task(executorPreference: EventLoop.main) { await result(of: iq, timeout: timeout) }
  }

  private func result(of iq: IQ, timeout: Timeout) async -> Result<IQ, RequestError> {
    do throws(RequestError) {
      return .success(try await tracker.request(iq, timeout: timeout))
    } catch {
      return .failure(error)
    }
  }

  private func ping(to: String? = nil) throws -> IQ {
    IQ(kind: .get, to: try to.map { try JID($0) }, payload: Element("ping", "urn:xmpp:ping"))
  }

  private func code(_ result: Result<IQ, RequestError>) -> RequestError.Code? {
    if case .failure(let error) = result { error.code } else { nil }
  }

  @Test("is sent with an id of its own and returns the answer")
  func returnsTheAnswer() async throws {
    let task = begin(try ping(to: "bob@example.org"))
    await rig.clock.settle()
    #expect(rig.sender.sent.count == 1)
    #expect(rig.sender.sent[0].attribute("id")?.count == 15)
    #expect(rig.sender.sent[0].attribute("to") == "bob@example.org")
    #expect(rig.answerLast([Element("pong", "urn:x")]))
    #expect(try await task.value.get().payload?.name == "pong")
    #expect(tracker.count == 0 && rig.clock.pendingTimers == 0)
  }

  @Test("keeps an id that it has already")
  func keepsItsID() async throws {
    var iq = try ping()
    iq.id = "mine"
    let task = begin(iq)
    await rig.clock.settle()
    #expect(tracker.resolve(rig.answer("mine")))
    #expect(try await task.value.get().id == "mine")
  }

  @Test("times out")
  func timesOut() async throws {
    let task = begin(try ping(), timeout: .seconds(5))
    await rig.clock.settle()
    rig.clock.advance(by: .seconds(5))
    #expect(code(await task.value) == .timedOut)
    #expect(!rig.answerLast())
    #expect(tracker.dropped.late == 1)
  }

  @Test("throws the stanza error, the malformed answer, the end of the connection")
  func throwsWhatWentWrong() async throws {
    let refused = begin(try ping())
    await rig.clock.settle()
    let error = StanzaError(kind: .cancel, condition: "service-unavailable")
    tracker.resolve(IQ(kind: .error, id: rig.sender.sent[0].attribute("id") ?? "", error: error))
    guard case .failure(let failure) = await refused.value else {
      Issue.record("not refused")
      return
    }
    #expect(failure.code == .refused && failure.stanzaError == error)

    let malformed = begin(try ping())
    await rig.clock.settle()
    #expect(rig.answerLast([Element("a", "urn:x"), Element("b", "urn:x")]))
    #expect(code(await malformed.value) == .malformedReply)

    let gone = begin(try ping())
    await rig.clock.settle()
    tracker.removeAll(reason: Reason("reset by peer"))
    guard case .failure(let failure) = await gone.value else {
      Issue.record("not gone")
      return
    }
    #expect(failure.code == .connectionGone && failure.cause is Reason)
    #expect(failure.description.contains("reset by peer"))
  }

  @Test("ends when its task is cancelled, before and after it was sent")
  func endsWhenItsTaskIsCancelled() async throws {
    let running = begin(try ping())
    await rig.clock.settle()
    running.cancel()
    #expect(code(await running.value) == .cancelled)
    #expect(tracker.count == 0 && rig.clock.pendingTimers == 0)
    #expect(!rig.answerLast())

    let unstarted = begin(try ping())
    unstarted.cancel()
    #expect(code(await unstarted.value) == .cancelled)
    #expect(rig.sender.sent.count == 1)
  }

  @Test("cancelling a request that has ended leaves a later one with its id alone")
  func cancellingTooLate() async throws {
    var iq = try ping()
    iq.id = "same"
    let first = begin(iq)
    await rig.clock.settle()
    first.cancel()
    tracker.resolve(rig.answer("same"))
    let second = begin(iq)
    #expect(code(await first.value) == nil)
    await rig.clock.settle()
    #expect(tracker.count == 1)
    tracker.resolve(rig.answer("same"))
    #expect(code(await second.value) == nil)
  }

  @Test("an answer that comes while the request is still being sent is not too early")
  func anAnswerWhileSending() async throws {
    rig.sender.beforeSending = { element in
      #expect(rig.tracker.resolve(rig.answer(element.attribute("id") ?? "")))
    }
    #expect(code(await result(of: try ping(), timeout: .standard)) == nil)
    #expect(tracker.count == 0)
  }

  @Test("cannot be sent: nothing stays behind, and it ends once", arguments: [false, true])
  func cannotBeSent(disconnects: Bool) async throws {
    rig.sender.beforeSending = { _ in
      if disconnects { rig.tracker.removeAll(reason: Reason("broken pipe")) }
      throw Reason("no")
    }
    #expect(code(await result(of: try ping(), timeout: .standard)) == (disconnects ? .connectionGone : .notSent))
    #expect(tracker.count == 0 && rig.clock.pendingTimers == 0)
    tracker.sender = nil
    #expect(code(await result(of: try ping(), timeout: .standard)) == .notSent)
  }

  @Test("answers are no requests, and an id is not used twice at a time")
  func whatIsNoRequest() async throws {
    for kind in [.result, .error] as [IQ.Kind] {
      #expect(code(await result(of: IQ(kind: kind), timeout: .standard)) == .notARequest)
    }
    var iq = try ping()
    iq.id = "same"
    let first = begin(iq)
    await rig.clock.settle()
    #expect(code(await result(of: iq, timeout: .standard)) == .alreadyTracked)
    #expect(rig.sender.sent.count == 1)
    tracker.resolve(rig.answer("same"))
    #expect(code(await first.value) == nil)
  }

  @Test("a thousand at a time each get their own answer")
  func aThousandAtATime() async throws {
    let tasks = try (0..<1000).map { begin(try ping(to: "c\($0)@example.org")) }
    await rig.clock.settle()
    #expect(tracker.count == 1000)
    for request in rig.sender.sent.shuffled() {
      let from = request.attribute("to")
      let payload = Element("echo", "urn:x", text: from)
      #expect(tracker.resolve(rig.answer(request.attribute("id") ?? "", from: from, [payload])))
    }
    for (number, task) in tasks.enumerated() {
      #expect(try await task.value.get().payload?.text == "c\(number)@example.org")
    }
  }
}
