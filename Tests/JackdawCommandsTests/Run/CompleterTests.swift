// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession
import JackdawStore
import JackdawXML
import Support
import Testing

@testable import JackdawCommands

@Client @Suite("Tab", .onLoop)
struct CompleterTests {
  nonisolated static let rows: [(line: String, offered: [String])] = [
    ("/fr", ["/friends"]),
    ("/s", ["/search", "/send", "/show", "/sleep", "/status"]),
    ("/S", ["/search", "/send", "/show", "/sleep", "/status"]),
    ("/z", []),
    ("", ["Bob", "Carol", "twin1@example.org", "twin2@example.org"]),
    ("hello bo", ["Bob"]),
    ("//x bo", ["Bob"]),
    ("/me hugs bo", ["Bob"]),
    ("/nonsense bo", []),
    (
      "/friends ",
      [
        "accept", "add", "approve", "cancel", "export", "group", "import", "invite", "list", "reject", "remove",
        "rename",
        "requests", "revoke", "show", "unsubscribe",
      ]
    ),
    ("/friends re", ["reject", "remove", "rename", "requests", "revoke"]),
    ("/friends nonsense ", []),
    ("/friends remove c", ["Carol"]),
    ("/friends remove carol@example.org b", ["Bob"]),
    ("/friends cancel ", []),
    ("/friends export --format ", ["csv", "json"]),
    ("/friends accept ", ["eve@example.org"]),
    ("/friends add e", ["eve@example.org"]),
    ("/friends group bob@example.org ", ["Friends", "Work"]),
    ("/friends group bob@example.org Work F", ["Friends"]),
    ("/friends list --group ", ["Friends", "Work"]),
    ("/friends list --", ["--group", "--help", "--online", "--timeout"]),
    ("/friends list --o", ["--online"]),
    // Those of what a bare group stands for.
    ("/friends --o", ["--online"]),
    ("/friends --group ", ["Friends", "Work"]),
    ("/friends --online --group W", ["Work"]),
    ("/friends requests ", []),
    ("/send b", ["Bob"]),
    ("/send --wait ", ["delivered", "displayed", "sent", "server"]),
    ("/send --wait sent c", ["Carol"]),
    ("/send -- --", []),
    ("/to C", ["Carol"]),
    ("/to carol@", ["carol@example.org"]),
    ("/to tw", ["twin1@example.org", "twin2@example.org"]),
    ("/r ", []),
    ("/ch", ["/chats"]),
    ("/status ", ["away", "busy", "chat", "offline", "online", "xa"]),
    ("/status away b", ["Bob"]),
    ("/wait mes", ["message", "message-state"]),
    ("/wait message --from b", ["Bob"]),
    ("/wait message --match b", []),
    ("/help fr", ["friends"]),
    ("/help sc", ["scripts"]),
    ("/help rooms k", ["kick"]), ("/help send k", []),
    // Of scripts: there is nothing to complete at the prompt.
    ("/inc", []), ("/if-", []), ("/help inc", ["include"]),
    ("/wait message pres", ["presence"]),
    // Aliases where something of them stands there, and as good as the names behind them.
    ("/m", ["/msg"]),
    ("/q", ["/q", "/query", "/quit"]),
    ("/w", ["/w", "/wait", "/who"]),
    ("/msg b", ["Bob"]),
    ("/query C", ["Carol"]),
    ("/away b", ["Bob"]),
    ("/roster ren", ["rename"]),
    ("/fri ad e", ["eve@example.org"]),
    ("/who --o", ["--online"]),
    ("/s b", []),
    ("/sleep ", []),
    ("/show ", []),
    ("/quit ", []),
    ("/account ", ["list", "password", "unregister", "use"]),
    ("/account password --", ["--help", "--new-password-file", "--timeout"]),
    ("/account unregister --", ["--help", "--timeout", "--yes"]),
    ("/b", ["/back", "/ban", "/block", "/blocked"]),
    ("/history b", ["Bob"]),
    ("/history d", ["delete"]),
    ("/history import x --format p", ["profanity"]),
    ("/history Bob --from C", ["Carol"]),
    ("/unread C", ["Carol"]),
    ("/back ", []),
    ("/search b", []),
    ("/search --", ["--help", "--here", "--limit", "--timeout"]),
    ("/block b", ["Bob"]),
    ("/blocked ", []),
    ("/rooms j", ["join"]),
    ("/rooms join te", ["tea", "tea@rooms.example.org"]),
    ("/rooms topic my", ["My tea"]),
    ("/rooms list chess ", ["admins", "banned", "members", "owners"]),
    ("/rooms notify chess ", ["always", "default", "mention", "never"]),
    ("/rooms kick chess ", []),
    ("/rooms destroy chess --to ch", ["chess", "chess@rooms.example.org"]),
    ("/rooms accept ", []),
    ("/join tea@", ["tea@rooms.example.org"]),
    ("/blocked --", ["--help", "--timeout"]),
    ("/info C", ["Carol"]),
    ("/info bob@example.org c", ["Carol"]),
    ("/pi", ["/ping"]),
    ("/ping b", ["Bob"]),
    ("/unblock --", ["--all", "--help", "--timeout"]),
    ("/vcard s", ["set", "show"]),
    ("/vcard b", ["Bob"]),
    ("/vcard show b", ["Bob"]),
    ("/vcard set em", ["email", "email.home", "email.work"]),
    ("/vcard set email.home b", []),
    ("/x", ["/xml"]),
    ("/xml --", ["--help", "--timeout"]),
  ]

