// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Support
import Testing

/// What people who are not on the contact list write.
@Suite("Messages of strangers")
struct StrangersMessagesTests {
  @Test("have their room on the disk: the oldest go, a friend's stay; and nothing stays of an account that is removed")
  func room() async throws {
    let server = try await TestServer.shared(.prosody, Strangers.server)
    let (account, other) = (try await server.account("alice"), try await server.account("bob"))
    try await TestDirectory.with { home in
      try await TestDirectory.with { otherHome in
        let alice = Person(server: server, account: account, home: home)
        let bob = Person(server: server, account: other, home: otherHome)
        try await alice.does("friends", "add", bob.jid)
        try await Strangers.with(on: server) { strangers in
          try await alice.listening("--json", "--count", "102") { listening in
            try await listening.expect(#""state":"online""#)
            try await bob.does("send", alice.jid, "from a friend")
            let text = String(repeating: "x", count: 240_000)
            for number in 0..<100 {
              let from = Strangers.jid(number)
              try await strangers.write(
                "<message from='\(from)' to='\(alice.jid)' type='chat'><body>\(number) \(text)</body></message>",
                to: server)
            }
            try await bob.does("send", alice.jid, "from a friend again")
            #expect(try await listening.wait() == .exited(0))
            #expect(listening.shownBodies.count == 102, "each is shown all the same")
            let word = "People outside your contact list write more than is kept"
            #expect(listening.standardError.matches(of: try Regex(word)).count == 1)
          }
        }
        let folder = home.path + "/.local/share/jackdaw"
        // 24 MB came; 16 are kept at most, and what is written is gathered before it is in the file.
        let size = try await TestProcess.run(.init("du", ["-sb", folder])).output.prefix { $0 != "\t" }
        #expect(try #require(Int(size)) < 22_000_000)
        #expect(try await senders(alice).first == other.jid)
        #expect(try await senders(alice).last == other.jid)
        #expect((40..<75).contains(try await senders(alice).count))

        try home.write("[accounts.a]\njid = \"\(alice.jid)\"\n", to: "config.toml")
        let removal = ["--config", home.file("config.toml"), "account", "remove", "a"]
        try await TestProcess.withProcess(alice.invocation(removal, terminal: .init(columns: 100, rows: 30))) {
          process in
          try await process.expect("stored on this machine too? [y/N]")
          process.send("y" + Key.enter)
          #expect(try await process.wait() == .exited(0))
        }
        #expect(try await TestProcess.run(.init("ls", ["-A", folder])).output == "")
      }
    }
  }

  /// Whose messages are in the log, in its order.
  private func senders(_ person: Person) async throws -> [String] {
    let program = """
      import sqlite3, sys
      for row in sqlite3.connect(sys.argv[1]).execute("SELECT conversation FROM message WHERE seq > 0 ORDER BY seq"):
          print(row[0])
      """
    let database = person.home.path + "/.local/share/jackdaw/\(person.jid).sqlite3"
    let outcome = try await TestProcess.run(.init(SourceTree.python, ["-c", program, database]))
    return outcome.output.split(separator: "\n").map(String.init)
  }
}
