// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession
import JackdawXML
import Support
import Testing

@testable import JackdawCommands

@Client @Suite("The prompt calls its user", .onLoop)
struct NotifierTests {
  private func settle(_ rig: ApplicationRig) async { await rig.fixture.clock.settle() }

  /// - Parameter features: what the server offers beside what every one does.
  private func withPrompt(
    _ configuration: String, features: String = "", _ body: @escaping @Client (ApplicationRig) async throws -> Void
  ) async throws {
    try await TestDirectory.onLoop { directory in
      let path = try directory.write(configuration, to: "config.toml")
      let rig = try ApplicationRig(environment: ["JACKDAW_CONFIG": path], isTerminal: true)
      rig.setRoster([("bob@example.org", "Bob", [])])
      rig.fixture.script.moreFeatures = features
      let run = try await rig.start("chat", "bob@example.org")
      try await body(rig)
      rig.prompt.type("/quit")
      await settle(rig)
      #expect(run.value == .success)
    }
  }

  private func message(_ from: String, _ body: String, _ more: String = "") -> String {
    "<message from='\(from)' type='chat'><body>\(body)</body>\(more)</message>"
  }

  @Test("for a message: with its bell, and a text for the terminal; a second one within 3 s with the next")
  func messages() async throws {
    try await withPrompt("") { rig in
      await rig.fixture.receive(message("bob@example.org/x", "hello"))
      let text = PromptNotification.Text("Bob", body: "hello")
      #expect(rig.prompt.notifications == [PromptNotification(rings: true, texts: [text], terminal: .auto)])
      await rig.fixture.receive(message("carol@example.org/x", "one") + message("carol@example.org/x", "two"))
      #expect(rig.prompt.notifications.count == 1)
      await rig.fixture.clock.elapse(.seconds(3))
      let carol = PromptNotification.Text("carol@example.org", count: 2, body: "two")
      #expect(rig.prompt.notifications.last?.texts == [carol] && rig.prompt.notifications.count == 2)
    }
  }

  @Test("not for the conversation at which they sit, but for it when they left the keyboard")
  func sittingThere() async throws {
    try await withPrompt("") { rig in
      rig.prompt.delegate?.promptTouched()
      await rig.fixture.receive(message("bob@example.org/x", "hello"))
      #expect(rig.prompt.notifications.isEmpty)
      await rig.fixture.receive(message("carol@example.org/x", "hello"))
      #expect(rig.prompt.notifications.map { $0.texts.map(\.person) } == [["carol@example.org"]])
      await rig.fixture.clock.elapse(.seconds(31))
      await rig.fixture.receive(message("bob@example.org/x", "still there?"))
      #expect(rig.prompt.notifications.last?.texts.map(\.person) == ["Bob"])
    }
  }

  @Test("not for what they sent from another device, nor for a reaction")
  func ownAndReactions() async throws {
    try await withPrompt("") { rig in
      await rig.fixture.receive(
        """
        <message from='alice@example.org'><sent xmlns='urn:xmpp:carbons:2'><forwarded xmlns='urn:xmpp:forward:0'>\
        <message xmlns='jabber:client' from='alice@example.org/phone' to='carol@example.org' type='chat'><body>mine</body>\
        </message></forwarded></sent></message>
        """)
      await rig.fixture.receive(
        "<message from='carol@example.org/x' type='chat'><reactions xmlns='urn:xmpp:reactions:0' id='1'><reaction>👍</reaction></reactions></message>"
      )
      #expect(rig.output.messages.contains("mine") && rig.prompt.notifications.isEmpty)
    }
  }

  @Test(
    "for the wish for attention: by a text, and by the bell only where the configuration says so",
    arguments: [("", false), ("attention = true\n", true)])
  func attention(configuration: String, rings: Bool) async throws {
    try await withPrompt(configuration) { rig in
      await rig.fixture.receive(
        "<message from='bob@example.org/x' type='chat'><attention xmlns='urn:xmpp:attention:0'/></message>")
      #expect(rig.prompt.notifications.map(\.rings) == [rings])
      #expect(rig.prompt.notifications.first?.texts.map(\.body) == ["wants your attention"])
    }
  }

