// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Support
import Testing

/// Accounts that are made, get another password and go, at real servers.
@Suite("The life of an account")
struct AccountLifeTests {
  /// Somebody who has no account yet.
  struct Newcomer {
    let server: TestServer
    let home: TestDirectory
    let jid: String
    var password: String? = "first-password"

    func invocation(_ arguments: [String], terminal: Bool = false) -> TestProcess.Invocation {
      var environment = ["JACKDAW_SERVER": "\(server.address)", "JACKDAW_CA_FILE": server.caFile]
      environment["JACKDAW_PASSWORD"] = password
      return .jackdaw(
        arguments, in: home, environment: environment, terminal: terminal ? .init(columns: 120, rows: 30) : nil)
    }

    func run(_ arguments: String...) async throws -> TestProcess.Outcome {
      try await TestProcess.run(invocation(arguments))
    }

    /// Runs one command that has to end well.
    @discardableResult
    func does(_ arguments: String..., sourceLocation: SourceLocation = #_sourceLocation) async throws -> [String] {
      let outcome = try await TestProcess.run(invocation(arguments))
      #expect(outcome.ending == .exited(0), "\(arguments): \(outcome.errors)", sourceLocation: sourceLocation)
      return outcome.lines
    }
  }

  /// A server that asks for an e-mail address and a plan.
  static let questions = TestServer.Options {
    $0.registration = true
    $0.registrationQuestions = true
  }

  private func withNewcomer(
    on kind: TestServer.Kind, _ options: TestServer.Options = .open, _ body: (Newcomer) async throws -> Void
  ) async throws {
    let server = try await TestServer.shared(kind, options)
    let name = "new-" + String(UInt64.random(in: 0...UInt64.max), radix: 36)
    try await TestDirectory.with { home in
      try await body(Newcomer(server: server, home: home, jid: "\(name)@\(server.domain)"))
    }
  }

