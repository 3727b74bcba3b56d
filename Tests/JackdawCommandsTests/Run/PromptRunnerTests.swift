// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession
import JackdawStore
import JackdawTransport
import JackdawXML
import Support
import Testing

@testable import JackdawCommands

@Client @Suite("The prompt", .onLoop)
struct PromptRunnerTests {
  func settle(_ rig: ApplicationRig) async { await rig.fixture.clock.settle() }

  @Test("sends what is typed, and shows it among what arrives")
  func sends() async throws {
    let rig = try ApplicationRig(isTerminal: true)
    let run = try await rig.start()
    #expect(rig.prompt.isRunning)
    #expect(rig.prompt.type("/to bob@example.org") && rig.prompt.type("hello"))
    await settle(rig)
    await rig.fixture.receive("<message from='bob@example.org/x' type='chat'><body>hi</body></message>")
    #expect(rig.sentMessages == ["bob@example.org|hello"])
    #expect(rig.output.messages == ["hello", "hi"])
    rig.prompt.type("/quit")
    await settle(rig)
    #expect(run.value == .success && !rig.prompt.isRunning)
  }

  @Test("shows whom one talks to, how they are, and the connection")
  func shows() async throws {
    let rig = try ApplicationRig(isTerminal: true)
    rig.setRoster([("bob@example.org", "Bob", [])])
    let run = try await rig.start("chat", "bob@example.org")
    #expect(rig.prompt.states.first?.connection == .offline)
    var expected = PromptState(presence: "unavailable", conversation: "Bob", connection: .online)
    expected.address = ConversationKey(try JID("bob@example.org"))
    #expect(rig.prompt.states.last == expected)
    await rig.fixture.receive("<presence from='bob@example.org/x'><show>dnd</show></presence>")
    #expect(rig.prompt.states.last?.presence == "dnd")
    rig.fixture.connector.outcome = { _ in .hangs }
    rig.fixture.connector.transport?.peerEnds(FakeConnector.brokenLine)
    await settle(rig)
    #expect(rig.prompt.states.last?.connection == .retrying && rig.prompt.states.last?.presence == nil)
    #expect(rig.prompt.states.last?.retryIn == 2)
    rig.prompt.delegate?.promptEnded()
    await settle(rig)
    #expect(run.value == .success)
  }

  @Test(
    "says who has asked in an earlier run and still waits, once",
    arguments: [
      (["bob"], "bob@example.org is waiting for your answer: see /friends requests"),
      (["bob", "carol"], "2 people are waiting for your answer: see /friends requests"), ([], nil),
    ] as [([String], String?)])
  func openRequests(names: [String], text: String?) async throws {
    let rig = try ApplicationRig(isTerminal: true)
    let jids = try names.map { try JID("\($0)@example.org") }
    try rig.store.friendRequests.changeRequests(keep: jids.map { FriendRequest(jid: $0) }, forget: [])
    rig.fixture.answer = { element in
      // The server tells them after the initial presence (RFC 6121 3.1.3).
      let isInitial = element.name == "presence" && element.attribute("to") == nil && element.attribute("type") == nil
      let asking = jids.map { Presence(kind: .subscribe, from: $0).element }
      return (isInitial ? asking : []) + SessionFixture.manners(element)
    }
    _ = try await rig.start()
    await settle(rig)
    #expect(rig.output.notices.filter { $0.contains("waiting for your answer") } == [text].compactMap { $0 })
    rig.fixture.connector.transport?.peerEnds(FakeConnector.brokenLine)
    await rig.fixture.clock.elapse(.seconds(10))
    #expect(rig.output.notices.count { $0.contains("waiting for your answer") } == (text == nil ? 0 : 1))
  }

  @Test("holds no message up for a slow command, whose Ctrl-C cancels it alone")
  func slowCommand() async throws {
    let rig = try ApplicationRig(isTerminal: true)
    rig.fixture.answer = { element in
      element.attribute("to") == "slow@example.org" ? [] : SessionFixture.manners(element)
    }
    let run = try await rig.start()
    rig.prompt.type("/ping slow@example.org")
    rig.prompt.type("/ping")
    rig.prompt.type("/to bob@example.org")
    rig.prompt.type("hello")
    rig.prompt.type("/help quit")
    await settle(rig)
    #expect(rig.sentMessages == ["bob@example.org|hello"])
    #expect(rig.output.rows(PingRow.self).isEmpty && !rig.output.rows(HelpRow.self).isEmpty)
    rig.prompt.delegate?.promptInterrupted()
    await settle(rig)
    #expect(rig.output.failures.isEmpty)
    #expect(rig.output.notices.suffix(2) == ["Not run: /ping", "Stopped /ping slow@example.org."])
    // Those that waited behind it were not asked for any more.
    #expect(rig.output.rows(PingRow.self).isEmpty)
    rig.prompt.type("/ping")
    await settle(rig)
    #expect(rig.output.rows(PingRow.self).count == 1 && !run.hasEnded)
    rig.prompt.delegate?.promptEnded()
    await settle(rig)
    #expect(run.value == .success)
  }

