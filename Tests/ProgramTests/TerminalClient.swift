// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
import Support

/// A client for the terminal that is not ours, at a terminal of its own.
enum TerminalClient: String, CaseIterable, Sendable {
  case profanity
  case mcabber
  case poezio

  /// Not every machine has it: a client with all that it needs may be larger than all else that the tests use.
  var isInstalled: Bool { access("/usr/bin/\(rawValue)", X_OK) == 0 }

  static let installed = allCases.filter(\.isInstalled)

  /// Has somebody online with it until `body` is done.
  func with<Result>(
    _ account: TestAccount, on server: TestServer, _ body: (TestProcess) async throws -> Result
  ) async throws -> Result {
    try await TestDirectory.with { try await with(account, on: server, in: $0, body) }
  }

  /// Has somebody online with it until `body` is done.
  /// - Parameters:
  ///   - home: what it remembers from one start to the next is there.
  ///   - keys: with what it encrypts.
  func with<Result>(
    _ account: TestAccount, on server: TestServer, in home: TestDirectory, keys: KeyRing? = nil,
    _ body: (TestProcess) async throws -> Result
  ) async throws -> Result {
    try await TestProcess.withProcess(invocation(try words(account, server, in: home, keys), in: home)) { client in
      try await logIn(client, account, server)
      return try await body(client)
    }
  }

  private func invocation(_ words: [String], in home: TestDirectory) -> TestProcess.Invocation {
    var environment = TestProcess.Invocation.scrubbed
    environment["HOME"] = home.path
    // What they do with newer terminals is not what is tried here; poezio needs one that can hide the cursor and has colours.
    environment["TERM"] = self == .poezio ? "linux" : "vt100"
    environment["XDG_CONFIG_HOME"] = home.path + "/config"
    environment["XDG_DATA_HOME"] = home.path + "/data"
    environment["XDG_CACHE_HOME"] = home.path + "/cache"
    return TestProcess.Invocation(
      words[0], Array(words.dropFirst()), environment: environment, directory: home.path,
      terminal: .init(columns: 120, rows: 40))
  }

  /// Writes its configuration.
  /// - Returns: how it is started.
  private func words(
    _ account: TestAccount, _ server: TestServer, in home: TestDirectory, _ keys: KeyRing?
  ) throws -> [String] {
    switch self {
    case .profanity: return [rawValue]
    case .mcabber:
      let encryption =
        keys.map { "set pgp = 1\nset pgp_private_key = \($0.bob)\nset pgp_passphrase = \"\"\n" } ?? ""
      let file = try home.write(
        """
        set jid = \(account.jid)
        set password = \(account.password)
        set server = \(server.host)
        set port = \(server.port)
        set tls = 1
        set ssl_ignore_checks = 1
        set logging = 0
        set carbons = 1

        """ + encryption, to: "mcabberrc")
      return [rawValue, "-f", file]
    case .poezio:
      let file = try home.write(
        """
        [Poezio]
        jid = \(account.jid)
        password = \(account.password)
        custom_host = \(server.host)
        custom_port = \(server.port)
        ca_cert_path = \(server.caFile)
        enable_avatars = false

        """, to: "poezio.cfg")
      // It does not run as root: there, somebody else's name is put on root's files.
      let asUser = geteuid() == 0 ? ["unshare", "--user", "--map-user=1000", "--map-group=1000"] : []
      return asUser + [rawValue, "-f", file]
    }
  }

  private func logIn(_ client: TestProcess, _ account: TestAccount, _ server: TestServer) async throws {
    switch self {
    case .profanity:
      try await client.expectScreen(showing: "Profanity")
      try await type("/connect \(account.jid) server \(server.host) port \(server.port) tls trust", at: client)
      try await client.expectScreen(showing: "Enter password:")
      try await type(account.password, at: client)
      // What it says of that is gone at once where it has a key of OpenPGP, and draws its screen anew.
      try await client.expectScreen("the first row of who is online") { $0.lines.first?.contains("[online]") ?? false }
    case .mcabber: try await client.expectScreen(showing: "Your status has been set")
    case .poezio: try await client.expectScreen(showing: "Your JID is")
    }
  }

  /// Profanity clears its screen some time after a log-in with a key of OpenPGP, and shows no more of a window that is open by then.
  func expectLastClearing(at client: TestProcess) async throws {
    guard self == .profanity else { return }
    try await client.expect("Enter password:")
    try await client.expect("\u{1b}[H\u{1b}[J")
  }

  /// Types a line.
  func type(_ line: String, at client: TestProcess) async throws {
    guard self == .poezio else { return client.send(line + Key.enter) }
    // What comes at once it takes for pasted, the end of the line too; and at the list of contacts a slash opens the line.
    let first = line.prefix(1)
    client.send(String(first))
    try await client.expectScreen("'\(first)' in the last row") { screen in
      screen.lines.last.map { $0.contains(first) && !$0.contains("Enter commands") } ?? false
    }
    client.send(String(line.dropFirst()))
    let end = line.suffix(20)
    try await client.expectScreen("'\(end)' in the last row") { $0.lines.last?.contains(end) ?? false }
    client.send(Key.enter)
    try await client.expectScreen("an empty last row") { !($0.lines.last?.contains(end) ?? false) }
  }

  // MARK: Rooms

  /// Enters a room, and goes to its window.
  func enter(_ room: String, as nick: String, at client: TestProcess) async throws {
    switch self {
    case .profanity:
      try await type("/join \(room) nick \(nick)", at: client)
      try await client.expectScreen(showing: "You have joined the room as \(nick)")
    case .mcabber:
      try await type("/room join \(room) \(nick)", at: client)
      try await client.expectScreen(showing: "You have joined \(room) as \"\(nick)\"")
      // An empty line shows what is said there.
      try await type("/roster search \(room.prefix { $0 != "@" })" + Key.enter, at: client)
      try await client.expectScreen(showing: "*** You have joined as \"\(nick)\"")
    case .poezio:
      try await type("/join \(room)/\(nick)", at: client)
      try await client.expectScreen(showing: "You (\(nick)) joined the room")
    }
  }

  func rename(to nick: String, at client: TestProcess) async throws {
    try await type(self == .mcabber ? "/room nick \(nick)" : "/nick \(nick)", at: client)
  }

  func leave(at client: TestProcess) async throws {
    try await type(self == .mcabber ? "/room leave" : "/close", at: client)
  }
}
