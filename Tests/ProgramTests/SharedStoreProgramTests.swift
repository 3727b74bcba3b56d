// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
import Support
import Testing

/// Programs that share an account's data, and tell each other apart by what they lock beside the database.
@Suite("Programs that share their data")
struct SharedStoreProgramTests {
  @Test(
    "show each message, both of them, though the folder was deleted under the first before the second began",
    arguments: TestServer.Kind.allCases)
  func deletedFolder(_ kind: TestServer.Kind) async throws {
    try await withPair(on: kind, friends: true) { alice, bob in
      let bob = bob.withDataFolder()
      let texts = (1...6).map { "m\($0)" }
      try await bob.listening("--json") { first in
        try await first.expect(#""state":"online""#)
        try await alice.sees(bob)
        try await alice.does("send", bob.jid, "before")
        try await first.expect(#""body":"before""#)
        #expect(try await TestProcess.run(.init("rm", ["-r", bob.dataFolder])).ending == .exited(0))
        try await bob.listening("--json") { second in
          try await second.expect(#""state":"online""#)
          try await alice.says(texts, to: bob)
          for listening in [first, second] {
            try await listening.expect(#""body":"m6""#)
            #expect(listening.shownBodies.filter { $0 != "before" } == texts)
          }
        }
      }
    }
  }

  /// The bot has logged it; the stream of the killed one, or the archive, gives it once more.
  @Test(
    "show once what a bot logged while the one that shows messages was dead", arguments: TestServer.Kind.allCases,
    [true, false])
  func loggedByABot(_ kind: TestServer.Kind, resumes: Bool) async throws {
    try await withPair(on: kind, friends: true) { alice, bob in
      try await bob.listening("--json", "--exec", "true") { bot in
        try await bot.expect(#""state":"online""#)
        try await bob.listening("--json") { listening in
          try await listening.expect(#""state":"online""#)
          try await alice.sees(bob)
          try await alice.does("send", bob.jid, "before")
          try await listening.expect(#""body":"before""#)
          listening.signal(resumes ? SIGKILL : SIGTERM)
          _ = try await listening.wait()
        }
        try await alice.says(["one", "two"], to: bob)
        try await bot.expect(#""body":"two""#)
        try await bob.listening("--json") { listening in
          try await listening.expect(#""state":"\#(resumes ? "resumed" : "online")""#)
          try await alice.does("send", bob.jid, "three")
          try await listening.expect(#""body":"three""#)
          #expect(listening.shownBodies == ["one", "two", "three"])
        }
      }
    }
  }

  /// Sixty-four numbers were all that there were.
  @Test("are told apart, however many there are: none takes over what another has on its way")
  func manyPrograms() async throws {
    try await withPair(on: .prosody, friends: true) { alice, bob in
      let alice = alice.withDataFolder()
      try await alice.does("ping")
      let others = TestProcess.Invocation(
        SourceTree.python, ["-c", Self.others, alice.database + "-lock"], input: .open)
      try await bob.listening("--json", "--count", "3") { bobListens in
        try await bobListens.expect(#""state":"online""#)
        try await alice.sees(bob)
        try await TestProcess.withProcess(others) { others in
          try await others.expect("64\n")
          try await FaultProxy.with(to: alice.server) { proxy in
            try await TestProcess.withProcess(alice.through(proxy).invocation(["run", "-"], input: .open)) { script in
              script.send("/send \(bob.jid) one\n")
              try await bobListens.expect(#""body":"one""#)
              // The script waits for the server's word on it before it reads on.
              try await eventually { try await alice.does("outbox") == [] }
              proxy.swallow()
              script.send("/send \(bob.jid) two\n")
              try await eventually { try await alice.does("outbox").contains { $0.contains("two") } }
              try await alice.does("run", "-", input: .text("/send \(bob.jid) three\n"))
              try await bobListens.expect(#""body":"three""#)
              #expect(try await alice.does("outbox").count == 1, "it is the first script's to send")
              proxy.cut()
              try await bobListens.expect(#""body":"two""#)
              script.closeInput()
              #expect(try await script.wait() == .exited(0))
            }
          }
        }
        #expect(try await bobListens.wait() == .exited(0))
        #expect(bobListens.shownBodies == ["one", "three", "two"])
        #expect(try await alice.does("outbox") == [])
      }
    }
  }

  /// Holds the numbers of so many programs, as each holds its own: a lock of an open file, not of a process.
  private static let others = """
    import fcntl, os, struct, sys
    file = os.open(sys.argv[1], os.O_RDWR | os.O_CREAT, 0o600)
    set_lock_of_open_file = 37
    for number in range(64):
        fcntl.fcntl(file, set_lock_of_open_file, struct.pack("hhqqi4x", fcntl.F_WRLCK, os.SEEK_SET, number, 1, 0))
    print(64, flush=True)
    sys.stdin.read()
    """
}
