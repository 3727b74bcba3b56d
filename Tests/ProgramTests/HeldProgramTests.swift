// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
import Support
import Testing

/// What comes while a program still reads what it missed.
@Suite("A message that comes while the archive is read")
struct HeldProgramTests {
  /// How the program ends in that moment.
  enum End: String, CaseIterable, CustomTestStringConvertible {
    case killed, quits
    var testDescription: String { rawValue }
    var signal: Int32 { self == .killed ? SIGKILL : SIGTERM }
  }

  private static let missed = (1...400).map(String.init)

  /// Bytes from the server: more than a log-in and a message of the archive, less than half of what was missed.
  private static let part = 40_000

  @Test("is on the disk, and told in its place by the next run", arguments: TestServer.Kind.allCases, End.allCases)
  func held(_ kind: TestServer.Kind, _ end: End) async throws {
    try await withPair(on: kind, friends: true) { alice, bob in
      var bob = bob
      let folder = bob.home.path + "/data"
      let database = folder + "/\(bob.jid).sqlite3"
      bob.environment["JACKDAW_DATA_DIR"] = folder
      try await bob.listening("--json", "--count", "1") { listening in
        try await alice.sees(bob)
        try await alice.does("send", bob.jid, "before")
        #expect(try await listening.wait() == .exited(0))
      }
      try await alice.does(
        "send", "--lines", bob.jid, input: .text(Self.missed.map { $0 + "\n" }.joined()))
      // In the middle of the archive: no page is asked for any more, and what comes still arrives.
      let first = try await FaultProxy.with(to: bob.server, .deafness, after: Self.part) { proxy in
        var bob = bob.through(proxy)
        // The page that does not come is waited for.
        bob.environment["JACKDAW_TIMEOUT"] = "600"
        return try await bob.listening("--json") { listening in
          try await listening.expect(#""body":"1""#)
          try await eventually { proxy.bytesFromServer >= Self.part }
          try await alice.does("send", bob.jid, "live")
          try await eventually { try await held(database).last == "live" }
          listening.signal(end.signal)
          _ = try await listening.wait()
          #expect(try await held(database).last == "live", "the archive had not been read to its end")
          return bodies(listening.standardOutput)
        }
      }
      #expect(!first.contains("live"), "what came before it was not known")
      let second = try await bob.listening("--json") { listening in
        try await listening.expect(#""body":"live""#)
        try await alice.does("send", bob.jid, "after")
        try await listening.expect(#""body":"after""#)
        listening.signal(SIGTERM)
        _ = try await listening.wait()
        return bodies(listening.standardOutput)
      }
      // What was told in the moment of a kill may be told again.
      var told: [String] = []
      for body in first + second where !told.contains(body) { told.append(body) }
      #expect(told == Self.missed + ["live", "after"])
      #expect(second.count(where: { $0 == "live" }) == 1)
      #expect(try await held(database).isEmpty)
    }
  }

  private func held(_ database: String) async throws -> [String] {
    let program = """
      import sqlite3, sys
      for body, in sqlite3.connect(sys.argv[1]).execute("SELECT body FROM message WHERE seq < 0 ORDER BY seq"):
          print(body)
      """
    let outcome = try await TestProcess.run(.init(SourceTree.python, ["-c", program, database]))
    #expect(outcome.ending == .exited(0), "\(outcome.errors)")
    return outcome.lines
  }

  /// The bodies of the messages that a listener showed, in order.
  private func bodies(_ output: String) -> [String] {
    output.split(separator: "\n").filter { $0.contains(#""event":"message""#) }.compactMap { line in
      line.firstMatch(of: /"body":"([^"]*)"/).map { String($0.output.1) }
    }
  }
}
