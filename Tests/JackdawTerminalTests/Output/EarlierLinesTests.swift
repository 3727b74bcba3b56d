// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawCommands
import JackdawLoop
import JackdawProtocol
import JackdawSession
import Support
import Testing

@testable import JackdawTerminal

/// Messages that are about an earlier one name it by its words.
@Client @Suite("What an earlier message said", .onLoop) struct EarlierLinesTests {
  private let fixture = Fixture(columns: nil)

  /// Puts a message into the log.
  private func knows(
    _ body: String, isOwn: Bool = false, _ fill: (inout LoggedMessage) -> Void = { _ in }
  ) throws {
    let (bob, me) = (try JID("bob@example.org"), try JID("me@example.org"))
    let event = MessageArrived(id: "m1", from: isOwn ? me : bob, to: isOwn ? bob : me, kind: .chat, body: body)
    var message = LoggedMessage(number: 1, conversation: bob, event: event, isOutgoing: isOwn)
    fill(&message)
    fixture.roster.log["m1"] = message
  }

  private func shown(
    _ relations: MessageRelation..., body: String = "", isOwn: Bool = false, sent: Timestamp? = nil
  ) throws -> String {
    let (bob, me) = (try JID("bob@example.org/x"), try JID("me@example.org/y"))
    fixture.output.show(
      MessageArrived(
        id: "m2", from: isOwn ? me : bob, to: isOwn ? bob : me, kind: .chat, body: body, delayed: sent,
        carbon: isOwn ? .sent : nil, relations: relations))
    return fixture.out.take()
  }

