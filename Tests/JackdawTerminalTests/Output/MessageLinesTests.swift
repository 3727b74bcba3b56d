// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawCommands
import JackdawLoop
import JackdawProtocol
import JackdawSession
import Support
import Testing

@testable import JackdawTerminal

@Client @Suite(.onLoop) struct MessageLinesTests {
  @Test(
    "A message is displayed as TIME SENDER TEXT",
    arguments: [
      ("hello", "12:01 Bob: hello\n"),
      ("", "12:01 Bob: \n"),
      ("one\ntwo\n\nfour", "12:01 Bob: one\n      | two\n      | \n      | four\n"),
      ("/me waves", "12:01 * Bob waves\n"),
      ("/menu", "12:01 Bob: /menu\n"),
    ])
  func aMessageIsTimeSenderText(body: String, line: String) throws {
    #expect(try Fixture().message(body) == line)
  }

  @Test("CWE-117: no text makes one message look like two", arguments: [nil, 80, 40, 20])
  func noTextMakesOneMessageLookLikeTwo(columns: Int?) throws {
    let fixture = Fixture(columns: columns)
    let padding = String(repeating: " ", count: 65)
    for body in [
      "hi\n12:02 Carol: x", "hi\r\n12:02 Carol: x", "hi\u{85}12:02 Carol: x", "hi\u{2028}12:02 Carol: x",
      "hi\u{B}12:02 Carol: x", padding + "12:02 Carol: x", String(repeating: "a", count: 69) + " 12:02 Carol: x",
    ] {
      let rows = try fixture.message(body).split(separator: "\n")
      #expect(rows.filter { !$0.hasPrefix("      ") }.count == 1)
      if let columns { #expect(rows.allSatisfy { Width.of($0) <= columns }) }
    }
  }

  @Test("A message cannot look like a line of the program") func aMessageCannotLookLikeALineOfTheProgram() throws {
    let fixture = Fixture()
    #expect(try fixture.message("/me has left the room") == "12:01 * Bob has left the room\n")
    #expect(try fixture.message("-- Bob is offline") == "12:01 Bob: -- Bob is offline\n")
  }

  @Test("A name cannot leave its line, whatever is in it") func aNameCannotLeaveItsLine() throws {
    #expect(
      try Fixture().message("x", from: "evil@example.org") == "12:01 E\\u{9b}vil\\n12:00 Bob: x\n")
  }

  @Test("A flood of combining marks is cut short") func aFloodOfCombiningMarksIsCutShort() throws {
    let line = try Fixture().message("a" + String(repeating: "\u{301}", count: 3000))
    #expect(line.unicodeScalars.count < 40)
  }

  @Test(
    "A delayed message shows its own time, with its date, and never a future one",
    arguments: [
      (noon.milliseconds - 60_000, "12:00 Bob: x\n"),
      (noon.milliseconds - 86_400_000, "2026-11-20 12:01 Bob: x\n"),
      (0, "1970-01-01 00:00 Bob: x\n"),
      (noon.milliseconds + 86_400_000, "12:01 Bob: x\n"),
      (Int64.max, "12:01 Bob: x\n"),
    ])
  func aDelayedMessageShowsItsOwnTime(
    sent: Int64, line: String
  ) throws {
    #expect(try Fixture().message("x", delayed: Timestamp(milliseconds: sent)) == line)
  }

  @Test("A message that the user sent from another device is shown as the user's")
  func aMessageThatTheUserSentFromAnotherDeviceIsShown() throws {
    let fixture = Fixture()
    let to = "bob@example.org"
    #expect(try fixture.message("x", from: "me@example.org/y", to: to, carbon: .sent) == "12:01 me → Bob: x\n")
    fixture.output.conversation = try JID(to)
    #expect(try fixture.message("x", from: "me@example.org/y", to: to, carbon: .sent) == "12:01 me: x\n")
    #expect(try fixture.message("x", from: "me@example.org/z", to: to) == "12:01 me: x\n")
    #expect(try fixture.message("/me waves", from: "me@example.org/z", to: to) == "12:01 * me waves\n")
  }

  @Test("A message between two of the user's accounts is sent for one and received for the other")
  func aMessageBetweenTwoOfTheUsersAccountsIsSent() throws {
    let fixture = Fixture()
    let (bot, own) = (try JID("me@bots.example"), try JID("me@example.org"))
    let message = MessageArrived(id: "1", from: bot, to: own, kind: .chat, body: "The disk is full.")
    fixture.output.show(message, of: own)
    #expect(fixture.out.take() == "12:01 me@bots.example: The disk is full.\n")
    fixture.output.show(message, of: bot)
    #expect(fixture.out.take() == "12:01 me → me@example.org: The disk is full.\n")
    var answer = MessageArrived(id: "2", from: own, to: bot, kind: .chat, body: "Thanks.")
    answer.carbon = .sent
    fixture.output.show(answer, of: own)
    #expect(fixture.out.take() == "12:01 me → me@bots.example: Thanks.\n")
  }

