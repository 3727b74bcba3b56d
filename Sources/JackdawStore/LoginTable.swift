// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession

/// What an account remembers of its log-ins.
@Client final class LoginTable: LoginMemoryStore {
  nonisolated static let migration = Migration(
    number: 2,
    script: """
      CREATE TABLE login (
        id INTEGER PRIMARY KEY CHECK (id = 1),
        mechanism TEXT NOT NULL
      ) STRICT;
      """)

  nonisolated static let installation = Migration(
    number: 25,
    script: """
      -- How the server knows this program on this machine, where it does.
      CREATE TABLE installation (
        id INTEGER PRIMARY KEY CHECK (id = 1),
        agent TEXT NOT NULL,
        -- For the next log-in.
        token_mechanism TEXT,
        token TEXT,
        token_expiry INTEGER
      ) STRICT;
      """)

  nonisolated static let keys = Migration(
    number: 26,
    script: """
      -- What stands for the password (RFC 5802 3).
      CREATE TABLE login_keys (
        id INTEGER PRIMARY KEY CHECK (id = 1),
        hash TEXT NOT NULL,
        salt BLOB NOT NULL,
        iterations INTEGER NOT NULL,
        client_key BLOB NOT NULL,
        server_key BLOB NOT NULL,
        -- Which text of a file the password was in; NULL: none has it.
        origin TEXT
      ) STRICT;
      """)

  nonisolated static let ticket = Migration(
    number: 27,
    script: """
      -- What the last TLS connection left for the next (RFC 8446 2.2).
      CREATE TABLE tls_ticket (
        id INTEGER PRIMARY KEY CHECK (id = 1),
        -- Which connections it is for.
        scope TEXT NOT NULL,
        session BLOB NOT NULL,
        -- Both in milliseconds since 1970.
        expiry INTEGER NOT NULL,
        verified_until INTEGER NOT NULL
      ) STRICT;
      """)

  /// What stands there where a mechanism was, and nobody knows which: the database that knew it was damaged.
  private static let lost = ""

  private let database: AccountDatabase
  /// The mechanism that this program has read or written.
  private var known: String?
  /// The ``Installation/agent`` that this program has read or written.
  private var knownAgent: String?
  /// The last ticket, if it waits to be written.
  private var pendingTicket: KeptTicket?

  init(_ database: AccountDatabase) {
    self.database = database
    database.onBegunAnew { [weak self] in self?.restore() }
  }

  /// The new database has what is known of the damaged one, or that nothing is: else the next log-in would be taken for the first,
  /// at which a server may ask for the bare password.
  private func restore() {
    // What is wrong with it is told by the database.
    try? database.perform { database throws(DatabaseError) in
      // Another program may have noted before that it does not know.
      try database.run(
        """
        INSERT INTO login (id, mechanism) VALUES (1, ?1)
        ON CONFLICT (id) DO UPDATE SET mechanism = excluded.mechanism WHERE mechanism = ?2
        """, known ?? Self.lost, Self.lost)
      // Without a token, which the next log-in asks for anew.
      guard let knownAgent else { return }
      try database.run("INSERT OR IGNORE INTO installation (id, agent) VALUES (1, ?)", knownAgent)
    }
  }

  func loadMechanism() throws -> String? {
    let mechanism = try database.perform { database throws(DatabaseError) in
      try database.first("SELECT mechanism FROM login") { $0.text(0) }
    }
    guard mechanism != Self.lost else {
      throw DatabaseError(code: .corrupt, message: "the database that had the last log-in was damaged")
    }
    if mechanism == nil, let trouble = database.troubleWithFile { throw trouble }
    known = mechanism
    return mechanism
  }

  func keepMechanism(_ mechanism: String) throws {
    known = mechanism
    try database.perform { database throws(DatabaseError) in
      try database.run("INSERT OR REPLACE INTO login (id, mechanism) VALUES (1, ?)", mechanism)
    }
  }

  func forgetMechanism() throws {
    (known, knownAgent) = (nil, nil)
    try database.perform { database throws(DatabaseError) in
      try database.run("DELETE FROM login")
      try database.run("DELETE FROM installation")
      try database.run("DELETE FROM login_keys")
      try database.run("DELETE FROM tls_ticket")
    }
    if let trouble = database.troubleWithFile { throw trouble }
  }

