// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Support
import Testing

/// Whatever goes wrong: one clear sentence on stderr, the exit code of the contract, no backtrace, no waiting for ever.
@Suite("Bad input")
struct BadInputTests {
  struct Mistake: Sendable, CustomTestStringConvertible {
    var arguments: [String]
    var environment: [String: String] = [:]
    var code: Int
    /// What the sentence has to name.
    var names: String

    var testDescription: String { arguments.joined(separator: " ") }

    private static let closed = ClosedPort()

    /// Wrong before there is a server.
    static let alone: [Mistake] = [
      Mistake(arguments: ["frends"], code: 64, names: "did you mean 'friends'?"),
      Mistake(arguments: ["friends", "ad", "bob@jackdaw.test"], code: 64, names: "did you mean 'friends add'?"),
      Mistake(arguments: ["friends", "list", "--onlin"], code: 64, names: "--onlin"),
      Mistake(arguments: ["send"], code: 64, names: "JID is missing"),
      Mistake(
        arguments: ["send", "bob@jackdaw.test", "carol@jackdaw.test"], code: 64,
        names: "type 'send bob@jackdaw.test carol@jackdaw.test --'"),
      Mistake(arguments: ["ping", "--timeout", "soon"], code: 64, names: "--timeout"),
      Mistake(arguments: ["ping", "--tls", "maybe"], code: 64, names: "--tls"),
      Mistake(arguments: ["ping", "--server", "-oProxy"], code: 64, names: "--server"),
      Mistake(arguments: ["ping"], code: 78, names: "account add"),
      Mistake(arguments: ["ping", "--jid", "@@"], code: 65, names: "@@"),
      Mistake(arguments: ["ping", "--jid", "jackdaw.test"], code: 65, names: "jackdaw.test"),
      Mistake(arguments: ["ping", "--account", "work"], code: 78, names: "work"),
      Mistake(
        arguments: ["account", "remove", "work"], environment: ["HOME": ""], code: 78, names: "'work'. HOME is not set"),
      Mistake(arguments: ["run", "/nonexistent/script"], code: 65, names: "/nonexistent/script"),
      Mistake(
        arguments: ["ping", "--config", "/nonexistent/config.toml"], code: 78,
        names: "There is no file /nonexistent/config.toml"),
      Mistake(
        arguments: ["ping", "--config", "/nonexistent/config.toml", "--jid", "a@jackdaw.test"], code: 77,
        names: "password"),
      Mistake(
        arguments: ["ping", "--jid", "a@nowhere.invalid"], environment: ["JACKDAW_PASSWORD": "x"], code: 68,
        names: "nowhere.invalid"),
      Mistake(
        arguments: ["ping", "--jid", "a@jackdaw.test", "--server", "127.0.0.1:\(closed.port)"],
        environment: ["JACKDAW_PASSWORD": "x"],
        code: 68, names: "127.0.0.1"),
      Mistake(
        arguments: ["ping", "--jid", "a@jackdaw.test", "--password-file", "/nonexistent/password"], code: 78,
        names: "/nonexistent/password"),
    ]
  }

  @Test("before there is a server", arguments: BadInputTests.Mistake.alone)
  func alone(mistake: Mistake) async throws {
    try await TestDirectory.with { home in
      let outcome = try await TestProcess.run(
        .jackdaw(mistake.arguments, in: home, environment: mistake.environment))
      expectOneSentence(outcome, code: mistake.code, naming: mistake.names)
    }
  }

  @Test("without HOME it is said once that nothing is stored, with -q too", arguments: [[], ["-q"]] as [[String]])
  func withoutHome(_ options: [String]) async throws {
    try await TestDirectory.with { home in
      let outcome = try await TestProcess.run(
        .jackdaw(options + ["account", "logout", "--jid", "a@jackdaw.test"], in: home, environment: ["HOME": ""]))
      #expect(outcome.ending == .exited(0))
      #expect(outcome.errors == "Nothing is stored on disk: HOME is not set, and no --data-dir is given.\n")
    }
  }

