// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
import Support
import Testing

/// Rooms whose service dies, which are crowded, and from which one is removed.
@Suite("What goes wrong with a room", .serialized)
struct RoomFaultsProgramTests {
  /// What became of what somebody's program sent, by the text.
  private func fates(_ lines: [String], of texts: [String], in person: Person, _ room: String) async throws -> [String:
    String]
  {
    var states: [String: String] = [:]
    for line in lines where value(of: "event", in: line) == "message-state" {
      states[value(of: "id", in: line) ?? ""] = value(of: "state", in: line)
    }
    let log = try await person.does("history", room, "--json")
    var fates: [String: String] = [:]
    for line in log {
      guard let body = value(of: "body", in: line), texts.contains(body) else { continue }
      #expect(fates[body] == nil, "\(body) is there twice")
      fates[body] = states[value(of: "id", in: line) ?? ""] ?? "none"
    }
    return fates
  }

  @Test(
    "a room whose service dies is entered again when it is back, and what was said to it arrived once or was said not to have",
    arguments: TestServer.Kind.allCases)
  func serviceReturns(kind: TestServer.Kind) async throws {
    try await withPair(on: kind, RoomService.server) { alice, _ in
      let room = "tea-\(alice.account.user)@\(RoomService.domain)"
      let nick = alice.account.user
      let live = LiveJackdaw(alice)
      try await live.start()
      try await RoomService.with(on: alice.server) { service in
        _ = try await live.types("/rooms join \(room)", "/to \(room)", "one")
        try await service.tells("said \(room) \(nick) one")
        service.says("two", as: "bob", in: room)
        _ = try #require(try await live.line(with: [room, #""body":"two""#]))
      }
      // What the server took for it before it saw that it is gone would be lost without a word.
      try await eventually {
        let ping = try await alice.run("ping", RoomService.domain, "--timeout", "2")
        // The server's word, and no silence: nor that of the log-in, which a busy machine may not have done by then.
        let silences = ["in time", "longer than", "No connection"]
        return ping.ending != .exited(0) && !silences.contains { ping.errors.contains($0) }
      }
      // Nobody says that it is gone: the server does, of what is sent there. From then on all waits for it.
      _ = try await live.types("three")
      _ = try #require(try await live.line(with: [#""event":"message-state""#, #""state":"failed""#, room]))
      _ = try await live.types("four")
      let meanwhile = try await alice.run("send", room, "from the shell", "--timeout", "3")
      #expect(
        meanwhile.ending == .exited(69) || meanwhile.ending == .exited(75), "\(meanwhile.ending) \(meanwhile.errors)")
      // What the time was too short for on a busy machine may not have been begun.
      let isKept = try await alice.does("outbox").contains { $0.contains("from the shell") }
      try await RoomService.with(on: alice.server) { service in
        try await service.tells("said \(room) \(nick) four")
        service.says("five", as: "bob", in: room)
        _ = try #require(try await live.line(with: [room, #""body":"five""#]))
        try await live.end()
        // What is kept goes out with the next command, once; what was said not to have arrived does not.
        try await alice.does("send", room, "six")
        try await service.tells("said \(room) \(nick) six")
        let shell = isKept ? ["from the shell"] : []
        #expect(service.said(in: room).sorted() == (["four", "six"] + shell).sorted())
      }
      let lines = await live.all
      #expect(
        lines.filter { $0.contains(#""event":"message","#) }.compactMap { value(of: "body", in: $0) } == [
          "two", "five",
        ])
      let fates = try await fates(lines, of: ["one", "three", "four"], in: alice, room)
      #expect(fates == ["one": "server", "three": "failed", "four": "server"])
    }
  }

  @Test(
    "when the whole server stops and comes back, everybody is in the room again and has each message once",
    arguments: TestServer.Kind.allCases)
  func serverReturns(kind: TestServer.Kind) async throws {
    // As another suite's, whose tests run beside these: both have the same one, in turn.
    try await TestServer.withServer(kind, .init { $0.registration = true }) { server in
      let (alice, bob) = try await server.pair()
      let room = "tea-\(alice.user)@rooms.\(server.domain)"
      try await TestDirectory.with { aliceHome in
        try await TestDirectory.with { bobHome in
          // The server is away for as long as the machine takes to start it.
          let patient = ["JACKDAW_TIMEOUT": "600"]
          let alice = Person(server: server, account: alice, home: aliceHome, environment: patient)
          let bob = Person(server: server, account: bob, home: bobHome, environment: patient)
          try await alice.does("rooms", "create", room)
          let live = LiveJackdaw(alice)
          try await live.start()
          _ = try #require(try await live.line(with: [room, #""change":"joined""#]))
          try await bob.listening("--from", room, "--json") { listening in
            try await listening.expect(#""change":"joined""#)
            _ = try await live.types("/to \(room)", "one")
            try await listening.expect(#""body":"one""#)
            try await server.stop()
            try await listening.expect(#""state":"retrying""#)
            _ = try #require(try await live.line(with: [#""state":"retrying""#]))
            // It waits; a command says that there is no server.
            await live.writes(["two"])
            #expect(try await alice.run("send", room, "three").ending == .exited(68))
            try await server.start()
            try await listening.expect(#""body":"two""#)
            _ = try await live.types("four")
            try await listening.expect(#""body":"four""#)
            try await live.end()
            try await alice.does("send", room, "five")
            try await listening.expect(#""body":"five""#)
            let heard = listening.standardOutput.split(separator: "\n").map(String.init)
              .filter { $0.contains(#""event":"message","#) }.compactMap { value(of: "body", in: $0) }
            #expect(heard.sorted() == ["five", "four", "one", "two"], "\(heard)")
          }
          for person in [alice, bob] {
            #expect(try await person.bodies(of: room).sorted() == ["five", "four", "one", "two"])
          }
        }
      }
    }
  }

  @Test(
    "who is removed in the middle of writing is told what did not arrive, and what did arrived once",
    arguments: TestServer.Kind.allCases)
  func removedWhileWriting(kind: TestServer.Kind) async throws {
    try await withPair(on: kind) { alice, bob in
      let room = "tea-\(alice.account.user)@rooms.\(alice.server.domain)"
      try await Talker.with(bob.account, on: bob.server) { carol in
        try await carol.enters(room, as: "carol")
        try await FaultProxy.with(to: alice.server) { proxy in
          let live = LiveJackdaw(alice.through(proxy))
          try await live.start()
          _ = try await live.types("/rooms join \(room)", "/to \(room)", "one")
          try await carol.gets("groupchat", #""one""#)
          // What says that she is removed waits on its way while she writes to a room that she is no longer in.
          proxy.hold(.toClient)
          carol.removes(alice.account.user, from: room)
          try await carol.settles()
          let sent = await live.count(#""state":"sent""#)
          await live.writes(["two", "three"])
          try await eventually { await live.count(#""state":"sent""#) == sent + 2 }
          proxy.release()
          let kicked = try await live.line(with: [room, #""change":"kicked""#, #""text":"enough""#])
          let changes = await live.all.filter { $0.contains(#""event":"room","#) }
          _ = try #require(kicked, "\(changes)")
          // Who writes on comes back.
          _ = try await live.types("four", "five")
          try await carol.gets("groupchat", #""five""#)
          try await live.end()
          let texts = ["one", "two", "three", "four", "five"]
          let fates = try await fates(await live.all, of: texts, in: alice, room)
          #expect(fates == ["one": "server", "two": "failed", "three": "failed", "four": "server", "five": "server"])
          #expect(carol.texts(in: room) == ["one", "four", "five"])
        }
      }
    }
  }

  @Test(
    "a nick that somebody else has there is refused by its name, and the user keeps theirs",
    arguments: TestServer.Kind.allCases)
  func takenNick(kind: TestServer.Kind) async throws {
    try await withPair(on: kind) { alice, bob in
      let room = "nicks-\(alice.account.user)@rooms.\(alice.server.domain)"
      try await Talker.with(bob.account, on: bob.server) { carol in
        try await carol.enters(room, as: "carol")
        try await alice.does("rooms", "join", room)
        let refused = try await alice.run("rooms", "nick", room, "carol")
        #expect(refused.ending == .exited(69))
        #expect(refused.errors.contains("Somebody else is called 'carol' in \(room)"), "\(refused.errors)")
        let taken = try await alice.does("rooms", "nick", room, "Al")
        #expect(taken.first == "You are Al in \(room).", "\(taken)")
      }
    }
  }

  @Test("one of 10,000 is entered and left, its people come and go, and a friend's message arrives meanwhile")
  func crowd() async throws {
    try await withPair(on: .prosody, RoomService.server, friends: true) { alice, bob in
      let room = "crowd-\(alice.account.user)@\(RoomService.domain)"
      try await RoomService.with(on: alice.server, occupants: 10_000) { service in
        let invocation = alice.invocation(["--json", "run", "--keep-going", "-"], input: .open)
        try await TestProcess.withProcess(invocation) { script in
          script.send("/ping\n")
          try await script.expect(#""command":"ping""#)
          let before = try script.peakMemory
          script.send("/rooms join \(room)\n")
          try await script.expect(#""change":"joined""#, within: .seconds(300))
          let entered = try script.peakMemory
          async let churned: Void = service.churns(room, times: 2)
          try await bob.does("send", alice.jid, "are you there?")
          try await script.expect(#""body":"are you there?""#, within: .seconds(300))
          try await churned
          script.send("/ping\n")
          try await script.expect(#""command":"ping""#, within: .seconds(300))
          let churnedMemory = try script.peakMemory
          // Nobody is told who comes and goes there. Each occupant takes less than 1 KB, and nobody any when they have gone.
          #expect(!script.standardOutput.contains(#""event":"occupant""#))
          #expect(entered - before < 10_000, "\(before), \(entered) KB")
          #expect(churnedMemory - entered < 5_000, "\(entered), \(churnedMemory) KB")
          script.send("/rooms who \(room)\n/rooms leave \(room)\n")
          try await script.expect("occupant number 9999\"", within: .seconds(300))
          try await service.tells("left \(room) \(alice.account.user)")
          script.closeInput()
          #expect(try await script.wait() == .exited(0))
        }
      }
    }
  }
}
