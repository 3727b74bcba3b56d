// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawProtocol
import JackdawSession
import Testing

@testable import JackdawCommands

/// Somebody's history, line by line.
@Suite struct ImportReaderTests {
  private let own: JID
  /// 2026-11-21T08:00:00Z
  private let now = Timestamp(milliseconds: 1_795_248_000_000)

  init() throws { own = try JID("alice@example.org") }

  // MARK: JSON

  /// - Parameter changes: empty: the key is not there.
  private static func json(_ changes: [String: String] = [:]) -> String {
    var fields: [String: String] = [
      "event": #""message""#, "time": #""2026-11-21T07:00:00.000Z""#, "account": #""alice@example.org""#,
      "id": #""7a1""#,
      "from": #""bob@example.org/phone""#, "to": #""alice@example.org""#, "type": #""chat""#,
      "body": #""Lunch?\nAt one""#,
      "delayed": #""2026-11-20T07:59:00.123Z""#, "carbon": "null", "encrypted": "false", "number": "211",
      "conversation": #""bob@example.org""#, "outgoing": "false", "state": "null", "unread": "true", "found": "null",
    ]
    for (key, value) in changes { fields[key] = value.isEmpty ? nil : value }
    return "{" + fields.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ",") + "}"
  }

  private static let outgoing = [
    "from": #""alice@example.org/x""#, "to": #""bob@example.org""#, "outgoing": "true", "state": #""displayed""#,
  ]

  private func entry(_ changes: [String: String] = [:]) -> ImportEntry {
    var reader = JSONHistoryReader(own: own, now: now)
    return reader.entry(Self.json(changes))
  }

  private func message(_ changes: [String: String] = [:]) throws -> ArrivedMessage {
    guard case .message(let staged) = entry(changes) else { throw ImportProblem("\(entry(changes))") }
    return staged.message
  }

  @Test("JSON: theirs keeps id, addresses, text and time")
  func theirs() throws {
    let message = try message()
    #expect(message.event.id == "7a1" && message.event.from.description == "bob@example.org/phone")
    #expect(message.event.body == "Lunch?\nAt one" && message.time == Timestamp("2026-11-20T07:59:00.123Z"))
    #expect(message.event.carbon == nil && message.exportedState == nil && message.archiveID == nil)
    #expect(message.conversation.description == "bob@example.org")
  }

  @Test("JSON: ours keeps how far it came, and what was sent from another device that it was")
  func ours() throws {
    let message = try message(Self.outgoing)
    #expect(message.event.carbon == .sent && message.exportedState == .displayed)
    #expect(message.conversation.description == "bob@example.org")
    let carbon = try self.message(Self.outgoing.merging(["carbon": #""sent""#]) { $1 })
    #expect(carbon.event.carbon == .sent && carbon.exportedState == nil)
  }

  @Test("JSON: what is no message of a conversation of this account is told apart")
  func leftOut() {
    #expect(entry(["type": #""groupchat""#]) == .room)
    let bobby = #""tea@rooms.example.org/bobby""#
    #expect(entry(["from": bobby, "conversation": bobby, "private": "true"]) == .room)
    #expect(entry(Self.outgoing.merging(["to": bobby, "conversation": bobby]) { $1 }) == .room)
    #expect(entry(["account": #""carol@example.org""#]) == .otherAccount)
    #expect(entry(["account": "", "to": #""carol@example.org""#]) == .otherAccount)
    #expect(entry(["event": #""result""#]) == .leftOut)
    #expect(entry(["body": #""""#]) == .leftOut)
    #expect(entry(Self.outgoing.merging(["state": #""waiting""#]) { $1 }) == .leftOut)
  }

  @Test(
    "JSON: what is wrong with a line is said",
    arguments: [
      (["body": "7"], "has a 'body' that is not text"), (["from": #""@@""#], "has a 'from' that is not an address"),
      (["from": ""], "has no addresses"), (["delayed": #""yesterday""#], "has no time"),
      (["delayed": #""2026-11-23T08:00:00Z""#], "has a time that is yet to come"),
      (["delayed": #""9999-12-31T23:59:59Z""#], "has a time that is yet to come"),
      (["type": #""letter""#], "has an unknown 'type'"), (["body": ""], "has no 'body'"),
      (["conversation": #""eve@example.org""#], "is of another conversation than its addresses say"),
    ])
  func malformed(changes: [String: String], text: String) {
    #expect(entry(changes) == .malformed(ImportProblem(text)))
  }

  @Test(
    "JSON: lines that are no object are malformed",
    arguments: ["", "x", "[]", "{}{}", "{", "7", #"{"event":"message"}"#])
  func noObject(line: String) {
    var reader = JSONHistoryReader(own: own, now: now)
    guard case .malformed = reader.entry(line) else {
      Issue.record("\(line) was taken")
      return
    }
  }

  @Test("a text keeps its marks of direction, and NUL is replaced as XML knows none")
  func oddText() throws {
    #expect(try message(["body": #""a\u0000b\u202Ec\tü""#]).event.body == "a\u{FFFD}b\u{202E}c\tü")
  }

  @Test("a text of a megabyte is taken, and a longer one is malformed")
  func longText() throws {
    let text = String(repeating: "x", count: 1 << 20)
    #expect(try message(["body": "\"\(text)\""]).event.body == text)
    #expect(entry(["body": "\"\(text)x\""]) == .malformed(ImportProblem("has a text of more than 1048576 bytes")))
  }

  @Test("the year 1 is a time")
  func yearOne() throws {
    #expect(try message(["delayed": #""0001-01-01T00:00:00Z""#]).time.milliseconds == -62_135_596_800_000)
  }

  @Test("JSON: what stands behind another in one log stays behind it, and another log begins anew")
  func order() {
    var reader = JSONHistoryReader(own: own, now: now)
    func place(_ number: Int, _ day: String) -> String? {
      let line = Self.json(["number": "\(number)", "delayed": "\"\(day)T00:00:00Z\""])
      guard case .message(let staged) = reader.entry(line) else { return nil }
      return String(staged.place.description.prefix(10))
    }
    #expect(place(-3, "2024-01-02") == "2024-01-02")
    #expect(place(1, "2024-01-01") == "2024-01-02")
    #expect(place(2, "1970-01-01") == "2024-01-02")
    #expect(place(3, "2024-01-03") == "2024-01-03")
    #expect(place(1, "2020-01-01") == "2020-01-01")
  }

  // MARK: Profanity

  private static let folder = "/home/alice/.local/share/profanity/chatlogs/alice_at_example.org"

  private func profanity(
    _ lines: String, in path: String = "bob_at_example.org/2012_11_03.log", localTime: LocalTime = .utc
  ) -> [(line: Int64, entry: ImportEntry)] {
    var reader = ProfanityLogReader(
      ProfanityLogName(path: Self.folder + "/" + path), own: own, now: now, localTime: localTime)
    var entries: [(line: Int64, entry: ImportEntry)] = []
    for (index, line) in lines.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      if let ended = reader.take(String(line), Int64(index + 1)) { entries.append(ended) }
    }
    return entries + [reader.finish()].compactMap(\.self)
  }

  private func said(_ entries: [(line: Int64, entry: ImportEntry)]) -> [String] {
    entries.map { line, entry in
      guard case .message(let staged) = entry else { return "\(line) \(entry)" }
      let event = staged.message.event
      return "\(line) \(staged.message.time) \(event.from) → \(event.to): \(event.body)"
    }
  }

  @Test("Profanity: the day is in the file's name, the time in the line, further lines belong to the text")
  func times() {
    let log = """
      10:30:00 - bob@example.org: Hi
      there

      - all: of you
      10:31:05 - me: Hello: me
      10:32:00 - *me waves
      10:33:00 - *bob@example.org waves - back: twice
      """
    #expect(
      said(profanity(log)) == [
        "1 2012-11-03T10:30:00.000Z bob@example.org → alice@example.org: Hi\nthere\n\n- all: of you",
        "5 2012-11-03T10:31:05.000Z alice@example.org → bob@example.org: Hello: me",
        "6 2012-11-03T10:32:00.000Z alice@example.org → bob@example.org: /me waves",
        "7 2012-11-03T10:33:00.000Z bob@example.org → alice@example.org: /me waves - back: twice",
      ])
  }

  @Test("Profanity: since 0.13 a line has its day and zone")
  func moments() {
    let log = """
      2024-03-01T10:30:00+01:00 - bob@example.org: one
      2024-03-01T10:30:00.250000+01 - bob@example.org: two
      2024-03-01T10:30:00Z - me: three
      """
    #expect(
      said(profanity(log, in: "bob_at_example.org/any.log")) == [
        "1 2024-03-01T09:30:00.000Z bob@example.org → alice@example.org: one",
        "2 2024-03-01T09:30:00.250Z bob@example.org → alice@example.org: two",
        "3 2024-03-01T10:30:00.000Z alice@example.org → bob@example.org: three",
      ])
  }

  @Test("Profanity: rooms, people in rooms, other accounts and what was kept out of the log are told apart")
  func profanityLeftOut() {
    let line = "10:30:00 - bob: Hi"
    #expect(profanity(line, in: "rooms/r_at_muc.example.org/2012_11_03.log").map(\.entry) == [.room])
    #expect(profanity(line, in: "r_at_muc.example.org_bob/2012_11_03.log").map(\.entry) == [.room])
    let other = "../carol_at_example.org/bob_at_example.org/2012_11_03.log"
    #expect(profanity("10:30:00 - me: Hi", in: other).map(\.entry) == [.otherAccount])
    #expect(profanity("10:30:00 - me: [redacted]\n10:30:00 - me: ").map(\.entry) == [.leftOut, .leftOut])
  }

  @Test("Profanity: a log that begins in the middle, and a line without a day, are malformed")
  func profanityMalformed() {
    #expect(
      profanity("in the middle\n10:30:00 - me: Hi").first?.entry
        == .malformed(ImportProblem("does not begin with a time and a name")))
    #expect(
      profanity("10:30:00 - me: Hi", in: "bob_at_example.org/x.log").map(\.entry)
        == [.malformed(ImportProblem("has a time without a day"))])
    let long = "10:30:00 - me: Hi\n" + String(repeating: "y", count: 1 << 20)
    #expect(profanity(long).map(\.entry) == [.malformed(ImportProblem("has a text of more than 1048576 bytes"))])
  }

  @Test(
    "Profanity: what looks like a line and is none belongs to the text",
    arguments: [
      "10:60:00 - me: x", "+1:30:00 - me: x", "24:00:00 - me: x", "1:2:3 - me: x", "10:30:00 - eve@example.org: x",
      "10:30:00 me: x",
      "10:30:00 - me", "10:30:00 - *me", "2024-13-01T10:30:00Z - me: x", " - me: x", "ü0:30:0 - me: x",
      "10:30:0\u{661} - me: x",
    ])
  func profanityText(line: String) {
    #expect(
      said(profanity("10:30:00 - me: Hi\n" + line)) == [
        "1 2012-11-03T10:30:00.000Z alice@example.org → bob@example.org: Hi\n" + line
      ])
  }

  @Test("Profanity: the folder says with whom it is")
  func names() throws {
    let name = ProfanityLogName(path: Self.folder + "/a_at_b_at_example.org/2012_11_03.log")
    // The last one was an '@': no host name has an underscore.
    #expect(name.peer?.description == "a_at_b@example.org" && !name.isRoom)
    #expect(name.account == own && name.day == [2012, 11, 3])
    #expect(ProfanityLogName(path: "/x/2012_11_03.log").peer == nil)
    for wrong in ["2012_13_01.log", "2012_1_1.log", "2012_11_03.txt", "+012_11_03.log", ".log", "2012_11_03_04.log"] {
      #expect(ProfanityLogName.day(wrong) == nil, "\(wrong)")
    }
  }
}