  @Test("in the shell", arguments: TestServer.Kind.allCases)
  func shell(kind: TestServer.Kind) async throws {
    try await withNewcomer(on: kind) { newcomer in
      let jid = newcomer.jid
      let made = try await newcomer.does("account", "register", jid, "--name", "me", "--json")
      #expect(
        made.first?.contains(#""command":"account register","jid":"\#(jid)","change":"registered","name":"me""#) == true
      )
      expectOneSentence(
        try await newcomer.run("account", "register", jid, "--no-add"), code: 69, naming: "is taken at jackdaw.test")

      // It is configured, with its password.
      var configured = newcomer
      configured.password = nil
      try await configured.does("ping")

      let file = try newcomer.home.write("second-password\n", to: "password")
      #expect(
        try await configured.does("account", "password", "--new-password-file", file)
          == ["Changed the password of \(jid)."])
      try await configured.does("ping")
      expectOneSentence(try await newcomer.run("ping"), code: 77, naming: "password")

      expectOneSentence(try await configured.run("account", "unregister"), code: 64, naming: "--yes")
      #expect(
        try await configured.does("account", "unregister", "--yes") == ["Removed the account \(jid) from its server."])
      #expect(try await configured.does("account", "list").isEmpty)
      configured.password = "second-password"
      expectOneSentence(try await configured.run("--jid", jid, "ping"), code: 77, naming: "password")
    }
  }

  @Test("on a terminal, where nothing secret is seen", arguments: TestServer.Kind.allCases)
  func terminal(kind: TestServer.Kind) async throws {
    try await withNewcomer(on: kind) { newcomer in
      var newcomer = newcomer
      newcomer.password = nil
      let jid = newcomer.jid
      try await TestProcess.withProcess(newcomer.invocation(["account", "register", jid], terminal: true)) { process in
        try await process.expectScreen(showing: "New password for \(jid):")
        process.send("hidden-one" + Key.enter)
        try await process.expectScreen(showing: "Again:")
        process.send("hidden-onne" + Key.enter)
        try await process.expectScreen(showing: "They do not match.")
        process.send("hidden-one" + Key.enter)
        try await process.expectScreen("a second question for the same") { screen in
          screen.lines.count { $0.contains("Again:") } == 2
        }
        process.send("hidden-one" + Key.enter)
        #expect(try await process.wait() == .exited(0))
        #expect(process.standardOutput.contains("Registered \(jid), and added it to the configuration."))
        #expect(!process.standardOutput.contains("hidden"))
      }
      try await newcomer.does("ping")

      try await TestProcess.withProcess(newcomer.invocation(["account", "password"], terminal: true)) { process in
        try await process.expectScreen(showing: "New password for \(jid):")
        process.send(Key.enter)
        #expect(try await process.wait() == .exited(65))
      }
      try await newcomer.does("ping")

      for (typed, code) in [("yes", 65), ("other@jackdaw.test", 65), ("", 65), (jid, 0)] {
        try await TestProcess.withProcess(newcomer.invocation(["account", "unregister"], terminal: true)) { process in
          try await process.expectScreen(showing: "Type the address to confirm:")
          process.send(typed + Key.enter)
          #expect(try await process.wait() == .exited(code), "\(typed): \(process.standardOutput)")
        }
      }
      newcomer.password = "hidden-one"
      expectOneSentence(try await newcomer.run("--jid", jid, "ping"), code: 77, naming: "password")
    }
  }

  @Test("a server that asks for more is answered on a terminal, and by --field in scripts")
  func questions() async throws {
    try await withNewcomer(on: .prosody, Self.questions) { newcomer in
      let jid = newcomer.jid
      expectOneSentence(
        try await newcomer.run("account", "register", jid, "--no-add"), code: 64, naming: "email (Email)")
      try await TestProcess.withProcess(newcomer.invocation(["account", "register", jid], terminal: true)) { process in
        try await process.expectScreen(showing: "Join the test")
        try await process.expectScreen(showing: "Email:")
        process.send(Key.enter)
        try await process.expectScreen(showing: "The server insists on an answer.")
        // As it is pasted: an answer may be there before its question.
        process.send("me@example.org" + Key.enter + "2" + Key.enter)
        try await process.expectScreen(showing: "Plan (1 Free of charge, 2 Paid")
        #expect(try await process.wait() == .exited(0))
        #expect(process.standardOutput.contains("Registered \(jid)"))
      }
      try await newcomer.does("ping")
      try await newcomer.does("account", "unregister", "--yes")
      try await newcomer.does("account", "register", jid, "--field", "email=me@example.org", "--field", "plan=paid")
      try await newcomer.does("ping")
    }
  }

  @Test("a server that wants a CAPTCHA solved is told of, with its web page")
  func captcha() async throws {
    try await withNewcomer(on: .ejabberd, .meagreEjabberd) { newcomer in
      expectOneSentence(
        try await newcomer.run("account", "register", newcomer.jid), code: 69, naming: "Use its web page: https://")
      try await TestProcess.withProcess(newcomer.invocation(["account", "register", newcomer.jid], terminal: true)) {
        process in
        let ending = try await process.wait()
        #expect(ending == .exited(69) && process.standardOutput.contains("CAPTCHA"))
      }
    }
  }

  @Test("at the prompt: another password, and the end", arguments: TestServer.Kind.allCases)
  func prompt(kind: TestServer.Kind) async throws {
    try await withNewcomer(on: kind) { newcomer in
      try await newcomer.does("account", "register", newcomer.jid)
      var newcomer = newcomer
      newcomer.password = nil
      try await TestProcess.withProcess(newcomer.invocation([], terminal: true)) { prompt in
        try await prompt.expectScreen(showing: "online")
        prompt.send("/account password" + Key.enter)
        try await prompt.expectScreen(showing: "New password for")
        prompt.send("hidden-two" + Key.enter)
        try await prompt.expectScreen(showing: "Again:")
        prompt.send("hidden-two" + Key.enter)
        try await prompt.expectScreen(showing: "Changed the password of \(newcomer.jid).")
        // The session, too, knows the new one.
        prompt.send("/reconnect" + Key.enter)
        try await prompt.expectScreen("a second log-in") { $0.lines.count { $0.contains("online") } >= 2 }
        prompt.send("/account unregister --yes" + Key.enter)
        #expect(try await prompt.wait() == .exited(0))
        #expect(!prompt.standardOutput.contains("hidden-two"))
      }
    }
  }

  @Test("in a script", arguments: TestServer.Kind.allCases)
  func script(kind: TestServer.Kind) async throws {
    try await withNewcomer(on: kind) { newcomer in
      try await newcomer.does("account", "register", newcomer.jid)
      let file = try newcomer.home.write("second-password", to: "password")
      let script = try newcomer.home.write(
        """
        /account password --new-password-file \(file)
        /ping
        /account unregister --yes

        """, to: "script")
      var newcomer = newcomer
      newcomer.password = nil
      let lines = try await newcomer.does("-q", "run", script)
      #expect(lines.contains("Changed the password of \(newcomer.jid)."))
      #expect(lines.last == "Removed the account \(newcomer.jid) from its server.")
    }
  }

  @Test("no password is in the log of what goes over the wire", arguments: TestServer.Kind.allCases)
  func log(kind: TestServer.Kind) async throws {
    try await withNewcomer(on: kind) { newcomer in
      let file = try newcomer.home.write("second-password", to: "password")
      for arguments in [
        ["account", "register", newcomer.jid, "--log-xml"],
        // Refused; ejabberd sends back what it refuses.
        ["account", "register", newcomer.jid, "--no-add", "--log-xml"],
        ["account", "password", "--new-password-file", file, "--log-xml"],
      ] {
        let outcome = try await TestProcess.run(newcomer.invocation(arguments))
        #expect(outcome.errors.contains("jabber:iq:register"))
        #expect(!(outcome.errors + outcome.output).contains("-password<"))
        #expect(!(outcome.errors + outcome.output).contains(">first-password"))
      }
      var gone = newcomer
      gone.password = "second-password"
      try await gone.does("account", "unregister", "--yes")
    }
  }

  /// XEP-0077, the example "Host Informs Client of Successful Password Change"; jabberd2.
  @Test("a password that the server changes without naming itself in its answer is changed in the configuration, too")
  func unnamedAnswer() async throws {
    let options = TestServer.Options {
      $0.registration = true
      $0.unnamedAnswers = true
    }
    try await withNewcomer(on: .prosody, options) { newcomer in
      try await newcomer.does("account", "register", newcomer.jid)
      var configured = newcomer
      configured.password = nil
      let file = try newcomer.home.write("second-password", to: "password")
      let outcome = try await configured.run("account", "password", "--new-password-file", file, "--log-xml")
      #expect(outcome.ending == .exited(0), "\(outcome.errors)")
      #expect(outcome.lines == ["Changed the password of \(newcomer.jid)."])
      #expect(!outcome.errors.contains(/<iq[^>]* from=.jackdaw\.test['"]/), "the server names itself")
      // The configuration has the new one.
      try await configured.does("ping")
      #expect(
        try await configured.does("account", "unregister", "--yes") == [
          "Removed the account \(newcomer.jid) from its server."
        ])
    }
  }

  @Test("a server that lets nobody in says so", arguments: TestServer.Kind.allCases)
  func closed(kind: TestServer.Kind) async throws {
    try await withNewcomer(on: kind, .init()) { newcomer in
      expectOneSentence(
        try await newcomer.run("account", "register", newcomer.jid), code: 69,
        naming: "jackdaw.test does not let you register over XMPP")
      #expect(try await newcomer.does("account", "list").isEmpty)
    }
    try await withPair(on: kind) { alice, _ in
      let file = try alice.home.write("another", to: "password")
      expectOneSentence(
        try await alice.run("account", "password", "--new-password-file", file), code: 69,
        naming: "jackdaw.test does not")
      expectOneSentence(
        try await alice.run("account", "unregister", "--yes"), code: 69, naming: "jackdaw.test does not")
      try await alice.does("ping")
    }
  }
}