  @Test("The user's message names its recipient unless the line above is of the open conversation")
  func theUsersMessageNamesItsRecipientUnlessTheLineAbove() throws {
    let fixture = Fixture()
    let (own, bob, carol) = ("me@example.org/x", "bob@example.org", "carol@example.org")
    fixture.output.conversation = try JID(bob)
    #expect(try fixture.message("one", from: own, to: bob) == "12:01 me → Bob: one\n")
    #expect(try fixture.message("two", from: own, to: bob) == "12:01 me: two\n")
    #expect(try fixture.message("three") == "12:01 Bob: three\n")
    #expect(try fixture.message("four", from: own, to: bob) == "12:01 me: four\n")
    // Somebody else's line stands between.
    _ = try fixture.message("hi", from: carol)
    #expect(try fixture.message("five", from: own, to: bob) == "12:01 me → Bob: five\n")
    #expect(try fixture.message("six", from: own, to: bob) == "12:01 me: six\n")
    // And so does one of the program.
    fixture.output.notice("x")
    _ = fixture.out.take()
    #expect(try fixture.message("seven", from: own, to: bob) == "12:01 me → Bob: seven\n")
    // The conversation was switched there and back.
    fixture.output.conversation = try JID(carol)
    #expect(try fixture.message("eight", from: own, to: carol) == "12:01 me → carol@example.org: eight\n")
    #expect(try fixture.message("late", from: own, to: bob) == "12:01 me → Bob: late\n")
    fixture.output.conversation = try JID(bob)
    #expect(try fixture.message("nine", from: own, to: bob) == "12:01 me: nine\n")
    #expect(try fixture.message("note", from: own, to: "me@example.org") == "12:01 me → myself: note\n")
  }

  @Test("A note to oneself that the server sends back is one line")
  func aNoteToOneselfThatTheServerSendsBackIsOne() throws {
    let fixture = Fixture()
    let own = try JID("me@example.org")
    func note(_ id: String, from: String) throws -> MessageArrived {
      MessageArrived(id: id, from: try JID(from), to: own, kind: .chat, body: id)
    }
    for (id, from) in [
      ("one", "me@example.org"), ("two", "me@example.org"), ("one", "me@example.org/here"),
      ("two", "me@example.org/here"),
      ("three", "me@example.org/phone"),
    ] {
      fixture.output.show(try note(id, from: from))
    }
    let line = "12:01 me → myself: "
    #expect(fixture.out.take() == "\(line)one\n\(line)two\n\(line)three\n")
    // In the log, too. A list that begins between the two has the one that is in it.
    func list(_ rows: [(number: Int64, from: String)]) throws -> Int {
      for row in rows {
        let message = LoggedMessage(
          number: row.number, conversation: own, event: try note("one", from: row.from),
          isOutgoing: row.from == "me@example.org", state: nil)
        fixture.output.show(HistoryRow(message), of: "history")
      }
      return fixture.out.take().split(separator: "\n").count { $0.hasSuffix(": one") }
    }
    let both: [(number: Int64, from: String)] = [(4, "me@example.org"), (5, "me@example.org/here")]
    #expect(try list(both) == 1)
    #expect(try list(Array(both.dropFirst())) == 1)
    #expect(try list(both) == 1)
  }

  @Test("Without a prompt each of the user's messages names whom it is for")
  func withoutAPromptEachOfTheUsersMessagesNamesWhom() throws {
    let fixture = Fixture(columns: nil, isPrompt: false)
    for _ in 1...2 {
      let line = try fixture.message("x", from: "me@example.org/y", to: "bob@example.org", carbon: .sent)
      #expect(line == "12:01 me → Bob: x\n")
    }
  }

  @Test("A room's message names who spoke and where") func aRoomsMessageNamesWhoSpoke() throws {
    let line = try Fixture().message("hi", from: "room@example.org/Ann Bee", kind: .groupchat)
    #expect(line == "12:01 Ann Bee in room@example.org: hi\n")
  }

