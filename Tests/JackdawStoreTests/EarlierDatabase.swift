// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import CSQLite
import JackdawLoop
import JackdawProtocol
import Support
import Testing

@testable import JackdawStore

/// alice's database as an earlier program wrote it, for the present one to open. Dumps of such are in `Fixtures`; one is never changed,
/// as nobody can write it again.
@Client struct EarlierDatabase {
  let folder = TemporaryFolder()
  let account: JID

  /// - Parameters:
  ///   - dump: its name, without the suffix.
  ///   - version: of the schema, where the dump is of what stands in the tables alone.
  init(_ dump: String, inTablesOf version: Int = 0) throws {
    account = try JID("alice@jackdaw.test")
    folder.write([], to: "\(account).sqlite3")
    if version > 0 { try Migrations.apply(Array(Migrations.all.prefix(version)), to: Database(path: path)) }
    let script = try #require(SourceTree.text("Tests/JackdawStoreTests/Fixtures/\(dump).sql"))
    var connection: OpaquePointer?
    try #require(sqlite3_open(path, &connection) == SQLITE_OK)
    defer { sqlite3_close(connection) }
    let result = sqlite3_exec(connection, script, nil, nil, nil)
    try #require(result == SQLITE_OK, "\(String(cString: sqlite3_errmsg(connection)))")
  }

  var path: String { "\(folder.path)/\(account).sqlite3" }

  /// A program that uses it; it ends with its store. Whatever is wrong fails the test.
  func program(isOneShot: Bool = false) -> AccountStore {
    AccountStore(directory: folder.path, account: account, isOneShot: isOneShot) { Issue.record("\($0)") }
  }
}
