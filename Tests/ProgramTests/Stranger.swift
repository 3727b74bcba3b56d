// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Support

/// Somebody on a real server whose client is not ours: Tests/Support/Strangers/stranger.py.
struct Stranger {
  let account: TestAccount
  fileprivate let process: TestProcess

  var jid: String { account.jid }

  /// Has them log in, and out again when `body` is done.
  static func with<Result>(
    _ account: TestAccount, on server: TestServer, _ body: (Stranger) async throws -> Result
  ) async throws -> Result {
    try await TestProcess.withProcess(await invocation(account, server)) { process in
      try await body(Stranger(account, process))
    }
  }

  fileprivate static func invocation(
    _ account: TestAccount, _ server: TestServer
  ) async throws -> TestProcess.Invocation {
    try await ForkServer.invocation(
      "stranger.py", [account.jid, account.password, server.host, "\(server.port)", server.caFile])
  }

  /// Waits until they are online.
  fileprivate init(_ account: TestAccount, _ process: TestProcess) async throws {
    self.account = account
    self.process = process
    try await process.expect("online\n")
  }

  /// Does this, and returns when the server has dealt with it.
  func does(_ line: String) async throws {
    process.send(line + "\n")
    try await settles()
  }

  fileprivate func settles() async throws {
    process.send("settle\n")
    try await process.expect("settled\n")
  }

  /// The archive's id of the next message that comes to them.
  func nextMessage() async throws -> String {
    let words = try await (process.expect("message ") + process.expect("\n")).split(separator: "\n").last ?? ""
    return words.split(separator: " ").dropFirst().first.map(String.init) ?? ""
  }

  /// Up to which messages their account's devices have read, by the archive's ids (XEP-0490).
  func displayed() async throws -> [String: String] {
    process.send("displayed\n")
    let lines = try await process.expect("displayed\n").split(separator: "\n").map { $0.split(separator: " ") }
    return Dictionary(
      lines.filter { $0.count == 3 && $0[0] == "displayed" }.map { (String($0[1]), String($0[2])) },
      uniquingKeysWith: { $1 })
  }

  /// Waits until they have been told this since the last time.
  func isTold(_ text: String) async throws { try await process.expect(text) }

  /// What their contact list has for somebody: `both -`, `none asked`; nil for no entry.
  func entry(of jid: String) async throws -> String? { try await list(of: jid).entry }

  /// The same, and whether that one waits for an answer of theirs.
  fileprivate func list(of jid: String) async throws -> (entry: String?, isAsked: Bool) {
    process.send("roster\n")
    let lines = try await process.expect("roster\n").split(separator: "\n")
    let entry = lines.last { $0.hasPrefix("entry \(jid) ") }
    return (entry.map { String($0.dropFirst("entry \(jid) ".count)) }, lines.contains { $0 == "question \(jid)" })
  }
}

/// The same, as one side of a ``FriendFlow``.
actor LiveStranger: FriendFlowSide {
  private let account: TestAccount
  nonisolated var jid: String { account.jid }
  private let server: TestServer
  private var stranger: Stranger?

  init(_ account: TestAccount, on server: TestServer) {
    self.account = account
    self.server = server
  }

  func start() async throws {
    guard stranger == nil else { return }
    let process = try TestProcess.start(await Stranger.invocation(account, server))
    do {
      stranger = try await Stranger(account, process)
    } catch {
      await process.stop()
      throw error
    }
  }

  func end() async throws {
    guard let process = stranger?.process else { return }
    process.send("quit\n")
    try await process.wait()
    await kill()
  }

  func kill() async {
    await stranger?.process.stop()
    stranger = nil
  }

  func begins(_ step: String) { stranger?.process.send(step + "\n") }

  func takes(_ step: String) async throws -> [String]? {
    try await stranger?.does(step)
    return nil
  }

  func entry(of jid: String) async throws -> String {
    guard let list = try await stranger?.list(of: jid) else { return "offline" }
    let entry = list.entry.map { $0.replacing(" asked", with: ", asked").replacing(" -", with: "") } ?? "-"
    return list.isAsked ? entry + " ?" : entry
  }

  func waits() async throws { try await stranger?.settles() }

  var endings: Int? { nil }
}
