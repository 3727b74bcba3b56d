// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession
import JackdawXML
import Support
import Testing

@testable import JackdawCommands

/// Whom the prompt names: in examples, in what was sent, and in what was not.
@Client @Suite("The prompt", .onLoop)
struct PromptNamingTests {
  private func settle(_ rig: ApplicationRig) async { await rig.fixture.clock.settle() }

  @Test(
    "names a contact as the example of whom to pick, by what '/to' takes, and never the user",
    arguments: [
      ("alice", [("carol@example.org", "Carol"), ("dave@example.org", nil)], "Carol"),
      ("alice", [("carol@example.org", "Carol Ann")], "carol"),
      ("alice", [("carol@example.org", "Al"), ("dave@example.org", "Al")], "carol"),
      ("alice", [("carol@example.org", "Ann B"), ("carol@example.net", nil)], "carol@example.net"),
      ("alice", [], "bob"), ("bob", [], "alice"),
    ] as [(String, [(String, String?)], String)])
  func example(user: String, friends: [(String, String?)], expected: String) async throws {
    let rig = try ApplicationRig(environment: ["JACKDAW_JID": "\(user)@example.org/here"], isTerminal: true)
    rig.setRoster(friends.map { (jid: $0.0, name: $0.1, groups: []) })
    _ = try await rig.start()
    for line in ["hello", "/back", "/search --here hello"] { rig.prompt.type(line) }
    await settle(rig)
    #expect(rig.output.failures.map(\.text) == Array(repeating: "Pick somebody first: /to \(expected)", count: 3))
  }

  @Test("shows what '/msg' sent, to each whom it was for, as it shows what was typed to the conversation")
  func sentByCommand() async throws {
    let rig = try ApplicationRig(isTerminal: true)
    _ = try await rig.start()
    rig.prompt.type("/to bob@example.org")
    rig.prompt.type("/msg carol@example.org dave@example.org -- see you at 8")
    await settle(rig)
    let said = rig.output.events.compactMap { $0 as? MessageArrived }
    #expect(
      said.map { "\($0.from.bare) \($0.to) \($0.body)" } == [
        "alice@example.org carol@example.org see you at 8", "alice@example.org dave@example.org see you at 8",
      ])
    #expect(rig.sentMessages == ["carol@example.org|see you at 8", "dave@example.org|see you at 8"])
  }

  @Test("shows what was sent with its subject, as the history does")
  func subject() async throws {
    let rig = try ApplicationRig(isTerminal: true)
    _ = try await rig.start()
    rig.prompt.type("/send --subject Lunch bob@example.org at one?")
    await settle(rig)
    let said = try #require(rig.output.events.compactMap { $0 as? MessageArrived }.last)
    #expect(said.body == "at one?" && said.payload?.subject == "Lunch")
  }

  @Test("takes a '.' for whom one talks to, who need not be a contact")
  func openConversation() async throws {
    let rig = try ApplicationRig(isTerminal: true)
    _ = try await rig.start()
    rig.prompt.type("/send . nobody")
    #expect(rig.sentMessages.isEmpty)
    await settle(rig)
    #expect(rig.output.failures.map(\.text) == ["Pick somebody first: /to bob"])
    for line in ["/to eve@example.net", "/send . psst", "/friends add .", "/listen --from . --for 0"] {
      rig.prompt.type(line)
    }
    await settle(rig)
    #expect(rig.output.failures.count == 1, "\(rig.output.failures)")
    #expect(rig.sentMessages == ["eve@example.net|psst"])
    // The friendship begins with the entry.
    #expect(rig.fixture.server.received.contains { "\($0)".contains("<item jid='eve@example.net'/>") })
  }

  @Test("names whom a message was for that was not sent, as the user calls them")
  func notSentByName() async throws {
    let rig = try ApplicationRig(isTerminal: true, messages: FullStore())
    rig.storeRoster([("bob@example.org", "Bob")])
    rig.fixture.connector.outcome = { _ in .hangs }
    _ = try await rig.start("chat", "bob@example.org")
    rig.prompt.type("hello")
    await settle(rig)
    #expect(rig.output.failures.first?.text.hasPrefix("Your message to Bob was not sent: ") == true)
  }
}