  @Test(
    "by the bell for all that is gathered, whatever comes last",
    arguments: [("", false), ("bell = []\nattention = true\n", true)])
  func gathered(configuration: String, wantsAttentionFirst: Bool) async throws {
    try await withPrompt(configuration) { rig in
      let wish = "<message from='carol@example.org/x' type='chat'><attention xmlns='urn:xmpp:attention:0'/></message>"
      let text = message("carol@example.org/x", "are you there?")
      await rig.fixture.receive(message("bob@example.org/x", "hello"))
      await rig.fixture.receive(wantsAttentionFirst ? wish + text : text + wish)
      await rig.fixture.clock.elapse(.seconds(3))
      #expect(rig.prompt.notifications.map(\.rings) == [!wantsAttentionFirst, true])
    }
  }

  @Test("for an answer with what it says, and not with what it repeats")
  func answer() async throws {
    try await withPrompt("") { rig in
      let reply =
        "<reply xmlns='urn:xmpp:reply:0' id='1'/><fallback xmlns='urn:xmpp:fallback:0' for='urn:xmpp:reply:0'>"
        + "<body start='0' end='9'/></fallback>"
      await rig.fixture.receive(message("bob@example.org/x", "&gt; Lunch?\nYes", reply))
      #expect(rig.prompt.notifications.first?.texts.map(\.body) == ["Yes"])
    }
  }

  @Test("for requests and friends who come online, as the configuration says")
  func otherKinds() async throws {
    try await withPrompt("bell = [\"online\"]\ndesktop = [\"request\"]\ndesktop_through = \"osc9\"") { rig in
      await rig.fixture.receive(message("carol@example.org/x", "hello"))
      await rig.fixture.receive("<presence from='bob@example.org/early'/>")
      #expect(rig.prompt.notifications.isEmpty)
      await rig.fixture.receive("<presence from='bob@example.org/early' type='unavailable'/>")
      await rig.fixture.clock.elapse(.seconds(20))
      await rig.fixture.receive("<presence from='bob@example.org/x'/>")
      #expect(rig.prompt.notifications == [PromptNotification(rings: true, texts: [], terminal: .osc9)])
      await rig.fixture.clock.elapse(.seconds(20))
      await rig.fixture.receive("<presence from='eve@example.org' type='subscribe'/>")
      let text = PromptNotification.Text("eve@example.org", body: "asks to be your friend")
      #expect(rig.prompt.notifications.last == PromptNotification(rings: false, texts: [text], terminal: .osc9))
    }
  }

  @Test("not for another device of theirs that comes online")
  func ownDevice() async throws {
    try await withPrompt("bell = [\"online\"]\ndesktop = [\"online\"]") { rig in
      await rig.fixture.clock.elapse(.seconds(20))
      await rig.fixture.receive("<presence from='alice@example.org/phone'/>")
      await rig.fixture.clock.elapse(.seconds(20))
      #expect(rig.prompt.notifications.isEmpty)
      await rig.fixture.receive("<presence from='bob@example.org/x'/>")
      #expect(rig.prompt.notifications.map { $0.texts.map(\.person) } == [["Bob"]])
    }
  }

  @Test("not in quiet hours")
  func quietHours() async throws {
    try await withPrompt("quiet_hours = \"00:00-24:00\"") { rig in
      await rig.fixture.receive(message("carol@example.org/x", "hello"))
      #expect(rig.output.messages == ["hello"] && rig.prompt.notifications.isEmpty)
    }
  }

  // MARK: Away

  /// What they were shown as since the last call.
  private func shows(_ rig: ApplicationRig) -> [String] {
    rig.fixture.sent().filter { $0.name == "presence" && $0.attribute("to") == nil }.map { presence in
      presence.child("show", presence.namespace)?.text ?? presence.attribute("type") ?? "available"
    }
  }

  @Test("shows them as away after `idle_after`, and as before at the next key")
  func away() async throws {
    try await withPrompt("idle_after = \"10m\"") { rig in
      _ = shows(rig)
      rig.prompt.type("/status chat free today")
      await settle(rig)
      await rig.fixture.clock.elapse(.seconds(300))
      rig.prompt.delegate?.promptTouched()
      await rig.fixture.clock.elapse(.seconds(301))
      #expect(shows(rig) == ["chat"])
      await rig.fixture.clock.elapse(.seconds(300))
      #expect(shows(rig) == ["away"])
      rig.prompt.delegate?.promptTouched()
      await settle(rig)
      #expect(shows(rig) == ["chat"])
      await rig.fixture.clock.elapse(.seconds(601))
      #expect(shows(rig) == ["away"])
    }
  }