  @Test("sends messages in the order in which they and their addressees were typed")
  func order() async throws {
    let rig = try ApplicationRig(isTerminal: true)
    rig.setRoster([("carol@example.org", "Carol", [])])
    let run = try await rig.start()
    for line in ["/to bob@example.org", "one", "/to Carol", "two", "/close", "three", "/to bob@example.org", "four"] {
      rig.prompt.type(line)
    }
    await settle(rig)
    #expect(rig.sentMessages == ["bob@example.org|one", "carol@example.org|two", "bob@example.org|four"])
    #expect(rig.output.failures.map(\.condition) == ["no-conversation"])
    rig.prompt.type("/quit")
    await settle(rig)
    #expect(run.value == .success)
  }

  @Test("keeps what gives a password out of the history: secret hygiene")
  func history() async throws {
    let rig = try ApplicationRig(isTerminal: true)
    let run = try await rig.start()
    #expect(!rig.prompt.type("/login alice secret") && !rig.prompt.type("/password secret"))
    #expect(rig.prompt.type("/help") && rig.prompt.type("/frends"))
    rig.prompt.type("/quit")
    await settle(rig)
    #expect(run.value == .success)
  }

  @Test("is left when the first log-in is refused: there is nothing to stay for")
  func refusedLogin() async throws {
    let rig = try ApplicationRig(environment: ["JACKDAW_PASSWORD": "wrong"], isTerminal: true)
    rig.fixture.script.password = "another"
    let run = try await rig.start()
    #expect(run.value == .authentication && !rig.prompt.isRunning)
    #expect(rig.output.failures.map(\.code) == [.authentication])
    let isToldTwice = rig.output.events.contains { ($0 as? ConnectionChanged)?.state == .offline }
    #expect(!isToldTwice)
  }

  @Test("stays when the server cannot be reached, and tries again")
  func unreachable() async throws {
    let rig = try ApplicationRig(isTerminal: true)
    rig.fixture.connector.outcome = { _ in .fails(TransportError(.unreachable, "nobody there")) }
    let run = try await rig.start()
    await rig.fixture.clock.elapse(.seconds(100))
    #expect(!run.hasEnded && rig.fixture.connector.plans.count > 3)
    rig.prompt.delegate?.promptEnded()
    await settle(rig)
    #expect(run.value == .success)
  }

  @Test("that is left confirms its last messages: stdin EOF")
  func confirmsTheLast() async throws {
    let rig = try ApplicationRig(isTerminal: true)
    var answersPings = false
    rig.fixture.answer = { element in
      element.child("ping", Ping.namespace) != nil && !answersPings ? [] : SessionFixture.manners(element)
    }
    let run = try await rig.start("chat", "bob@example.org")
    rig.prompt.type("hello")
    rig.prompt.delegate?.promptEnded()
    await settle(rig)
    #expect(!run.hasEnded)
    answersPings = true
    let ping = rig.fixture.server.received.last { $0.child("ping", Ping.namespace) != nil }
    let id = try #require(ping?.attribute("id"))
    await rig.fixture.receive("<iq type='result' id='\(id)'/>")
    #expect(run.value == .success)
  }

  @Test("that is left in silence does not wait for ever, and says what is not known")
  func silentServer() async throws {
    let rig = try ApplicationRig(isTerminal: true)
    rig.fixture.answer = { element in
      element.child("ping", Ping.namespace) != nil ? [] : SessionFixture.manners(element)
    }
    let run = try await rig.start("chat", "bob@example.org")
    rig.prompt.type("hello")
    rig.prompt.delegate?.promptEnded()
    await rig.fixture.clock.elapse(CommandLimits.lastMessages + CommandLimits.farewell)
    #expect(run.value == .tryAgain)
    let told = try #require(rig.output.failures.last?.text)
    #expect(told.hasPrefix("The server did not confirm your last messages") && !told.contains("Interrupted"), "\(told)")
  }

