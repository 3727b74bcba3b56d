// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession
import JackdawXML
import Support
import Testing

@testable import JackdawCommands

@Client @Suite("/wait, behind lines that send messages", .onLoop)
struct WaitForAnswerTests {
  /// A run whose messages bob's bot, and nobody else's, answers before the server answers anything that comes behind them.
  private func rig(_ lines: String..., answers: Int = 1, isTerminal: Bool = false) throws -> ApplicationRig {
    let text = isTerminal ? "" : lines.joined(separator: "\n") + "\n"
    let rig = try ApplicationRig(TypedLines(text), isTerminal: isTerminal)
    rig.fixture.answer = { element in
      guard element.name == "message", element.attribute("to") == "bob@example.org" else {
        return SessionFixture.manners(element)
      }
      return (0..<answers).compactMap { try? Element(parsing: ListenTests.message("answer \($0)")) }
    }
    return rig
  }

  @Test(
    "counts an answer that was there before it began, whatever line asked",
    arguments: [
      "/send bob@example.org question", "/send --wait sent bob@example.org question",
      "/send eve@example.org bob@example.org -- question", "/to bob@example.org\nquestion",
      "/to bob@example.org\n/me asks",
      "/xml \"<message to='bob@example.org' type='chat'><body>question</body></message>\"",
    ])
  func early(_ asking: String) async throws {
    let rig = try rig(asking, "/ping", "/wait message --from bob@example.org --for 10")
    #expect(try await rig.start().value == .success)
    #expect(rig.output.messages == ["answer 0"])
  }

  @Test("counts each answer once")
  func once() async throws {
    let wait = "/wait message --for 10"
    let rig = try rig("/send bob@example.org question", "/ping", wait, wait, wait, answers: 2)
    let run = try await rig.start()
    #expect(!run.hasEnded)
    await rig.fixture.clock.elapse(.seconds(10))
    #expect(run.value == .tryAgain)
    #expect(rig.output.failures.map(\.text) == ["line 5: No message came within 10 s."])
  }

  @Test("counts what another '/wait' saw and did not wait for")
  func leftByAnother() async throws {
    let rig = try rig(
      "/send bob@example.org question", "/send eve@example.org question",
      "/wait message --from eve@example.org --for 10",
      "/wait message --from carol@example.org --for 10", "/wait message --from bob@example.org --for 10", answers: 1)
    let run = try await rig.start()
    await rig.fixture.receive(ListenTests.message("from carol", from: "carol@example.org/x"))
    #expect(!run.hasEnded)
    await rig.fixture.receive(ListenTests.message("from eve", from: "eve@example.org/x"))
    await rig.fixture.clock.settle()
    #expect(run.value == .success)
  }

  @Test("does not count what came before the last message, but from whom that was not for")
  func before() async throws {
    let lines = ["/send bob@example.org question", "/ping", "/send eve@example.org question", "/ping"]
    let anybodys = try rig(lines[0], lines[1], lines[2], lines[3], "/wait message --for 10")
    let run = try await anybodys.start()
    #expect(!run.hasEnded)
    await anybodys.fixture.clock.elapse(.seconds(10))
    #expect(run.value == .tryAgain)
    let bobs = try rig(lines[0], lines[1], lines[2], lines[3], "/wait message --from bob@example.org --for 10")
    #expect(try await bobs.start().value == .success)
  }

  @Test("does not count what came while a line slept, where none has sent anything")
  func nothingSent() async throws {
    let rig = try rig("/ping", "/sleep 5", "/wait message --for 10")
    let run = try await rig.start()
    await rig.fixture.receive(ListenTests.message("early"))
    await rig.fixture.clock.elapse(.seconds(5))
    #expect(rig.output.messages == ["early"] && !run.hasEnded)
    await rig.fixture.clock.elapse(.seconds(10))
    #expect(run.value == .tryAgain)
  }

  @Test("matches texts that were there before it began")
  func matching() async throws {
    let rig = try rig(
      "/send bob@example.org question", "/ping", "/wait message --match '1$' --for 10",
      "/wait message --match '0$' --for 10",
      answers: 3)
    #expect(try await rig.start().value == .success)
  }

  @Test("takes of several events those that were there, and waits for the others; with '--any' one is enough")
  func several() async throws {
    let all = try rig("/send bob@example.org question", "/ping", "/wait message x-go --for 10")
    let run = try await all.start()
    #expect(!run.hasEnded)
    all.fixture.session.events.post(try ScriptEvent(name: "x-go"))
    await all.fixture.clock.settle()
    #expect(run.value == .success)
    let one = try rig("/send bob@example.org question", "/ping", "/wait x-go message --any --for 10")
    #expect(try await one.start().value == .success)
  }

  @Test("at the prompt does as in a script")
  func prompt() async throws {
    let rig = try rig(isTerminal: true)
    let run = try await rig.start("chat", "bob@example.org")
    await rig.type("question", "/wait message --for 10")
    await rig.fixture.clock.elapse(.seconds(11))
    #expect(rig.output.failures.isEmpty, "\(rig.output.failures)")
    await rig.type("/wait message --for 10")
    await rig.fixture.clock.elapse(.seconds(11))
    #expect(rig.output.failures.map(\.code) == [.tryAgain])
    rig.prompt.delegate?.promptEnded()
    await rig.fixture.clock.elapse(.seconds(10))
    #expect(run.hasEnded)
  }

  @Test("knows the accounts of a run apart")
  func accounts() throws {
    let (home, work) = (try rig(), try rig())
    let events = LineEvents()
    let accounts = try ["home", "work"].map { name in
      home.application.candidate(Configuration.Account(name: name, jid: try JID("\(name)@example.org")))
    }
    let ofHome = events.of(accounts[0], in: home.fixture.session)
    let ofWork = events.of(accounts[1], in: work.fixture.session)
    #expect(events.of(accounts[0], in: home.fixture.session) === ofHome && ofHome !== ofWork)
    let bob = try JID("bob@example.org")
    ofHome.messageGoes(to: bob, at: home.fixture.date)
    for rig in [home, work] {
      let alice = rig.fixture.session.identity.account
      rig.fixture.session.events.post(MessageArrived(id: "1", from: bob, to: alice, kind: .chat, body: "answer"))
    }
    var counted: [String] = []
    for (name, events) in [("work", ofWork), ("home", ofHome)] {
      let wait = events.begin(for: bob) { _ in
        counted.append(name)
        return true
      }
      events.end(wait)
    }
    #expect(counted == ["home"])
  }
}
