// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawXML
import Support
import Testing

@testable import JackdawSession

@Client @Suite("Who may answer a request, and how", .onLoop) struct IQTrackerAnswerTests {
  let rig: TrackerRig
  let log = Log()
  var tracker: IQTracker { rig.tracker }

  init() throws { rig = try TrackerRig() }

  private func track(_ id: String, to: String? = nil, timeout: Timeout = .seconds(10)) throws {
    try tracker.track(rig.get(id, to: to), timeout: timeout) { log.note("\($1.id) \($0.word)") }
  }

  @Test("reply spoofing: an answer from someone else is dropped and counted, and the true one still arrives")
  func anAnswerFromSomeoneElseIsDropped() throws {
    try track("1", to: "bob@example.org/phone")
    let foreign = [
      nil, "bob@example.org", "bob@example.org/tablet", "example.org", "me@example.org", "mallory@evil.example", "",
      "@@/", "bob@example.org/PHONE", "bob@example.org.evil.example/phone",
    ]
    for from in foreign {
      #expect(!tracker.resolve(rig.answer("1", from: from)))
      #expect(!tracker.resolve(rig.answer("1", from: from, type: "error")))
    }
    #expect(tracker.dropped == DroppedReplies(late: 0, foreign: 2 * foreign.count))
    #expect(log.lines == [] && tracker.count == 1)
    #expect(tracker.resolve(rig.answer("1", from: "BOB@Example.ORG/phone")))
    #expect(log.lines == ["1 reply"])
  }

  @Test("reply spoofing: the right id in anything but a result or error is no answer")
  func theRightIDInSomethingElseIsNoAnswer() throws {
    try track("1")
    let others = [
      rig.get("1"), Element("iq", Namespace.client, ["type": "set", "id": "1"], [Element("q", "urn:x")]),
      Element("message", Namespace.client, ["type": "result", "id": "1"]),
      Element("presence", Namespace.client, ["type": "error", "id": "1"]),
      Element("iq", "urn:evil", ["type": "result", "id": "1"]), Element("iq", Namespace.client, ["id": "1"]),
      Element("iq", Namespace.client, ["type": "RESULT", "id": "1"]),
    ]
    for element in others { #expect(!tracker.resolve(element)) }
    #expect(!tracker.resolve(try IQ(rig.get("1"))))
    #expect(tracker.count == 1 && tracker.dropped == DroppedReplies())
  }

  @Test(
    "who may answer a request",
    arguments: [
      (nil, nil, true), (nil, "me@example.org", true), (nil, "me@example.org/cli", true), (nil, "example.org", true),
      (nil, "me@example.org/other", false), (nil, "bob@example.org", false), (nil, "example.org/x", false),
      (nil, "evil.example", false), (nil, "", false), ("me@example.org", nil, true),
      ("me@example.org", "me@example.org", true), ("me@example.org", "me@example.org/cli", false),
      ("me@example.org", "example.org", false), ("example.org", "example.org", true), ("example.org", nil, true),
      ("example.org", "me@example.org", false), ("me@example.org/cli", nil, true),
      ("me@example.org/cli", "me@example.org/cli", true), ("room@muc.example/nick", "room@muc.example/nick", true),
      ("room@muc.example/nick", "room@muc.example/Nick", false), ("bob@example.org", nil, false),
    ] as [(String?, String?, Bool)])
  func whoMayAnswer(to: String?, from: String?, expected: Bool) throws {
    for type in ["result", "error"] {
      try track("1", to: to)
      #expect(tracker.resolve(rig.answer("1", from: from, type: type)) == expected)
      tracker.remove(id: "1")
    }
  }

  @Test("before bind only an answer without sender counts for a request without recipient")
  func beforeBind() throws {
    tracker.account = nil
    try track("1")
    #expect(!tracker.resolve(rig.answer("1", from: "me@example.org/cli")))
    #expect(!tracker.resolve(rig.answer("1", from: "example.org")))
    #expect(tracker.resolve(rig.answer("1")))
  }

  @Test(
    "an answer that breaks the protocol still ends its request",
    arguments: [
      ("result", [], "reply"), ("result", ["ping"], "reply"), ("result", ["a", "b"], "malformed"),
      ("error", [], "undefined-condition"), ("error", ["ping"], "undefined-condition"),
      ("error", ["error"], "undefined-condition"),
    ] as [(String, [String], String)])
  func malformedAnswers(type: String, children: [String], expected: String) throws {
    for named in [true, false] {
      log.note("")
      try track("1", to: named ? "bob@example.org" : nil)
      let children = children.map { Element($0, $0 == "error" ? Namespace.client : "urn:x") }
      #expect(!named || !tracker.resolve(rig.answer("1", from: "eve@example.org", type: type, children)))
      #expect(tracker.resolve(rig.answer("1", from: named ? "bob@example.org" : nil, type: type, children)))
      #expect(log.lines.last == "1 \(expected)")
      #expect(tracker.count == 0)
    }
  }

  @Test("an error is told with its condition and text")
  func anErrorIsToldWithItsCondition() throws {
    var told: StanzaError?
    try tracker.track(id: "1", timeout: .never) { outcome, _ in
      if case .failed(let error, _) = outcome { told = error }
    }
    let error = StanzaError(kind: .cancel, condition: "item-not-found", text: "who?")
    tracker.resolve(IQ(kind: .error, id: "1", error: error))
    #expect(told == error)
  }
}
