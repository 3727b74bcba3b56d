// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Support
import Testing

/// An IRC server whose channels are rooms of a real XMPP server, by a gateway: Tests/Support/Servers/irc.sh.
struct IRCNetwork {
  static let domain = "irc.jackdaw.test"
  /// What an XMPP server has to be like.
  static let server = TestServer.Options { $0.component = domain }

  /// The IRC server's, which stands in the addresses of its rooms.
  let host: String
  private let process: TestProcess

  /// Has it there until `body` is done, at a server of the kind of ``server``. One test at a time may have it.
  static func with<Result>(on server: TestServer, _ body: (IRCNetwork) async throws -> Result) async throws -> Result {
    let invocation = TestProcess.Invocation(
      SourceTree.path("Tests/Support/Servers/irc.sh"),
      ["--domain", domain, "--server", server.host, "--component-port", "\(server.componentPort)"],
      environment: TestProcess.Invocation.scrubbed, input: .open)
    return try await TestProcess.withProcess(invocation) { process in
      let facts = try await process.expect("ready\n", within: .seconds(150))
      let host = try #require(facts.split(separator: "\n").first?.split(separator: "=").last)
      let result = try await body(IRCNetwork(host: String(host), process: process))
      // What it wrote goes.
      process.closeInput()
      try await process.wait()
      return result
    }
  }

  /// The room that a channel is.
  func room(_ channel: String) -> String { "\(channel)%\(host)@\(Self.domain)" }

  /// The address of somebody who is on the IRC server.
  func person(_ nick: String) -> String { "\(nick)%\(host)@\(Self.domain)" }

  /// Ends the IRC server; the gateway stays.
  func stop() async throws { try await ask("stop") }
  /// Starts it again.
  func start() async throws { try await ask("start") }

  private func ask(_ command: String) async throws {
    process.send(command + "\n")
    try await process.expect("ok \(command)\n", within: .seconds(150))
  }

  /// Somebody who uses IRC itself: Tests/Support/Strangers/irc.py.
  struct User {
    let nick: String
    private let process: TestProcess

    fileprivate init(_ nick: String, _ process: TestProcess) { (self.nick, self.process) = (nick, process) }

    /// Sends lines of IRC.
    func says(_ lines: String...) { process.send(lines.map { $0 + "\n" }.joined()) }

    /// Waits for a line that holds all of these.
    func hears(_ parts: String..., sourceLocation: SourceLocation = #_sourceLocation) async throws {
      let found = try await process.line(with: parts)
      _ = try #require(found, "\(parts) in \(process.standardOutput)", sourceLocation: sourceLocation)
    }

    /// What somebody has said to a channel or to them, in order.
    func said(by nick: String, to target: String) -> [String] {
      process.standardOutput.split(whereSeparator: \.isNewline).compactMap { line in
        guard line.hasPrefix(":\(nick)!"), let words = line.firstRange(of: " PRIVMSG \(target) :") else { return nil }
        return String(line[words.upperBound...])
      }
    }
  }

  /// Has somebody on the IRC server, in a channel, until `body` is done. Who enters it first may do anything there.
  func withUser<Result>(
    _ nick: String, in channel: String, _ body: (User) async throws -> Result
  ) async throws -> Result {
    let invocation = TestProcess.Invocation(
      "/usr/bin/python3", ["-B", SourceTree.path("Tests/Support/Strangers/irc.py"), host, "6667", nick],
      environment: TestProcess.Invocation.scrubbed, input: .open)
    return try await TestProcess.withProcess(invocation) { process in
      try await process.expect("online\n")
      let user = User(nick, process)
      user.says("JOIN \(channel)")
      try await user.hears(" 366 \(nick) \(channel) ")
      return try await body(user)
    }
  }
}
