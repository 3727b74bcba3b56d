// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Support
import Testing

/// Each of the `rooms` commands, by the built program, in rooms of real servers.
@Suite("rooms, by the program")
struct RoomCommandsProgramTests {
  nonisolated static let kinds: [TestServer.Kind] = [.prosody, .ejabberd]

  /// What a command printed as JSON, the values of one key.
  private func values(of key: String, in lines: [String]) -> [String?] { lines.map { value(of: key, in: $0) } }

  @Test(
    "an owner makes a room, runs it and ends it; a guest comes, is removed, banned and let in again", arguments: kinds)
  func life(kind: TestServer.Kind) async throws {
    try await withPair(on: kind, friends: true) { alice, bob in
      let domain = "rooms.\(alice.server.domain)"
      let name = "tea-\(alice.account.user)"
      let tea = "\(name)@\(domain)"

      // Made, found, named.
      #expect(try await alice.does("rooms").isEmpty)
      try await alice.does("rooms", "create", name, "--name", "All about tea")
      #expect(try await alice.run("rooms", "create", tea).ending == .exited(69))
      #expect(try await alice.does("rooms").contains { $0.contains(tea) && $0.contains("All about tea") })
      try await alice.does("rooms", "config", name, "publicroom=yes", "moderatedroom=no", "whois=anyone")
      #expect(try await alice.does("--json", "rooms", "config", name).contains { $0.contains(#""name":"publicroom""#) })
      #expect(try await alice.run("rooms", "config", name, "publicroom=perhaps").ending == .exited(65))
      if kind == .prosody {
        // It says nothing against what is no number, and leaves the setting as it was.
        let ignored = try await alice.run("rooms", "config", name, "historylength=abc")
        expectOneSentence(ignored, code: 69, naming: "\(tea) took the changes, but left as it was: historylength (20).")
      }
      #expect(
        try await values(of: "room", in: alice.does("--json", "rooms", "find", domain, "about tea")).contains(tea))
      #expect(try await values(of: "name", in: alice.does("--json", "rooms", "find", name)) == ["All about tea"])
      try await alice.does("rooms", "topic", name, "Green", "or", "black?")
      #expect(try await alice.does("rooms", "topic", "All about tea").first?.hasPrefix("Green or black?") == true)
      try await alice.does("rooms", "nick", name, "Al")
      #expect(try await values(of: "nick", in: alice.does("--json", "rooms")) == ["Al"])
      try await alice.does("rooms", "notify", name, "never")

      // A guest.
      try await bob.does("rooms", "join", tea, "--nick", "Bobby")
      #expect(try await values(of: "room", in: bob.does("--json", "rooms")) == [tea])
      try await bob.listening("--from", tea) { _ in
        try await eventually {
          kind == .prosody ? true : try await alice.does("rooms", "who", name).contains { $0.hasPrefix("Bobby") }
        }
        try await eventually { try await alice.run("rooms", "mute", name, "Bobby").ending == .exited(0) }
        try await alice.does("rooms", "voice", name, "Bobby")
        try await alice.does("rooms", "role", name, "Bobby", "moderator")
        #expect(try await alice.run("rooms", "role", name, "Nobody", "moderator").ending == .exited(67))
        try await alice.does("rooms", "kick", name, "Bobby", "--reason", "Too loud")
      }
      #expect(try await bob.run("rooms", "ban", tea, alice.jid).ending == .exited(69))
      try await alice.does("rooms", "ban", name, bob.jid, "--reason", "Spam")
      #expect(try await values(of: "jid", in: alice.does("--json", "rooms", "list", name, "banned")) == [bob.jid])
      #expect(try await bob.run("rooms", "join", tea).ending == .exited(69))
      try await alice.does("rooms", "unban", name, bob.jid)
      #expect(try await alice.run("rooms", "unban", name, bob.jid).ending == .exited(67))
      try await alice.does("rooms", "affiliation", name, bob.jid, "admin")
      #expect(try await values(of: "jid", in: alice.does("--json", "rooms", "list", name, "admins")) == [bob.jid])
      #expect(try await alice.run("rooms", "moderate", name, "s1").ending == .exited(69))

      // The end: it moves.
      let coffee = "coffee-\(alice.account.user)@\(domain)"
      #expect(try await bob.run("rooms", "destroy", tea).ending == .exited(69))
      try await alice.does("rooms", "create", coffee)
      try await alice.does("rooms", "destroy", name, "--reason", "Over", "--to", coffee)
      #expect(try await values(of: "room", in: alice.does("--json", "rooms")) == [coffee])
      if kind == .prosody {
        // ejabberd 23.01 forgets what it destroys, and would make it anew.
        let refused = try await bob.run("rooms", "join", tea)
        #expect(refused.ending == .exited(67))
        #expect(refused.errors.contains("has moved to \(coffee)"))
        #expect(refused.errors.contains("type: jackdaw rooms join \(coffee) --instead-of \(tea)"))
      }
      try await bob.does("rooms", "presence", tea, "off")
      try await bob.does("rooms", "join", coffee, "--instead-of", tea)
      let rooms = try await bob.does("--json", "rooms")
      #expect(values(of: "room", in: rooms) == [coffee])
      #expect(values(of: "nick", in: rooms) == ["Bobby"])
      try await bob.does("rooms", "leave", coffee)
      #expect(try await bob.does("rooms").isEmpty)
      #expect(try await bob.run("rooms", "leave", coffee).ending == .exited(67))
    }
  }

  @Test("a private room lets in who was invited, and nobody else", arguments: kinds)
  func invitations(kind: TestServer.Kind) async throws {
    try await withPair(on: kind, friends: true) { alice, bob in
      let domain = "rooms.\(alice.server.domain)"
      let plans = "plans-\(alice.account.user)@\(domain)"
      let open = "open-\(alice.account.user)@\(domain)"
      try await alice.does("rooms", "create", plans, "--private")
      try await alice.does("rooms", "create", open)
      #expect(try await bob.run("rooms", "join", plans).ending == .exited(69))
      #expect(try await bob.run("rooms", "accept", plans).ending == .exited(67))
      try await bob.listening("--json", "--count", "2") { listening in
        try await listening.expect(#""state":"online""#)
        try await alice.does("rooms", "invite", plans, bob.jid, "--reason", "Cake")
        try await alice.does("rooms", "invite", open, bob.jid)
        #expect(try await listening.wait() == .exited(0))
        #expect(listening.standardOutput.contains(#""kind":"invitation""#))
      }
      #expect(try await Set(values(of: "room", in: bob.does("--json", "rooms", "invitations"))) == [plans, open])
      #expect(try await values(of: "jid", in: alice.does("--json", "rooms", "list", plans, "members")) == [bob.jid])
      try await bob.does("rooms", "accept", plans)
      #expect(try await values(of: "room", in: bob.does("--json", "rooms")) == [plans])
      try await bob.does("rooms", "decline", open, "--reason", "No time")
      #expect(try await bob.does("--json", "rooms", "invitations").isEmpty)
      // Whether guests may register is the room's affair.
      let registered = try await bob.run("rooms", "register", plans, "--nick", "Bobby")
      #expect(registered.ending == .exited(kind == .prosody ? 0 : 69), "\(registered.errors)")
      if kind == .prosody { try await bob.does("rooms", "register", plans, "--remove") }
    }
  }

  @Test(
    "about the room that is open need no name, from the line after '/to' on, also for who is alone in it",
    arguments: kinds)
  func openRoom(kind: TestServer.Kind) async throws {
    try await withPair(on: kind) { alice, bob in
      let tea = "tea-\(alice.account.user)@rooms.\(alice.server.domain)"
      let rows = try await alice.does(
        "--json",
        input: .text(
          """
          /to \(tea)
          /topic Green tea
          /nick Al
          /topic Black tea
          /names
          /rooms topic .
          /ban \(bob.jid)
          /part
          /expect 64 /topic Late
          """))
      #expect(rows.contains { $0.contains(#""command":"rooms who""#) && $0.contains(#""nick":"Al""#) }, "\(rows)")
      #expect(
        rows.contains { $0.contains(#""command":"rooms topic""#) && $0.contains(#""topic":"Black tea""#) }, "\(rows)")
      #expect(rows.contains { $0.contains(#""change":"joined""#) && $0.contains(#""new":true"#) }, "\(rows)")
      #expect(rows.contains { $0.contains(#""change":"left""#) }, "\(rows)")
      #expect(try await alice.does("rooms").isEmpty)
    }
  }

  @Test(
    "that enter one at the prompt open it, and '/part' closes it; a line that comes too early goes to nobody",
    arguments: kinds)
  func entering(kind: TestServer.Kind) async throws {
    try await withPair(on: kind) { alice, bob in
      let tea = "tea-\(alice.account.user)@rooms.\(alice.server.domain)"
      try await alice.atThePrompt("chat", bob.jid) { prompt in
        try await prompt.expectScreen(showing: "online")
        prompt.send("/join \(tea)" + Key.enter + "too early" + Key.enter)
        try await prompt.expectScreen(showing: "Not sent, as the '/rooms join' before it has yet to end.")
        try await prompt.expectScreen("the room at the prompt") { $0.cursorLine.contains("(room)> too early") }
        prompt.send(Key.controlU + "in time" + Key.enter)
        try await prompt.expectScreen(showing: "in time")
        prompt.send("/part" + Key.enter)
        try await prompt.expectScreen(showing: "You left")
        try await prompt.expectScreen("nobody at the prompt") { $0.cursorLine.contains("jackdaw>") }
        prompt.send("too late" + Key.enter)
        try await prompt.expectScreen(showing: "Pick somebody first")
        prompt.send(Key.controlU + "/quit" + Key.enter)
        let ending = try await prompt.wait()
        #expect(ending == .exited(0), "\(prompt.screen.text)")
      }
      let said = try await alice.does("--json", "history", "--limit", "10")
      #expect(said.count == 1 && said[0].contains("in time") && said[0].contains(tea), "\(said)")
    }
  }

  @Test(
    "A message to a room that does not exist fails, and makes none; by itself and through an agent", arguments: kinds)
  func missing(kind: TestServer.Kind) async throws {
    try await withPair(on: kind) { alice, bob in
      let tea = "tea-\(alice.account.user)@rooms.\(alice.server.domain)"
      expectOneSentence(try await alice.run("send", tea, "anybody?"), code: 67, naming: "There is no room \(tea).")
      expectOneSentence(
        try await alice.run("send", "--lines", tea, input: .text("anybody?\n")), code: 67,
        naming: "There is no room \(tea).")
      try await AgentHost.with(of: alice) { host in
        expectOneSentence(
          try await host.guest.run("send", tea, "anybody?"), code: 67, naming: "There is no room \(tea).")
      }
      #expect(
        try await bob.does("rooms", "find", "rooms.\(alice.server.domain)", tea.prefix { $0 != "@" }.description)
          .isEmpty)
      try await bob.does("rooms", "create", tea)
      try await alice.does("send", tea, "now")
      try await alice.does("send", tea, "again")
      #expect(try await alice.does("history", tea).count == 2)
      // Nor does a message make one that was there before.
      try await bob.does("rooms", "destroy", tea)
      expectOneSentence(try await alice.run("send", tea, "still there?"), code: 67, naming: "room \(tea)")
      #expect(try await alice.run("rooms", "who", tea).ending == .exited(67))
    }
  }

  @Test("A room that one script entered through an agent is left when the last that works there has ended")
  func visits() async throws {
    try await withPair(on: .prosody) { alice, bob in
      let tea = "tea-\(alice.account.user)@rooms.\(alice.server.domain)"
      try await bob.does("rooms", "create", tea)
      try await bob.does("rooms", "affiliation", tea, alice.jid, "admin")
      try await AgentHost.with(of: alice) { host in
        func script() -> TestProcess.Invocation { host.guest.invocation(["--json", "run", "-"], input: .open) }
        try await TestProcess.withProcess(script()) { first in
          first.send("/to \(tea)\n/topic One\n/rooms topic .\n")
          try await first.expect(#""topic":"One""#)
          try await TestProcess.withProcess(script()) { second in
            second.send("/rooms topic \(tea) Two\n/rooms topic \(tea)\n")
            try await second.expect(#""topic":"Two""#)
            first.closeInput()
            #expect(try await first.wait() == .exited(0))
            second.send("/rooms topic \(tea) Three\n/rooms topic \(tea)\n")
            try await second.expect(#""topic":"Three""#)
            second.closeInput()
            #expect(try await second.wait() == .exited(0))
          }
        }
        try await eventually { try await bob.does("rooms", "who", tea).allSatisfy { !$0.contains(alice.account.user) } }
      }
    }
  }

  @Test("a moderator takes back what somebody said, for everybody")
  func moderation() async throws {
    try await withPair(on: .prosody, .init { $0.community = true }, friends: true) { alice, bob in
      let tea = "tea-\(alice.account.user)@rooms.\(alice.server.domain)"
      try await alice.does("rooms", "create", tea)
      try await alice.listening("--json", "--from", tea) { listening in
        try await listening.expect(#""change":"joined""#)
        try await bob.does("send", tea, "buy this")
        try await listening.expect(#""body":"buy this""#)
        let line =
          listening.standardOutput.split(separator: "\n").first { $0.contains("buy this") }.map(String.init) ?? ""
        let id = try #require(value(of: "id", in: line))
        #expect(try await bob.run("rooms", "moderate", tea, id).ending == .exited(69))
        try await alice.does("rooms", "moderate", tea, id, "--reason", "Spam")
        try await listening.expect(#""retracts":"\#(id)""#)
      }
      #expect(try await alice.does("--json", "history", tea).contains { $0.contains(#""retracted":true"#) })
    }
  }

  @Test("the bookmarks of a client that keeps them in private storage are the user's rooms", arguments: kinds)
  func oldBookmarks(kind: TestServer.Kind) async throws {
    try await withPair(on: kind) { alice, _ in
      let old = "old-\(alice.account.user)@rooms.\(alice.server.domain)"
      try await alice.does(
        "xml",
        "<iq type='set'><query xmlns='jabber:iq:private'><storage xmlns='storage:bookmarks'>"
          + "<conference jid='\(old)' name='Old room'><nick>Al</nick></conference></storage></query></iq>")
      #expect(try await values(of: "name", in: alice.does("--json", "rooms")) == ["Old room"])
      let stored = try await alice.does(
        "xml",
        "<iq type='get'><pubsub xmlns='http://jabber.org/protocol/pubsub'><items node='urn:xmpp:bookmarks:1'/></pubsub></iq>"
      )
      #expect(stored.first?.contains("<item id='\(old)'>") == true, "\(stored)")
      // Who has removed all has none.
      try await alice.does("rooms", "leave", "Old room")
      #expect(try await alice.does("rooms").isEmpty)
    }
  }

  @Test("what one device joins the other's prompt is in, and what it leaves it leaves", arguments: kinds)
  func devices(kind: TestServer.Kind) async throws {
    try await withPair(on: kind) { alice, _ in
      let tea = "tea-\(alice.account.user)@rooms.\(alice.server.domain)"
      try await TestDirectory.with { home in
        let phone = Person(server: alice.server, account: alice.account, home: home)
        try await alice.listening("--json") { listening in
          try await listening.expect(#""state":"online""#)
          try await phone.does("rooms", "create", tea)
          // The server tells of it only once it has asked what the other client wants to know.
          try await eventually {
            try await phone.does("rooms", "join", tea)
            return listening.standardOutput.contains(#""room":"\#(tea)","change":"joined""#)
          }
          try await phone.does("rooms", "leave", tea)
          try await listening.expect(#""room":"\#(tea)","change":"left""#)
        }
      }
    }
  }
}
