// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
import Support

/// A client for the terminal that is not ours, at a terminal of its own.
enum TerminalClient: String, CaseIterable, Sendable {
  case profanity
  case mcabber

  /// Not every machine has it: a client with all that it needs may be larger than all else that the tests use.
  var isInstalled: Bool { access("/usr/bin/\(rawValue)", X_OK) == 0 }

  static let installed = allCases.filter(\.isInstalled)

  /// Has somebody online with it until `body` is done.
  func with<Result>(
    _ account: TestAccount, on server: TestServer, _ body: (TestProcess) async throws -> Result
  ) async throws -> Result {
    try await TestDirectory.with { home in
      try write(account, server, in: home)
      var environment = TestProcess.Invocation.scrubbed
      environment["HOME"] = home.path
      // What they do with newer terminals is not what is tried here.
      environment["TERM"] = "vt100"
      environment["XDG_CONFIG_HOME"] = home.path + "/config"
      environment["XDG_DATA_HOME"] = home.path + "/data"
      let invocation = TestProcess.Invocation(
        rawValue, self == .mcabber ? ["-f", home.path + "/mcabberrc"] : [], environment: environment,
        directory: home.path, terminal: .init(columns: 120, rows: 40))
      return try await TestProcess.withProcess(invocation) { client in
        try await logIn(client, account, server)
        return try await body(client)
      }
    }
  }

  private func write(_ account: TestAccount, _ server: TestServer, in home: TestDirectory) throws {
    guard self == .mcabber else { return }
    try home.write(
      """
      set jid = \(account.jid)
      set password = \(account.password)
      set server = \(server.host)
      set port = \(server.port)
      set tls = 1
      set ssl_ignore_checks = 1
      set logging = 0

      """, to: "mcabberrc")
  }

  private func logIn(_ client: TestProcess, _ account: TestAccount, _ server: TestServer) async throws {
    switch self {
    case .profanity:
      try await client.expectScreen(showing: "Profanity")
      type("/connect \(account.jid) server \(server.host) port \(server.port) tls trust", at: client)
      try await client.expectScreen(showing: "Enter password:")
      type(account.password, at: client)
      try await client.expectScreen(showing: "logged in successfully")
    case .mcabber: try await client.expectScreen(showing: "Your status has been set")
    }
  }

  /// Enters a room, and goes to its window.
  func enter(_ room: String, as nick: String, at client: TestProcess) async throws {
    switch self {
    case .profanity:
      type("/join \(room) nick \(nick)", at: client)
      try await client.expectScreen(showing: "You have joined the room as \(nick)")
    case .mcabber:
      type("/room join \(room) \(nick)", at: client)
      try await client.expectScreen(showing: "You have joined \(room) as \"\(nick)\"")
      // An empty line shows what is said there.
      type("/roster search \(room.prefix { $0 != "@" })" + Key.enter, at: client)
      try await client.expectScreen(showing: "*** You have joined as \"\(nick)\"")
    }
  }

  func rename(to nick: String, at client: TestProcess) {
    type(self == .profanity ? "/nick \(nick)" : "/room nick \(nick)", at: client)
  }

  func leave(at client: TestProcess) { type(self == .profanity ? "/close" : "/room leave", at: client) }

  /// Types a line.
  func type(_ line: String, at client: TestProcess) { client.send(line + Key.enter) }
}
