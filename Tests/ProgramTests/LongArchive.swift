// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Support
import Testing

/// An archive with more than anybody wants to send in a test: written into the server's own database.
enum LongArchive {
  /// A Prosody whose archives can be written to.
  static let server = TestServer.Options { $0.hasArchiveDatabase = true }

  /// Puts `1`, `2`, … up to `count` behind what somebody's archive has, as the other one said them.
  /// - Parameter time: when that was, in seconds since 1970; nil: just now.
  static func fill(_ owner: Person, from other: Person, count: Int, time: Int? = nil) async throws {
    let database = owner.server.directory + "/server/data/archive.sqlite"
    let outcome = try await TestProcess.run(
      .init(
        SourceTree.python, ["-c", program, database, owner.jid, other.jid, "\(count)"] + (time.map { ["\($0)"] } ?? []))
    )
    #expect(outcome.ending == .exited(0), "\(outcome.errors)")
  }

  private static let program = """
    import sqlite3, sys, time
    path, owner, other, count = sys.argv[1:5]
    when = int(sys.argv[5]) if len(sys.argv) > 5 else int(time.time())
    user, host = owner.split("@")
    message = "<message xmlns='jabber:client' from='{}/there' to='{}' id='n{}' type='chat'><body>{}</body></message>"
    database = sqlite3.connect(path, timeout=60)
    with database:
        database.executemany(
            'INSERT INTO prosodyarchive (host, user, store, "when", "with", key, type, value) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
            [(host, user, "archive", when, other, f"filled-{user}-{number}", "xml",
              message.format(other, owner, number, number)) for number in range(1, int(count) + 1)])
    """
}
