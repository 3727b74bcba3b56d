// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
import Support
import Testing

/// Whatever happens to the database, messages still pass, there is one warning, and what was stored is not lost.
@Suite("A damaged store")
struct DamagedStoreTests {
  enum Trouble: String, CaseIterable, CustomTestStringConvertible {
    /// Files cannot grow: EFBIG, as ENOSPC is on a full disk.
    case full
    case readOnly
    case locked
    case noDatabase
    case brokenPage
    case fromTheFuture

    var testDescription: String { rawValue }

    /// What the warning says.
    var warning: String {
      switch self {
      case .full, .readOnly: "Nothing is stored on disk until Jackdaw is started again"
      case .fromTheFuture: "Nothing is stored on disk: the database was written by a newer Jackdaw"
      case .locked: "Not everything is stored: the database is locked by another program"
      case .noDatabase, .brokenPage: "Started a new database"
      }
    }
  }

  @Test("does not stop a conversation", arguments: TestServer.Kind.allCases, Trouble.allCases.filter { $0 != .locked })
  func trouble(_ kind: TestServer.Kind, _ trouble: Trouble) async throws {
    try await stopsNothing(kind, trouble)
  }

  // It waits for the lock some times, 40 s in all, and the server has no part in it.
  @Test("that is locked does not stop a conversation")
  func locked() async throws { try await stopsNothing(.prosody, .locked) }

