// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession
import JackdawXML
import Support
import Testing

@testable import JackdawCommands

/// Commands about the room that is open.
@Client @Suite("The open room", .onLoop)
struct OpenRoomTests {
  private let rig: ApplicationRig
  private let host: RoomHost
  private let tea = "tea@rooms.example.org"

  init() async throws {
    rig = try ApplicationRig(isTerminal: true)
    host = RoomHost(rig)
    host.rooms["tea"] = ["Bob"]
    _ = try await rig.start()
  }

  @Test("is told apart at the prompt from somebody who is in it")
  func somebodyInIt() async throws {
    await rig.type("/rooms join \(tea)", "/to tea")
    #expect(rig.prompt.states.last?.company == .room && rig.prompt.states.last?.conversation == tea)
    await rig.type("/to \(tea)/Bob")
    #expect(rig.prompt.states.last?.company == .occupant && rig.prompt.states.last?.conversation == "Bob in \(tea)")
    #expect(rig.output.notices.last == "You are talking to Bob alone, whoever that is in the room \(tea).")
  }

  @Test(
    "names whoever is called so in it where somebody is to be written to by that name, and nobody gets anything",
    arguments: ["/to 'zoe z'", "/msg 'Zoe Z' hi"])
  func calledSo(_ line: String) async throws {
    host.rooms["tea"] = ["Zoe Z"]
    await rig.type("/rooms join \(tea)", "/to tea", line)
    let text = rig.output.failures.last?.text ?? ""
    #expect(text.hasSuffix(" Whoever is called so in this room is '\(tea)/Zoe Z'."), "\(rig.output.failures)")
    #expect(!rig.fixture.server.received.contains { $0.name == "message" })
    await rig.type("/to tea", "/to Nobody")
    #expect(rig.output.failures.last?.text.contains("in this room") == false)
  }

  @Test("names whoever is called so in it behind a line that has closed it as it failed, until another is picked")
  func calledSoAfterAFailure() async throws {
    host.rooms["tea"] = ["Zoe Z"]
    let hint = "in the room that was open is '\(tea)/Zoe Z'."
    await rig.type("/rooms join \(tea)", "/to tea", "/to Nobody")
    #expect(rig.output.failures.last?.text.contains("the room") == false)
    for line in ["/to 'zoe z'", "/to 'Zoe Z'", "/msg 'Zoe Z' hi"] {
      await rig.type(line)
      #expect(rig.output.failures.last?.text.hasSuffix(hint) == true, "\(rig.output.failures)")
    }
    #expect(!rig.fixture.server.received.contains { $0.name == "message" })
    await rig.type("/to bob@example.org", "/to 'Zoe Z'")
    #expect(rig.output.failures.last?.text.contains("the room") == false)
  }