  @Test("where /proc is not mounted the command is none the less what was given, and no script is expected on stdin")
  func withoutProc() async throws {
    try await TestDirectory.with { home in
      let hiding = ["unshare", "-m", "sh", "-c", #"mount -t tmpfs "$0" /proc && exec "$@""#, "none"]
      let outcome = try await TestProcess.run(
        .jackdaw(["frends"], in: home, input: .text("# a script\n")).arranged(by: hiding))
      expectOneSentence(outcome, code: 64, naming: "did you mean 'friends'?")
    }
  }

  @Test("where the process may open hardly a file it says so, with the code of what may pass", arguments: [4, 5])
  func fewDescriptors(limit: Int) async throws {
    try await TestDirectory.with { home in
      var invocation = TestProcess.Invocation.jackdaw(["history", "--jid", "a@jackdaw.test"], in: home)
      // Whatever the tests were started with counts, too.
      let inherited = (3...9).map { "\($0)>&-" }.joined(separator: " ")
      let few = "exec \(inherited); ulimit -n \(limit) && exec \"$0\" \"$@\""
      (invocation.program, invocation.arguments) = ("sh", ["-c", few, invocation.program] + invocation.arguments)
      let outcome = try await TestProcess.run(invocation)
      expectOneSentence(outcome, code: 75, naming: "Too many open files")
    }
  }

  @Test("on a server", arguments: TestServer.Kind.allCases)
  func onAServer(kind: TestServer.Kind) async throws {
    try await withPair(on: kind) { alice, bob in
      var wrong = alice
      wrong.environment = ["JACKDAW_PASSWORD": "wrong"]
      expectOneSentence(try await wrong.run("ping"), code: 77, naming: "password")
      wrong.environment = ["JACKDAW_CA_FILE": "/nonexistent/ca.pem"]
      expectOneSentence(try await wrong.run("ping"), code: 78, naming: "/nonexistent/ca.pem")
      expectOneSentence(try await alice.run("send", "bob@@x", "hello"), code: 65, naming: "bob@@x")
      expectOneSentence(
        try await alice.run("send", bob.jid, "noncharacter \u{FFFF}"), code: 65, naming: "control character")
      expectOneSentence(
        try await alice.run("friends", "remove", "nobody@\(alice.server.domain)"), code: 67, naming: "nobody@")
      expectOneSentence(try await alice.run("friends", "add", alice.jid), code: 65, naming: "your own address")
      expectOneSentence(try await alice.run("ping", "nobody@\(alice.server.domain)/x"), code: 69, naming: "")
    }
  }

  @Test(
    "a certificate that is not to be trusted",
    arguments: TestServer.Options.Certificate.allCases.filter { $0 != .good }, [false, true])
  func certificate(certificate: TestServer.Options.Certificate, isDirect: Bool) async throws {
    try await withPair(on: .prosody, .init { $0.certificate = certificate }) { alice, _ in
      var alice = alice
      if isDirect {
        alice.environment = [
          "JACKDAW_SERVER": "\(alice.server.directAddress)", "JACKDAW_TLS": "direct",
        ]
      }
      expectOneSentence(try await alice.run("ping"), code: 76, naming: "certificate")
    }
  }

  @Test(
    "a connection that ends or falls silent wherever it may", arguments: [FaultProxy.Fault.close, .reset, .silence])
  func fault(fault: FaultProxy.Fault) async throws {
    try await withPair(on: .prosody) { alice, bob in
      let whole = try await FaultProxy.with(to: alice.server, after: .max) { proxy in
        var alice = alice
        alice.environment = ["JACKDAW_SERVER": "\(proxy.address)"]
        try await alice.does("send", bob.jid, "all is well")
        return proxy.bytesFromServer
      }
      // The end of the stream and of TLS belong to leaving: by then the message is confirmed.
      let steps = fault == .silence ? 6 : 24
      for step in 0..<steps {
        let place = (whole - 150) * step / steps
        try await FaultProxy.with(to: alice.server, fault, after: place) { proxy in
          var alice = alice
          alice.environment = ["JACKDAW_SERVER": "\(proxy.address)", "JACKDAW_TIMEOUT": "1"]
          let outcome = try await alice.run("send", bob.jid, "cut at \(place)")
          // A reset before the first byte may come before the connection counts as made.
          let codes: [TestProcess.Ending] = [.exited(75), .exited(76)] + (place == 0 ? [.exited(68)] : [])
          #expect(codes.contains(outcome.ending), "cut at \(place) of \(whole): \(outcome.errors)")
          expectOneSentence(outcome, code: nil, naming: "")
        }
      }
    }
  }

  @Test("a server that stands still does not stop us", arguments: TestServer.Kind.allCases + [.jabberd2])
  func frozen(kind: TestServer.Kind) async throws {
    try await TestServer.withServer(kind) { server in
      let (alice, _) = try await server.pair()
      try await server.freeze()
      try await TestDirectory.with { home in
        let person = Person(server: server, account: alice, home: home, environment: ["JACKDAW_TIMEOUT": "1"])
        expectOneSentence(try await person.run("ping"), code: 75, naming: "longer than 1 second")
      }
      try await server.thaw()
    }
  }

  @Test("stdin that ends in the middle of a line: the half line counts")
  func halfLine() async throws {
    try await withPair(on: .prosody) { alice, bob in
      try await alice.does(input: .text("/to \(bob.jid)\nwhole\nhalf"))
      try await bob.listening("--count", "2") { listening in
        try await listening.expect("whole")
        try await listening.expect("half")
      }
    }
  }

  @Test("a script's first failure ends it, named by its line")
  func scriptFailure() async throws {
    try await withPair(on: .prosody) { alice, _ in
      let outcome = try await alice.run(input: .text("# a comment\n/ping\n/ping --bogus\n/friends\n"))
      expectOneSentence(outcome, code: 64, naming: "line 3")
    }
  }

  @Test("stdout that nobody reads: a quiet end, and no success")
  func closedOutput() async throws {
    try await withPair(on: .prosody, friends: true) { alice, _ in
      var invocation = alice.invocation(["friends"])
      invocation.output = .broken
      let outcome = try await TestProcess.run(invocation)
      #expect(outcome.ending == .exited(74))
      #expect(!outcome.errors.contains("Fatal"))
    }
  }
}

/// One sentence on stderr, and nothing of a crash.
func expectOneSentence(
  _ outcome: TestProcess.Outcome, code: Int?, naming words: String, sourceLocation: SourceLocation = #_sourceLocation
) {
  if let code { #expect(outcome.ending == .exited(code), "\(outcome.errors)", sourceLocation: sourceLocation) }
  let lines = outcome.errors.split(separator: "\n")
  #expect(lines.count == 1, "\(outcome.errors)", sourceLocation: sourceLocation)
  #expect(lines.first?.hasPrefix("jackdaw: ") == true, "\(outcome.errors)", sourceLocation: sourceLocation)
  if !words.isEmpty { #expect(outcome.errors.contains(words), "\(outcome.errors)", sourceLocation: sourceLocation) }
}