  @Test("that is left offline says what waits in the outbox")
  func leftOffline() async throws {
    let rig = try ApplicationRig(isTerminal: true)
    rig.fixture.connector.outcome = { _ in .hangs }
    let run = try await rig.start()
    for line in ["/to bob@example.org", "one", "two", "three"] { rig.prompt.type(line) }
    await settle(rig)
    rig.prompt.delegate?.promptEnded()
    await settle(rig)
    #expect(run.value == .tryAgain)
    #expect(
      rig.output.failures.map(\.text) == [
        "3 messages are still unsent. They go out when you next start jackdaw."
      ])
    #expect(try rig.store.messages.outbox().map(\.message.body) == ["one", "two", "three"])
  }

  @Test("takes a message by a friend's name without ever having had a connection, and the next run sends it")
  func neverConnected() async throws {
    let rig = try ApplicationRig(isTerminal: true)
    rig.storeRoster([("ali@example.org", "Ali")])
    rig.fixture.connector.outcome = { _ in .hangs }
    let run = try await rig.start()
    for line in ["/to ali", "hello", "/quit"] { rig.prompt.type(line) }
    await settle(rig)
    #expect(run.value == .tryAgain)
    #expect(rig.prompt.states.contains { $0.conversation == "Ali" } && rig.prompt.returned.isEmpty)
    #expect(
      rig.output.failures.map(\.text) == ["1 message is still unsent. It goes out when you next start jackdaw."])
    #expect(try rig.store.messages.outbox().map { "\($0.message.to)|\($0.message.body)" } == ["ali@example.org|hello"])
  }

  @Test("without a contact list says at once that a name means nobody, and how to go on")
  func neverHadAList() async throws {
    let rig = try ApplicationRig(isTerminal: true)
    rig.fixture.connector.outcome = { _ in .hangs }
    let run = try await rig.start()
    rig.prompt.type("/to ali")
    #expect(
      rig.output.failures.map(\.text) == [
        "Your contact list has not been loaded yet, so nobody is known as 'ali'. Use the address, like ali@example.org."
      ])
    rig.prompt.type("/quit")
    await settle(rig)
    #expect(run.value == .success)
  }

  @Test(
    "sends no line to anybody after a `/to` that failed, but puts it back on the input line, until a `/to` succeeds",
    arguments: ["/to ali", "/to", "/to \"bo", "/to bob extra", "/to --bogus bob", "/close now"], [true, false])
  func failedTo(_ line: String, _ isOnline: Bool) async throws {
    let rig = try ApplicationRig(isTerminal: true)
    if !isOnline { rig.fixture.connector.outcome = { _ in .hangs } }
    let run = try await rig.start("chat", "bob@example.org")
    // All of it in one go, as it is typed ahead.
    for text in ["for bob", line, "SECRET", "//SECRET"] { rig.prompt.type(text) }
    await settle(rig)
    #expect(rig.prompt.returned == ["SECRET", "//SECRET"])
    #expect(rig.prompt.states.last?.conversation == nil)
    rig.prompt.type("SECRET again")
    rig.prompt.type("/to carol@example.org")
    rig.prompt.type("for carol")
    await settle(rig)
    let taken =
      isOnline ? rig.sentMessages : try rig.store.messages.outbox().map { "\($0.message.to)|\($0.message.body)" }
    #expect(taken == ["bob@example.org|for bob", "carol@example.org|for carol"])
    #expect(rig.prompt.returned == ["SECRET", "//SECRET", "SECRET again"])
    // What that is needs to be said once.
    #expect(rig.output.notices.count { $0 == "What you typed is back on the input line; Ctrl-C clears it." } == 1)
    rig.prompt.type("/quit")
    await settle(rig)
    #expect(run.hasEnded)
  }

  @Test("sends no line that was entered before it was shown that the command above it was not understood")
  func unclear() async throws {
    let rig = try ApplicationRig(isTerminal: true)
    let run = try await rig.start("chat", "bob@example.org")
    rig.output.holdsBack = true
    for text in ["/tp carol", "SECRET"] { rig.prompt.type(text) }
    await settle(rig)
    #expect(rig.sentMessages.isEmpty && rig.prompt.returned == ["SECRET"])
    // The prompt names bob, and everything stands on the screen.
    rig.output.holdsBack = false
    #expect(rig.prompt.states.last?.conversation == "bob@example.org")
    rig.prompt.type("for bob")
    await settle(rig)
    #expect(rig.sentMessages == ["bob@example.org|for bob"])
    rig.prompt.type("/quit")
    await settle(rig)
    #expect(run.value == .success)
  }

  @Test("settles whom a line is for when it is entered, whatever is picked before it goes out")
  func settledAtEnter() async throws {
    let rig = try ApplicationRig(isTerminal: true)
    let run = try await rig.start("chat", "bob@example.org")
    for text in ["/send dave@example.org first", "for bob", "/to carol@example.org", "/close", "for nobody"] {
      rig.prompt.type(text)
    }
    await settle(rig)
    #expect(rig.sentMessages == ["dave@example.org|first", "bob@example.org|for bob"])
    #expect(rig.prompt.returned == ["for nobody"])
    #expect(rig.output.failures.map(\.text) == ["Pick somebody first: /to bob"])
    rig.prompt.type("/quit")
    await settle(rig)
    #expect(run.value == .success)
  }

  @Test("started for somebody who is not known sends nobody what is typed")
  func unknownStart() async throws {
    let rig = try ApplicationRig(isTerminal: true)
    rig.storeRoster([("bob@example.org", "Bob")])
    let run = try await rig.start("chat", "ali")
    rig.prompt.type("SECRET")
    await settle(rig)
    #expect(rig.sentMessages.isEmpty && rig.prompt.returned == ["SECRET"])
    rig.prompt.type("/quit")
    await settle(rig)
    #expect(run.value == .success)
  }

  @Test("puts a message back that can neither be sent nor stored")
  func notStored() async throws {
    let rig = try ApplicationRig(isTerminal: true, messages: FullStore())
    rig.fixture.connector.outcome = { _ in .hangs }
    let run = try await rig.start("chat", "bob@example.org")
    rig.prompt.type("hello")
    await settle(rig)
    #expect(rig.prompt.returned == ["hello"])
    #expect(rig.output.failures.map(\.code) == [.inputOutput])
    #expect(rig.output.messages.isEmpty)
    rig.prompt.type("/quit")
    await settle(rig)
    #expect(run.value == .success)
  }

  @Test("that is left shows what would be lost: a message without a connection that could not be stored")
  func leftUnstored() async throws {
    let rig = try ApplicationRig(isTerminal: true, messages: FullStore())
    rig.fixture.answer = { element in
      element.child("ping", Ping.namespace) != nil ? [] : SessionFixture.manners(element)
    }
    let run = try await rig.start("chat", "bob@example.org")
    rig.prompt.type("one\ntwo")
    await settle(rig)
    rig.fixture.connector.outcome = { _ in .hangs }
    rig.fixture.connector.transport?.peerEnds(FakeConnector.brokenLine)
    await settle(rig)
    rig.prompt.type("/quit")
    rig.prompt.type("too late")
    await settle(rig)
    #expect(run.value == .tryAgain)
    #expect(
      rig.output.failures.map(\.text) == ["Not sent: too late", "Not sent to bob@example.org: one\ntwo"])
  }

  @Test("says nothing of somebody's presence before the server has told it")
  func unknownPresence() async throws {
    let rig = try ApplicationRig(isTerminal: true)
    rig.setRoster([("bob@example.org", "Bob", [])])
    let polite = rig.fixture.answer
    rig.fixture.answer = { $0.child("ping", Ping.namespace) != nil ? [] : polite($0) }
    let run = try await rig.start("chat", "bob@example.org")
    #expect(rig.prompt.states.last?.connection == .online && rig.prompt.states.last?.presence == nil)
    let ping = rig.fixture.server.received.last { $0.child("ping", Ping.namespace) != nil }
    await rig.fixture.receive("<iq type='result' id='\(try #require(ping?.attribute("id")))'/>")
    #expect(rig.prompt.states.last?.presence == "unavailable")
    rig.prompt.delegate?.promptEnded()
    await rig.fixture.clock.elapse(CommandLimits.lastMessages + CommandLimits.farewell)
    #expect(run.hasEnded)
  }

  @Test("is gone within two seconds when its terminal is: terminal gone")
  func terminalGone() async throws {
    let rig = try ApplicationRig(isTerminal: true)
    rig.fixture.answer = { element in
      element.child("ping", Ping.namespace) != nil ? [] : SessionFixture.manners(element)
    }
    let run = try await rig.start("chat", "bob@example.org")
    rig.prompt.type("hello")
    await settle(rig)
    rig.fixture.connector.transport?.ignoresClose = true
    // The application hears of the signal, then the prompt.
    rig.application.interrupted(by: 1)
    rig.prompt.delegate?.promptEnded()
    await rig.fixture.clock.elapse(.seconds(2))
    #expect(run.hasEnded)
  }

  @Test("does not show presence where the configuration says so")
  func withoutPresence() async throws {
    try await TestDirectory.onLoop { directory in
      let path = try directory.write("show_presence = false\n", to: "config.toml")
      let rig = try ApplicationRig(environment: ["JACKDAW_CONFIG": path], isTerminal: true)
      let run = try await rig.start()
      await rig.fixture.receive("<presence from='bob@example.org/x'/>")
      #expect(!rig.output.events.contains { $0 is PresenceChanged })
      rig.prompt.type("/quit")
      await settle(rig)
      #expect(run.value == .success)
    }
  }
}
