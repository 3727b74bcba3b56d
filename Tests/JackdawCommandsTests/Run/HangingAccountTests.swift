// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession
import Support
import Testing

@testable import JackdawCommands

@Client @Suite("An account whose server does not answer", .onLoop)
struct HangingAccountTests {
  private static let both = ["--account", "home", "--account", "work"]

  /// Two accounts: home, on the server in memory, and work, whose log-in comes to no end.
  @Client private struct Two {
    let rig: ApplicationRig
    let application: Application
    /// What a process has that asks for both of them.
    let environment: [String: String]
    /// The other end of its session, which goes with it.
    let work: SessionFixture

    func start(_ words: String...) async throws -> StartedTask<ExitCode> {
      let request = try CommandTable.standard.parse(shell: both + words)
      let task = StartedTask { [application] in await application.run(request) }
      await rig.fixture.clock.settle()
      return task
    }
  }

  private func two(
    _ lines: TypedLines = TypedLines(), isTerminal: Bool = false,
    _ body: @escaping @Client (Two) async throws -> Void
  ) async throws {
    try await TestDirectory.onLoop { directory in
      let accounts = """
        [accounts.home]
        jid = "alice@example.org/here"
        password = "secret"
        [accounts.work]
        jid = "carol@example.org"
        password = "secret"
        """
      let environment = [
        "HOME": "/nonexistent", "JACKDAW_CONFIG": try directory.write(accounts, to: "config.toml"),
      ]
      let rig = try ApplicationRig(
        lines, words: Self.both + ["listen"],
        environment: environment.merging(["JACKDAW_JID": "", "JACKDAW_PASSWORD": ""]) { $1 }, isTerminal: isTerminal,
        agentFolder: AgentFolder(path: directory.path + "/run"))
      let work = try SessionFixture(account: "carol@example.org/there")
      work.connector.outcome = { _ in .hangs }
      var parts = rig.application.parts
      let make = parts.makeSession
      parts.makeSession = { configuration in
        guard configuration.account.localpart == "carol" else { return make(configuration) }
        work.role = configuration.role
        return work.session
      }
      let application = Application(settings: rig.application.settings, parts: parts)
      try await body(Two(rig: rig, application: application, environment: environment, work: work))
    }
  }

  @Test("has the others' remarks name their account")
  func remark() async throws {
    try await two(TypedLines("/status offline\n/friends requests")) { two in
      let run = try await two.start("run", "-")
      await two.rig.fixture.clock.elapse(.seconds(10))
      #expect(run.hasEnded)
      let notices = two.rig.output.notices
      #expect(notices.contains { $0.hasPrefix("home: Your status is offline: who is online") }, "\(notices)")
    }
  }

  @Test("does not keep 'listen' that has seen enough")
  func listenCount() async throws {
    try await two { two in
      let run = try await two.start("listen", "--count", "1")
      await two.rig.fixture.receive(ListenTests.message("one"))
      await two.rig.fixture.clock.elapse(.seconds(10))
      #expect(run.value == .success && two.rig.output.messages == ["one"])
      #expect(two.rig.output.failures.isEmpty, "\(two.rig.output.failures)")
    }
  }

  @Test("is not asked by 'listen' that names somebody of another account")
  func listenToOne() async throws {
    try await two { two in
      let run = try await two.start("listen", "--from", "home:bob@example.org", "--count", "1")
      await two.rig.fixture.receive(ListenTests.message("one"))
      await two.rig.fixture.clock.elapse(.seconds(10))
      #expect(run.value == .success && two.rig.output.messages == ["one"], "\(two.rig.output.failures)")
      #expect(two.work.connector.plans.isEmpty)
    }
  }

  @Test(
    "keeps no command from the agent that is for each account, and declines what it cannot take while it is waited for")
  func agent() async throws {
    try await two { two in
      let host = try await two.start("listen")
      let server = try #require(two.application.agent)
      @Client func admit(_ words: String..., for account: JID? = nil) async -> StartedTask<Void> {
        let request = RunRequest(
          words: Self.both + words, caller: Caller(directory: "/", environment: EnvironmentVariables(two.environment)),
          for: account)
        let task = StartedTask { _ = try await server.admit(request) }
        await two.rig.fixture.clock.settle()
        return task
      }
      @Client func isDeclined(_ task: StartedTask<Void>) -> Bool {
        (task.error as? AgentLanguage.Failure)?.code == AgentLanguage.Failure.declined
      }
      let forEach = await admit("friends", "list")
      #expect(forEach.hasEnded && isDeclined(forEach))
      let forHome = await admit("friends", "list", for: try JID("alice@example.org"))
      #expect(forHome.hasEnded && forHome.error == nil, "\(String(describing: forHome.error))")
      let forAll = await admit("--timeout", "4", "listen")
      #expect(!forAll.hasEnded)
      await two.rig.fixture.clock.elapse(.seconds(2))
      #expect(forAll.hasEnded && isDeclined(forAll))
      two.application.interrupted(by: 2)
      await two.rig.fixture.clock.elapse(.seconds(10))
      #expect(host.value == .success)
    }
  }

  @Test("holds up no command and no message of another at the prompt")
  func prompt() async throws {
    try await two(isTerminal: true) { two in
      let (prompt, output) = (two.rig.prompt, two.rig.output)
      let run = try await two.start()
      prompt.type("/ping work:example.org")
      prompt.type("/ping work:example.net")
      prompt.type("/ping")
      await two.rig.fixture.clock.elapse(.milliseconds(1_100))
      #expect(output.rows.contains { $0.command == "ping" }, "\(output.failures)")
      #expect(
        output.notices.contains("/ping work:example.net waits until /ping work:example.org is done."),
        "\(output.notices)")
      prompt.delegate?.promptInterrupted()
      await two.rig.fixture.clock.settle()
      #expect(
        output.notices.suffix(2) == ["Not run: /ping work:example.net", "Stopped /ping work:example.org."],
        "\(output.notices)")
      prompt.delegate?.promptEnded()
      await two.rig.fixture.clock.elapse(.seconds(10))
      #expect(run.hasEnded)
    }
  }

  @Test("is the one that a script's failure names to programs where its line is about it", arguments: [true, false])
  func accountOfFailure(_ keepsGoing: Bool) async throws {
    let lines = TypedLines("/unread work:a@@b\n/account work\n/unread a@@b\n/nonsense")
    try await two(lines) { two in
      let run = try await keepsGoing ? two.start("run", "--keep-going", "-") : two.start("run", "-")
      #expect(run.hasEnded)
      let accounts = two.rig.output.failureAccounts.map { $0?.bare }
      let work = try JID("carol@example.org")
      #expect(accounts == (keepsGoing ? [work, work, work] : [work]))
    }
  }
}
