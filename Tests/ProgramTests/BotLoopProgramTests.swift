// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Support
import Testing

@Suite("A bot that might talk without end")
struct BotLoopProgramTests {
  @Test("does not answer itself")
  func ownAccount() async throws {
    try await withPair(on: .prosody, friends: true) { alice, bob in
      try await alice.listening("--json", "--reply", "--exec", "echo answer", "--count", "2") { bot in
        try await bob.sees(alice)
        try await alice.does("send", alice.jid, "to myself")
        try await bot.expect("to myself")
        try await bob.does("send", alice.jid, "from a friend")
        #expect(try await bot.wait() == .exited(0))
        #expect(!bot.standardOutput.contains(#""body":"answer""#))
      }
    }
  }

  @Test("hands over headlines and what is days old, and answers neither")
  func unanswered() async throws {
    // A stamp that a sender wrote in this server's name is one that it keeps for its own: so a message may be old without a wait.
    try await withPair(on: .ejabberd, friends: true) { alice, bob in
      let stamp = "<delay xmlns='urn:xmpp:delay' from='\(alice.server.domain)' stamp='2020-01-01T00:00:00Z'/>"
      try await bob.does("xml", "<message type='chat' to='\(alice.jid)'><body>days ago</body>\(stamp)</message>")
      try await alice.listening("--json", "--reply", "--exec", "echo answer", "--count", "3") { bot in
        try await bot.expect(#""body":"days ago","delayed":"2020-01-01"#)
        try await bob.sees(alice)
        try await bob.does("xml", "<message type='headline' to='\(alice.jid)'><body>news</body></message>")
        try await bot.expect(#""body":"news""#)
        try await bob.does("send", alice.jid, "from a friend")
        #expect(try await bot.wait() == .exited(0))
      }
      let said = try await alice.does("history", bob.jid, "--export", "json").compactMap { value(of: "body", in: $0) }
      #expect(said.count { $0 == "answer" } == 1 && said.last == "answer", "\(said)")
    }
  }

  @Test("hands over what a server says, and answers neither that nor an error", arguments: TestServer.Kind.allCases)
  func serversAndErrors(kind: TestServer.Kind) async throws {
    try await withPair(on: kind, Strangers.server, friends: true) { alice, bob in
      try await Strangers.with(on: alice.server) { strangers in
        try await alice.listening("--json", "--reply", "--exec", "echo answer", "--count", "3") { bot in
          try await bob.sees(alice)
          let from = "<message to='\(alice.jid)' from="
          let error = "<error type='cancel'><gone xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></error>"
          try await strangers.write(
            "\(from)'\(Strangers.domain)' type='chat'><body>news</body></message>", to: alice.server)
          try await bot.expect(#""body":"news""#)
          try await strangers.write(
            "\(from)'\(Strangers.jid(0))/x' type='error' id='e'><body>away</body>\(error)</message>", to: alice.server)
          try await strangers.write(
            "\(from)'\(Strangers.jid(1))/x' type='chat'><body>hello</body></message>", to: alice.server)
          try await bot.expect(#""body":"hello""#)
          try await bob.does("send", alice.jid, "from a friend")
          #expect(try await bot.wait() == .exited(0))
          #expect(!bot.standardOutput.contains("away"))
        }
        // To the person who said hello, and to nobody else.
        #expect(try await strangers.seen(alice.jid) == 1)
        let answered = try await alice.does("history", bob.jid, "--export", "json")
        #expect(answered.compactMap { value(of: "body", in: $0) } == ["from a friend", "answer"])
      }
    }
  }

  @Test("stops answering what no person can have written, says so once, and hands all of it over")
  func brake() async throws {
    try await withPair(on: .prosody, friends: true) { alice, bob in
      let lines = (1...40).map { "line \($0)\n" }.joined()
      try await alice.listening("--reply", "--exec", "echo answer", "--count", "40") { bot in
        try await bob.sees(alice)
        try await bob.does("send", "--lines", alice.jid, input: .text(lines))
        #expect(try await bot.wait() == .exited(0))
        #expect(bot.standardError.split(separator: "\n").count { $0.contains("gets no more answers") } == 1)
        #expect(bot.standardOutput.contains("line 40"))
      }
    }
  }

  @Test("stops answering another bot, and says so once", arguments: TestServer.Kind.allCases)
  func twoBots(kind: TestServer.Kind) async throws {
    try await withPair(on: kind, friends: true) { alice, bob in
      try await TestDirectory.with { home in
        try await alice.listening("--reply", "--exec", "echo answer") { one in
          try await bob.listening("--reply", "--exec", "echo answer") { two in
            try await alice.sees(bob)
            try await bob.sees(alice)
            func stops() -> [Int] {
              [one, two].map { bot in
                bot.standardError.split(separator: "\n").count { $0.contains("gets no more answers") }
              }
            }
            func said() -> String { one.standardOutput + two.standardOutput }
            func isSilent() async throws -> Bool {
              let before = said()
              for person in [alice, bob] { try await person.at("other", in: home).does("ping") }
              return said() == before
            }
            // Another device of Bob's begins it. An answer that comes while that one is still there is that one's alone.
            try await eventually {
              if stops() == [0, 0], try await isSilent() {
                try await bob.at("other", in: home).does("send", alice.jid, "hello bot")
              }
              return stops() != [0, 0]
            }
            // What is on its way is still handed over, and then there is silence.
            try await eventually { try await isSilent() }
            // Where it was begun twice, as the bots were slow, both may have had enough.
            #expect(stops().allSatisfy { $0 <= 1 }, "\(stops())")
          }
        }
      }
    }
  }
}
