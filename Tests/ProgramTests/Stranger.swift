// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Support

/// Somebody on a real server whose client is not ours: Tests/Support/Strangers/stranger.py.
struct Stranger {
  let account: TestAccount
  private let process: TestProcess

  var jid: String { account.jid }

  /// Has them log in, and out again when `body` is done.
  static func with<Result>(
    _ account: TestAccount, on server: TestServer, _ body: (Stranger) async throws -> Result
  ) async throws -> Result {
    // Debian's Python is the one that has Debian's packages.
    let invocation = TestProcess.Invocation(
      "/usr/bin/python3",
      [
        "-B", SourceTree.path("Tests/Support/Strangers/stranger.py"), account.jid, account.password, server.host,
        "\(server.port)", server.caFile,
      ], environment: TestProcess.Invocation.scrubbed, input: .open)
    return try await TestProcess.withProcess(invocation) { process in
      try await process.expect("online\n", within: .seconds(60))
      return try await body(Stranger(account: account, process: process))
    }
  }

  /// Does this, and returns when the server has dealt with it.
  func does(_ line: String) async throws {
    process.send(line + "\nsettle\n")
    try await process.expect("settled\n")
  }

  /// Waits until they have been told this since the last time.
  func isTold(_ text: String) async throws { try await process.expect(text) }

  /// What their contact list has for somebody: `both -`, `none asked`; nil for no entry.
  func entry(of jid: String) async throws -> String? {
    process.send("roster\n")
    let lines = try await process.expect("roster\n").split(separator: "\n")
    return lines.last { $0.hasPrefix("entry \(jid) ") }.map { String($0.dropFirst("entry \(jid) ".count)) }
  }
}
