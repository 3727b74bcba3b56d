// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Support
import Testing

/// People in a room whose clients are not ours, as far as these are installed.
@Suite(
  "In a room with another client",
  .enabled(if: !TerminalClient.installed.isEmpty, "none of Profanity, mcabber and poezio is installed"))
struct RoomStrangersProgramTests {
  @Test(
    "each hears the other once, and it is told who comes, is called otherwise, and goes",
    arguments: TestServer.Kind.allCases, TerminalClient.installed)
  func talk(kind: TestServer.Kind, client: TerminalClient) async throws {
    try await withPair(on: kind) { alice, bob in
      let room = "tea-\(alice.account.user)@rooms.\(alice.server.domain)"
      try await alice.does("rooms", "create", room)
      let live = LiveJackdaw(alice)
      try await live.start()
      _ = try #require(try await live.line(with: [room, #""change":"joined""#]))
      try await client.with(bob.account, on: bob.server) { other in
        try await client.enter(room, as: "stray", at: other)
        _ = try #require(
          try await live.line(with: [#""event":"occupant""#, #""change":"joined""#, #""nick":"stray""#]))
        _ = try await live.types("/to \(room)", "hello stray")
        let screen = try await other.expectScreen(showing: "hello stray")
        #expect(screen.lines.count { $0.contains("hello stray") } == 1, "\(screen.text)")
        try await client.type("how do you do", at: other)
        _ = try #require(try await live.line(with: ["\(room)/stray", #""body":"how do you do""#]))
        try await client.rename(to: "tabby", at: other)
        _ = try #require(
          try await live.line(with: [#""change":"renamed""#, #""nick":"stray""#, #""new_nick":"tabby""#]))
        try await client.leave(at: other)
        _ = try #require(try await live.line(with: [#""event":"occupant""#, #""change":"left""#, #""nick":"tabby""#]))
      }
      try await live.end()
      let heard = await live.all.filter { $0.contains(#""event":"message","#) }
      #expect(heard.compactMap { value(of: "body", in: $0) } == ["how do you do"])
      let told = await live.all.filter { $0.contains(#""event":"occupant","#) }
      #expect(told.compactMap { value(of: "change", in: $0) } == ["joined", "renamed", "left"], "\(told)")
      #expect(try await alice.bodies(of: room) == ["hello stray", "how do you do"])
    }
  }
}
