// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession
import JackdawStore
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

  @Test(
    "a name before a colon that no account has is named, with those that there are, unless somebody is called so",
    arguments: ["house:bob", "house:bob@example.net"])
  func unknownAccount(_ word: String) throws {
    let rig = try ApplicationRig()
    rig.storeRoster([("bob@example.net", "Bob"), ("al@example.net", "tea:time")], of: "home@example.org")
    rig.storeRoster([], of: "work@example.org")
    let runner = LineRunner(origin: .script, application: rig.application, output: rig.output)
    let accounts = try accounts(rig, "home", "work")
    runner.state.work(with: accounts)
    let failure = #expect(throws: CommandFailure.self) { try runner.take("/to \(word)") }
    #expect(failure?.code == .noUser)
    #expect(
      failure?.text == "There is no account 'house' here: there is home, work. Nor is anybody called '\(word)'.")
    _ = try runner.take("/to tea:time")
    #expect(try runner.state.conversation == .with(JID("al@example.net")))
    runner.state.work(with: [accounts[0]])
    let one = #expect(throws: CommandFailure.self) { try runner.take("/to \(word)") }
    #expect(one?.text.contains("account") == false)
  }

  @Test("Tab offers whom an account knows behind its name")
  func offeredBehindAName() throws {
    let rig = try ApplicationRig()
    rig.storeRoster([("bob@example.net", "Bob"), ("bonnie@example.net", nil)], of: "home@example.org")
    rig.storeRoster([("bo@example.net", "Dave D"), ("al@example.net", "Bo")], of: "work@example.org")
    let accounts = try accounts(rig, "home", "work")
    let completer = Completer(table: .standard, account: accounts[0], otherAccounts: { [accounts[1]] })
    for (words, partial, offered) in [
      (["/to"], "work:b", ["work:Bo", "work:bo@example.net"]), (["/to"], "work:da", ["work:Dave D"]),
      (["/to"], "home:", ["home:Bob", "home:bonnie@example.net"]), (["/friends", "remove"], "home:BOB", ["home:Bob"]),
      (["/to"], "house:b", []),
    ] {
      #expect(completer.completions(words: words, partial: partial).map(\.text) == offered, "\(partial)")
    }
    #expect(completer.completions(words: ["/to"], partial: "work:da").first?.instead == "work:bo@example.net")
  }

  @Test(
    "an account is named behind '--', and by whom '--from' has, too",
    arguments: [
      "/friends show -- work:bob@example.net", "/wait message --from work:bob@example.net",
      "/listen --from=work:bob@example.net",
    ])
  func namedElsewhere(_ line: String) throws {
    let rig = try ApplicationRig()
    let runner = LineRunner(origin: .script, application: rig.application, output: rig.output)
    let accounts = try accounts(rig, "home", "work")
    runner.state.work(with: accounts)
    guard case .command(let command, let context) = try runner.take(line) else {
      Issue.record("no command")
      return
    }
    #expect(try context.account() === accounts[1])
    let word = "bob@example.net"
    switch command {
    case let show as FriendsShowCommand: #expect(show.address == word)
    case let wait as WaitCommand: #expect(wait.from == word)
    case let listen as ListenCommand: #expect(listen.from == [word])
    default: Issue.record("another command")
    }
  }

  @Test("each address of a line may name its account, which is one")
  func namedByEach() throws {
    let rig = try ApplicationRig()
    let runner = LineRunner(origin: .script, application: rig.application, output: rig.output)
    let accounts = try accounts(rig, "home", "work")
    runner.state.work(with: accounts)
    guard
      case .command(let command, let context) = try runner.take("/block work:bob@example.net work:al@example.net"),
      let block = command as? BlockCommand
    else {
      Issue.record("no command")
      return
    }
    #expect(try context.account() === accounts[1])
    #expect(block.addresses == ["bob@example.net", "al@example.net"])
    guard
      case .command(let other, let context) = try runner.take("/send --also=work:al@a work:bob@a -- hi"),
      let send = other as? SendCommand
    else {
      Issue.record("no command")
      return
    }
    #expect(try context.account() === accounts[1])
    #expect(send.also == ["al@a"])
    let ofTwo = [
      "/block work:bob@example.net home:al@example.net", "/block bob@example.net work:al@example.net",
      "/listen --from home:bob@a --from work:bob@a",
    ]
    for line in ofTwo {
      let failure = #expect(throws: CommandFailure.self) { try runner.take(line) }
      #expect(failure?.code == .usage && failure?.text.hasPrefix("A line is about one account") == true)
    }
  }

  @Test(
    "'/account' takes a name of several words with quotes and without",
    arguments: ["my work", "'my work'", "use my work"])
  func spacedName(_ words: String) throws {
    let rig = try ApplicationRig()
    let runner = LineRunner(origin: .script, application: rig.application, output: rig.output)
    let work = rig.application.candidate(Configuration.Account(name: "my work", jid: try JID("work@example.org")))
    runner.state.work(with: try accounts(rig, "home") + [work])
    _ = try runner.take("/account \(words)")
    #expect(runner.state.account === work)
  }

  @Test("a script's failure names the line, and the account that it is about")
  func failureOfOne() async throws {
    let rig = try ApplicationRig()
    for name in ["home", "work"] { rig.storeRoster([], of: "\(name)@example.org") }
    let runner = LineRunner(origin: .script, application: rig.application, output: rig.output)
    runner.state.work(with: try accounts(rig, "home", "work"))
    let script = ScriptRunner(
      lines: TypedLines("/history work:Nobody\n/history Nobody\n/if-online Nobody ping\n/frobnicate"), runner: runner,
      output: rig.output, keepsGoing: true, open: { _ in TypedLines() })
    await #expect(throws: CommandFailure.self) { try await script.run() }
    let told = rig.output.failures.map(\.text)
    try #require(told.count == 4)
    let beginnings = [
      "line 1: work: ", "line 2: home: ", "line 3: home: You have no friend", "line 4: There is no command ",
    ]
    for (text, beginning) in zip(told, beginnings) { #expect(text.hasPrefix(beginning), "\(text)") }
    #expect(rig.output.failures.map { $0.account?.localpart } == ["work", "home", "home", "home"])
  }

  @Test("a '.' is who is talked to in the account that a line names, and not in the one that lines are about")
  func openInNamedAccount() throws {
    let rig = try ApplicationRig()
    let runner = LineRunner(origin: .script, application: rig.application, output: rig.output)
    runner.state.work(with: try accounts(rig, "home", "work"))
    for line in ["/to bob@example.net", "/account work", "/to carol@example.net", "/account home"] {
      _ = try runner.take(line)
    }
    func open(_ line: String) throws -> JID? {
      guard case .command(_, let context) = try runner.take(line) else { return nil }
      return try context.openConversation()
    }
    #expect(try open("/block work:.") == JID("carol@example.net"))
    #expect(try open("/block .") == JID("bob@example.net"))
  }

  @Test("what became of entering a room is known of each account, whichever entered one last")
  func outcomes() throws {
    let rig = try ApplicationRig()
    let state = LineRunner(origin: .prompt, application: rig.application, output: rig.output).state
    let (home, work) = (try JID("home@example.org"), try JID("work@example.org"))
    let tea = try JID("tea@rooms.example.org")
    state.enters(by: "join", "tea", of: home)
    let entering = state.conversation
    state.entered(by: "join", "tea", of: home, .with(tea))
    state.entered(by: "join", "lunch", of: work, .failed(command: "join"))
    #expect(state.outcome(of: entering) == .with(tea))
  }

  @Test("a room that one account has entered, or could not, is still being entered by another")
  func sameRoom() async throws {
    let rig = try ApplicationRig()
    let runner = LineRunner(origin: .prompt, application: rig.application, output: rig.output)
    let accounts = try accounts(rig, "home", "work")
    runner.state.work(with: accounts)
    let tea = try JID("tea@rooms.example.org")
    func enter(_ room: String) throws -> (any RoomOpening, CommandContext) {
      guard case .command(let command as any RoomOpening, let context) = try runner.take("/join \(room)") else {
        throw CommandFailure(.usage, "usage", "That enters no room.")
      }
      return (command, context)
    }
    let (command, ofHome) = try enter("\(tea)")
    _ = try runner.take("/account work")
    let (other, ofWork) = try enter("\(tea)")
    try command.begin(tea, in: ofHome).finish()
    #expect(runner.state.conversation.shown == nil)
    #expect(rig.output.notices == ["To talk there, type: /to \(tea)"])
    #expect(throws: CommandFailure.self) { try runner.take("hello") }
    try other.begin(tea, in: ofWork).finish()
    #expect(runner.state.conversation == .with(tea))
    // What one account could not enter says nothing of the other.
    let (wrong, ofFailed) = try enter("tea@@rooms")
    _ = try runner.take("/account home")
    _ = try enter("tea@@rooms")
    let before = runner.state.conversation
    await #expect(throws: CommandFailure.self) { try await runner.finish(.command(wrong, ofFailed)) }
    #expect(runner.state.conversation == before)
  }

  @Test("what a server had of a conversation is not shown in another account's with the same person")
  func readMeanwhile() throws {
    let rig = try ApplicationRig()
    let accounts = try accounts(rig, "home", "work")
    let bob = try JID("bob@example.net")
    let event = MessageArrived(id: nil, from: bob, to: accounts[0].jid, kind: .chat, body: "long ago")
    let time = Timestamp(milliseconds: rig.fixture.date.milliseconds - 86_400_000)
    let message = ArrivedMessage(
      event, archiveID: "a", hasUniqueID: false, mayBeRepeated: true, time: time, received: rig.fixture.date)
    let walk = try rig.store.earlier.walk(of: bob)
    #expect(try rig.store.earlier.keep([message], of: bob, walk, before: "a", isComplete: true) == 1)
    let lines = LineState()
    lines.work(with: accounts)
    for account in accounts {
      lines.use(account)
      lines.conversation = .with(bob)
    }
    let ofHome = CommandContext(
      origin: .prompt, application: rig.application, output: rig.output, lines: lines, command: "to",
      account: accounts[0])
    ofHome.showRead(bob)
    #expect(rig.output.rows(HistoryRow.self).isEmpty && lines.shownFrom == nil)
    lines.use(accounts[0])
    ofHome.showRead(bob)
    #expect(rig.output.rows(HistoryRow.self).count == 1)
  }

  @Test("who leaves the prompt waits for nothing of an account that has no connection; a script does")
  func leavingWithoutConnection() async throws {
    let rig = try ApplicationRig()
    let (account, session) = (try rig.application.account(), rig.fixture.session)
    let unconfirmed = UnconfirmedMessages()
    unconfirmed.add(
      try await session.delivery.queue("one", to: try JID("bob@example.org")), in: session, of: account)
    let prompt = StartedTask { try await unconfirmed.confirm(within: .seconds(30), withOthers: true) }
    let script = StartedTask { try await unconfirmed.confirm(within: .seconds(30), withOthers: false) }
    await rig.fixture.clock.settle()
    #expect(prompt.hasEnded && prompt.error == nil)
    #expect(!script.hasEnded)
    script.cancel()
  }

  @Test("behind '/account work' a script's '/to' is about that account, though another one knows Bob and it does not")
  func accountOfAScript() throws {
    let rig = try ApplicationRig()
    rig.storeRoster([("bob@example.net", "Bob")], of: "home@example.org")
    rig.storeRoster([], of: "work@example.org")
    let runner = LineRunner(origin: .script, application: rig.application, output: rig.output)
    let accounts = try accounts(rig, "home", "work")
    runner.state.work(with: accounts)
    let before = runner.state.direction
    _ = try runner.take("/account work")
    _ = try runner.take("/to bob@example.net")
    #expect(runner.state.account === accounts[1])
    #expect(try runner.state.conversation == .with(JID("bob@example.net")))
    #expect(throws: CommandFailure.self) { try runner.take("/to Bob") }
    #expect(runner.state.account === accounts[1] && runner.state.conversation == .failed(command: "to"))
    _ = try runner.take("/to home:Bob")
    #expect(runner.state.account === accounts[0])
    _ = try runner.take("/to bob@example.net")
    #expect(runner.state.account === accounts[1], "a line that names another is about that line")
    // Behind a file that said so, the lines are as they were before it.
    runner.state.restore(before)
    runner.state.use(accounts[1])
    _ = try runner.take("/to bob@example.net")
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

  @Test("what an agent that is gone did not get confirmed is counted for all of them")
  func lostAgent() async throws {
    try await TestDirectory.onLoop { directory in
      let two = """
        [accounts.home]
        jid = "alice@example.org"
        [accounts.work]
        jid = "carol@example.org"
        """
      let rig = try ApplicationRig(
        words: ["--account", "home", "--account", "work", "listen"],
        environment: ["JACKDAW_CONFIG": try directory.write(two, to: "config.toml"), "JACKDAW_PASSWORD": ""])
      let (home, work) = (rig.store.messages, AccountStore.inMemory().messages)
      let message = OutgoingMessage(id: "a", to: try JID("bob@example.org"), body: "hello", time: rig.fixture.date)
      _ = try work.keep([OutboxRecord(message)], from: try JID("carol@example.org"))
      var parts = rig.application.parts
      parts.openMessages = { account in account.localpart == "carol" ? work : home }
      let application = Application(settings: rig.application.settings, parts: parts)
      #expect(await application.agentWasLost() == .tryAgain)
      let text = rig.output.failures.first?.text ?? ""
      #expect(text.hasSuffix("1 message is not confirmed yet; the next agent or prompt sees to it."), "\(text)")
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