  private func stopsNothing(_ kind: TestServer.Kind, _ trouble: Trouble) async throws {
    try await withPair(on: kind, friends: true) { alice, bob in
      var alice = alice
      let database = alice.home.path + "/data/\(alice.jid).sqlite3"
      alice.environment["JACKDAW_DATA_DIR"] = alice.home.path + "/data"
      try await bob.listening("--json", "--count", "2") { bobListens in
        try await alice.sees(bob)
        try await alice.does("send", bob.jid, "before")
        try await bobListens.expect(#""body":"before""#)
        try await python(Self.spoil, database, trouble.rawValue)
        let spoiled = try contents(database)

        var invocation = alice.invocation(["run", "-"], input: .open)
        switch trouble {
        case .full: limitFiles(of: &invocation)
        // Root writes where modes forbid it; to the kernel's own folders nobody does.
        case .readOnly: invocation.environment["JACKDAW_DATA_DIR"] = "/sys/kernel/jackdaw"
        case .locked, .noDatabase, .brokenPage, .fromTheFuture: break
        }
        try await locking(database, if: trouble == .locked) {
          try await converse(invocation, alice, bob, bobListens, warning: trouble.warning)
        }

        switch trouble {
        case .full, .readOnly, .locked:
          #expect(try await python(Self.bodies, database).contains("before"))
          // With the trouble gone everything is as before.
          let later = try await alice.run("send", bob.jid, "later")
          #expect(later.ending == .exited(0))
          #expect(later.errors.isEmpty, "\(later.errors)")
          #expect(try await python(Self.bodies, database) == "before\nlater\n")
        case .noDatabase, .brokenPage:
          #expect(try contents(database + ".corrupt-1") == spoiled, "set aside as it was")
          #expect(try await python(Self.bodies, database) == "out\nin\n", "the new one is used")
        case .fromTheFuture:
          #expect(try contents(database) == spoiled)
        }
      }
    }
  }

  @Test("that fills up in the middle of a conversation is told of once, and used again when there is room")
  func fillsUp() async throws {
    try await withPair(on: .prosody, friends: true) { alice, bob in
      var alice = alice
      let database = alice.home.path + "/data/\(alice.jid).sqlite3"
      alice.environment["JACKDAW_DATA_DIR"] = alice.home.path + "/data"
      try await bob.listening("--json", "--count", "3") { bobListens in
        try await bobListens.expect(#""state":"online""#)
        try await TestProcess.withProcess(alice.invocation(["run", "-"], input: .open)) { script in
          script.send("/send \(bob.jid) room\n")
          try await bobListens.expect(#""body":"room""#)
          try await limit(script, to: "1:unlimited")
          script.send("/send \(bob.jid) full\n")
          try await bobListens.expect(#""body":"full""#)
          try await bob.does("send", alice.jid, "still there?")
          try await script.expect("still there?")
          try await limit(script, to: "unlimited:unlimited")
          script.send("/send \(bob.jid) room again\n")
          #expect(try await bobListens.wait() == .exited(0))
          script.closeInput()
          #expect(try await script.wait() == .exited(0))
          // The second look at the archive may come when there is room again: it has what could not be kept.
          let warnings = script.standardError.split(separator: "\n").filter { !$0.contains("arrived while you were") }
          #expect(warnings.count == 1 && warnings[0].contains("Not everything is stored"), "\(script.standardError)")
        }
      }
      let kept = try await python(Self.bodies, database).split(separator: "\n").filter { $0 != "still there?" }
      #expect(kept == ["room", "room again"])
    }
  }

  @Test("makes a single command no less truthful", arguments: Trouble.allCases)
  func singleCommand(_ trouble: Trouble) async throws {
    try await withPair(on: .prosody) { alice, bob in
      var alice = alice
      let database = alice.home.path + "/data/\(alice.jid).sqlite3"
      alice.environment["JACKDAW_DATA_DIR"] = alice.home.path + "/data"
      try await alice.does("ping")
      try await alice.does("send", bob.jid, "before")
      try await python(Self.spoil, database, trouble.rawValue)
      if trouble == .readOnly { alice.environment["JACKDAW_DATA_DIR"] = "/sys/kernel/jackdaw" }
      var good = alice.invocation(["send", bob.jid, "hello"])
      var bad = alice.invocation(["send", "nobody@\(alice.server.domain)", "hello"])
      bad.environment["JACKDAW_PASSWORD"] = "wrong"
      if trouble == .full {
        limitFiles(of: &good)
        limitFiles(of: &bad)
      }
      try await locking(database, if: trouble == .locked) {
        let refused = try await TestProcess.run(bad)
        #expect(refused.ending == .exited(77), "\(refused.errors)")
        let sent = try await TestProcess.run(good)
        #expect(sent.ending == .exited(0), "\(sent.errors)")
        #expect(sent.errors.split(separator: "\n").count <= 1, "\(sent.errors)")
      }
    }
  }

  // MARK: The conversation

  /// One message each way, one warning, and a good end.
  private func converse(
    _ invocation: TestProcess.Invocation, _ alice: Person, _ bob: Person, _ bobListens: TestProcess, warning: String
  ) async throws {
    try await TestProcess.withProcess(invocation) { script in
      script.send("/send \(bob.jid) out\n")
      try await bobListens.expect(#""body":"out""#)
      #expect(try await bobListens.wait() == .exited(0))
      try await bob.does("send", alice.jid, "in")
      try await script.expect(": in\n")
      script.closeInput()
      #expect(try await script.wait() == .exited(0))
      // A machine that is busy may lose the connection meanwhile, and say so.
      let warnings = script.standardError.split(separator: "\n").filter {
        $0.contains("stored") || $0.contains("database")
      }
      #expect(warnings.count == 1, "\(script.standardError)")
      #expect(warnings.first?.hasPrefix(warning) == true, "\(script.standardError)")
    }
  }

  // MARK: The trouble

  /// No file that it writes to may be longer than a byte.
  private func limitFiles(of invocation: inout TestProcess.Invocation) {
    invocation.arguments = ["--fsize=1:unlimited", invocation.program] + invocation.arguments
    invocation.program = "prlimit"
  }

  private func limit(_ process: TestProcess, to bytes: String) async throws {
    let outcome = try await TestProcess.run(.init("prlimit", ["--pid", "\(process.id)", "--fsize=\(bytes)"]))
    #expect(outcome.ending == .exited(0), "\(outcome.errors)")
  }

  private func locking(_ database: String, if isLocked: Bool, _ body: () async throws -> Void) async throws {
    guard isLocked else { return try await body() }
    try await LockedDatabase.holding(database) { lock in
      try await body()
      try await lock.release()
    }
  }

  private static let spoil = """
    import os, sqlite3, sys
    path, trouble = sys.argv[1:]
    if trouble == "noDatabase":
        open(path, "wb").write(os.urandom(9000))
    elif trouble == "brokenPage":
        database = sqlite3.connect(path)
        page, = database.execute("SELECT rootpage FROM sqlite_master WHERE name = 'message'").fetchone()
        size, = database.execute("PRAGMA page_size").fetchone()
        database.close()
        file = open(path, "r+b")
        file.seek((page - 1) * size)
        file.write(os.urandom(size))
    elif trouble == "fromTheFuture":
        database = sqlite3.connect(path)
        database.execute("PRAGMA user_version = 1000")
        database.close()
    """

  private static let bodies = """
    import sqlite3, sys
    for body, in sqlite3.connect(sys.argv[1]).execute("SELECT body FROM message WHERE seq > 0 ORDER BY seq"):
        print(body)
    """

  private func contents(_ path: String) throws -> [UInt8] {
    let file = try #require(fopen(path, "re"), "\(path)")
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    return Array(bytes.prefix(fread(&bytes, 1, bytes.count, file)))
  }
}