  @Test("takes 'fg' for a key: who brings the program back from Ctrl-Z is not away")
  func broughtBack() async throws {
    try await withPrompt("idle_after = \"10m\"") { rig in
      _ = shows(rig)
      await rig.fixture.clock.elapse(.seconds(500))
      rig.prompt.delegate?.promptSuspends()
      rig.prompt.delegate?.promptResumed()
      await rig.fixture.clock.elapse(.seconds(500))
      #expect(shows(rig).isEmpty)
      await rig.fixture.clock.elapse(.seconds(101))
      #expect(shows(rig) == ["away"])
    }
  }

  @Test("tells the server that nobody looks after ten minutes without a key, and that somebody does at the next one")
  func looking() async throws {
    func told(_ rig: ApplicationRig) -> [String] {
      rig.fixture.sent().filter { $0.namespace == "urn:xmpp:csi:0" }.map(\.name)
    }
    try await withPrompt("", features: "<csi xmlns='urn:xmpp:csi:0'/>") { rig in
      await rig.fixture.clock.elapse(.seconds(500))
      rig.prompt.delegate?.promptTouched()
      await rig.fixture.clock.elapse(.seconds(500))
      #expect(told(rig) == [])
      await rig.fixture.clock.elapse(.seconds(150))
      #expect(told(rig) == ["inactive"])
      rig.prompt.delegate?.promptTouched()
      await settle(rig)
      #expect(told(rig) == ["active"])
    }
  }

  @Test("tells the server that nobody looks, too, where they say that they are away, until the next key")
  func saidToBeAway() async throws {
    func told(_ rig: ApplicationRig) -> [String] {
      rig.fixture.sent().filter { $0.namespace == "urn:xmpp:csi:0" }.map(\.name)
    }
    try await withPrompt("", features: "<csi xmlns='urn:xmpp:csi:0'/>") { rig in
      _ = told(rig)
      for (line, said) in [("/status away lunch", ["inactive"]), ("/status xa", []), ("/status dnd", ["active"])] {
        rig.prompt.type(line)
        await settle(rig)
        #expect(told(rig) == said, "\(line)")
      }
      rig.prompt.type("/status away")
      await settle(rig)
      rig.prompt.delegate?.promptTouched()
      await settle(rig)
      #expect(told(rig) == ["inactive", "active"])
    }
  }

  @Test("leaves those who are busy by their own word as they are")
  func busy() async throws {
    try await withPrompt("idle_after = \"1m\"") { rig in
      _ = shows(rig)
      rig.prompt.type("/status dnd")
      await settle(rig)
      await rig.fixture.clock.elapse(.seconds(200))
      rig.prompt.delegate?.promptTouched()
      await settle(rig)
      #expect(shows(rig) == ["dnd"])
    }
  }

  @Test("leaves what they say meanwhile by another program as it is, and shows it in the prompt")
  func saidElsewhere() async throws {
    try await withPrompt("idle_after = \"1m\"") { rig in
      await rig.fixture.clock.elapse(.seconds(61))
      #expect(rig.prompt.states.last?.ownPresence == "away")
      _ = shows(rig)
      // As `status busy` of the shell does, which goes through this program.
      let board = rig.fixture.session.features[PresenceBoard.self]
      try board.announce(Presence(show: .dnd, status: "in a meeting"))
      #expect(rig.prompt.states.last?.ownPresence == "dnd")
      rig.prompt.delegate?.promptTouched()
      await settle(rig)
      #expect(shows(rig) == ["dnd"])
      // Away by their own word is not away for want of keys.
      try board.announce(Presence())
      await rig.fixture.clock.elapse(.seconds(61))
      try board.announce(Presence(show: .away))
      rig.prompt.delegate?.promptTouched()
      await settle(rig)
      #expect(shows(rig) == ["available", "away", "away"])
    }
  }
}
