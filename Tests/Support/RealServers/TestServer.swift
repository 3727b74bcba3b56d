// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawHosts

/// A real XMPP server on the loopback network, in a process of its own, started by a script of `Servers/`.
///
/// Starting one takes a part of a second (Prosody) or two seconds (ejabberd), so tests share those of equal options and
/// take accounts of their own from them. Whatever becomes of the tests, the server ends with them: its script reads a
/// pipe of ours.
package final class TestServer: Sendable {
  package enum Kind: String, Sendable, CaseIterable {
    case prosody
    case ejabberd
    case jabberd2

    /// Those that a test runs on where it has nothing to do with one of them. jabberd2 knows too little for most.
    package static let allCases: [Kind] = [.prosody, .ejabberd]
  }

  /// The main domain, which the certificate is for (and which no name server knows).
  package let domain: String
  /// Of the loopback network, this server's alone.
  package let host: String
  /// For STARTTLS.
  package let port: Int
  package let directPort: Int
  /// For STARTTLS.
  package var address: HostPort { HostPort(host: host, port: UInt16(port)) }
  /// For TLS from the first byte.
  package var directAddress: HostPort { HostPort(host: host, port: UInt16(directPort)) }
  /// Where a component may log in (XEP-0114), where ``Options/component`` names one.
  package let componentPort: Int
  /// The certificate authority, a PEM file.
  package let caFile: String
  /// What the server writes and keeps is in `server` in it.
  package let directory: String
  let process: TestProcess
  private let queue = AskQueue()

  /// The server that all tests of this process share, started by the first that asks.
  /// - Throws: ``TestProcessFailure`` with the server's log when it does not start.
  package static func prosody(_ options: Options = Options()) async throws -> TestServer {
    try await SharedServers.server(.prosody, options)
  }

  /// The server that all tests of this process share, started by the first that asks.
  /// - Throws: ``TestProcessFailure`` with the server's log when it does not start.
  package static func ejabberd(_ options: Options = Options()) async throws -> TestServer {
    try await SharedServers.server(.ejabberd, options)
  }

  /// The server of that kind that all tests of this process share.
  /// - Throws: ``TestProcessFailure`` with the server's log when it does not start.
  package static func shared(_ kind: Kind, _ options: Options = Options()) async throws -> TestServer {
    try await SharedServers.server(kind, options)
  }

  /// Has a server for one test, which may restart, freeze or kill it. The next test that wants such a one has the same, when this
  /// one is done, and finds it running.
  /// - Throws: ``TestProcessFailure`` with the server's log when it does not start; what `body` throws.
  package static func withServer<Result>(
    _ kind: Kind, _ options: Options = Options(), _ body: (TestServer) async throws -> Result
  ) async throws -> Result {
    let place = SharedServers.place(kind, options)
    await place.take()
    defer { place.giveBack() }
    return try await body(try await place.server())
  }

  /// Starts two ejabberds for one test that are the nodes of one cluster, with one certificate and the same accounts, rosters,
  /// archives and offline messages: each goes on with all of them when the other is gone.
  /// - Throws: ``TestProcessFailure`` with the server's log when one does not start; what `body` throws.
  package static func withCluster<Result>(
    _ body: (_ first: TestServer, _ second: TestServer) async throws -> Result
  ) async throws -> Result {
    try await with(try await TestServer(.ejabberd, Options(), ["--clustered"])) { first in
      try await with(try await TestServer(.ejabberd, Options(), ["--join", first.directory])) { second in
        try await body(first, second)
      }
    }
  }

  private static func with<Result>(
    _ server: TestServer, _ body: (TestServer) async throws -> Result
  ) async throws -> Result {
    let result: Result
    do {
      result = try await body(server)
    } catch {
      await Self.end(server.process)
      throw error
    }
    await Self.end(server.process)
    return result
  }

  /// - Parameter words: options of the script that ``Options`` does not have.
  init(_ kind: Kind, _ options: Options, _ words: [String] = []) async throws {
    let script = SourceTree.path("Tests/Support/Servers/\(kind.rawValue).sh")
    process = try TestProcess.start(.init(script, options.arguments(of: kind) + words, input: .open))
    do {
      let lines = try await process.expect("\nready\n", within: .seconds(150)).split(separator: "\n")
      var facts: [Substring: String] = [:]
      for line in lines {
        let parts = line.split(separator: "=", maxSplits: 1)
        if parts.count == 2 { facts[parts[0]] = String(parts[1]) }
      }
      domain = facts["domain", default: ""]
      host = facts["address", default: ""]
      port = Int(facts["port", default: ""]) ?? 0
      directPort = Int(facts["direct_port", default: ""]) ?? 0
      componentPort = Int(facts["component_port", default: ""]) ?? 0
      caFile = facts["ca", default: ""]
      directory = facts["directory", default: ""]
    } catch {
      await Self.end(process)
      throw error
    }
  }

  /// Makes an account whose name no other test uses.
  /// - Parameter prefix: how the name begins, for people who read logs.
  /// - Throws: ``TestProcessFailure``
  package func account(_ prefix: String = "user", domain: String? = nil) async throws -> TestAccount {
    let account = TestAccount(user: TestAccount.uniqueName(prefix), domain: domain ?? self.domain)
    try await add(account)
    return account
  }

  /// Makes an account that another server of the domain has.
  /// - Throws: ``TestProcessFailure``
  package func add(_ account: TestAccount) async throws {
    try await ask("user \(account.user) \(account.password) \(account.domain)")
  }

  /// Makes two accounts, `alice…` and `bob…`, that no other test uses.
  /// - Parameter friends: each already sees the other's presence.
  /// - Throws: ``TestProcessFailure``
  package func pair(friends: Bool = false) async throws -> (alice: TestAccount, bob: TestAccount) {
    let alice = try await account("alice")
    let bob = try await account("bob")
    if friends { try await ask("friends \(alice.user) \(bob.user)") }
    return (alice, bob)
  }

  /// Ends the server politely (its clients are told `system-shutdown`) and starts it again with its data.
  /// - Throws: ``TestProcessFailure``
  package func restart() async throws { try await ask("restart") }
  /// Ends the server politely.
  /// - Throws: ``TestProcessFailure``
  package func stop() async throws { try await ask("stop") }
  /// Ends the server as a failed machine does: its clients are told nothing.
  /// - Throws: ``TestProcessFailure``
  package func kill() async throws { try await ask("kill") }
  /// Starts it again after ``stop()`` or ``kill()``.
  /// - Throws: ``TestProcessFailure``
  package func start() async throws { try await ask("start") }
  /// The server does nothing any more, its connections stay.
  /// - Throws: ``TestProcessFailure``
  package func freeze() async throws { try await ask("freeze") }
  /// The server goes on after ``freeze()``.
  /// - Throws: ``TestProcessFailure``
  package func thaw() async throws { try await ask("thaw") }
  /// Waits until a cluster's server has no session of another of its servers any more, one of which has gone.
  /// - Throws: ``TestProcessFailure``
  package func becomeAlone() async throws { try await ask("alone") }

  private func ask(_ command: String) async throws {
    try await queue.run { [process] in
      process.send(command + "\n")
      let answer = try await process.expect("\n", within: .seconds(150))
      guard answer.hasPrefix("ok ") else { throw process.failure("expected '\(command)' to be done") }
    }
  }

  /// The script is given time to remove what it made.
  private static func end(_ process: TestProcess) async {
    process.closeInput()
    _ = try? await process.wait(within: .seconds(90))
    await process.stop()
  }
}
