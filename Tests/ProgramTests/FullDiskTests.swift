// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
import Support
import Testing

/// The disk is full (ENOSPC). Messages still pass, there is one warning, and nothing that was stored is lost.
@Suite("A full disk")
struct FullDiskTests {
  private static let notStored = "Not everything is stored: "

  /// Two friends; the first keeps all on a small disk, and has said `before` on it.
  private func withSmallDisk(
    on kind: TestServer.Kind = .prosody, _ options: TestServer.Options = .init(),
    _ body: (SmallDisk, _ alice: Person, _ bob: Person) async throws -> Void
  ) async throws {
    try await withPair(on: kind, options, friends: true) { alice, bob in
      try await TestDirectory.with { directory in
        try await SmallDisk.with(kilobytes: 2048, at: directory) { disk in
          var alice = alice
          alice.environment["JACKDAW_DATA_DIR"] = disk.path
          let outcome = try await TestProcess.run(disk.holding(alice.invocation(["send", bob.jid, "before"])))
          #expect(outcome.ending == .exited(0), "\(outcome.errors)")
          try await body(disk, alice, bob)
        }
      }
    }
  }

  @Test("that fills up in mid-conversation is told of once, and used again when there is room")
  func fillsUp() async throws {
    try await withSmallDisk { disk, alice, bob in
      try await bob.listening("--json", "--count", "13") { listening in
        try await listening.expect(#""body":"before""#)
        try await TestProcess.withProcess(disk.holding(alice.invocation(["run", "-"], input: .open))) { script in
          script.send("/send \(bob.jid) room\n")
          try await listening.expect(#""body":"room""#)
          try await disk.fill()
          for number in 1...10 {
            script.send("/send \(bob.jid) full \(number) \(String(repeating: "x", count: 1_000))\n")
            try await listening.expect(#""body":"full \#(number) x"#)
          }
          try await bob.does("send", alice.jid, "still there?")
          try await script.expect("still there?")
          try await disk.makeRoom()
          script.send("/send \(bob.jid) room again\n")
          #expect(try await listening.wait() == .exited(0))
          script.closeInput()
          #expect(try await script.wait() == .exited(0))
          // A machine that is busy may lose the connection meanwhile, and say so.
          let said = script.standardError.split(separator: "\n")
          #expect(said.count { $0.hasPrefix(Self.notStored) } == 1, "\(said)")
        }
      }
      let kept = try await bodies(on: disk, of: alice)
      #expect(kept.prefix(2) == ["before", "room"] && kept.contains("room again"), "\(kept)")
      #expect(kept.count < 14, "the disk was not full")
    }
  }

  @Test("lets the prompt talk on, and says so once")
  func atThePrompt() async throws {
    try await withSmallDisk { disk, alice, bob in
      try await bob.listening("--json", "--count", "11") { listening in
        try await listening.expect(#""body":"before""#)
        let invocation = alice.invocation(["chat", bob.jid], terminal: .init(columns: 160, rows: 40))
        try await TestProcess.withProcess(disk.holding(invocation)) { prompt in
          try await prompt.expectScreen(showing: "online")
          try await disk.fill()
          for number in 1...10 { prompt.send("full \(number) \(String(repeating: "x", count: 1_000))" + Key.enter) }
          try await listening.expect(#""body":"full 10 x"#)
          try await bob.does("send", alice.jid, "still there?")
          try await prompt.expectScreen(showing: "still there?")
          #expect(try await listening.wait() == .exited(0))
          prompt.send("/quit" + Key.enter)
          #expect(try await prompt.wait() == .exited(0))
          #expect(prompt.standardOutput.matches(of: /Not everything is stored/).count == 1)
        }
      }
      #expect(try await bodies(on: disk, of: alice).first == "before")
    }
  }

  @Test("that is full from the start lets everybody talk, and keeps what is on it", arguments: TestServer.Kind.allCases)
  func fullFromTheStart(_ kind: TestServer.Kind) async throws {
    try await withSmallDisk(on: kind) { disk, alice, bob in
      try await bob.listening("--json", "--count", "3") { listening in
        try await listening.expect(#""body":"before""#)
        try await disk.fill()
        try await TestProcess.withProcess(disk.holding(alice.invocation(["run", "-"], input: .open))) { script in
          script.send("/send \(bob.jid) out\n")
          try await listening.expect(#""body":"out""#)
          try await bob.does("send", alice.jid, "in")
          try await script.expect(": in\n")
          script.closeInput()
          #expect(try await script.wait() == .exited(0))
          let said = script.standardError.split(separator: "\n")
          #expect(said.count { $0.contains("stored") } == 1, "\(said)")
        }
        let single = try await TestProcess.run(disk.holding(alice.invocation(["send", bob.jid, "single"])))
        #expect(single.ending == .exited(0), "\(single.errors)")
        #expect(single.errors.split(separator: "\n").count == 1, "\(single.errors)")
        #expect(try await listening.wait() == .exited(0))
      }
      try await disk.makeRoom()
      let later = try await TestProcess.run(disk.holding(alice.invocation(["send", bob.jid, "later"])))
      #expect(later.ending == .exited(0) && later.errors.isEmpty, "\(later.errors)")
      let kept = try await bodies(on: disk, of: alice)
      #expect(kept.first == "before" && kept.last == "later", "\(kept)")
    }
  }

  @Test("is told of by the agent that is started on it")
  func agent() async throws {
    try await withSmallDisk { disk, alice, _ in
      var alice = alice
      alice.environment[TestProcess.Invocation.noAgent] = ""
      try await disk.fill()
      let started = try await TestProcess.run(disk.holding(alice.invocation(["agent", "start"])))
      let stopped = try await TestProcess.run(disk.holding(alice.invocation(["agent", "stop"])))
      #expect(started.ending == .exited(0) && stopped.ending == .exited(0), "\(started) \(stopped)")
      let said = started.errors.split(separator: "\n")
      #expect(said.count == 1 && said[0].hasPrefix("Nothing is stored on disk until"), "\(said)")
      #expect(!started.output.isEmpty)
    }
  }

  @Test("loses no message that waits in the outbox, whatever is killed")
  func outbox() async throws {
    try await withSmallDisk { disk, alice, bob in
      try await FaultProxy.with(to: alice.server) { proxy in
        var away = alice
        away.environment["JACKDAW_SERVER"] = "\(proxy.address)"
        try await TestProcess.withProcess(disk.holding(away.invocation(["run", "-"], input: .open))) { script in
          script.send("/to \(bob.jid)\n/ping \(alice.server.domain)\n")
          try await script.expect(alice.server.domain)
          proxy.hold()
          script.send("waits\n")
          try await eventually { try await outbox(on: disk, of: alice).count == 1 }
          try await disk.fill()
          script.signal(SIGKILL)
          _ = try await script.wait()
        }
      }
      // Nothing can be written: this one may not find what waits, and must not lose it.
      let full = try await TestProcess.run(
        disk.holding(alice.invocation(["run", "-"], input: .text("/ping \(alice.server.domain)\n"))))
      #expect(full.ending == .exited(0), "\(full.errors)")
      try await disk.makeRoom()
      try await bob.listening("--json", "--count", "3") { listening in
        try await listening.expect(#""body":"before""#)
        let roomy = disk.holding(alice.invocation(["run", "-"], input: .text("/send \(bob.jid) after\n")))
        #expect(try await TestProcess.run(roomy).ending == .exited(0))
        #expect(try await listening.wait() == .exited(0))
        let said = listening.standardOutput.matches(of: /"body":"([^"]*)"/).map { String($0.output.1) }
        #expect(said == ["before", "waits", "after"])
      }
      #expect(try await outbox(on: disk, of: alice).isEmpty)
    }
  }

  @Test("ends the fetching of an archive, with a code that says so, and it goes on where it was when there is room")
  func archive() async throws {
    try await withSmallDisk(LongArchive.server) { disk, alice, bob in
      try await LongArchive.fill(alice, from: bob, count: 200)
      try await disk.fill()
      let full = try await TestProcess.run(disk.holding(alice.invocation(["history", "sync", "--all"])))
      #expect(full.ending == .exited(74) && full.errors.contains("the disk is full"), "\(full.ending) \(full.errors)")
      try await disk.makeRoom()
      let roomy = try await TestProcess.run(disk.holding(alice.invocation(["history", "sync", "--all"])))
      #expect(roomy.ending == .exited(0), "\(roomy.errors)")
      let kept = try await bodies(on: disk, of: alice)
      #expect(kept == ["before"] + (1...200).map { "\($0)" })
    }
  }

  // MARK: What is on the disk

  private func outbox(on disk: SmallDisk, of person: Person) async throws -> [String] {
    let outcome = try await TestProcess.run(disk.holding(person.invocation(["outbox"])))
    #expect(outcome.ending == .exited(0), "\(outcome.errors)")
    return outcome.lines
  }

  /// What was said, without the long rest.
  private func bodies(on disk: SmallDisk, of person: Person) async throws -> [String] {
    let program = """
      import sqlite3, sys
      for body, in sqlite3.connect(sys.argv[1]).execute("SELECT body FROM message ORDER BY seq"):
          print(body[:20])
      """
    let outcome = try await disk.run(SourceTree.python, ["-c", program, disk.path + "/\(person.jid).sqlite3"])
    #expect(outcome.ending == .exited(0), "\(outcome.errors)")
    return outcome.lines
  }
}
