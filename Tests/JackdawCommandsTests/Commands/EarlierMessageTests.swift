// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawProtocol
import JackdawSession
import Testing

@testable import JackdawCommands

/// What is said of earlier messages, as values.
@Suite("Of an earlier message") struct EarlierMessageTests {
  private static let noon = Timestamp(milliseconds: 1_793_534_400_000)

  private func said(_ body: String, _ relations: MessageRelation..., id: String? = "m1") throws -> LoggedMessage {
    let (alice, bob) = (try JID("alice@example.org"), try JID("bob@example.org"))
    let event = MessageArrived(
      id: id, from: bob, to: alice, kind: .chat, body: body, delayed: Self.noon, relations: relations)
    return LoggedMessage(number: 1, conversation: bob, event: event, isOutgoing: false)
  }

  static let numbered: [(text: String, number: Int?, rest: String)] = [
    ("3 Yes, at nine", 3, "Yes, at nine"), ("Yes, at 9", nil, "Yes, at 9"), ("12", 12, ""), ("-1 x", nil, "-1 x"),
    ("3rd floor", nil, "3rd floor"), ("9999999999 x", nil, "9999999999 x"), ("", nil, ""), ("２ x", nil, "２ x"),
  ]

  @Test("the number is what stands before the text", arguments: numbered)
  func numbers(text: String, number: Int?, rest: String) {
    let split = NumberedText.split(text)
    #expect(split.number == number && split.text == rest)
  }

  private func quote(of original: LoggedMessage) -> String? {
    guard case .replies("m1", let quote) = Reply(to: original).relation else { return "no reply" }
    return quote
  }

  @Test("a reply repeats its beginning for those who know no replies")
  func replyQuotes() throws {
    #expect(quote(of: try said("Lunch?\n\nAt one")) == "> Lunch?\n> At one\n")
    #expect(quote(of: try said("a\nb\nc\nd")) == "> a\n> b\n> c\n> …\n")
    #expect(quote(of: try said("\n")) == nil)
  }

  @Test("a reply to a reply repeats what was said there, and not what that one repeats")
  func replyToReply() throws {
    #expect(quote(of: try said("Yes", .replies(to: "m0", quote: "> Lunch?\n"))) == "> Yes\n")
  }

  @Test("a reply to what is encrypted repeats nothing: its text was not said, nor that of what stands in its place")
  func replyToEncrypted() throws {
    var original = try encrypted("I sent you an OMEMO encrypted message")
    #expect(quote(of: original) == nil)
    original.fate.correction = "At one"
    #expect(quote(of: original) == "> At one\n")
    original = try said("At one")
    (original.fate.correction, original.fate.correctionEncryption) = ("", "OMEMO")
    #expect(quote(of: original) == nil)
  }

  @Test(
    "a reply to a spoiler repeats its hint, and not what is hidden",
    arguments: [("the end", "> (spoiler) the end\n"), ("", "> (spoiler)\n")])
  func replyToSpoiler(hint: String, repeated: String) throws {
    var original = try said("It was the butler")
    var payload = MessagePayload()
    payload.spoiler = hint
    original.event.payload = payload
    #expect(quote(of: original) == repeated)
  }

  @Test("the list of numbers has what is encrypted in words of the program, and not in its fallback text")
  func listOfNumbers() throws {
    func listed(_ message: LoggedMessage) -> String? {
      IDRow(number: 1, message: message, now: Self.noon).cells.last?.text
    }
    var message = try encrypted("I sent you an OMEMO encrypted message")
    #expect(listed(message) == "encrypted message (OMEMO)")
    message.fate.correction = "At one"
    #expect(listed(message) == "At one")
    message = try said("At one")
    (message.fate.correction, message.fate.correctionEncryption) = ("", "OMEMO")
    #expect(listed(message) == "encrypted message (OMEMO)")
    message = try encrypted("?OTRv23?")
    message.event.payload?.encryption = "OTR"
    #expect(listed(message) == "asks to encrypt with OTR")
  }