  @Test("that cannot be entered just then, and is tried again, is said to be so to whoever goes there")
  func unreachable() async throws {
    let rig = try ApplicationRig(isTerminal: true)
    let host = RoomHost(rig)
    host.bookmarks = [(tea, "<conference xmlns='urn:xmpp:bookmarks:1' autojoin='true'/>")]
    host.password = "secret"
    _ = try await rig.start()
    await rig.fixture.clock.settle()
    (host.password, host.unreachable) = (nil, ["tea"])
    rig.prompt.type("/to \(tea)")
    await rig.fixture.clock.settle()
    #expect(
      rig.output.notices.last == "\(tea) cannot be reached: The recipient's server cannot be reached.",
      "\(rig.output.notices)")
  }

  @Test(
    "that lets the user not in says so once, whatever command goes there", arguments: ["/topic Green tea", "/nick Al"])
  func refusedOnce(_ line: String) async throws {
    host.locked = ["tea"]
    await rig.type("/to \(tea)")
    func refusals() -> Int { rig.output.events.count(where: { ($0 as? RoomChanged)?.change == .refused }) }
    let before = refusals()
    await rig.type(line)
    let after = refusals()
    #expect(after == before + 1)
    #expect(rig.output.failures.isEmpty, "\(rig.output.failures)")
  }

  @Test(
    "that is a channel of IRC takes no reaction, no correction and nothing back, and that is said",
    arguments: [
      ("/react 👍", "which has no reactions."), ("/retract 1", "where nothing can be taken back."),
      ("/correct Tea", "where nothing can be corrected."),
    ])
  func onIRC(_ line: String, _ said: String) async throws {
    host.isOnIRC = true
    await rig.type("/rooms join \(tea)", "/to \(tea)")
    if !line.hasPrefix("/react") {
      await rig.type("Cake")
    } else {
      await rig.fixture.receive("<message from='\(tea)/Bob' type='groupchat' id='m1'><body>Cake?</body></message>")
    }
    await rig.fixture.clock.elapse(.milliseconds(100))
    let before = host.asked.count { $0.hasPrefix("message ") }
    await rig.type(line)
    let failure = try #require(rig.output.failures.last)
    #expect(failure.code == .unavailable && failure.text.hasSuffix("\(tea) is a channel of IRC, \(said)"), "\(failure)")
    #expect(host.asked.count { $0.hasPrefix("message ") } == before)
  }

  @Test("that has moved is said once to have done so, to whoever wants to make it")
  func movedOnce() async throws {
    host.moved = ["tea": "green@rooms.example.org"]
    await rig.type("/rooms create \(tea)")
    let refusals = rig.output.events.compactMap { $0 as? RoomChanged }.filter { $0.change == .refused }
    #expect(refusals.map(\.alternative?.description) == ["green@rooms.example.org"])
    #expect(rig.output.failures.isEmpty, "\(rig.output.failures)")
  }

  @Test(
    "that takes no registrations is said to take none",
    arguments: ["registration-required", "not-allowed", "feature-not-implemented"])
  func noRegistrations(_ condition: String) async throws {
    host.refusal = condition
    await rig.type("/rooms register \(tea)")
    let failure = try #require(rig.output.failures.last)
    #expect(failure.code == .unavailable && failure.condition == condition)
    #expect(
      failure.text.hasSuffix(": \(tea) takes no registrations. Its owners and admins say who is a member."),
      "\(failure.text)")
  }

  @Test(
    "that takes no registrations, or has none of the user's, says which it is where one is to be removed",
    arguments: [
      (
        "service-unavailable", ExitCode.unavailable,
        "tea@rooms.example.org takes no registrations. Its owners and admins say who is a member."
      ),
      ("registration-required", .noUser, "You are not registered with tea@rooms.example.org."),
    ])
  func noRegistration(_ condition: String, _ code: ExitCode, _ sentence: String) async throws {
    host.refusal = condition
    await rig.type("/rooms register \(tea) --remove")
    let failure = try #require(rig.output.failures.last)
    #expect(
      failure.code == code && failure.condition == condition && failure.text.hasSuffix(sentence), "\(failure.text)")
  }

  @Test("is named at what is unread there where that stands beside what is unread elsewhere")
  func unread() async throws {
    await rig.type("/rooms join \(tea)", "/to carol@example.org")
    await rig.fixture.receive("<message from='\(tea)/Bob' type='groupchat' id='m1'><body>Cake?</body></message>")
    await rig.fixture.clock.elapse(.milliseconds(200))
    func rows() -> [Bool] {
      rig.output.rows(HistoryRow.self).filter { $0.message.event.body == "Cake?" }.map(\.isOfOne)
    }
    await rig.type("/unread")
    #expect(rows() == [false])
    await rig.type("/unread \(tea)")
    #expect(rows() == [false, true])
  }

  @Test("need no room's name: '/topic', '/kick', '/ban', '/nick', '/names', '/invite', '/part'")
  func shortForms() async throws {
    await rig.type("/rooms join \(tea)", "/to tea")
    host.asked = []
    await rig.type("/topic Green or black?", "/rooms topic . Black", "/kick Bob --reason 'Too loud'")
    #expect(
      host.asked == [
        "message tea <subject>Green or black?</subject>", "message tea <subject>Black</subject>",
        "set tea <item xmlns='http://jabber.org/protocol/muc#admin' nick='Bob' role='none'><reason>Too loud</reason></item>",
      ])
    host.asked = []
    await rig.type("/ban mallory@example.org")
    #expect(host.asked.first?.contains("jid='mallory@example.org'") == true, "\(host.asked)")
    await rig.type("/names")
    #expect(rig.output.rows.last?.row is RoomOccupantRow)
    await rig.type("/invite carol@example.org")
    #expect(
      rig.fixture.server.received.contains {
        $0.name == "message" && $0.description.contains("carol@example.org") && $0.description.contains(tea)
      })
    await rig.type("/nick Ali")
    #expect(rig.fixture.server.received.contains { $0.attribute("to") == "\(tea)/Ali" })
    await rig.type("/to \(tea)/Bob", "/part", "hi all")
    // What is typed there next would enter it again.
    #expect(rig.prompt.returned == ["hi all"] && rig.prompt.states.last?.conversation == nil)
    #expect(rig.fixture.server.received.contains { $0.name == "presence" && $0.attribute("type") == "unavailable" })
    #expect(
      rig.output.failures.map(\.condition) == [Conversation.nobodyPicked],
      "\(rig.output.failures) \(rig.output.notices)")
  }

  @Test("has what somebody said there taken back by its number, which is another message's id elsewhere")
  func moderates() async throws {
    host.features = ["urn:xmpp:message-moderate:1"]
    await rig.type("/rooms join \(tea)")
    for id in ["a", "b"] {
      await rig.fixture.receive(
        "<message from='\(tea)/Bob' type='groupchat' id='\(id)'><body>Cake?</body></message>")
    }
    await rig.type("/rooms moderate . 2")
    #expect(host.asked.last?.contains("id='a'") == true, "\(host.asked) \(rig.output.failures)")
    await rig.type("/to carol@example.org", "/rooms moderate \(tea) 1")
    #expect(host.asked.last?.contains("id='1'") == true, "\(host.asked) \(rig.output.failures)")
  }

  @Test("has nothing of somebody else's taken back by a number whose message has the same id")
  func moderatesNoOther() async throws {
    host.features = ["urn:xmpp:message-moderate:1"]
    await rig.type("/rooms join \(tea)")
    for (nick, body) in [("Bob", "Cake?"), ("Eve", "Spam")] {
      await rig.fixture.receive(
        "<message from='\(tea)/\(nick)' type='groupchat' id='1'><body>\(body)</body></message>")
    }
    host.asked = []
    await rig.type("/rooms moderate . 2")
    #expect(host.asked.isEmpty && rig.output.failures.last?.condition == "ambiguous", "\(host.asked)")
    await rig.type("/rooms moderate . 1")
    #expect(host.asked.last?.contains("id='1'") == true, "\(host.asked) \(rig.output.failures)")
  }

  @Test("has somebody banned who is there and called like a server, and else the server")
  func nickWithADot() async throws {
    host.rooms["tea"] = ["J.R."]
    await rig.type("/rooms join \(tea)", "/to tea")
    host.asked = []
    await rig.type("/ban J.R.", "/ban spam.example")
    #expect(host.asked.map { $0.contains("jid='j.r.@example.org'") } == [true, false])
    #expect(host.asked.last?.contains("jid='spam.example'") == true, "\(host.asked)")
  }

  @Test("is asked for where none is open, or a conversation that is none")
  func noneOpen() async throws {
    await rig.type("/kick Bob")
    #expect(rig.output.failures.last?.text.contains("No room is open: '/to ROOM' opens one.") == true)
    await rig.type("/to carol@example.org", "/topic Green")
    let refusal = "You talk to carol@example.org, which is not a room: '/to ROOM' opens one."
    #expect(rig.output.failures.last?.text.contains(refusal) == true)
    // What was meant by the line before is not known.
    await rig.type("/rooms join \(tea)", "/to tea")
    host.asked = []
    rig.prompt.type("/to nobody")
    rig.prompt.type("/kick Bob")
    await rig.fixture.clock.settle()
    #expect(
      host.asked.isEmpty && rig.output.failures.last?.text.contains("'/to' before it failed") == true,
      "\(rig.output.failures)")
  }

  @Test("'.' is whoever one talks to, for other commands too; in the shell it is nobody")
  func dot() async throws {
    let rig = try ApplicationRig(isTerminal: true)
    rig.setRoster([("carol@example.org", "Carol", [])])
    _ = try await rig.start()
    for line in ["/to Carol", "/friends rename . Caro"] {
      rig.prompt.type(line)
      await rig.fixture.clock.settle()
    }
    #expect(
      rig.fixture.server.received.contains {
        $0.description.contains("jid='carol@example.org'") && $0.description.contains("name='Caro'")
      })
    let other = try ApplicationRig()
    #expect(try await other.run("rooms", "topic", ".", "x") == .badInput, "\(other.output.failures)")
  }
}
