// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawCommands
import JackdawLoop
import JackdawProtocol
import JackdawSession
import Support
import Testing

@testable import JackdawTerminal

@Client @Suite(.onLoop) struct EventLinesTests {
  @Test("The presence of many friends at log-in is one line") func manyFriendsAtLogInAreOneLine() throws {
    let fixture = Fixture()
    fixture.output.show(ConnectionChanged(state: .online))
    for number in 1...12 { try fixture.presence("friend\(number)@example.org/a") }
    try fixture.presence("bob@example.org/a", "away", "lunch")
    #expect(fixture.out.take() == "12:01 -- You are online.\n")
    fixture.clock.advance(by: .seconds(3))
    #expect(
      fixture.out.take() == """
        12:01 -- 12 friends are online: friend1@example.org, friend2@example.org,
                friend3@example.org, friend4@example.org, friend5@example.org and 7 more
        12:01 -- Bob is away: lunch

        """)
  }

  @Test("How many messages arrived while one was away is one line") func awayCount() {
    let fixture = Fixture()
    fixture.output.show(ArchiveRead(messages: 999))
    fixture.output.show(CaughtUp(messages: 3))
    fixture.output.show(CaughtUp(messages: 1))
    let shown = fixture.out.take() + fixture.errors.take()
    for count in ["3 messages", "1 message"] { #expect(shown.contains("\(count) arrived while you were away\n")) }
  }

  @Test("A contact has the name on the contact list of the account that it belongs to") func calledAsOnList() throws {
    let fixture = Fixture()
    let (home, work) = (try JID("me@example.org"), try JID("me@work.example"))
    fixture.roster.accountNames = [home: "home", work: "work"]
    fixture.roster.names = [home: "Bobby", work: "MrBob"]
    let bob = try JID("bob@example.org/x")
    for (account, name) in [(work, "[work] MrBob"), (home, "[home] Bobby")] {
      let message: any ClientEvent = MessageArrived(id: "1", from: bob, to: account, kind: .chat, body: "hi")
      fixture.output.show(message, of: account)
      #expect(fixture.out.take().contains("\(name): hi"))
    }
    // What is gathered is told before something comes to another account.
    fixture.output.show(PresenceChanged(from: bob, show: "away", status: nil, priority: 0), of: work)
    fixture.output.show(PresenceChanged(from: bob, show: "dnd", status: nil, priority: 0), of: home)
    fixture.clock.advance(by: .seconds(3))
    let presence = fixture.out.take()
    #expect(presence.contains("[work] -- MrBob is away") && presence.contains("[home] -- Bobby is"), "\(presence)")
  }

  @Test("That a friend has read what one account said is told, whatever another account has said to them since")
  func receiptsOfTwoAccounts() throws {
    let (fixture, home, work) = try twoAccounts()
    let bob = try JID("bob@example.org")
    for (id, account) in [("h", home), ("w", work)] {
      let message: any ClientEvent = MessageArrived(id: id, from: account, to: bob, kind: .chat, body: id)
      fixture.output.show(message, of: account)
    }
    for (id, account, name) in [("h", home, "home"), ("w", work, "work")] {
      _ = fixture.out.take()
      fixture.output.show(MessageStateChanged(id: id, to: bob, state: .displayed), of: account)
      fixture.clock.advance(by: .seconds(3))
      let shown = fixture.out.take()
      #expect(shown.contains("[\(name)] -- ✓ Bob read"), "\(shown)")
    }
  }

  /// Two accounts, neither of them in use.
  private func twoAccounts(isPrompt: Bool = true) throws -> (fixture: Fixture, home: JID, work: JID) {
    let fixture = Fixture(isPrompt: isPrompt)
    let (home, work) = (try JID("me@example.org"), try JID("me@work.example"))
    fixture.roster.accountNames = [home: "home", work: "work"]
    return (fixture, home, work)
  }

  @Test("A log-in or a lost connection displays nothing about another account's contacts") func otherAccount()
    throws
  {
    let (fixture, home, work) = try twoAccounts()
    func show(_ event: any ClientEvent, of account: JID) -> String {
      fixture.output.show(event, of: account)
      fixture.clock.advance(by: .seconds(3))
      return fixture.out.take()
    }
    func bob(_ show: String) throws -> PresenceChanged {
      PresenceChanged(from: try JID("bob@example.org/x"), show: show, status: nil, priority: 0)
    }
    #expect(show(ConnectionChanged(state: .online), of: home) == "12:01 [home] -- You are online.\n")
    #expect(try show(bob("available"), of: home) == "12:01 [home] -- Bob is online\n")
    #expect(show(ConnectionChanged(state: .online), of: work) == "12:01 [work] -- You are online.\n")
    // He may be a contact of both.
    #expect(try show(bob("available"), of: work) == "12:01 [work] -- Bob is online\n")
    let lost = ConnectionChanged(state: .retrying, reason: "no route", retryIn: 1.8)
    #expect(show(lost, of: work) == "12:01 [work] -- You are offline: no route. Next try in 2 s.\n")
    #expect(try show(bob("away"), of: home) == "12:01 [home] -- Bob is away\n")
    #expect(
      show(ConnectionChanged(state: .online), of: home)
        == "12:01 [home] -- You are online.\n12:01 [home] -- Bob is offline\n")
    #expect(show(lost, of: work) == "")
    #expect(show(lost, of: home) == "12:01 [home] -- You are offline: no route. Next try in 2 s.\n")
    #expect(fixture.clock.pendingTimers == 0)
  }

  @Test("A line about no account does not name the account of the line before") func noAccount() throws {
    let (fixture, _, work) = try twoAccounts()
    fixture.output.show(CaughtUp(messages: 3), of: work)
    fixture.output.notice("Well.")
    fixture.output.fail(CommandFailure(.usage, "usage", "No."), account: nil)
    fixture.output.show(CaughtUp(messages: 1), of: work)
    #expect(
      fixture.out.take() == """
        12:01 [work] -- 3 messages arrived while you were away
        12:01 -- Well.
        12:01 !! No.
        12:01 [work] -- 1 message arrived while you were away

        """)
  }

  @Test("Without a prompt, the number of missed messages names their account") func namedCount() throws {
    let (fixture, home, work) = try twoAccounts(isPrompt: false)
    fixture.output.show(CaughtUp(messages: 3), of: work)
    fixture.output.show(CaughtUp(messages: 1), of: home)
    let shown = fixture.errors.take()
    #expect(shown == "[work] 3 messages arrived while you were away\n[home] 1 message arrived while you were away\n")
  }

  @Test("A command to be copied names its account, where that is not in use") func copiedCommand() throws {
    func request(_ address: String, isPrompt: Bool = true, inUse: String? = nil) throws -> String {
      let (fixture, _, work) = try twoAccounts(isPrompt: isPrompt)
      fixture.output.currentAccount = inUse
      fixture.output.show(FriendRequested(jid: try JID(address)), of: work)
      fixture.clock.advance(by: .seconds(1))
      return fixture.out.take()
    }
    #expect(try request("carol@example.org").contains("/friends accept work:carol@example.org (or: reject)"))
    #expect(try request("carol@example.org", inUse: "work").contains("/friends accept carol@example.org (or: reject)"))
    let (fixture, _, work) = try twoAccounts()
    fixture.output.currentAccount = "work"
    fixture.output.show(FriendRequested(jid: try JID("carol@example.org")), of: work)
    fixture.output.currentAccount = "home"
    fixture.clock.advance(by: .seconds(1))
    #expect(fixture.out.take().contains("/friends accept work:carol@example.org (or: reject)"), "as it is shown")
    #expect(try request("$x@example.org").contains("/friends accept 'work:$x@example.org' (or: reject)"))
    #expect(try request("-x@example.org").contains("see /friends requests, after /account work"))
    #expect(
      try request("carol@example.org", isPrompt: false)
        .contains("jackdaw --account work friends accept carol@example.org (or: reject)"))
  }

  @Test("Messages to one person from two accounts stand apart where they are shown again") func apart() throws {
    let (fixture, home, work) = try twoAccounts()
    let bob = try JID("bob@example.org")
    func show(_ body: String, of account: JID) -> String {
      let event = MessageArrived(id: body, from: account, to: bob, kind: .chat, body: body, delayed: nil, carbon: .sent)
      let message = LoggedMessage(number: 1, conversation: bob, event: event, isOutgoing: true)
      fixture.output.show(HistoryRow(message, isOfOne: true), of: "to", account: account)
      return fixture.out.take()
    }
    fixture.output.currentAccount = "home"
    #expect(show("one", of: home).hasSuffix("12:01 me → Bob: one\n"))
    #expect(show("two", of: home) == "12:01 me: two\n")
    fixture.output.currentAccount = "work"
    #expect(show("three", of: work).hasSuffix("12:01 me → Bob: three\n"))
    #expect(show("four", of: work) == "12:01 me: four\n")
  }

  @Test("One person's conversations in two accounts are two, and so are those of one room") func ofTwo() throws {
    let (fixture, home, work) = try twoAccounts()
    func show(_ body: String, from: String, to: String, of account: JID, kind: Message.Kind = .chat) throws -> String {
      let message: any ClientEvent = MessageArrived(
        id: body, from: try JID(from), to: try JID(to), kind: kind, body: body, delayed: nil,
        carbon: from.hasPrefix("me@") ? .sent : nil)
      fixture.output.show(message, of: account)
      return fixture.out.take()
    }
    (fixture.output.currentAccount, fixture.output.conversation) = ("home", try JID("bob@example.org"))
    func own(_ body: String) throws -> String {
      try show(body, from: "me@example.org", to: "bob@example.org", of: home)
    }
    #expect(try own("one") == "12:01 me → Bob: one\n")
    #expect(try own("two") == "12:01 me: two\n")
    #expect(
      try show("three", from: "bob@example.org/x", to: "me@work.example", of: work) == "12:01 [work] Bob: three\n")
    // Not to the one who wrote the line above it.
    #expect(try own("four") == "12:01 me → Bob: four\n")
    #expect(
      try show("five", from: "me@work.example", to: "bob@example.org", of: work) == "12:01 [work] me → Bob: five\n")
    fixture.output.conversation = try JID("tea@rooms.example.org")
    func said(of account: JID) throws -> String {
      try show("six", from: "tea@rooms.example.org/Ann", to: "me@example.org", of: account, kind: .groupchat)
    }
    #expect(try !said(of: home).contains("tea@rooms.example.org"))
    #expect(try said(of: work).contains("tea@rooms.example.org"))
  }

  @Test("Presence that is the same again in the end is not displayed") func unchangedPresence() throws {
    let fixture = Fixture()
    try fixture.presence("bob@example.org/a")
    fixture.clock.advance(by: .seconds(1))
    #expect(fixture.out.take() == "12:01 -- Bob is online\n")
    try fixture.presence("bob@example.org/a", "unavailable")
    try fixture.presence("bob@example.org/a")
    try fixture.presence("bob@example.org/phone", "away")
    try fixture.presence("bob@example.org/phone", "unavailable")
    fixture.clock.advance(by: .seconds(1))
    #expect(fixture.out.take() == "")
    try fixture.presence("bob@example.org/a", "unavailable")
    fixture.clock.advance(by: .seconds(1))
    #expect(fixture.out.take() == "12:01 -- Bob is offline\n")
  }

  @Test("After a new log-in only changes of presence are displayed") func afterANewLogIn() throws {
    let fixture = Fixture()
    fixture.output.show(ConnectionChanged(state: .online))
    try fixture.presence("bob@example.org/a")
    try fixture.presence("ann@example.org/a")
    fixture.clock.advance(by: .seconds(3))
    fixture.output.show(ConnectionChanged(state: .offline, reason: "the server closed"))
    try fixture.presence("bob@example.org/a", "unavailable")
    fixture.clock.advance(by: .seconds(3))
    _ = fixture.out.take()
    fixture.output.show(ConnectionChanged(state: .online))
    try fixture.presence("ann@example.org/b")
    fixture.clock.advance(by: .seconds(3))
    #expect(fixture.out.take() == "12:01 -- You are online.\n12:01 -- Bob is offline\n")
  }

  @Test("On a pipe a contact with two devices comes and goes once, at once") func twoDevices() throws {
    let fixture = Fixture(columns: nil, isPrompt: false)
    fixture.output.show(ConnectionChanged(state: .online))
    try fixture.presence("bob@example.org/laptop")
    #expect(fixture.out.take() == "12:01 -- Bob is online\n")
    // An empty status, as mcabber sends it, is none.
    try fixture.presence("bob@example.org/phone", "available", "")
    try fixture.presence("bob@example.org/laptop", "unavailable")
    #expect(fixture.out.take() == "")
    try fixture.presence("bob@example.org/phone", "unavailable")
    #expect(fixture.out.take() == "12:01 -- Bob is offline\n")
  }

  @Test("On a pipe a new log-in displays who has gone offline") func onAPipeANewLogInDisplaysWhoHasGone() throws {
    let fixture = Fixture(columns: nil, isPrompt: false)
    fixture.output.show(ConnectionChanged(state: .online))
    try fixture.presence("bob@example.org/a")
    try fixture.presence("ann@example.org/a")
    fixture.output.show(ConnectionChanged(state: .offline, reason: "the server closed"))
    try fixture.presence("bob@example.org/a", "unavailable")
    try fixture.presence("ann@example.org/a", "unavailable")
    _ = fixture.out.take()
    fixture.output.show(ConnectionChanged(state: .online))
    try fixture.presence("ann@example.org/b")
    #expect(fixture.out.take() == "")
    fixture.clock.advance(by: .seconds(3))
    #expect(fixture.out.take() == "12:01 -- Bob is offline\n")
  }

  @Test("A flood of presence is one line and bounded work") func aFloodOfPresenceIsOneLineAndBoundedWork() throws {
    let fixture = Fixture()
    for number in 0..<20_000 { try fixture.presence("bob@example.org/r\(number)", "chat", "\(number)") }
    fixture.clock.advance(by: .seconds(1))
    #expect(fixture.out.take() == "12:01 -- Bob is free for a chat: 63\n")
  }

  @Test("On a pipe presence is displayed as a line when it comes") func onAPipePresenceIsALineAsItComes() throws {
    let fixture = Fixture(columns: nil, isPrompt: false)
    try fixture.presence("bob@example.org/a", "dnd", "a\tb")
    #expect(fixture.out.take() == "12:01 -- Bob is busy: a       b\n")
  }

  @Test("A friend request is displayed with the commands that answer it") func friendRequest() throws {
    let fixture = Fixture()
    fixture.output.show(FriendRequested(jid: try JID("carol@example.org"), displayName: "Carol", message: "It's me\n!"))
    fixture.clock.advance(by: .seconds(1))
    #expect(
      fixture.out.take() == """
        12:01 -- carol@example.org (Carol) asks to be your friend:
              | It's me
              | !
              | /friends accept carol@example.org (or: reject)

        """)
  }

  @Test(
    "How a request is accepted and how it is declined stand on one line of 80 columns",
    arguments: ["carol@example.org", "somebody.with.a.long.name@chat.example.org"])
  func answersOnOneLine(address: String) throws {
    let fixture = Fixture(columns: 80)
    fixture.output.show(FriendRequested(jid: try JID(address)))
    fixture.clock.advance(by: .seconds(1))
    let shown = fixture.out.take().split(separator: "\n")
    #expect(shown.last?.hasSuffix("/friends accept \(address) (or: reject)") == true && shown.count <= 2, "\(shown)")
  }

  @Test("Who is blocked is named as the user calls them, with the address") func blockedName() throws {
    let fixture = Fixture(columns: nil)
    fixture.output.show(BlockChanged(jid: try JID("bob@example.org"), change: .blocked))
    fixture.output.show(BlockChanged(jid: try JID("bob@example.org/x"), change: .unblocked))
    fixture.output.show(BlockChanged(jid: try JID("spam.example"), change: .blocked))
    #expect(
      fixture.out.take() == """
        12:01 -- Bob (bob@example.org) is blocked.
        12:01 -- bob@example.org/x is no longer blocked.
        12:01 -- spam.example is blocked.

        """)
  }

  @Test(
    "An address to be copied to a shell is one word there",
    arguments: [
      ("$(reboot)@example.org", "'$(reboot)@example.org'"), ("a`b`@example.org", "'a`b`@example.org'"),
      ("a;b@example.org", "'a;b@example.org'"), ("müller@example.org", "müller@example.org"),
    ])
  func wordInAShell(address: String, word: String) throws {
    let fixture = Fixture(columns: nil, isPrompt: false)
    fixture.output.show(FriendRequested(jid: try JID(address)))
    #expect(fixture.out.take().contains("jackdaw friends accept \(word) (or: reject)"))
  }

  @Test("A misleading address is not offered for copying", arguments: ["-x@example.org", "b\u{43E}b@example.org"])
  func misleading(address: String) throws {
    let fixture = Fixture()
    fixture.output.show(FriendRequested(jid: try JID(address)))
    fixture.clock.advance(by: .seconds(1))
    let shown = fixture.out.take()
    #expect(shown.contains("see /friends requests"))
    #expect(!shown.contains("accept"))
  }

  @Test("A flood of requests is one line") func aFloodOfRequestsIsOneLine() throws {
    let fixture = Fixture()
    for number in 1...2000 { fixture.output.show(FriendRequested(jid: try JID("spam\(number)@example.org"))) }
    fixture.clock.advance(by: .seconds(1))
    let shown = fixture.out.take()
    #expect(shown.hasPrefix("12:01 -- 2000 people ask to be your friends: spam1@example.org,"))
    #expect(shown.split(separator: "\n").count <= 3)
  }

  @Test("A long flood of requests is a few lines, and the last one has the total") func longFlood() throws {
    let fixture = Fixture()
    func ask(_ name: String) throws { fixture.output.show(FriendRequested(jid: try JID("\(name)@example.org"))) }
    // Twenty a second for two minutes.
    for number in 0..<2_400 {
      try ask("spam\(number)")
      fixture.clock.advance(by: .milliseconds(50))
    }
    fixture.clock.advance(by: .seconds(60))
    let shown = fixture.out.take().split(separator: "\n")
    #expect(shown.count <= 16, "\(shown)")
    #expect(
      shown.last?.hasSuffix(" more ask to be your friends, 2400 in all; see /friends requests") == true, "\(shown)")
    // The next one is somebody again.
    fixture.clock.advance(by: .seconds(60))
    try ask("carol")
    fixture.clock.advance(by: .seconds(1))
    #expect(fixture.out.take().hasPrefix("12:01 -- carol@example.org asks to be your friend"))
    #expect(fixture.clock.pendingTimers == 0)
  }

  @Test("Connection failures are displayed once, not at each attempt") func connectionFailures() throws {
    let fixture = Fixture()
    fixture.output.show(ConnectionChanged(state: .online))
    fixture.output.show(ConnectionChanged(state: .retrying, reason: "no route", retryIn: 1.8))
    for wait in [3.6, 7, 15] {
      fixture.output.show(ConnectionChanged(state: .connecting))
      fixture.output.show(ConnectionChanged(state: .retrying, reason: "no route", retryIn: wait))
    }
    fixture.output.show(ConnectionChanged(state: .resumed))
    #expect(
      fixture.out.take() == """
        12:01 -- You are online.
        12:01 -- You are offline: no route. Next try in 2 s.
        12:01 -- You are online again.

        """)
  }

  @Test("When the user reconnects by hand each failure is displayed") func failuresByHand() throws {
    let fixture = Fixture()
    fixture.output.show(ConnectionChanged(state: .online))
    let refused = ConnectionChanged(state: .offline, reason: "wrong password")
    for _ in 1...2 {
      fixture.output.show(ConnectionChanged(state: .connecting))
      fixture.output.show(refused)
      fixture.output.show(refused)
    }
    let line = "12:01 -- You are offline: wrong password.\n"
    #expect(fixture.out.take() == "12:01 -- You are online.\n" + line + line)
  }

}