  @Test("offers what the command's own declaration says")
  func offers() async throws {
    let rig = try ApplicationRig(isTerminal: true)
    rig.setRoster([
      ("bob@example.org", "Bob", ["Work", "Friends"]), ("carol@example.org", "Carol", ["Work"]),
      ("twin1@example.org", "Twin", []), ("twin2@example.org", "Twin", []),
    ])
    var tea = RoomRecord(try JID("tea@rooms.example.org"))
    tea.name = "My tea"
    try rig.store.rooms.keep(tea)
    try rig.store.rooms.keep(RoomRecord(try JID("chess@rooms.example.org")))
    let run = try await rig.start()
    await rig.fixture.receive("<presence type='subscribe' from='eve@example.org'/>")
    for (line, offered) in Self.rows {
      var words = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
      let partial = words.removeLast()
      let found = rig.prompt.delegate?.promptCompletions(words: words.filter { !$0.isEmpty }, partial: partial)
      #expect(found?.map(\.text) == offered, "\(line)")
    }
    rig.prompt.type("/quit")
    await rig.fixture.clock.settle()
    #expect(run.hasEnded)
  }

  @Test("offers contacts of another account only where the command finds them there")
  func offersOfOthers() async throws {
    let (rig, other) = (try ApplicationRig(isTerminal: true), try ApplicationRig(isTerminal: true))
    rig.setRoster([("bob@example.org", "Bob", [])])
    other.setRoster([("bonnie@example.net", "Bonnie", [])])
    let runs = [try await rig.start(), try await other.start()]
    let work = try other.application.account()
    let completer = Completer(table: .standard, account: try rig.application.account(), otherAccounts: { [work] })
    for (words, offered) in [
      (["/to"], ["Bob", "Bonnie"]), (["Ask"], ["Bob", "Bonnie"]), (["/send"], ["Bob"]),
      (["/friends", "remove"], ["Bob"]),
    ] {
      #expect(completer.completions(words: words, partial: "bo").map(\.text) == offered, "\(words)")
    }
    for each in [rig, other] {
      each.prompt.type("/quit")
      await each.fixture.clock.settle()
    }
    #expect(runs[0].hasEnded && runs[1].hasEnded)
  }

  @Test("offers who is in a room to what is about one of them, once the user is in it")
  func offersOccupants() async throws {
    let rig = try ApplicationRig(isTerminal: true)
    RoomHost(rig).rooms["tea"] = ["Bob", "Bonnie", "Eve Doe"]
    _ = try await rig.start()
    rig.prompt.type("/rooms join tea@rooms.example.org")
    await rig.fixture.clock.settle()
    rig.prompt.type("/close")
    await rig.fixture.clock.settle()
    for (room, partial, offered) in [
      ("tea", "bo", ["Bob", "Bonnie"]), ("tea@rooms.example.org", "eve", ["Eve Doe"]), ("chess", "", []),
    ] {
      let found = rig.prompt.delegate?.promptCompletions(words: ["/rooms", "kick", room], partial: partial)
      #expect(found?.map(\.text) == offered, "\(room)")
    }
    #expect(rig.prompt.delegate?.promptCompletions(words: ["/kick"], partial: "bo").isEmpty == true)
    rig.prompt.type("/to tea")
    await rig.fixture.clock.settle()
    let found = rig.prompt.delegate?.promptCompletions(words: ["/kick"], partial: "bo")
    #expect(found?.map(\.text) == ["Bob", "Bonnie"])
    rig.prompt.type("/quit")
    await rig.fixture.clock.settle()
  }

  @Test("offers who is in the open room in what is said there, and not in private, nor elsewhere")
  func offersThoseSpokenTo() async throws {
    let rig = try ApplicationRig(isTerminal: true)
    rig.setRoster([("bob@example.org", "Bob", []), ("carol@example.org", "Carol", [])])
    let (server, host) = (rig.fixture.answer, RoomHost(rig))
    host.rooms["tea"] = ["bobby", "Bonnie", "/quit"]
    rig.fixture.answer = { $0.firstChild?.namespace == "jabber:iq:roster" ? server($0) : host.answer($0) }
    _ = try await rig.start()
    func offered(_ words: [String], _ partial: String) -> [String]? {
      rig.prompt.delegate?.promptCompletions(words: words, partial: partial).map(\.text)
    }
    rig.prompt.type("/rooms join tea@rooms.example.org")
    await rig.fixture.clock.settle()
    let said: [(words: [String], partial: String, offered: [String])] = [
      ([], "Bo", ["bobby", "Bonnie"]), (["Ask"], "bon", ["Bonnie"]), (["/me", "hugs"], "bobb", ["bobby"]),
      // Neither the user's own nick nor what would be a command.
      ([], "", ["bobby", "Bonnie"]), (["Ask"], "car", ["Carol"]), (["/to"], "bo", ["Bob"]),
    ]
    for (words, partial, expected) in said {
      #expect(offered(words, partial) == expected, "\(words) \(partial)")
    }
    for other in ["/to tea@rooms.example.org/bobby", "/to bob", "/close"] {
      rig.prompt.type(other)
      await rig.fixture.clock.settle()
      #expect(offered(["Ask"], "bo") == ["Bob"], "\(other)")
    }
    rig.prompt.type("/quit")
    await rig.fixture.clock.settle()
  }

