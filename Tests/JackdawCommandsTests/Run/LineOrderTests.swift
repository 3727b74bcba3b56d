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

@Client @Suite("A command among messages", .onLoop)
struct LineOrderTests {
  /// What came to the server for Bob, in order: the texts of messages, and `ping`.
  private func sentToBob(_ rig: ApplicationRig) -> [String] {
    rig.fixture.server.received.filter { $0.attribute("to") == "bob@example.org" }.compactMap { stanza in
      if stanza.child("ping", Ping.namespace) != nil { return "ping" }
      return stanza.child("body", "jabber:client")?.text
    }
  }

  @Test("of a script sends nothing before the messages of the lines above it")
  func script() async throws {
    let rig = try ApplicationRig(
      TypedLines("/to bob@example.org\none\ntwo\n/ping bob@example.org\nthree\n/expect 0 /ping bob@example.org\nfour"))
    #expect(try await rig.run() == .success)
    #expect(sentToBob(rig) == ["one", "two", "ping", "three", "ping", "four"])
  }

  @Test("of the prompt sends nothing before the messages entered before it, however many are entered in one go")
  func prompt() async throws {
    let rig = try ApplicationRig(isTerminal: true)
    let run = try await rig.start()
    for line in ["/to bob@example.org", "one", "two", "/ping bob@example.org", "three"] { rig.prompt.type(line) }
    await rig.fixture.clock.settle()
    let sent = sentToBob(rig)
    #expect(sent.filter { $0 != "ping" } == ["one", "two", "three"])
    let place = try #require(sent.firstIndex(of: "ping"))
    #expect(place >= 2)
    rig.prompt.type("/quit")
    await rig.fixture.clock.settle()
    #expect(run.value == .success)
  }

  @Test("waits with the messages before it where another program has the log locked")
  func locked() async throws {
    let log = LockableStore(AccountStore.inMemory().messages)
    let rig = try ApplicationRig(isTerminal: true, messages: log)
    let run = try await rig.start()
    rig.prompt.type("/to bob@example.org")
    await rig.fixture.clock.settle()
    log.isLocked = true
    for line in ["one", "/ping bob@example.org"] { rig.prompt.type(line) }
    await rig.fixture.clock.elapse(.seconds(2))
    #expect(sentToBob(rig) == [])
    log.isLocked = false
    await rig.fixture.clock.elapse(.seconds(2))
    #expect(sentToBob(rig) == ["one", "ping"])
    rig.prompt.type("/quit")
    await rig.fixture.clock.settle()
    #expect(run.value == .success)
  }

  @Test("that waits for a message's address to be looked up is stopped by Ctrl-C, and the message is not")
  func stopped() async throws {
    let rig = try ApplicationRig(isTerminal: true)
    rig.fixture.answer = { element in
      element.attribute("to") == "elsewhere.example" ? [] : SessionFixture.manners(element)
    }
    let run = try await rig.start()
    for line in ["/to eve@elsewhere.example", "hello", "/ping bob@example.org"] { rig.prompt.type(line) }
    await rig.fixture.clock.settle()
    #expect(rig.sentMessages.isEmpty && sentToBob(rig).isEmpty)
    rig.prompt.delegate?.promptInterrupted()
    await rig.fixture.clock.settle()
    #expect(rig.output.notices.contains("Stopped /ping bob@example.org."))
    await rig.fixture.clock.elapse(.seconds(60))
    #expect(rig.sentMessages == ["eve@elsewhere.example|hello"])
    #expect(sentToBob(rig).isEmpty)
    rig.prompt.type("/quit")
    await rig.fixture.clock.settle()
    #expect(run.value == .success)
  }
}
