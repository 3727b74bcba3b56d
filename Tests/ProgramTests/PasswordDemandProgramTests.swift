// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
import Support
import Testing

/// Real servers that ask for more than they may have, or cost more than a log-in may.
@Suite("What a server asks of a log-in")
struct PasswordDemandProgramTests {
  /// Why it is not known how the account logged in last.
  enum Unknown: CaseIterable { case locked, damaged, future }

  /// Somebody who has logged in by SCRAM at one server of the domain, and gets to one that offers the bare password only.
  private func withMoved(_ body: (_ before: Person, _ after: Person) async throws -> Void) async throws {
    let strong = try await TestServer.shared(.prosody)
    let weak = try await TestServer.shared(.prosody, .init { $0.disabledMechanisms = ["SCRAM-SHA-1"] })
    let account = try await strong.account("alice")
    try await weak.add(account)
    try await TestDirectory.with { home in
      let (before, after) = [strong, weak].map {
        Person(server: $0, account: account, home: home).withDataFolder()
      }.pair
      try await before.does("ping")
      try await body(before, after)
    }
  }

  @Test("is no bare password where it was SCRAM before")
  func withdrawn() async throws {
    try await withMoved { _, alice in
      let outcome = try await alice.run("ping", "--log-xml")
      #expect(outcome.ending == .exited(76) && !outcome.errors.contains("<auth"), "\(outcome.errors)")
      #expect(outcome.errors.contains("though it knew a better way at the last log-in"))
    }
  }

  @Test("is no bare password where nobody can read what it was before", arguments: Unknown.allCases)
  func unknown(_ why: Unknown) async throws {
    try await withMoved { before, alice in
      func expectRefusal() async throws {
        let outcome = try await alice.run("ping", "--log-xml")
        #expect(outcome.ending == .exited(69) && !outcome.errors.contains("<auth"), "\(why): \(outcome.errors)")
        #expect(outcome.errors.contains("cannot be read from the database"), "\(outcome.errors)")
      }
      switch why {
      case .locked: try await LockedDatabase.holding(alice.database) { _ in try await expectRefusal() }
      case .future:
        try await python(
          "import sqlite3, sys; sqlite3.connect(sys.argv[1]).execute('PRAGMA user_version = 9999')", alice.database)
        try await expectRefusal()
      case .damaged:
        try await python("import sys; open(sys.argv[1], 'w').write('no database' * 1000)", alice.database)
        // Nor at the second time, when there is a new one.
        for _ in 0..<2 { try await expectRefusal() }
        // Where it is SCRAM, as before, all is well from then on.
        try await before.does("ping")
        let outcome = try await alice.run("ping")
        #expect(outcome.errors.contains("though it knew a better way at the last log-in"), "\(outcome.errors)")
      }
    }
  }

  @Test(
    "is not more work than a log-in may be, and none that gives the password away",
    arguments: [4_095, 1_000_001, Int.max])
  func iterations(_ count: Int) async throws {
    try await withIterations(count) { _, alice in
      let outcome = try await alice.run("ping", "--log-xml")
      #expect(outcome.ending == .exited(76), "\(outcome.errors)")
      #expect(!outcome.errors.contains("<response"), "\(outcome.errors)")
    }
  }

  /// Somebody who has been online, at a server that asks for so much work.
  private func withIterations(_ count: Int, _ body: (TestServer, Person) async throws -> Void) async throws {
    try await TestServer.withServer(.prosody) { server in
      let account = try await server.account("alice")
      try await TestDirectory.with { home in
        let alice = Person(server: server, account: account, home: home)
        // Prosody derives keys from a new password at the first log-in.
        try await alice.does("ping")
        try await python(
          #"""
          import glob, re, sys
          for path in glob.glob(sys.argv[1] + "/server/data/*/accounts/*.dat"):
              text = open(path).read()
              open(path, "w").write(re.sub(r'(iteration_count"\] = )\d+', r"\g<1>" + sys.argv[2], text))
          """#, server.directory, "\(count)")
        try await body(server, alice)
      }
    }
  }

  @Test("is work that ends with the program, and with the connection that it was for")
  func abandoned() async throws {
    try await withIterations(1_000_000) { server, alice in
      /// - Parameter end: is called when the challenge has come and the program stands still.
      /// - Returns: the processor's time that it took from there to where `end` was done.
      func work(until end: (TestProcess) async throws -> Void) async throws -> Int {
        try await alice.listening("--json", "--log-xml") { process in
          try await process.expect("<challenge", on: .standardError)
          // It goes on when the end is there: how long that takes on a busy machine is no work of the program's.
          process.signal(SIGSTOP)
          try await eventually { KernelFile.read("/proc/\(process.id)/stat")?.contains(") T ") == true }
          let before = try process.processorTime
          try await end(process)
          return try process.processorTime - before
        }
      }
      var whole = 0
      // On a busy machine it may be stopped when most of the work is done.
      try await eventually {
        whole = try await work { process in
          process.signal(SIGCONT)
          try await process.expect("<response", on: .standardError)
        }
        return whole > 10
      }
      for cut in [false, true] {
        let ended = try await work { process in
          if cut { try await server.kill() } else { process.signal(SIGTERM) }
          process.signal(SIGCONT)
          try await process.wait()
        }
        #expect(ended < whole / 2, "\(ended) of \(whole)")
      }
    }
  }
}

extension Array {
  /// The two that there are.
  fileprivate var pair: (Element, Element) { (self[0], self[1]) }
}