  @Test("offers who is blocked to /unblock, once that is known")
  func offersWhoIsBlocked() async throws {
    let rig = try ApplicationRig(isTerminal: true)
    rig.fixture.answer = { element in
      guard let iq = try? IQ(element), iq.kind == .get, iq.payload?.matches("blocklist", Blocking.namespace) == true,
        let list = try? Element(
          parsing:
            "<blocklist xmlns='\(Blocking.namespace)'><item jid='eve@example.net'/><item jid='spam.example'/></blocklist>"
        )
      else { return SessionFixture.manners(element) }
      return [iq.result(list).element]
    }
    _ = try await rig.start()
    rig.prompt.type("/blocked")
    await rig.fixture.clock.settle()
    let found = rig.prompt.delegate?.promptCompletions(words: ["/unblock"], partial: "")
    #expect(found?.map(\.text) == ["eve@example.net", "spam.example"])
    rig.prompt.type("/quit")
    await rig.fixture.clock.settle()
  }

  /// Linear: however many friends there are, each is looked at once.
  @Test("looks at each friend once", arguments: [1_000, 10_000])
  func looksOnce(_ size: Int) throws {
    var looks = 0
    let friends = try (0..<size).map {
      RosterItem(jid: try JID("friend\($0)@example.org"), name: $0 % 2 == 0 ? "Number \($0 / 4)" : "Friend \($0)")
    }
    let people = Completer.people(
      friends.lazy.map { friend in
        looks += 1
        return friend
      }, wanted: "")
    #expect(looks == size)
    // One for each person. Every even number's name is another's too.
    #expect(people.count == size)
    let words = Set(people.map(\.completion.text))
    #expect(words.count == size && words.contains("friend8@example.org"))
    #expect(words.contains("Friend 7") && !words.contains("friend7@example.org") && !words.contains("Number 1"))
  }

  @Test("offers names that a command understands, of ten thousand too", .timeLimit(.minutes(15)))
  func many() async throws {
    let rig = try ApplicationRig(isTerminal: true)
    var roster: [(jid: String, name: String?, groups: [String])] = (0..<10_000).map { number in
      ("friend\(number)@example.org", number % 2 == 0 ? "Number \(number)" : nil, ["Group \(number % 7)"])
    }
    // Those would be taken for addresses.
    roster += [("a@example.org", "Numb.er", []), ("b@example.org", "Numb@er", [])]
    rig.setRoster(roster)
    let run = try await rig.start()
    func offered(_ words: [String], _ partial: String) -> [String] {
      rig.prompt.delegate?.promptCompletions(words: words, partial: partial).map(\.text) ?? []
    }
    #expect(offered(["/send"], "").count == 10_002)
    #expect(offered(["/friends", "remove"], "number 99").count == 50 + 5)
    #expect(offered(["/to"], "friend777").count == 11)
    #expect(offered(["/friends", "list", "--group"], "").count == 7)
    for name in offered(["/to"], "numb").filter({ !$0.contains("@") }).prefix(20) {
      #expect(try CommandContext.friend(name, among: rig.fixture.session.features[FriendManager.self].unsorted).isBare)
      #expect(try CommandContext.jid(name) == nil)
    }
    rig.prompt.type("/friends list --group 'Group 3'")
    await rig.fixture.clock.settle()
    #expect(rig.output.rows(FriendRow.self).count == 10_000 / 7 + 1)
    rig.prompt.type("/quit")
    await rig.fixture.clock.settle()
    #expect(run.hasEnded)
  }

  @Test("offers no friends while there is no session")
  func withoutASession() throws {
    let rig = try ApplicationRig()
    let completer = Completer(table: .standard, account: try rig.application.account())
    #expect(completer.completions(words: ["/to"], partial: "").isEmpty)
    #expect(completer.completions(words: [], partial: "/to").map(\.text) == ["/to", "/topic"])
  }

  @Test("offers no alias where nothing has been typed of it")
  func offersNoAlias() async throws {
    let rig = try ApplicationRig(isTerminal: true)
    let run = try await rig.start()
    let all = rig.prompt.delegate?.promptCompletions(words: [], partial: "/").map(\.text)
    let ofPrompt = CommandTable.standard.commands(for: .lines).filter { !$0.declaration.isOfScripts }
    #expect(all == ofPrompt.map { "/" + $0.word }.sorted())
    rig.prompt.type("/quit")
    await rig.fixture.clock.settle()
    #expect(run.hasEnded)
  }
}
