// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Support
import Testing

/// Corrections, replies, reactions and retractions of other clients, with the built program.
@Suite("What is said of earlier messages") struct RelationProgramTests {
  private static func stanza(_ id: String, to jid: String, _ content: String) -> String {
    "<message type='chat' to='\(jid)' id='\(id)'>\(content)<store xmlns='urn:xmpp:hints'/></message>"
  }

  /// Two messages, one of which is corrected and one retracted; reactions of both people.
  private static func talk(_ alice: Person, _ bob: Person) async throws {
    let said = [
      stanza("m1", to: alice.jid, "<body>at nein</body>"), stanza("m2", to: alice.jid, "<body>a secret</body>"),
      stanza("m3", to: alice.jid, "<body>at nine</body><replace id='m1' xmlns='urn:xmpp:message-correct:0'/>"),
      stanza(
        "m4", to: alice.jid,
        "<retract id='m2' xmlns='urn:xmpp:message-retract:1'/><body>This client cannot read it</body>"
          + "<fallback xmlns='urn:xmpp:fallback:0' for='urn:xmpp:message-retract:1'/>"),
      stanza(
        "m5", to: alice.jid,
        "<reactions id='m1' xmlns='urn:xmpp:reactions:0'><reaction>👍</reaction><reaction>❤</reaction></reactions>"),
      stanza(
        "m6", to: alice.jid,
        "<body>> a secret\nreally?</body><reply id='m2' to='\(bob.jid)' xmlns='urn:xmpp:reply:0'/>"
          + "<fallback xmlns='urn:xmpp:fallback:0' for='urn:xmpp:reply:0'><body start='0' end='11'/></fallback>"),
    ]
    for stanza in said { try await bob.does("xml", stanza.replacing("<body>> ", with: "<body>&gt; ")) }
  }

  /// Lines without their times, with short names.
  private static func texts(_ lines: [String], _ bob: Person) -> [String] {
    lines.map { line in
      line.drop { $0 != " " }.drop { $0 == " " }.replacing(bob.jid, with: "bob")
    }.map(String.init)
  }

  /// A device of somebody that begins anew.
  private static func withDevice(of person: Person, _ body: (Person) async throws -> Void) async throws {
    try await TestDirectory.with { home in
      try await body(Person(server: person.server, account: person.account, home: home))
    }
  }

  private static let history = [
    "bob (corrected): at nine", "-- 👍 ❤ bob", "bob (retracted): a secret",
    "bob (reply to \"a secret\"): really?",
  ]

  @Test("counts a note to oneself once, though it comes back, and finds it once", arguments: TestServer.Kind.allCases)
  func notes(kind: TestServer.Kind) async throws {
    try await withPair(on: kind) { alice, _ in
      let script = """
        /to \(alice.jid)
        milk
        /wait message --for 170
        eggs
        /wait message --for 170
        /ids
        /retract 2
        """
      let lines = try await alice.does(input: .text(script + "\n"))
      #expect(lines.last?.contains("milk") == true, "\(lines)")
      #expect(try await alice.does("history", "--search", "eggs").count { $0.contains("eggs") } == 1)
      #expect(try await alice.does("--json", "history", "--search", "eggs").count == 2)
    }
  }

  @Test("changes what stands in the list of conversations")
  func listed() async throws {
    try await withPair(on: .prosody) { alice, bob in
      for (line, shown) in [
        ("at nein", "me: at nein"), ("/correct at nine", "me: at nine"), ("/retract", "me: (taken back)"),
      ] {
        _ = try await alice.does(input: .text("/to \(bob.jid)\n\(line)\n"))
        let listed = try await alice.does("history")
        #expect(listed.count == 1 && listed[0].hasSuffix("\t" + shown), "\(listed)")
      }
    }
  }