  @Test(
    "the list of numbers names who said something in a room, to all or privately, and not the room",
    arguments: [true, false])
  func listOfNumbersInRoom(isPrivate: Bool) throws {
    let room = try JID("tea@rooms.example.org")
    func who(_ nick: String) throws -> String {
      let place = try room.with(resource: nick)
      let event = MessageArrived(id: "1", from: place, to: room, kind: isPrivate ? .chat : .groupchat, body: "hi")
      let message = LoggedMessage(
        number: 1, conversation: isPrivate ? place : room, event: event, isOutgoing: false)
      return IDRow(number: 1, message: message, now: Self.noon).cells[2].text
    }
    #expect(try who("bobby") == "bobby")
    #expect(try who("Me") == "\"Me\"")
  }

  private func encrypted(_ fallback: String) throws -> LoggedMessage {
    var message = try said(fallback)
    var payload = MessagePayload()
    payload.encryption = "OMEMO"
    message.event.payload = payload
    return message
  }

  @Test("a reply to a character with a million marks repeats a bounded part of it")
  func replyToMarks() throws {
    let quote = quote(of: try said("a" + String(repeating: "\u{301}", count: 1_000_000)))
    #expect((1..<1_000).contains(quote?.utf8.count ?? 0))
  }

  @Test("what was to change it and did not arrive is nothing to speak of, and has words in lists")
  func failedRemarks() throws {
    var remark = try said("", .retracts("m0"))
    #expect(remark.summary == "took a message back" && !remark.isFailedRemark)
    remark.isOutgoing = true
    remark.state = .server
    #expect(!remark.isFailedRemark)
    remark.state = .failed(reason: "")
    #expect(remark.isFailedRemark)
    remark.event.relations = [.reacts(to: "m0", with: ["👍", "❤"])]
    #expect(remark.summary == "reacted 👍 ❤" && remark.isFailedRemark)
    (remark.event.relations, remark.event.body) = ([.replaces("m0")], "at nine")
    #expect(remark.summary == "at nine" && remark.isFailedRemark)
    remark.event.relations = []
    #expect(!remark.isFailedRemark)
  }

  @Test("a correction of a reply is one too, with the same quote")
  func correctionOfReply() throws {
    let original = try said("Yes", .replies(to: "m0", quote: "> Lunch?\n"))
    let correction = try Correction(of: original, text: "No", now: Self.noon)
    #expect(correction.relations == [.replaces("m1"), .replies(to: "m0", quote: "> Lunch?\n")])
  }

  @Test("a correction comes within a day, and says something")
  func correctionLimits() throws {
    let original = try said("at nein")
    #expect(try Correction(of: original, text: "at nine", now: Self.noon).relations == [.replaces("m1")])
    #expect(throws: CommandFailure.self) { try Correction(of: original, text: " ", now: Self.noon) }
    let later = Timestamp(milliseconds: Self.noon.milliseconds + 86_400_000)
    #expect(throws: CommandFailure.self) { try Correction(of: original, text: "at nine", now: later) }
  }

  @Test(
    "emoji are reactions", arguments: ["👍", "❤️", "🏴󠁧󠁢󠁳󠁣󠁴󠁿", "👨‍👩‍👧", "🇩🇪", "1️⃣", "👍🏽", "☺"])
  func emoji(word: String) throws {
    #expect(try ReactionList([word, word]).reactions == [word])
  }

  @Test("emoji without a space between them are a reaction each, as others may ignore one that is more")
  func emojiTogether() throws {
    #expect(try ReactionList(["👍🏽❤️👍🏽", "🇩🇪🇫🇷"]).reactions == ["👍🏽", "❤️", "🇩🇪", "🇫🇷"])
  }

  @Test(
    "words, digits and signs are none, beside an emoji either",
    arguments: ["x", "hello", "1", "#", ":-)", "ä", "中", "", "👍 👍", "\u{301}", "hi👍", "👍there", "1👍"])
  func noEmoji(word: String) {
    #expect(throws: CommandFailure.self) { try ReactionList([word]) }
  }

  @Test("more than twenty reactions are refused, not cut")
  func manyReactions() {
    let faces = (0..<21).compactMap { Unicode.Scalar(0x1F600 + $0).map { String($0) } }
    #expect(throws: CommandFailure.self) { try ReactionList(faces) }
    #expect(throws: CommandFailure.self) { try ReactionList([faces.joined()]) }
  }
}
