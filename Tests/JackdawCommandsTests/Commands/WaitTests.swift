// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession
import JackdawXML
import Support
import Testing

@testable import JackdawCommands

@Client @Suite("/wait, and what a script is shown", .onLoop)
struct WaitTests {
  private func waiting(_ line: String) async throws -> (ApplicationRig, StartedTask<ExitCode>) {
    let rig = try ApplicationRig(TypedLines(line + "\n"))
    let run = try await rig.start()
    #expect(!run.hasEnded)
    return (rig, run)
  }

  @Test("waits for a message of somebody that matches, as long as it was told")
  func message() async throws {
    let (rig, run) = try await waiting("/wait message --from bob@example.org --match 'ok|done' --for 10")
    await rig.fixture.receive(
      ListenTests.message("not yet") + ListenTests.message("done", from: "eve@example.org/x")
        + "<presence from='bob@example.org/x'><status>done</status></presence>")
    await rig.fixture.clock.elapse(.milliseconds(9_999))
    #expect(!run.hasEnded)
    await rig.fixture.receive(ListenTests.message("it is done"))
    #expect(run.value == .success)
  }

  @Test(
    "for one occupant of a room does not go on by what another one says or does there",
    arguments: ["message", "typing", "presence", "occupant"])
  func occupant(_ name: String) async throws {
    let (rig, run) = try await waiting("/wait \(name) --from tea@rooms.example.org/carol --for 10")
    let room = try JID("tea@rooms.example.org")
    for nick in ["bob", "carol"] {
      #expect(!run.hasEnded)
      let from = try room.with(resource: nick)
      rig.fixture.session.events.post(
        MessageArrived(id: nick, from: from, to: try JID("alice@example.org"), kind: .groupchat, body: "yes"))
      rig.fixture.session.events.post(TypingChanged(from: from, state: .composing))
      rig.fixture.session.events.post(PresenceChanged(from: from, show: "away", status: nil, priority: 0))
      rig.fixture.session.events.post(OccupantChanged(room, .joined, Occupant(nick: nick)))
      await rig.fixture.clock.settle()
    }
    #expect(run.value == .success)
  }

  @Test("for a room, or for somebody, goes on whoever of the room it is, and whatever device")
  func anyResource() async throws {
    let (rig, run) = try await waiting("/wait message --from bob@example.org --for 10")
    await rig.fixture.receive(ListenTests.message("one", from: "bob@example.org/y"))
    #expect(run.value == .success)
    let (state, second) = try await waiting("/wait message-state --from bob@example.org/y --for 10")
    state.fixture.session.events.post(
      MessageStateChanged(id: "1", to: try JID("bob@example.org/z"), state: .delivered))
    await state.fixture.clock.settle()
    #expect(!second.hasEnded)
    // What went to whichever device of theirs is about each.
    state.fixture.session.events.post(MessageStateChanged(id: "2", to: try JID("bob@example.org"), state: .delivered))
    await state.fixture.clock.settle()
    #expect(second.value == .success)
  }

  @Test("waits for all of several events, in whatever order, and twice for one that is named twice")
  func all() async throws {
    let (rig, run) = try await waiting("/wait message x-go message --from bob@example.org --for 10")
    await rig.fixture.receive(ListenTests.message("one", from: "eve@example.org/x") + ListenTests.message("two"))
    rig.fixture.session.events.post(try ScriptEvent(name: "x-go", topic: JID("bob@example.org"), text: nil))
    await rig.fixture.clock.elapse(.seconds(9))
    #expect(!run.hasEnded)
    await rig.fixture.receive(ListenTests.message("three"))
    #expect(run.value == .success)
  }

  @Test("waits for the first of several events with --any", arguments: ["message", "x-go"])
  func any(_ name: String) async throws {
    let (rig, run) = try await waiting("/wait message x-go --any --for 10")
    if name == "message" {
      await rig.fixture.receive(ListenTests.message("one"))
    } else {
      rig.fixture.session.events.post(try ScriptEvent(name: "x-go"))
      await rig.fixture.clock.settle()
    }
    #expect(run.value == .success)
  }

  @Test("says which of several events did not come")
  func missing() async throws {
    let (rig, run) = try await waiting("/wait message x-go presence --for 10")
    rig.fixture.session.events.post(try ScriptEvent(name: "x-go"))
    await rig.fixture.clock.elapse(.seconds(10))
    #expect(run.value == .tryAgain)
    #expect(rig.output.failures.map(\.text) == ["line 1: No message and no presence came within 10 s."])
    let (other, second) = try await waiting("/wait message x-go --any --for 10")
    await other.fixture.clock.elapse(.seconds(10))
    #expect(second.value == .tryAgain)
    #expect(other.output.failures.map(\.text) == ["line 1: No message or x-go came within 10 s."])
    let wrong = try ApplicationRig(TypedLines("/wait message x- --any"))
    #expect(try await wrong.run() == .usage)
  }

