// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawProtocol
import JackdawSession
import Testing

@testable import JackdawCommands

/// What has come, and who was written to.
private struct Talk {
  static let beginning = Timestamp(milliseconds: 1_800_000_000_000)
  private var recent = RecentEvents(since: Self.beginning)

  private func jid(_ name: String) throws -> JID { try JID("\(name)@example.org") }

  mutating func says(
    _ name: String, _ body: String, at time: Timestamp? = nil, _ carbon: MessageArrived.Carbon? = nil,
    relations: [MessageRelation] = []
  ) throws {
    let from = try jid(name).with(resource: "x")
    recent.happened(
      MessageArrived(
        id: nil, from: from, to: try jid("alice"), kind: .chat, body: body, delayed: time, carbon: carbon,
        relations: relations))
  }

  mutating func posts(_ name: String) throws { recent.happened(try ScriptEvent(name: name)) }

  mutating func writes(to name: String) throws { recent.messageGoes(to: try jid(name)) }

  /// What somebody counts who waits for so many events.
  mutating func counted(from name: String? = nil, _ most: Int = .max) throws -> [String] {
    let person = try name.map { try jid($0) }
    var bodies: [String] = []
    recent.take(for: person) { event in
      guard bodies.count < most, person.map({ event.concerns($0) }) ?? true else { return false }
      bodies.append(event.asMessage?.body ?? event.name)
      return true
    }
    return bodies
  }
}

@Suite("What a later '/wait' may count")
struct RecentEventsTests {
  @Test("is what has come since the last message, each event once, the oldest first")
  func sinceTheLastMessage() throws {
    var talk = Talk()
    try talk.says("bob", "before")
    try talk.writes(to: "bob")
    try talk.says("bob", "one")
    try talk.says("carol", "two")
    try talk.says("bob", "three")
    let first = try talk.counted(1)
    #expect(first == ["one"])
    let ofBob = try talk.counted(from: "bob")
    #expect(ofBob == ["three"])
    let rest = try talk.counted()
    #expect(rest == ["two"])
    try talk.says("bob", "late")
    try talk.writes(to: "bob")
    let none = try talk.counted()
    #expect(none.isEmpty)
  }

  @Test("is for one person what has come since the last message to them: several are asked, and then waited for")
  func sinceTheLastToThem() throws {
    var talk = Talk()
    try talk.writes(to: "bob")
    try talk.says("bob", "bob's")
    try talk.says("dave", "dave's")
    try talk.writes(to: "carol")
    try talk.says("carol", "carol's")
    try talk.says("eve", "eve's")
    // Nobody asked him, and the last message came after what he said.
    let ofDave = try talk.counted(from: "dave")
    #expect(ofDave.isEmpty)
    let ofEve = try talk.counted(from: "eve")
    #expect(ofEve == ["eve's"])
    let ofAll = try talk.counted()
    #expect(ofAll == ["carol's"])
    let ofBob = try talk.counted(from: "bob")
    #expect(ofBob == ["bob's"])
    // Whoever is asked anew has not answered that.
    try talk.says("bob", "more")
    try talk.writes(to: "bob")
    try talk.writes(to: "carol")
    let again = try talk.counted(from: "bob")
    #expect(again.isEmpty)
  }

  @Test("is neither what was stored on its way since before the first message, nor one's own, nor a reaction")
  func noAnswers() throws {
    var talk = Talk()
    try talk.writes(to: "bob")
    try talk.says("bob", "old", at: Timestamp(milliseconds: Talk.beginning.milliseconds - 1))
    try talk.says("alice", "own", .sent)
    try talk.says("bob", "", relations: [.reacts(to: "1", with: ["👍"])])
    try talk.says("bob", "late", at: Timestamp(milliseconds: Talk.beginning.milliseconds + 1))
    try talk.posts("x-go")
    let all = try talk.counted()
    #expect(all == ["late", "x-go"])
  }

  @Test("never says how things stand, which a log-in and the message bring by themselves")
  func kinds() {
    let kept = EventCatalogue.types.filter { RecentEvents.mayHold($0) }.map { $0.name }
    #expect(
      kept == [
        "message", "typing", "friend", "friend-request", "friendship-ended", "block", "room", "occupant",
      ])
    #expect(RecentEvents.mayHold(ScriptEvent.self))
  }

  @Test("is of a flood the last events, whatever was counted of them")
  func manyEvents() throws {
    var talk = Talk()
    let limit = CommandLimits.recentEvents
    try talk.writes(to: "bob")
    for number in 0..<(3 * limit + 7) { try talk.says("bob", "\(number)") }
    let first = try talk.counted(2)
    #expect(first == ["\(2 * limit + 7)", "\(2 * limit + 8)"])
    let rest = try talk.counted()
    #expect(rest.count == limit - 2 && rest.last == "\(3 * limit + 6)")
    try talk.says("bob", "more")
    let last = try talk.counted()
    #expect(last == ["more"])
  }

  @Test("is of long texts as many as fit, and one that fits nowhere")
  func longTexts() throws {
    var talk = Talk()
    let half = CommandLimits.recentBytes / 2
    try talk.writes(to: "bob")
    for letter in ["a", "b", "c"] { try talk.says("bob", String(repeating: letter, count: half)) }
    let fitting = try talk.counted()
    // What is around a text takes some bytes, too.
    #expect(fitting.map(\.first) == ["c"])
    try talk.says("bob", "short")
    try talk.says("bob", String(repeating: "d", count: 3 * half))
    let longest = try talk.counted()
    #expect(longest.map(\.first) == ["d"])
    try talk.says("bob", "short")
    let last = try talk.counted()
    #expect(last == ["short"])
  }

  @Test("is bounded for whom a run writes to: those of whom it is forgotten count as anybody")
  func manyPeople() throws {
    var talk = Talk()
    try talk.writes(to: "bob")
    try talk.says("bob", "one")
    for number in 0...CommandLimits.recentRecipients { try talk.writes(to: "p\(number)") }
    let forgotten = try talk.counted(from: "bob")
    #expect(forgotten.isEmpty)
    try talk.says("bob", "two")
    let known = try talk.counted(from: "bob")
    #expect(known == ["two"])
  }
}