  @Test("is told with a reaction")
  func reaction() throws {
    try knows("see you at nine", isOwn: true)
    #expect(try shown(.reacts(to: "m1", with: ["👍", "❤"])) == "12:01 -- Bob reacted 👍 ❤ to \"see you at nine\".\n")
    #expect(try shown(.reacts(to: "m1", with: [])) == "12:01 -- Bob took back a reaction to \"see you at nine\".\n")
    #expect(
      try shown(.reacts(to: "m1", with: ["👍"]), isOwn: true)
        == "12:01 -- You reacted 👍 to \"see you at nine\" in the chat with Bob.\n")
  }

  @Test("is told with what is said to somebody in a room alone as said to them")
  func toOccupant() throws {
    let place = try JID("tea@rooms.example.org/bobby")
    let me = try JID("me@example.org")
    let earlier = MessageArrived(id: "m1", from: place, to: me, kind: .chat, body: "psst")
    fixture.roster.log["m1"] = LoggedMessage(number: 1, conversation: place, event: earlier, isOutgoing: false)
    let reaction = MessageArrived.said(
      "", id: "m2", from: me, to: place, .occupant, relations: [.reacts(to: "m1", with: ["👍"])])
    fixture.output.show(reaction)
    #expect(
      fixture.out.take()
        == "12:01 -- You reacted 👍 to \"psst\" in the chat with bobby in tea@rooms.example.org, private.\n")
  }

  @Test("is told in a sentence with one full stop, though the room's name ends with one")
  func nameWithStop() throws {
    let (tea, me) = (try JID("tea@rooms.example.org"), try JID("me@example.org"))
    fixture.roster.rooms[tea] = "Tea etc."
    let earlier = MessageArrived(
      id: "m1", from: try tea.with(resource: "bobby"), to: me, kind: .groupchat, body: "psst")
    fixture.roster.log["m1"] = LoggedMessage(number: 1, conversation: tea, event: earlier, isOutgoing: false)
    fixture.output.show(
      MessageArrived.said("", id: "m2", from: me, to: tea, .room, relations: [.reacts(to: "m1", with: ["👍"])]))
    #expect(fixture.out.take() == "12:01 -- You reacted 👍 to \"psst\" in the chat with Tea etc.\n")
  }

  @Test("is told with a retraction, if it is the same person's")
  func retraction() throws {
    try knows("a secret")
    #expect(try shown(.retracts("m1")) == "12:01 -- Bob took back \"a secret\".\n")
    #expect(
      try shown(.retracts("m1"), isOwn: true)
        == "12:01 -- You took back a message that is not here in the chat with Bob.\n")
  }

  @Test("is not told with a retraction where the configuration has it removed")
  func removed() throws {
    let roster = fixture.roster
    let out = MemorySink(columns: nil, colors: .none)
    let output = TextOutput(
      out: out, errors: out, names: roster, clock: fixture.clock, wallClock: { noon }, localTime: .utc,
      repeatsRetracted: false)
    try knows("a secret")
    let (bob, me) = (try JID("bob@example.org/x"), try JID("me@example.org"))
    output.show(
      MessageArrived(id: "m2", from: bob, to: me, kind: .chat, body: "", relations: [.retracts("m1")]), of: me)
    #expect(out.take() == "12:01 -- Bob took back a message.\n")
  }

  @Test("is told with a reply, in the history too")
  func reply() throws {
    try knows("Lunch?", isOwn: true)
    #expect(try shown(.replies(to: "m1", quote: "> Lunch?\n"), body: "Yes") == "12:01 Bob (reply to \"Lunch?\"): Yes\n")
    let (bob, me) = (try JID("bob@example.org"), try JID("me@example.org"))
    let reply = MessageArrived(
      id: "m2", from: bob, to: me, kind: .chat, body: "Yes", delayed: noon,
      relations: [.replaces("m0"), .replies(to: "m1", quote: nil)])
    let row = HistoryRow(LoggedMessage(number: 2, conversation: bob, event: reply, isOutgoing: false))
    fixture.output.show(row, of: "history", account: me)
    #expect(fixture.out.take() == "12:01 Bob (reply to \"Lunch?\") (corrected): Yes\n")
  }

  @Test("is said to be missing where it is not known, with what a reply says that it said")
  func unknown() throws {
    #expect(try shown(.reacts(to: "m1", with: ["👍"])) == "12:01 -- Bob reacted 👍 to a message that is not here.\n")
    #expect(try shown(.retracts("m1")) == "12:01 -- Bob took back a message that is not here.\n")
    #expect(
      try shown(.replies(to: "m1", quote: "> \n> Lunch?\n> At one\n"), body: "Yes")
        == "12:01 Bob (reply to a message that is not here) [Lunch?]: Yes\n")
    #expect(
      try shown(.replies(to: "m1", quote: nil), body: "Yes")
        == "12:01 Bob (reply to a message that is not here): Yes\n")
  }

  @Test("is nothing for what is about itself")
  func itself() throws {
    fixture.roster.log["m2"] = fixture.roster.log["m1"]
    try knows("Yes")
    fixture.roster.log["m2"] = fixture.roster.log["m1"]
    #expect(
      try shown(.replies(to: "m2", quote: nil), body: "Yes")
        == "12:01 Bob (reply to a message that is not here): Yes\n")
    #expect(try shown(.reacts(to: "m2", with: ["👍"])) == "12:01 -- Bob reacted 👍 to a message that is not here.\n")
  }

  nonisolated static let words: [(body: String, shown: String)] = [
    ("one\ntwo", "\"one\""), ("\n \n  two", "\"two\""), ("/me waves", "\"/me waves\""),
    ("ok\"): I'm leaving", "\"ok'): I'm leaving\""),
    ("\u{9B}2J\u{202E}x\r12:00 Alice: hi", "\"\\u{9b}2J\\u{202e}x\""),
    (String(repeating: "long ", count: 1_000), "\"long long long long long long long long…\""),
    (String(repeating: "👩‍👩‍👧", count: 50), "\"" + String(repeating: "👩‍👩‍👧", count: 6) + "…\""),
    ("", "a message without its text"),
  ]

  @Test("is its first line, safe and no wider than a part of one", arguments: words)
  func words(body: String, expected: String) throws {
    try knows(body)
    #expect(try shown(.reacts(to: "m1", with: ["👍"])) == "12:01 -- Bob reacted 👍 to \(expected).\n")
  }

  @Test("is short, whatever stands on its letters")
  func marks() throws {
    try knows("a" + String(repeating: "\u{301}", count: 1_000_000))
    #expect(try shown(.reacts(to: "m1", with: ["👍"])).unicodeScalars.count < 100)
  }

  @Test("is what it says today, and what it is where it has no text")
  func today() throws {
    try knows("at nein") { $0.fate.correction = "at nine" }
    #expect(try shown(.reacts(to: "m1", with: ["👍"])).contains("to \"at nine\"."))
    try knows("I sent you an OMEMO encrypted message") { message in
      var payload = MessagePayload()
      payload.encryption = "OMEMO"
      message.event.payload = payload
    }
    #expect(try shown(.reacts(to: "m1", with: ["👍"])).contains("to \"encrypted message (OMEMO)\"."))
  }

  @Test("is what it said last where it was corrected and then taken back")
  func correctedThenRetracted() throws {
    try knows("it's fine") { message in
      message.fate.correction = "it's finer"
      message.fate.isRetracted = true
    }
    #expect(try shown(.retracts("m1")) == "12:01 -- Bob took back \"it's finer\".\n")
  }

  @Test("is told with what comes late at the time when that was sent")
  func late() throws {
    try knows("a secret")
    let sent = Timestamp(milliseconds: noon.milliseconds - 3_600_000)
    #expect(try shown(.retracts("m1"), sent: sent) == "11:01 -- Bob took back \"a secret\".\n")
    #expect(
      try shown(.reacts(to: "m1", with: ["👍"]), sent: sent) == "11:01 -- Bob reacted 👍 to \"a secret\".\n")
  }

  @Test("is told in the history with what was to change it and did not arrive")
  func failedInHistory() throws {
    try knows("a secret", isOwn: true)
    let (bob, me) = (try JID("bob@example.org"), try JID("me@example.org"))
    func shown(_ relation: MessageRelation, _ body: String = "") -> String {
      let event = MessageArrived(
        id: "m2", from: me, to: bob, kind: .chat, body: body, delayed: noon, relations: [relation])
      let message = LoggedMessage(
        number: 2, conversation: bob, event: event, isOutgoing: true, state: .failed(reason: "gone"))
      fixture.output.show(HistoryRow(message), of: "history", account: me)
      return fixture.out.take()
    }
    let why = "12:01 -- ✗ not delivered: gone\n"
    let place = "\"a secret\" in the chat with Bob.\n"
    #expect(shown(.retracts("m1")) == "12:01 -- ✗ You took back \(place)\(why)")
    #expect(shown(.reacts(to: "m1", with: ["👍"])) == "12:01 -- ✗ You reacted 👍 to \(place)\(why)")
    #expect(shown(.replaces("m1"), "no secret") == "12:01 me → Bob ✗ (corrected): no secret\n\(why)")
  }

  @Test("in the history is what it said last where it was corrected and then taken back, as far as that can be read")
  func correctedThenRetractedInHistory() throws {
    let (bob, me) = (try JID("bob@example.org"), try JID("me@example.org"))
    func shown(_ correction: String, _ encryption: String? = nil, emptied: Bool = false) -> String {
      let event = MessageArrived(
        id: "m1", from: bob, to: me, kind: .chat, body: emptied ? "" : "at nein", delayed: noon)
      var message = LoggedMessage(number: 1, conversation: bob, event: event, isOutgoing: false)
      message.fate = MessageFate(isEmptied: emptied)
      (message.fate.correction, message.fate.correctionEncryption) = (correction, encryption)
      message.fate.isRetracted = true
      fixture.output.show(HistoryRow(message), of: "history", account: me)
      return fixture.out.take()
    }
    #expect(shown("at nine") == "12:01 Bob (retracted): at nine\n")
    #expect(shown("", "OMEMO") == "12:01 Bob (retracted): at nein\n")
    #expect(shown("", emptied: true) == "12:01 Bob (retracted): \n")
  }

  @Test("in the history links nothing any more that its sender corrected")
  func correctedLink() throws {
    let (bob, me) = (try JID("bob@example.org"), try JID("me@example.org"))
    var event = MessageArrived(id: "m1", from: bob, to: me, kind: .chat, body: "https://example.org/a", delayed: noon)
    event.payload = MessagePayload()
    event.payload?.links = [MessagePayload.Link(url: "https://example.org/a")]
    var message = LoggedMessage(number: 1, conversation: bob, event: event, isOutgoing: false)
    message.fate.correction = "https://example.org/b"
    fixture.output.show(HistoryRow(message), of: "history", account: me)
    #expect(fixture.out.take() == "12:01 Bob (corrected): https://example.org/b\n")
  }

  @Test("in the history names who reacted in a room by what they are called there, and the user as such")
  func reactionsInRoom() throws {
    let (room, me) = (try JID("tea@rooms.example.org"), try JID("me@example.org"))
    let place = try room.with(resource: "bobby")
    var event = MessageArrived(id: "m1", from: place, to: me, kind: .chat, body: "hi", delayed: noon)
    event.payload = MessagePayload()
    event.payload?.isPrivate = true
    var message = LoggedMessage(number: 1, conversation: place, event: event, isOutgoing: false)
    message.fate.reactions = [
      .init(from: place, with: ["👍"]), .init(from: try room.with(resource: "me"), with: ["🎉"]),
      .init(from: try room.with(resource: "al"), with: ["❤"], isOwn: true),
    ]
    fixture.output.show(HistoryRow(message, isOfOne: true), of: "history", account: me)
    #expect(fixture.out.take().hasSuffix("12:01 -- 👍 bobby, 🎉 \"me\", ❤ me\n"))
  }

  @Test("in the history is never the fallback text of what is encrypted, but what can be read in its place")
  func encryptedInHistory() throws {
    let (bob, me) = (try JID("bob@example.org"), try JID("me@example.org"))
    func shown(_ body: String, _ encryption: String?, _ correction: String?, _ other: String?) -> String {
      var event = MessageArrived(id: "m1", from: bob, to: me, kind: .chat, body: body, delayed: noon)
      event.payload = MessagePayload()
      event.payload?.encryption = encryption
      var message = LoggedMessage(number: 1, conversation: bob, event: event, isOutgoing: false)
      (message.fate.correction, message.fate.correctionEncryption) = (correction, other)
      fixture.output.show(HistoryRow(message), of: "history", account: me)
      return fixture.out.take()
    }
    let unreadable = "12:01 -- (corrected) Bob sent an encrypted message (OMEMO) that Jackdaw cannot read.\n"
    #expect(shown("At one", nil, "", "OMEMO") == unreadable)
    #expect(shown("This is encrypted.", "OMEMO", "", "OMEMO") == unreadable)
    #expect(shown("This is encrypted.", "OMEMO", "At two", nil) == "12:01 Bob (corrected): At two\n")
    #expect(
      shown("?OTR:abc", "OTR", nil, nil) == "12:01 -- Bob sent an encrypted message (OTR) that Jackdaw cannot read.\n")
    #expect(shown("?OTRv23?", "OTR", nil, nil) == "12:01 -- Bob asks to encrypt with OTR, which Jackdaw cannot do.\n")
  }
}
