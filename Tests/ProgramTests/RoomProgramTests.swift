// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Foundation
import Glibc
import Support
import Testing

/// Two Jackdaws and a slixmpp in a room of a real server.
@Suite("A room") struct RoomProgramTests {
  /// The texts of what came from a room, in order, as a program of somebody printed it.
  private static func texts(_ side: LiveJackdaw, in room: String) async -> [String] {
    await side.all.compactMap { line in
      guard value(of: "event", in: line) == "message", value(of: "type", in: line) == "groupchat",
        value(of: "from", in: line)?.hasPrefix(room + "/") == true
      else { return nil }
      return value(of: "body", in: line)
    }
  }

  @Test(
    "has each message once for everybody who is there, in its order, over cuts, a kill and a time without them",
    arguments: TestServer.Kind.allCases)
  func onceForEverybody(kind: TestServer.Kind) async throws {
    try await withPair(on: kind) { alice, bob in
      let room = "once-\(alice.name)@rooms.\(alice.server.domain)"
      try await Talker.with(alice.server.account(), on: alice.server) { carol in
        try await FaultProxy.with(to: bob.server) { proxy in
          let (a, b) = (LiveJackdaw(alice), LiveJackdaw(bob.through(proxy)))
          try await a.start()
          _ = try await a.types("/rooms join \(room)", "/to \(room)", "one")
          _ = try #require(try await a.line(with: [#""event":"room""#, #""change":"joined""#]))
          try await b.start()
          _ = try await b.types("/to \(room)", "two")
          try await carol.enters(room, as: "carol")
          carol.says("three", id: "c3", in: room)
          // The line is cut, and what is said meanwhile on either side of it arrives.
          _ = try #require(try await b.line(with: [#""body":"three""#]))
          proxy.reset()
          _ = try await a.types("four")
          carol.says("five", id: "c5", in: room)
          _ = try await b.types("six")
          _ = try #require(try await a.line(with: [#""body":"six""#]))
          _ = try #require(try await b.line(with: [#""body":"five""#]))
          // Killed, and back.
          await b.kill()
          _ = try await a.types("seven")
          carol.says("eight", id: "c8", in: room)
          _ = try #require(try await a.line(with: [#""body":"eight""#]))
          // From the shell, where nobody else of the account is there.
          try await bob.does("send", room, "nine")
          _ = try #require(try await a.line(with: [#""body":"nine""#]))
          try await b.start()
          _ = try await b.types("/to \(room)", "ten")
          _ = try #require(try await a.line(with: [#""body":"ten""#]))
          _ = try #require(try await b.line(with: [#""body":"eight""#]))
          try await a.end()
          try await b.end()
          let heardByAlice = await Self.texts(a, in: room)
          #expect(heardByAlice.sorted() == ["eight", "five", "nine", "six", "ten", "three", "two"])
          #expect(heardByAlice.filter { ["three", "five", "eight"].contains($0) } == ["three", "five", "eight"])
          // What it had printed before it was killed was looked at above.
          let heardByBob = await Self.texts(b, in: room)
          #expect(Set(heardByBob).isSuperset(of: ["seven", "eight"]), "\(heardByBob)")
          #expect(heardByBob.count == Set(heardByBob).count, "\(heardByBob)")
          for text in ["one", "two", "four", "six", "seven", "nine", "ten"] { try await carol.gets(text) }
        }
      }
      // What was said is there to be read again, for both, each once.
      for person in [alice, bob] {
        let said = try await person.does("history", room).map { $0.split(separator: " ").last.map(String.init) ?? "" }
        #expect(said.count == Set(said).count, "\(person.jid) \(said)")
        #expect(Set(said).isSuperset(of: ["three", "four", "five", "six", "seven", "eight", "nine", "ten"]), "\(said)")
      }
    }
  }

  @Test(
    "names who says what, calls whoever is named, and keeps what is private apart", arguments: TestServer.Kind.allCases)
  func atThePrompt(kind: TestServer.Kind) async throws {
    try await withPair(on: kind) { alice, bob in
      let room = "talk-\(alice.name)@rooms.\(alice.server.domain)"
      let nick = alice.name
      try await Talker.with(alice.server.account(), on: alice.server) { carol in
        try await carol.enters(room, as: "carol")
        try await alice.atThePrompt { prompt in
          _ = try await prompt.expectScreen(showing: "online")
          prompt.send("/to \(room)" + Key.enter)
          _ = try await prompt.expectScreen(showing: "You are in")
          carol.says("hello \(nick)", id: "h1", in: room)
          _ = try await prompt.expectScreen(showing: "carol: hello \(nick)")
          prompt.send("hello carol" + Key.enter)
          try await carol.gets("groupchat", "hello carol")
          carol.says(.init(kind: "text", text: "psst"), id: "p1", to: "\(room)/\(nick)")
          _ = try await prompt.expectScreen(showing: "carol in \(room), private: psst")
          #expect(try await alice.does("unread", room).allSatisfy { !$0.hasSuffix("psst") })
          #expect(try await alice.does("unread", "\(room)/carol").map { $0.hasSuffix("psst") } == [true])
          prompt.send("/join \(room) --nick carol" + Key.enter)
          _ = try await prompt.expectScreen(showing: "Somebody")
          prompt.send("/to \(room)/carol" + Key.enter)
          _ = try await prompt.expectScreen(showing: "You are talking to carol alone")
          prompt.send("what is it?" + Key.enter)
          try await carol.gets("\"chat\"", "what is it?")
          carol.removes(nick, from: room)
          _ = try await prompt.expectScreen(showing: "You were removed from \(room)")
          prompt.send("/quit" + Key.enter)
          _ = try await prompt.wait()
        }
        let privately = try await alice.does("history", "\(room)/carol", "--json")
        #expect(privately.compactMap { value(of: "body", in: $0) } == ["psst", "what is it?"])
        let list = try await alice.does("history", "--json")
        #expect(list.count == 2, "\(list)")
        for jid in [room, "\(room)/carol"] { #expect(list.contains { $0.contains("\"jid\":\"\(jid)\"") }, "\(list)") }
      }
    }
  }
}

extension Person {
  /// The localpart of their address, which they are called by in rooms.
  fileprivate var name: String { String(jid.prefix { $0 != "@" }) }
}