  @Test("A stranger is announced once, and their bare address is shown") func aStrangerIsAnnouncedOnce() throws {
    let fixture = Fixture()
    let first = try fixture.message("hi", from: "eve@evil.example/x")
    #expect(
      first == "12:01 -- eve@evil.example is not one of your friends.\n12:01 eve@evil.example: hi\n")
    #expect(try fixture.message("hi", from: "eve@evil.example/y") == "12:01 eve@evil.example: hi\n")
  }

  @Test("A room of the user's that says something to them alone is no stranger")
  func aRoomOfTheUsersThatSaysSomethingToThemAlone() throws {
    let fixture = Fixture()
    #expect(
      try fixture.message("Bob declined", from: "tea@rooms.example.org", kind: .normal)
        == "12:01 tea@rooms.example.org: Bob declined\n")
  }

  @Test("After more strangers than are remembered the next one is announced all the same")
  func afterMoreStrangersThanAreRememberedTheNextOneIsAnnounced() throws {
    let fixture = Fixture()
    for number in 0..<TerminalLimits.rememberedAddresses {
      fixture.output.strangers.insert(try JID("eve\(number)@evil.example"))
    }
    #expect(
      try fixture.message("hi", from: "eve@evil.example").contains(
        "eve@evil.example is not one of your friends."))
  }

  @Test("An address of mixed scripts is spelled out, with a warning")
  func anAddressOfMixedScriptsIsSpelledOut() throws {
    let shown = try Fixture().message("hi", from: "b\u{43E}b@example.org")
    #expect(shown.contains("12:01 b\\u{43e}b@example.org: hi\n"))
    #expect(shown.contains("mixes scripts"))
  }

  @Test("On a pipe the remark about a stranger is on stderr") func onAPipeTheRemarkAboutAStrangerIsOnStderr() throws {
    let fixture = Fixture(columns: nil, isPrompt: false)
    #expect(try fixture.message("hi", from: "eve@evil.example/x") == "12:01 eve@evil.example: hi\n")
    #expect(fixture.errors.take() == "12:01 -- eve@evil.example is not one of your friends.\n")
  }

  @Test("Times are faint, senders coloured by their address, and colours end with the line")
  func timesAreFaint() throws {
    let line = try Fixture(colors: .sixteen).message("hi")
    #expect(line.hasPrefix("\u{1B}[2m12:01 \u{1B}[0m\u{1B}["))
    #expect(line.hasSuffix("mBob\u{1B}[0m: hi\n"))
  }

  @Test("The user's message is marked while it waits, and not marked otherwise")
  func theUsersMessageIsMarkedWhileItWaits() throws {
    let fixture = Fixture()
    var said = MessageArrived(
      id: "1", from: try JID("me@example.org"), to: try JID("bob@example.org"), kind: .chat, body: "hi")
    fixture.output.show(said)
    #expect(fixture.out.take() == "12:01 me → Bob: hi\n")
    said.isWaiting = true
    fixture.output.show(said)
    #expect(fixture.out.take() == "12:01 me → Bob …: hi\n")
  }

  @Test("A message of the log that did not arrive says why") func aMessageOfTheLogThatDidNotArriveSaysWhy() throws {
    let fixture = Fixture()
    let bob = try JID("bob@example.org")
    let said = MessageArrived(
      id: "1", from: try JID("me@example.org"), to: bob, kind: .chat, body: "hi",
      delayed: Timestamp(milliseconds: 1_793_534_400_000))
    let message = LoggedMessage(
      number: 1, conversation: bob, event: said, isOutgoing: true, state: .failed(reason: "gone\n12:00 x"))
    fixture.output.show(HistoryRow(message), of: "history")
    let shown = fixture.out.take()
    #expect(shown.contains("✗: hi\n") && shown.contains("-- ✗ not delivered: gone\\n12:00 x\n"))
  }

  @Test("A failed message says why, the others only with -v") func aFailedMessageSaysWhy() throws {
    let fixture = Fixture()
    let to = try JID("bob@example.org")
    fixture.output.show(MessageStateChanged(id: "1", to: to, state: .failed(reason: "gone\n12:00 x")))
    #expect(fixture.out.take() == "12:01 !! ✗ Your message to Bob was not delivered: gone\\n12:00 x.\n")
    let occupant = try JID("tea@rooms.example.org/Al")
    fixture.output.show(MessageStateChanged(id: "1", to: occupant, state: .failed(reason: "gone")))
    #expect(
      fixture.out.take() == "12:01 !! ✗ Your message to Al in tea@rooms.example.org was not delivered: gone.\n")
    fixture.output.show(MessageStateChanged(id: "1", to: to, state: .delivered))
    #expect(fixture.out.take() == "")
    // The command that withdrew it says so.
    var withdrawal = MessageStateChanged(id: "1", to: to, state: .failed(reason: "It was withdrawn."))
    withdrawal.isOwnWithdrawal = true
    fixture.output.show(withdrawal)
    #expect(fixture.out.take() == "")
    let verbose = Fixture(verbosity: .verbose)
    verbose.output.show(MessageStateChanged(id: "1", to: to, state: .delivered))
    #expect(verbose.out.take() == "12:01 -- message 1 to Bob: delivered\n")
  }
}
