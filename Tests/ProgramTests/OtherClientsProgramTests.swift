// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Support
import Testing

/// What Docs/MESSAGES.md says of clients for the terminal, as far as these are installed.
@Suite(
  "What messages carry, with another client at a terminal", .serialized,
  .enabled(if: !TerminalClient.installed.isEmpty, "none of Profanity, mcabber and poezio is installed"))
struct OtherClientsProgramTests {
  @Test("is shown at both ends: live, as a copy, late and from the archive", arguments: TerminalClient.installed)
  func onProsody(client: TerminalClient) async throws { try await talk(kind: .prosody, client: client) }

  @Test("is shown alike on ejabberd", arguments: TerminalClient.installed)
  func onEjabberd(client: TerminalClient) async throws { try await talk(kind: .ejabberd, client: client) }

  private func talk(kind: TestServer.Kind, client: TerminalClient) async throws {
    try await withPair(on: kind, friends: true) { alice, bob in
      try await OneToOne.with(alice, bob, client) { conversation in
        try await conversation.withClient { screen in
          try await conversation.hearsLive(at: screen)
          try await conversation.saysLive(at: screen)
          try await conversation.hasCopies(at: screen)
          try await conversation.saysToNobodyThere(at: screen)
        }
        try await conversation.readsLateAndFromTheArchive()
        try await conversation.hearsLate()
      }
    }
  }
}

/// Alice, who has three devices with Jackdaw, and Bob, who has another client and a device with Jackdaw.
private struct OneToOne {
  let client: TerminalClient
  let alice: Person
  let bob: Person
  /// Alice's first device.
  let one: LiveJackdaw
  /// Her second, at whose prompt there is text.
  let two: Person
  /// Her third, which was never there.
  let three: Person
  /// Bob's with Jackdaw.
  let other: LiveJackdaw
  /// What the client remembers.
  let home: TestDirectory
  /// With what it encrypts.
  let keys: TerminalClient.KeyRing?

  static func with(
    _ alice: Person, _ bob: Person, _ client: TerminalClient, _ body: (OneToOne) async throws -> Void
  ) async throws {
    try await TestDirectory.with { second in
      try await TestDirectory.with { third in
        try await TestDirectory.with { home in
          let one = LiveJackdaw(alice.at("one", in: alice.home))
          let other = LiveJackdaw(bob.at("other", in: bob.home))
          let keys = try await client.makeKeyRing(of: bob.jid, and: alice.jid, in: home)
          try await client.publishDevices(of: bob, and: alice)
          let conversation = OneToOne(
            client: client, alice: alice, bob: bob, one: one, two: alice.at("two", in: second),
            three: alice.at("three", in: third), other: other, home: home, keys: keys)
          do { try await body(conversation) } catch {
            await one.kill()
            await other.kill()
            try await keys?.end()
            throw error
          }
          try await keys?.end()
        }
      }
    }
  }

  /// Bob's client is online.
  func withClient(_ body: (TestProcess) async throws -> Void) async throws {
    try await client.with(bob.account, on: bob.server, in: home, keys: keys, body)
  }

  // MARK: Live

