// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Support
import Testing

/// Lines that are cut while somebody enters a room, is in it, and leaves it.
@Suite("A line that is cut at a room's door")
struct RoomCutsProgramTests {
  @Test(
    "leaves nobody between in and out: whoever wants in gets in, and says each thing once; whoever leaves has left",
    arguments: TestServer.Kind.allCases)
  func cuts(kind: TestServer.Kind) async throws {
    try await withPair(on: kind) { alice, bob in
      let room = "tea-\(alice.account.user)@rooms.\(alice.server.domain)"
      try await bob.does("rooms", "create", room)
      try await bob.listening("--json", "--from", room) { listening in
        try await listening.expect(#""change":"joined""#)
        try await FaultProxy.with(to: alice.server) { proxy in
          let live = LiveJackdaw(alice.through(proxy))
          try await live.start()
          // Each way takes some time, so that the cuts come in the middle of what is said at the door. There are few of them, as the
          // pause before the next connection doubles.
          proxy.slow(.init(delay: .milliseconds(40)))
          func cut(_ line: String) async throws {
            await live.writes([line])
            try await Task.sleep(for: .milliseconds(60))
            proxy.cut()
          }
          try await cut("/rooms join \(room)")
          // Whatever became of that, this goes on from there.
          try await eventually {
            try await live.types("/rooms join \(room)").contains { $0.contains(#""outcome":"joined""#) }
          }
          _ = try await live.types("/to \(room)", "one")
          try await cut("two")
          try await listening.expect(#""body":"two""#)
          try await cut("/rooms leave \(room)")
          // One that has been left, and is no bookmark any more, cannot be left once more.
          try await eventually {
            try await live.types("/rooms leave \(room)").contains { $0.contains(#""code":67"#) }
          }
          try await eventually {
            try await !bob.does("rooms", "who", room).contains { $0.hasPrefix(alice.account.user) }
          }
          try await live.end()
        }
        let heard = listening.standardOutput.split(separator: "\n").map(String.init)
          .filter { $0.contains(#""event":"message","#) }.compactMap { value(of: "body", in: $0) }
        #expect(heard == ["one", "two"])
      }
      #expect(try await alice.bodies(of: room) == ["one", "two"])
      #expect(try await alice.does("rooms").isEmpty)
    }
  }
}