  @Test("is told when it comes, and shown where it belongs when it is read again", arguments: TestServer.Kind.allCases)
  func toldAndShown(kind: TestServer.Kind) async throws {
    try await withPair(on: kind, friends: true) { alice, bob in
      try await alice.atThePrompt("chat", bob.jid) { prompt in
        _ = try await prompt.expectScreen(showing: "online")
        try await Self.talk(alice, bob)
        let screen = try await prompt.expectScreen(showing: "really?")
        for line in [
          "bob: at nein", "bob (corrected): at nine", "-- bob took back \"a secret\".",
          "-- bob reacted 👍 ❤ to \"at nine\".", "bob (reply to \"a secret\"): really?",
        ] { #expect(Self.texts(screen.lines, bob).contains(line), "\(line)") }
        #expect(!screen.text.contains("cannot read"))
        prompt.send("/quit\r")
        _ = try await prompt.wait()
      }
      #expect(
        try await Self.texts(alice.does("history", bob.jid), bob)
          == Self.history)
      #expect(try await alice.does("status", "--unread") == ["No unread messages."])
      // From the archive, on a device that was not there.
      try await Self.withDevice(of: alice) { device in
        _ = try await device.does("history", "sync")
        let lines = try await Self.texts(device.does("history", bob.jid), bob)
        #expect(lines == Self.history)
        #expect(
          try await Self.texts(device.does("history", bob.jid, "--before", "m2"), bob) == Array(Self.history.prefix(2)))
        #expect(try await device.run("history", "--before", "m99").ending == .exited(67))
        let objects = try await device.does("history", bob.jid, "--json")
        #expect(
          objects.count == 3
            && objects[0].contains(#""corrected":"at nine","retracted":false,"reacted":[{"from":"\#(bob.jid)","#))
        #expect(objects[1].contains(#""retracted":true"#) && objects[2].contains(#""reply_to":"m2""#))
        // All of it goes into a file, and comes out of it.
        let exported = try await device.does("history", "--export", "json")
        #expect(exported.count == 6)
        let file = try device.home.write(exported.joined(separator: "\n") + "\n", to: "history.jsonl")
        #expect(try await device.does("history", "import", file) == ["Imported nothing; 6 were there already."])
        try await Self.withDevice(of: alice) { other in
          #expect(try await other.does("history", "import", file) == ["Imported 6 messages of 1 conversation."])
          let lines = try await other.does("history", bob.jid)
          #expect(Self.texts(lines, bob) == Self.history)
        }
      }
    }
  }

  @Test("is no message to a script: neither counted nor answered")
  func noMessage() async throws {
    try await withPair(on: .prosody, friends: true) { alice, bob in
      try await bob.does(
        "xml",
        Self.stanza(
          "r1", to: alice.jid, "<reactions id='x' xmlns='urn:xmpp:reactions:0'><reaction>👍</reaction></reactions>"))
      try await bob.says(["one", "two", "three"], to: alice)
      let printed = try await alice.does("listen", "--json", "--count", "2")
      let messages = printed.filter { $0.hasPrefix(#"{"event":"message""#) }
      #expect(messages.count == 3 && messages[0].contains(#""reacts_to":"x","reactions":["👍"]"#))
    }
  }

  @Test("has the text removed for good where the configuration says so")
  func removed() async throws {
    try await withPair(on: .prosody, friends: true) { alice, bob in
      var alice = alice
      alice.environment["JACKDAW_CONFIG"] = try alice.home.write("retracted = \"remove\"\n", to: "config.toml")
      try await Self.talk(alice, bob)
      _ = try await alice.does("listen", "--count", "4")
      for _ in 0..<3 { _ = try await alice.does("listen", "--for", "0") }
      let lines = try await Self.texts(alice.does("history", bob.jid), bob)
      #expect(lines.contains("bob (retracted): "))
      #expect(try await alice.does("history", "--search", "secret").isEmpty)
      let exported = try await alice.does("history", "--export", "json").joined(separator: "\n")
      #expect(exported.contains("really?") && !exported.contains("secret"), "not even in the answer that quoted it")
    }
  }
}
