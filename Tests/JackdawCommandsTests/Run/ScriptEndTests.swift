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

/// What a script says at its end of the messages that it sent.
@Client @Suite("A script", .onLoop)
struct ScriptEndTests {
  @Test(
    "whose message was refused does not end well",
    arguments: ["/to bob@example.org\nhello", "/send --wait sent bob@example.org hello"])
  func refusedMessage(_ lines: String) async throws {
    let rig = try ApplicationRig(TypedLines(lines))
    rig.fixture.answer = { element in
      guard element.name == "message", let id = element.attribute("id"),
        let bounce = try? Element(
          parsing: "<message type='error' id='\(id)' from='bob@example.org' xmlns='jabber:client'><error type='cancel'>"
            + "<item-not-found xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></error></message>")
      else { return SessionFixture.manners(element) }
      return [bounce]
    }
    #expect(try await rig.run() == .noUser)
    #expect(
      rig.output.failures.map(\.text).first?.hasPrefix("at the end: The message to bob@example.org was refused") == true
    )
  }

  @Test(
    "whose connection breaks before the end of the last message was confirmed says so",
    arguments: ["hello", "/send --wait sent bob@example.org hello"])
  func lostMessage(_ line: String) async throws {
    let lines = TypedLines(isOpen: true)
    let rig = try ApplicationRig(lines)
    let run = try await rig.start()
    lines.type("/to bob@example.org")
    lines.type(line)
    await rig.fixture.clock.settle()
    rig.fixture.connector.outcome = { _ in .hangs }
    rig.fixture.connector.transport?.peerEnds(FakeConnector.brokenLine)
    await rig.fixture.clock.settle()
    lines.end()
    await rig.fixture.clock.settle()
    #expect(run.value == nil, "the connection may come back")
    await rig.fixture.clock.elapse(.seconds(60))
    #expect(run.value == .tryAgain)
    #expect(
      rig.output.failures.first?.text == "at the end: 1 message is still unsent: There was no connection in time.")
    #expect(try rig.store.messages.outbox().map(\.message.body) == ["hello"])
  }

  @Test("that fails in a later line says what is still unsent, too: who runs it again would send that twice")
  func failsWithUnsent() async throws {
    let lines = TypedLines(isOpen: true)
    let rig = try ApplicationRig(lines)
    let run = try await rig.start()
    lines.type("/to bob@example.org")
    lines.type("hello")
    await rig.fixture.clock.settle()
    rig.fixture.connector.outcome = { _ in .hangs }
    rig.fixture.connector.transport?.peerEnds(FakeConnector.brokenLine)
    await rig.fixture.clock.settle()
    lines.type("/nonsense")
    await rig.fixture.clock.elapse(.seconds(60))
    #expect(run.value == .usage)
    let text = try #require(rig.output.failures.first?.text)
    #expect(
      text.hasPrefix("line 3: ") && text.hasSuffix(" 1 message is still unsent: There was no connection in time."))
  }
}
