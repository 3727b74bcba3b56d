// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
import Support
import Testing

/// Somebody with an account on a real server, who uses the built program.
struct Person {
  let server: TestServer
  let account: TestAccount
  /// Home: configuration, data, history.
  let home: TestDirectory
  /// What differs from STARTTLS and text.
  var environment: [String: String] = [:]

  var jid: String { account.jid }

  /// The same person, whose way to the server is the proxy.
  func through(_ proxy: FaultProxy) -> Person {
    var person = self
    person.environment["JACKDAW_SERVER"] = "\(proxy.address)"
    if proxy.isDirect { person.environment["JACKDAW_TLS"] = "direct" }
    return person
  }

  /// The same person at a device of theirs, which has a home of its own.
  func at(_ device: String, in home: TestDirectory) -> Person {
    var person = Person(server: server, account: account, home: home, environment: environment)
    person.environment["JACKDAW_JID"] = jid + "/" + device
    return person
  }

  /// Runs one command to its end.
  func run(
    _ arguments: String..., input: TestProcess.Invocation.Input = .none,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> TestProcess.Outcome {
    try await TestProcess.run(invocation(arguments, input: input))
  }

  /// Runs one command that has to end well.
  /// - Returns: its lines on stdout.
  @discardableResult
  func does(
    _ arguments: String..., input: TestProcess.Invocation.Input = .none,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> [String] {
    let outcome = try await TestProcess.run(invocation(arguments, input: input))
    #expect(
      outcome.ending == .exited(0), "\(arguments): \(outcome.errors)\(outcome.output)", sourceLocation: sourceLocation)
    return outcome.lines
  }

  /// Sends several texts, a line each, by one command. Returns when the server has them.
  func says(_ texts: [String], to other: Person) async throws {
    try await does("send", "--lines", other.jid, input: .text(texts.map { $0 + "\n" }.joined()))
  }

  /// Opens the prompt in a terminal.
  func atThePrompt<Result>(
    _ arguments: String..., columns: Int = 100, rows: Int = 30, _ body: (TestProcess) async throws -> Result
  ) async throws -> Result {
    try await TestProcess.withProcess(
      invocation(arguments, terminal: .init(columns: columns, rows: rows)), body)
  }

  /// Waits until `other`, a friend, is shown as online: what is said to them from now on does not meet their log-in, in which servers
  /// keep it, and ejabberd may keep it until the next one.
  func sees(_ other: Person) async throws {
    try await eventually { try await does("friends", "list", "--online").contains { $0.contains(other.jid) } }
  }

  /// Listens until the test has seen enough.
  func listening<Result>(_ arguments: String..., body: (TestProcess) async throws -> Result) async throws -> Result {
    try await TestProcess.withProcess(invocation(["listen"] + arguments), body)
  }

  /// Listens until `other` has said "before", and is killed.
  func isKilledListening(to other: Person) async throws {
    try await listening("--json") { listening in
      try await listening.expect(#""state":"online""#)
      try await other.sees(self)
      try await other.does("send", jid, "before")
      try await listening.expect(#""body":"before""#)
      listening.signal(SIGKILL)
      _ = try await listening.wait()
    }
  }

  /// Listens to `other` on a stream that is cut in between: it is resumed, and each message comes once.
  func listensOverACut(to other: Person) async throws {
    try await FaultProxy.with(to: server) { proxy in
      let person = through(proxy)
      try await person.listening("--json", "--count", "3") { listening in
        try await listening.expect(#""state":"online""#)
        try await other.sees(person)
        try await other.does("send", jid, "before")
        try await listening.expect(#""body":"before""#)
        proxy.cut()
        try await listening.expect(#""state":"retrying""#)
        try await other.does("send", jid, "meanwhile")
        try await listening.expect(#""state":"resumed""#)
        try await listening.expect(#""body":"meanwhile""#)
        try await other.does("send", jid, "after")
        #expect(try await listening.wait() == .exited(0))
        let lines = listening.standardOutput.split(separator: "\n").filter { $0.contains(#""event":"message""#) }
        #expect(lines.count == 3)
      }
    }
  }

  func invocation(
    _ arguments: [String], input: TestProcess.Invocation.Input = .none, terminal: TestProcess.Invocation.Size? = nil
  ) -> TestProcess.Invocation {
    .jackdaw(
      arguments, in: home, environment: server.environment(for: account).merging(environment) { $1 }, input: input,
      terminal: terminal)
  }
}

/// Two people on one server, each with a home of their own.
func withPair<Result>(
  on kind: TestServer.Kind, _ options: TestServer.Options = .init(), friends: Bool = false,
  _ body: (_ alice: Person, _ bob: Person) async throws -> Result
) async throws -> Result {
  let server = try await TestServer.shared(kind, options)
  let (alice, bob) = try await server.pair(friends: friends)
  return try await TestDirectory.with { aliceHome in
    try await TestDirectory.with { bobHome in
      try await body(
        Person(server: server, account: alice, home: aliceHome), Person(server: server, account: bob, home: bobHome))
    }
  }
}
