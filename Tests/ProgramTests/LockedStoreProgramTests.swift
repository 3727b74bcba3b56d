// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
import Support
import Testing

/// Programs that find the database locked by another one.
@Suite("A database that is locked")
struct LockedStoreProgramTests {
  @Test(
    "at the start is waited for: what was missed and what a killed run left come first, each in its order",
    arguments: TestServer.Kind.allCases)
  func lockedAtTheStart(_ kind: TestServer.Kind) async throws {
    try await withPair(on: kind, friends: true) { alice, bob in
      let bob = bob.withDataFolder()
      try await alice.listening("--json", "--count", "2", "--from", bob.jid) { aliceListens in
        try await bob.sees(alice)
        try await killScript(bob, alice)
        let texts = (1...3).map { "missed \($0)" }
        try await alice.says(texts, to: bob)
        try await LockedDatabase.holding(bob.database) { lock in
          try await TestProcess.withProcess(bob.invocation(["--json", "run", "-"], input: .open)) { script in
            script.send("/send \(alice.jid) new\n")
            try await script.expect("the database is locked by another program.", on: .standardError)
            try await lock.release()
            try await script.expect(#""body":"missed 3""#)
            try await alice.does("send", bob.jid, "after")
            try await script.expect(#""body":"after""#)
            #expect(script.shownBodies == texts + ["after"])
            #expect(try await aliceListens.wait() == .exited(0))
            #expect(aliceListens.shownBodies.filter { !texts.contains($0) } == ["left", "new"])
            script.closeInput()
            #expect(try await script.wait() == .exited(0))
          }
        }
        #expect(try await bob.does("outbox") == [])
        #expect(try await bob.run("--json", "listen", "--for", "0.5").shownBodies == [])
      }
    }
  }

  @Test(
    "is waited for by 'send': what a killed one left goes before what it has to say itself",
    arguments: TestServer.Kind.allCases)
  func lockedAtASend(_ kind: TestServer.Kind) async throws {
    try await withPair(on: kind, friends: true) { alice, bob in
      let alice = alice.withDataFolder()
      try await bob.listening("--json", "--count", "3") { bobListens in
        try await alice.sees(bob)
        try await InterruptedSend.leaveOne(alice, bob, bobListens, loses: true)
        try await LockedDatabase.holding(alice.database, keepsOutReaders: false) { lock in
          try await TestProcess.withProcess(alice.invocation(["send", bob.jid, "three"])) { sending in
            try await sending.expect("the database is locked by another program.", on: .standardError)
            try await lock.release()
            #expect(try await sending.wait() == .exited(0), "\(sending.standardError)")
          }
        }
        #expect(try await alice.does("outbox").isEmpty)
        #expect(try await bobListens.wait() == .exited(0))
        #expect(bobListens.shownBodies == ["one", "two", "three"])
      }
    }
  }

  @Test(
    "for longer than a message waits for it: the message is in the log later, and is shown once")
  func lockedForLong() async throws {
    try await withPair(on: .prosody, friends: true) { alice, bob in
      let bob = bob.withDataFolder()
      try await bob.listening("--json") { listening in
        try await alice.sees(bob)
        try await LockedDatabase.holding(bob.database, keepsOutReaders: false) { lock in
          try await alice.does("send", bob.jid, "locked out")
          try await listening.expect(#""body":"locked out""#)
          try await lock.release()
        }
        try await alice.does("send", bob.jid, "after")
        try await listening.expect(#""body":"after""#)
        try await eventually { try await bob.does("history", alice.jid).contains { $0.contains("locked out") } }
        #expect(listening.shownBodies == ["locked out", "after"])
      }
      #expect(try await bob.run("--json", "listen", "--for", "0.5").shownBodies == [])
    }
  }

  @Test("while a program ends is waited for: what it has shown is not shown again")
  func lockedAtTheEnd() async throws {
    try await withPair(on: .prosody, friends: true) { alice, bob in
      let bob = bob.withDataFolder()
      try await bob.listening("--json", "--from", "carol@\(bob.server.domain)") { _ in
        try await alice.sees(bob)
        for text in ["one", "two"] { try await alice.does("send", bob.jid, text) }
        try await eventually { try await bob.does("history", alice.jid).contains { $0.contains("two") } }
      }
      try await LockedDatabase.holding(bob.database, keepsOutReaders: false) { lock in
        try await bob.listening("--json", "--count", "1") { listening in
          try await listening.expect(#""body":"one""#)
          try await lock.release()
          #expect(try await listening.wait() == .exited(0))
        }
      }
      #expect(try await bob.run("--json", "listen", "--count", "1").shownBodies == ["two"])
    }
  }

  /// Bob's script is killed once it is online and has sent a message that got lost on the way.
  private func killScript(_ bob: Person, _ alice: Person) async throws {
    try await FaultProxy.with(to: bob.server) { proxy in
      try await TestProcess.withProcess(bob.through(proxy).invocation(["--json", "run", "-"], input: .open)) { script in
        script.send("/ping\n")
        try await script.expect(#""command":"ping""#)
        proxy.swallow()
        script.send("/send \(alice.jid) left\n")
        try await eventually { try await bob.does("outbox").contains { $0.contains("left") } }
        script.signal(SIGKILL)
        _ = try await script.wait()
      }
    }
  }
}