  func loadInstallation() throws -> Installation? {
    let kept: Installation? = try database.perform { database throws(DatabaseError) in
      try database.first("SELECT agent, token_mechanism, token, token_expiry FROM installation") { row in
        var installation = Installation(agent: row.text(0))
        if let mechanism = row.optionalText(1), let secret = row.optionalText(2) {
          let expiry = row.isNull(3) ? nil : Timestamp(milliseconds: row.integer(3))
          installation.token = LoginToken(mechanism: mechanism, secret: secret, expiry: expiry)
        }
        return installation
      }
    }
    knownAgent = kept?.agent
    return kept
  }

  func keepInstallation(_ installation: Installation) throws {
    knownAgent = installation.agent
    try database.perform { database throws(DatabaseError) in
      try database.run(
        "INSERT OR REPLACE INTO installation (id, agent, token_mechanism, token, token_expiry) VALUES (1, ?, ?, ?, ?)",
        installation.agent, installation.token?.mechanism, installation.token?.secret,
        installation.token?.expiry?.milliseconds)
    }
  }

  func forgetToken(_ token: LoginToken) throws {
    try database.perform { database throws(DatabaseError) in
      try database.run(
        "UPDATE installation SET token_mechanism = NULL, token = NULL, token_expiry = NULL WHERE token = ?",
        token.secret)
    }
  }

  func loadKeys() throws -> KeptKeys? {
    try database.perform { database throws(DatabaseError) in
      try database.first("SELECT hash, salt, iterations, client_key, server_key, origin FROM login_keys") { row in
        SCRAMKeys(
          hashName: row.text(0), salt: row.bytes(1), iterations: Int(row.integer(2)), clientKey: row.bytes(3),
          serverKey: row.bytes(4)
        ).map { KeptKeys(keys: $0, origin: row.optionalText(5)) }
      } ?? nil
    }
  }

  func keepKeys(_ kept: KeptKeys?) throws {
    try database.perform { database throws(DatabaseError) in
      guard let kept else { return try database.run("DELETE FROM login_keys") }
      let keys = kept.keys
      try database.run(
        """
        INSERT OR REPLACE INTO login_keys (id, hash, salt, iterations, client_key, server_key, origin)
        VALUES (1, ?, ?, ?, ?, ?, ?)
        """, keys.hashName, keys.salt, Int64(keys.iterations), keys.clientKey.withUnsafeBytes { Array($0) },
        keys.serverKey.withUnsafeBytes { Array($0) }, kept.origin)
    }
  }

  func forgetKeys(_ keys: SCRAMKeys) throws {
    try database.perform { database throws(DatabaseError) in
      try database.run("DELETE FROM login_keys WHERE client_key = ?", keys.clientKey.withUnsafeBytes { Array($0) })
    }
  }

  func takeTicket() -> KeptTicket? {
    defer { pendingTicket = nil }
    if let pendingTicket, database.forgetLater() { return pendingTicket }
    return database.performAtOnce { database throws(DatabaseError) in
      // Most servers give none, and to look is cheaper than to delete nothing.
      guard try database.first("SELECT 1 FROM tls_ticket", read: { _ in true }) != nil else { return nil }
      return try database.first("DELETE FROM tls_ticket RETURNING scope, session, expiry, verified_until") { row in
        KeptTicket(
          scope: row.text(0), session: row.bytes(1), expiry: Timestamp(milliseconds: row.integer(2)),
          verifiedUntil: Timestamp(milliseconds: row.integer(3)))
      }
    } ?? nil
  }

  func keepTicket(_ ticket: KeptTicket) {
    pendingTicket = ticket
    database.performLater { database throws(DatabaseError) in
      try database.run(
        "INSERT OR REPLACE INTO tls_ticket (id, scope, session, expiry, verified_until) VALUES (1, ?, ?, ?, ?)",
        ticket.scope, ticket.session, ticket.expiry.milliseconds, ticket.verifiedUntil.milliseconds)
    }
  }

  func settleTicket() { database.performWaiting() }

  func forgetTicket() throws {
    pendingTicket = nil
    database.forgetLater()
    try database.perform { database throws(DatabaseError) in try database.run("DELETE FROM tls_ticket") }
  }
}