  @Test("ends at an interrupt")
  func interrupted() async throws {
    let (rig, run) = try await waiting("/wait message presence --for 10")
    rig.application.interrupted(by: 2)
    await rig.fixture.clock.settle()
    #expect(run.value == .interrupted)
  }

  @Test("a script posts an event of its own, and none of ours")
  func posting() async throws {
    let rig = try ApplicationRig(TypedLines("/post x-lunch at one --from bob@example.org\n/post message no\n"))
    let run = try await rig.start()
    await rig.fixture.clock.settle()
    #expect(run.value == .usage)
    let posted = rig.fixture.events(ScriptEvent.self)
    #expect(posted == [try ScriptEvent(name: "x-lunch", topic: nil, text: "at one --from bob@example.org")])
    #expect(rig.output.failures.map(\.text).first?.hasPrefix("line 2: ") == true)
  }

  @Test("says whom an event of its own is about")
  func postingAbout() async throws {
    let rig = try ApplicationRig(TypedLines("/post --from bob@example.org x-lunch at one\n"))
    #expect(try await rig.start().value == .success)
    let bob = try JID("bob@example.org")
    #expect(rig.fixture.events(ScriptEvent.self) == [try ScriptEvent(name: "x-lunch", topic: bob, text: "at one")])
  }

  @Test("gives up after its time")
  func late() async throws {
    let (rig, run) = try await waiting("/wait message --from bob@example.org --match 'ok|done' --for 10")
    await rig.fixture.clock.elapse(.seconds(10))
    #expect(run.value == .tryAgain)
    #expect(rig.output.failures.map(\.text) == ["line 1: No message came within 10 s."])
  }

  @Test("does not take for an answer what we said ourselves on another device")
  func carbons() async throws {
    let (rig, run) = try await waiting("/wait message --from bob@example.org --for 10")
    let said = MessageArrived(
      id: "1", from: try JID("alice@example.org/other"), to: try JID("bob@example.org"), kind: .chat, body: "ok",
      carbon: .sent)
    rig.fixture.session.events.post(said)
    await rig.fixture.clock.settle()
    #expect(!run.hasEnded)
    rig.fixture.session.events.post(
      MessageArrived(
        id: "2", from: try JID("bob@example.org/x"), to: try JID("alice@example.org/other"), kind: .chat, body: "ok",
        carbon: .received))
    await rig.fixture.clock.settle()
    #expect(run.value == .success)
    #expect(rig.output.messages == ["ok", "ok"])
  }

  @Test("a message that comes back after the server has taken it is shown, with the reason")
  func bounce() async throws {
    let rig = try ApplicationRig(TypedLines("/send bob@example.org hello\n/wait message-state --for 10\n"))
    let run = try await rig.start()
    let id = try #require(rig.fixture.events(MessageStateChanged.self).first?.id)
    #expect(rig.output.rows(SentRow.self).map(\.state) == [.server])
    await rig.fixture.receive(
      "<message type='error' from='bob@example.org' id='\(id)'><error type='cancel'>"
        + "<service-unavailable xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></error></message>")
    #expect(run.value == .success)
    let shown = rig.output.events.compactMap { $0 as? MessageStateChanged }
    #expect(shown.map(\.state.name) == ["sent", "server", "failed"])
    #expect(shown.last?.state.reason?.isEmpty == false)
  }

  @Test("offline stays offline: over a reconnect, and whatever is asked meanwhile")
  func offline() async throws {
    let rig = try ApplicationRig(
      TypedLines(
        """
        /status offline
        /friends requests
        /info bob@example.org
        /reconnect
        /status
        /wait message --for 5
        """))
    rig.fixture.answer = { element in
      guard let iq = try? IQ(element), iq.payload?.matches("query", "jabber:iq:roster") == true else {
        return SessionFixture.manners(element)
      }
      let roster = "<query xmlns='jabber:iq:roster'><item jid='bob@example.org' subscription='both'/></query>"
      return [iq.result(try? Element(parsing: roster)).element]
    }
    let application = rig.application
    let request = try CommandTable.standard.parse(shell: ["run", "--keep-going", "-"])
    let run = StartedTask { await application.run(request) }
    await rig.fixture.clock.elapse(.seconds(20))
    #expect(run.hasEnded)
    #expect(rig.fixture.connector.plans.count == 2)
    // Of the second connection: nothing of us is shown.
    #expect(!rig.fixture.server.received.contains { $0.name == "presence" })
    #expect(rig.output.rows(StatusRow.self).allSatisfy { $0.known == .session(nil) })
    #expect(rig.output.notices.count { $0.contains("Your status is offline") } == 2)
  }
}