  /// What Alice says is on Bob's screen, where nobody but his client can say that it came.
  func hearsLive(at screen: TestProcess) async throws {
    for line in client.settings(keys) { try await client.type(named(line), at: screen) }
    try await client.beginOMEMO(with: alice.jid, at: screen)
    try await one.start()
    _ = try await one.types("/to \(bob.jid)", "beginning")
    try await opens(at: screen)
    for kind in client.shows {
      if kind.name.hasPrefix("reply") { try await says(["Pizza?"], at: screen, [#""body":"Pizza?""#]) }
      _ = try await one.types(kind.typed.map(named))
      for row in kind.shown { try await screen.expectScreen(showing: named(row)) }
      if let gone = kind.gone {
        try await screen.expectScreen("no '\(gone)'") { screen in !screen.lines.contains { $0.contains(gone) } }
      }
    }
    #expect(try await one.line(with: [#""event":"message-state""#, #""state":"delivered""#]) != nil)
    screen.send("typ")
    #expect(try await one.line(with: [#""event":"typing""#, bob.jid, #""state":"composing""#]) != nil)
    screen.send(Key.controlU)
    // A reaction has no text, and none of them knows it.
    let before = screen.screen.lines.count { $0.contains("Pizza?") }
    _ = try await one.types("/react 👍", "after it")
    let shown = try await screen.expectScreen(showing: "after it")
    #expect(!shown.text.contains("👍") && shown.lines.count { $0.contains("Pizza?") } == before, "\(shown.text)")
  }

  /// What Bob says is on Alice's screen, in her JSON, and in that of his other device.
  func saysLive(at screen: TestProcess) async throws {
    try await other.start()
    try await two.atThePrompt("chat", bob.jid, columns: 110, rows: 40) { prompt in
      try await prompt.expectScreen(showing: "online")
      // Whom nobody has heard of cannot be told.
      try await prompt.expectScreen(showing: "\(bob.jid) is online")
      for (number, kind) in client.sends.enumerated() {
        let text = named(kind.text)
        let before = prompt.screen.lines.count { $0.contains(text) }
        try await says(kind.typed, at: screen, kind.json)
        try await prompt.expectScreen("'\(text)' once more") { $0.lines.count { $0.contains(text) } > before }
        // Profanity tells it once a message.
        if number == 0 { try await typesLive(at: screen, prompt) }
        guard kind.isCopied else { continue }
        #expect(try await other.line(with: kind.json + [#""carbon":"sent""#]) != nil, "\(kind.name)")
      }
      if let row = client.confirmed("hello alice") { try await screen.expectScreen(showing: named(row)) }

      // What goes to one device is a copy at the other.
      if let line = client.line(saying: "to one alone", to: alice.jid + "/one") {
        try await client.type(line, at: screen)
        #expect(try await one.line(with: [#""body":"to one alone""#, #""carbon":null"#]) != nil)
        try await prompt.expectScreen(showing: "\(bob.jid): to one alone")
      }
      prompt.send("/quit" + Key.enter)
      #expect(try await prompt.wait() == .exited(0))
    }
  }

  private func typesLive(at screen: TestProcess, _ prompt: TestProcess) async throws {
    // Profanity shows it of the device that spoke last.
    prompt.send("here too" + Key.enter)
    try await screen.expectScreen(showing: "here too")
    // A line that was begun before it was known that the client wants to know is not told. No name has a capital.
    let shown = named(client.typingShown)
    var limit = Duration.milliseconds(500)
    try await eventually {
      // Where the line is emptied and begun again in one read, nothing is told anew.
      prompt.send(Key.controlU)
      try await prompt.expectScreen("no line") { !$0.cursorLine.contains("Hm") }
      prompt.send("Hm")
      defer { limit *= 2 }
      return try await screen.shows(shown, within: limit)
    }
    prompt.send(Key.controlU)
    // After a message poezio takes what comes first for more of the same.
    screen.send("Hm")
    try await screen.expectScreen("a line begun") { $0.lines.last?.contains("Hm") ?? false }
    screen.send(Key.controlU)
    try await screen.expectScreen("no line") { !($0.lines.last?.contains("Hm") ?? false) }
    screen.send("Hm")
    try await prompt.expectScreen("who types") { $0.cursorLine.contains("(typing)>") }
    screen.send(Key.controlU)
  }

  /// Bob's client has copies of what his other device gets and says.
  func hasCopies(at screen: TestProcess) async throws {
    try await opens(at: screen)
    _ = try await one.types("/send \(bob.jid)/other for the other alone")
    try await screen.expectScreen(showing: "for the other alone")
    _ = try await other.types("/send \(alice.jid) from the other")
    try await screen.expectScreen(showing: named(client.own("from the other")))
  }

  // MARK: Late

  /// None of Alice's devices is there, and the server has taken all of it.
  func saysToNobodyThere(at screen: TestProcess) async throws {
    try await one.end()
    for kind in client.sends where kind.isKept {
      let before = await copies(kind.json)
      for line in kind.typed { try await client.type(named(line), at: screen) }
      guard kind.isCopied else { continue }
      try await eventually { await copies(kind.json) > before }
    }
    try await other.end()
  }

  private func copies(_ parts: [String]) async -> Int {
    await other.all.count { line in (parts + [#""carbon":"sent""#]).allSatisfy { line.contains($0) } }
  }

  func readsLateAndFromTheArchive() async throws {
    try await one.start()
    let kept = client.sends.filter(\.isKept)
    for kind in kept {
      #expect(try await one.line(with: kind.json + [#""delayed":"2"#]) != nil, "\(kind.name)")
    }
    try await one.end()
    try await three.does("history", "sync")
    let exported = try await three.does("history", "--export", "json")
    let history = try await three.does("history", bob.jid)
    for kind in kept where kind.isArchived {
      let found = exported.count { line in kind.json.allSatisfy { line.contains($0) } }
      #expect(found == 2, "\(kind.name): \(found)")
      // What is encrypted in one way or another may be the same text.
      let shown = 2 * kept.count { $0.text == kind.text }
      #expect(history.count { $0.contains(named(kind.text)) } == shown, "\(kind.text) in \(history)")
    }
  }

  /// Nobody of Bob's is there when Alice speaks; his client is started anew.
  func hearsLate() async throws {
    try await one.start()
    _ = try await one.types(["/to \(bob.jid)"] + client.shows.filter { !$0.late.isEmpty }.flatMap(\.typed).map(named))
    try await one.end()
    try await withClient { screen in
      try await client.expectLastClearing(at: screen)
      try await opens(at: screen)
      for text in client.shows.flatMap(\.late) { try await screen.expectScreen(showing: text) }
    }
  }

  // MARK: What is typed

  /// Bob types, and Alice's first device has what comes of it.
  private func says(_ lines: [String], at screen: TestProcess, _ json: [String]) async throws {
    for line in lines { try await client.type(named(line), at: screen) }
    #expect(try await one.line(with: json + [#""event":"message""#]) != nil, "\(lines)")
  }

  /// Goes to where Bob talks with Alice.
  private func opens(at screen: TestProcess) async throws {
    switch client {
    case .profanity:
      try await client.type("/msg \(alice.jid)", at: screen)
      try await screen.expectScreen("the window") { $0.lines.first?.contains(alice.jid) ?? false }
    case .mcabber:
      try await screen.expectScreen("her in the list") { [user = alice.account.user] screen in
        screen.lines.contains { $0.contains("] \(user.prefix(12))") }
      }
      // An empty line shows what was said there.
      let buddy = "Buddy: \(alice.jid)"
      try await eventually {
        try await client.type("/roster search \(alice.account.user)" + Key.enter, at: screen)
        return try await screen.shows(buddy, within: .seconds(5))
      }
    case .poezio:
      try await client.type("/message \(alice.jid)", at: screen)
      try await screen.expectScreen(showing: "[\(alice.jid)]")
    }
  }

  private func named(_ text: String) -> String {
    text.replacing("ALICE", with: alice.jid).replacing("BOB", with: bob.jid)
      .replacing("Alice", with: alice.account.user).replacing("Bob", with: bob.account.user)
  }
}

extension TestProcess {
  /// Whether its terminal comes to show that.
  fileprivate func shows(_ text: String, within limit: Duration) async throws -> Bool {
    do {
      try await expectScreen(showing: text, within: limit)
      return true
    } catch is TestProcessFailure {
      return false
    }
  }
}
