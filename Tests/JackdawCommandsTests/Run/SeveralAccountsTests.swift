// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession
import JackdawXML
import Support
import Testing

@testable import JackdawCommands

@Client @Suite("Lines of several accounts", .onLoop)
struct SeveralAccountsTests {
  private func accounts(_ rig: ApplicationRig, _ names: String...) throws -> [Account] {
    try names.map { name in
      rig.application.candidate(Configuration.Account(name: name, jid: try JID("\(name)@example.org")))
    }
  }

  /// Runs a command that was typed for an account.
  private func run(
    _ words: [String], _ rig: ApplicationRig, of account: Account, lines: LineState
  ) async throws -> StartedTask<Void> {
    guard case .command(let command, let name) = try CommandTable.standard.parse(shell: words) else {
      throw CommandFailure(.usage, "usage", "That is no command.")
    }
    let context = CommandContext(
      origin: .prompt, application: rig.application, output: rig.output, lines: lines, command: name, account: account)
    let task = StartedTask { try await context.run(command) }
    await rig.fixture.clock.settle()
    return task
  }

  @Test("'/to work:bob' is about that account, though another one knows Bob and it does not")
  func namedAccount() throws {
    let rig = try ApplicationRig()
    rig.storeRoster([("bob@example.net", "Bob")], of: "home@example.org")
    rig.storeRoster([], of: "work@example.org")
    let runner = LineRunner(origin: .script, application: rig.application, output: rig.output)
    let accounts = try accounts(rig, "home", "work")
    runner.state.work(with: accounts)
    _ = try runner.take("/to work:bob@example.net")
    #expect(runner.state.account === accounts[1])
    #expect(try runner.state.conversation == .with(JID("bob@example.net")))
    #expect(throws: CommandFailure.self) { try runner.take("/to work:Bob") }
    #expect(runner.state.account === accounts[1] && runner.state.conversation == .failed(command: "to"))
    // Where none is named, that of whoever knows him.
    _ = try runner.take("/to Bob")
    #expect(runner.state.account === accounts[0])
  }

  @Test("another password of one account needs nothing of the one that was chosen first")
  func passwordOfTheSecond() async throws {
    try await TestDirectory.onLoop { directory in
      try directory.write(
        """
        [accounts.gone]
        jid = "gone@example.org"
        password_file = "/nonexistent"
        [accounts.home]
        jid = "alice@example.org/here"
        password = "secret"

        """, to: "config.toml")
      let rig = try ApplicationRig(environment: [
        "JACKDAW_CONFIG": directory.file("config.toml"), "JACKDAW_JID": "", "JACKDAW_PASSWORD": "",
        "JACKDAW_ACCOUNT": "gone,home",
      ])
      answerRegistrations(rig)
      let home = try #require(try rig.application.chosenAccounts().last)
      let words = ["account", "password", "--new-password-file", try directory.write("new\n", to: "new")]
      let task = try await run(words, rig, of: home, lines: LineState())
      #expect(task.hasEnded && task.error == nil, "\(String(describing: task.error))")
      #expect(try ConfigurationFileTests.text(directory).contains("password = \"new\""))
    }
  }

  @Test("the prompt stays for the others when one is removed from its server", arguments: [true, false])
  func removal(_ areSeveral: Bool) async throws {
    let rig = try ApplicationRig()
    answerRegistrations(rig)
    let lines = LineState()
    let account = try rig.application.account()
    let work = try accounts(rig, "work")
    lines.work(with: areSeveral ? [account] + work : [account])
    let task = try await run(["account", "unregister", "--yes"], rig, of: account, lines: lines)
    #expect(task.hasEnded && task.error == nil, "\(String(describing: task.error))")
    #expect(lines.isLeaving == !areSeveral)
  }

  /// The server does what it is asked for with an account.
  private func answerRegistrations(_ rig: ApplicationRig) {
    rig.fixture.answer = { element in
      guard let iq = try? IQ(element), iq.payload?.namespace == "jabber:iq:register" else {
        return SessionFixture.manners(element)
      }
      return [iq.result().element]
    }
  }
}
