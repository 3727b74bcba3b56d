// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Support
import Testing

/// Channels of an IRC server that are rooms by a gateway, biboumi.
@Suite("IRC channels are rooms", .serialized)
struct IRCProgramTests {
  private static let channel = "#tea"

  private func with(
    _ body: (_ alice: Person, _ network: IRCNetwork, _ room: String) async throws -> Void
  ) async throws {
    try await withPair(on: .prosody, IRCNetwork.server) { alice, _ in
      try await IRCNetwork.with(on: alice.server) { network in
        try await body(alice, network, network.room(Self.channel))
      }
    }
  }

  @Test(
    "that are joined, talked in and left; everybody has each message once, and whoever writes in private is one conversation"
  )
  func life() async throws {
    try await with { alice, network, room in
      let nick = alice.account.user
      try await network.withUser("bobby", in: Self.channel) { bobby in
        try await alice.does("rooms", "join", room)
        try await bobby.hears(":\(nick)!", " JOIN :\(Self.channel)")
        // A message on IRC is one line.
        try await alice.does("send", room, "from the shell\nin two lines")
        try await bobby.hears("from the shell")
        try await bobby.hears("in two lines")

        // The prompt, or a script, is in what is bookmarked.
        let live = LiveJackdaw(alice)
        try await live.start()
        _ = try #require(try await live.line(with: [room, #""change":"joined""#]))
        bobby.says("PRIVMSG \(Self.channel) :hello \(nick)", "PRIVMSG \(Self.channel) :\u{1}ACTION waves\u{1}")
        _ = try #require(
          try await live.line(with: ["\(room)/bobby", "\"body\":\"hello \(nick)\"", "\"mention\":true"]))
        _ = try #require(try await live.line(with: ["\(room)/bobby", #""body":"/me waves""#]))
        _ = try await live.types("/to \(room)", "hello bobby", "/me dances")
        try await bobby.hears("ACTION dances")
        #expect(
          bobby.said(by: nick, to: Self.channel)
            == ["from the shell", "in two lines", "hello bobby", "\u{1}ACTION dances\u{1}"])

        // What it is about.
        bobby.says("TOPIC \(Self.channel) :Green")
        _ = try #require(try await live.line(with: [#""change":"topic""#, #""nick":"bobby""#, #""text":"Green""#]))
        _ = try await live.types("/rooms topic \(room) Black")
        try await bobby.hears(":\(nick)!", " TOPIC \(Self.channel) :Black")

        // In private: IRC knows no rooms there, so who begins is somebody with an address of their own.
        bobby.says("PRIVMSG \(nick) :psst")
        _ = try #require(
          try await live.line(with: ["\"from\":\"\(network.person("bobby"))\"", #""body":"psst""#, #""private":false"#])
        )
        _ = try await live.types("/send \(network.person("bobby")) what is it?")
        try await bobby.hears(" PRIVMSG bobby :what is it?")
        // To whom one talks as somebody in the room, they are that.
        _ = try await live.types("/send \(room)/bobby in a corner")
        try await bobby.hears(" PRIVMSG bobby :in a corner")
        bobby.says("PRIVMSG \(nick) :which one?")
        _ = try #require(
          try await live.line(with: ["\"from\":\"\(room)/bobby\"", #""body":"which one?""#, #""private":true"#]))
        #expect(bobby.said(by: nick, to: "bobby") == ["what is it?", "in a corner"])

        // Removed by who may.
        bobby.says("KICK \(Self.channel) \(nick) :enough")
        _ = try #require(
          try await live.line(with: [room, #""change":"kicked""#, #""text":"enough""#, #""actor":"bobby""#]))
        _ = try await live.types("/rooms join \(room)", "/rooms leave \(room)")
        try await bobby.hears(":\(nick)!", " PART \(Self.channel)")
        try await live.end()
        let heard = await live.all.filter { $0.contains(#""event":"message","#) && $0.contains("/bobby\"") }
        #expect(heard.compactMap { value(of: "body", in: $0) } == ["hello \(nick)", "/me waves", "which one?"])
      }
      #expect(
        try await alice.bodies(of: room)
          == [#"from the shell\nin two lines"#, "hello \(nick)", "/me waves", "hello bobby", "/me dances"])
      #expect(try await alice.bodies(of: network.person("bobby")) == ["psst", "what is it?"])
      #expect(try await alice.bodies(of: "\(room)/bobby") == ["in a corner", "which one?"])
      #expect(try await alice.does("rooms").isEmpty)
    }
  }

  @Test("where a nick is somebody else's on IRC already, whoever chose it is told")
  func takenNick() async throws {
    try await with { alice, network, room in
      try await network.withUser("bobby", in: Self.channel) { _ in
        let refused = try await alice.run("rooms", "join", room, "--nick", "bobby")
        #expect(refused.ending == .exited(69), "\(refused.output)\(refused.errors)")
        #expect(refused.errors.contains("Somebody else is called 'bobby' in \(room)."))
      }
    }
  }

  @Test("which are joined again when their server is back, and what was written meanwhile is said then, once")
  func serverReturns() async throws {
    try await with { alice, network, room in
      let nick = alice.account.user
      let live = LiveJackdaw(alice)
      try await network.withUser("bobby", in: Self.channel) { bobby in
        try await live.start()
        _ = try await live.types("/rooms join \(room)", "/to \(room)", "one")
        try await bobby.hears("PRIVMSG", ":one")
        try await network.stop()
        try await bobby.hears("gone")
        _ = try #require(try await live.line(with: [room, #""change":"lost""#]))
        _ = try await live.types("two")
      }
      try await network.start()
      try await network.withUser("bobby", in: Self.channel) { bobby in
        try await bobby.hears(":\(nick)!", " JOIN :\(Self.channel)")
        try await bobby.hears("PRIVMSG", ":two")
        bobby.says("PRIVMSG \(Self.channel) :three")
        _ = try #require(try await live.line(with: ["\(room)/bobby", #""body":"three""#]))
        try await live.end()
        #expect(bobby.said(by: nick, to: Self.channel) == ["two"])
      }
      #expect(try await alice.bodies(of: room) == ["one", "two", "three"])
    }
  }
}

extension Person {
  /// What was said in a conversation, as their log has it.
  func bodies(of conversation: String) async throws -> [String] {
    try await does("history", conversation, "--json").compactMap { value(of: "body", in: $0) }
  }
}
