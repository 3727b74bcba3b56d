// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
import Support
import Testing

/// Several accounts in one program.
@Suite("Several accounts")
struct AccountsProgramTests {
  /// Somebody with two accounts, home (alice's) and work (bob's), and carol, who writes to both.
  private func withAccounts(
    password: String? = nil, friends: Bool = false,
    _ body: (
      _ both: Person, _ home: TestAccount, _ work: TestAccount, _ carol: Person,
      _ carolListens: TestProcess
    ) async throws -> Void
  ) async throws {
    let server = try await TestServer.shared(.prosody)
    let (home, _) = try await server.pair()
    let (work, other) = try await server.pair()
    try await TestDirectory.with { directory in
      try await TestDirectory.with { carolHome in
        func account(_ name: String, _ account: TestAccount, _ password: String?) -> String {
          """
          [accounts.\(name)]
          jid = "\(account.jid)"
          password = "\(password ?? account.password)"
          server = "\(server.address)"
          ca_file = "\(server.caFile)"

          """
        }
        try directory.write(
          account("home", home, nil) + account("work", work, password), to: "config.toml")
        var both = Person(server: server, account: home, home: directory)
        both.environment = [
          "JACKDAW_JID": "", "JACKDAW_PASSWORD": "", "JACKDAW_SERVER": "", "JACKDAW_CA_FILE": "",
          "JACKDAW_CONFIG": directory.file("config.toml"), "JACKDAW_ACCOUNT": "home,work",
        ]
        let carol = Person(server: server, account: other, home: carolHome)
        if friends {
          for name in ["home", "work"] {
            try await both.does("--account", name, "friends", "add", carol.jid, "--name", "Carol")
          }
          for account in [home, work] { try await carol.does("friends", "accept", account.jid) }
        }
        try await carol.listening("--json") { carolListens in
          try await carolListens.expect(#""state":"online""#)
          try await body(both, home, work, carol, carolListens)
        }
      }
    }
  }

  @Test("stand side by side at the prompt: each line says whose it is, and a key goes to what is unread in any")
  func prompt() async throws {
    try await withAccounts(friends: true) { both, home, work, carol, carolListens in
      try await both.atThePrompt { prompt in
        try await prompt.expectScreen(showing: "home:jackdaw>")
        // One of them may still be on its way.
        try await eventually {
          prompt.send("/account" + Key.enter)
          try await prompt.expectScreen(showing: "in use")
          return prompt.screen.lines.joined(separator: "\n").matches(of: /(home|work) +\S+ +online/).count >= 2
        }
        try await carol.does("send", work.jid, "to work")
        try await prompt.expectScreen(showing: "[work] Carol: to work")
        prompt.send("\u{1B}a")
        try await prompt.expectScreen(showing: "work:Carol")
        prompt.send("from work" + Key.enter)
        try await eventually { carolListens.shownBodies == ["to work", "from work"] }
        try await carol.does("send", home.jid, "to home")
        try await prompt.expectScreen(showing: "[home] Carol: to home")
        try await prompt.expectScreen(showing: "home:Carol +1>")
        prompt.send("/account home" + Key.enter + "/to Carol" + Key.enter + "from home" + Key.enter)
        try await prompt.expectScreen(showing: "home:Carol")
        try await eventually { carolListens.shownBodies.suffix(2) == ["to home", "from home"] }
        #expect(carolListens.shownBodies == ["to work", "from work", "to home", "from home"])
        // Each conversation is where it was left.
        prompt.send("/account work" + Key.enter)
        try await prompt.expectScreen("work:Carol> at its end") { $0.lines.last { !$0.isEmpty } == "work:Carol>" }
        // Whoever wrote last did so to another account; and of a conversation that is open there already what came meanwhile is read.
        try await carol.does("send", home.jid, "to home again")
        try await prompt.expectScreen(showing: "[home] Carol: to home again")
        prompt.send("/r" + Key.enter)
        try await prompt.expectScreen("home:Carol> at its end") { $0.lines.last { !$0.isEmpty } == "home:Carol>" }
        // And whoever looks at another account types no more.
        let typing = {
          carolListens.standardOutput.split(separator: "\n").filter { $0.contains(#""event":"typing""#) }
            .map { $0.contains(#""composing""#) ? "composing" : $0.contains(#""active""#) ? "active" : "" }
        }
        prompt.send("half a line")
        try await eventually { typing().last == "composing" }
        try await carol.does("send", work.jid, "to work again")
        try await prompt.expectScreen(showing: "[work] Carol: to work again")
        prompt.send("\u{1B}a")
        try await prompt.expectScreen("work:Carol> at its end") { $0.lines.last { !$0.isEmpty } == "work:Carol>" }
        try await eventually { typing().last == "active" }
        prompt.send("/account nowhere" + Key.enter + "to nobody" + Key.enter)
        try await prompt.expectScreen(showing: "There is no account 'nowhere' here: there is home, work.")
        try await prompt.expectScreen(showing: "Not sent, as the '/account' before it failed")
        prompt.send(Key.controlC + "/quit" + Key.enter)
        #expect(try await prompt.wait() == .exited(0))
      }
    }
  }

  @Test(
    "'/to' finds the people of all, and the same friend of two accounts is each account's own: blocked in one alone")
  func people() async throws {
    try await withAccounts(friends: true) { both, home, work, carol, carolListens in
      try await both.does("--account", "work", "friends", "rename", carol.jid, "Chief")
      try await both.does("--account", "work", "block", carol.jid)
      try await both.atThePrompt(columns: 120) { prompt in
        try await prompt.expectScreen(showing: "home:jackdaw>")
        prompt.send("/to Chief" + Key.enter)
        try await prompt.expectScreen(showing: "work:Chief")
        prompt.send("refused" + Key.enter)
        prompt.send("/account home" + Key.enter + "/to Carol" + Key.enter + "taken" + Key.enter)
        try await prompt.expectScreen(showing: "home:Carol")
        try await carolListens.expect(#""body":"taken""#)
        #expect(!carolListens.shownBodies.contains("refused"))
        // To the one she is somebody, to the other she is not there.
        #expect(try await carol.run("send", home.jid, "heard").ending == .exited(0))
        #expect(try await carol.run("send", work.jid, "not heard").ending != .exited(0))
        try await prompt.expectScreen(showing: "Carol: heard")
        // Whoever looks at another account while a room is entered is told whose room it is.
        let tea = "work:tea-\(work.user)@rooms.\(carol.server.domain)"
        prompt.send("/join \(tea)" + Key.enter + "/account home" + Key.enter)
        try await prompt.expectScreen(showing: "To talk there, type: /to work:tea-")
        prompt.send("/quit" + Key.enter)
        _ = try await prompt.wait()
        #expect(!prompt.standardOutput.contains("not heard"))
      }
    }
  }

  @Test("One that cannot log in disturbs no other, and is told of")
  func failing() async throws {
    try await withAccounts(password: "wrong") { both, home, _, carol, _ in
      try await both.atThePrompt { prompt in
        try await prompt.expectScreen(showing: "work: Wrong user name or password.")
        try await carol.does("send", home.jid, "hello")
        try await prompt.expectScreen(showing: "\(carol.jid): hello")
        prompt.send("/quit" + Key.enter)
        #expect(try await prompt.wait() == .exited(0))
      }
      let listening = try await both.run("--json", "listen", "--count", "1", "--for", "3")
      #expect(
        listening.ending == .exited(77) && listening.errors.contains("work: Wrong user name"), "\(listening.errors)")
      let friends = try await both.run("friends")
      #expect(friends.ending == .exited(77), "\(friends.errors)")
      #expect(try await both.run("status").ending == .exited(0))
    }
  }

  @Test("'listen' counts what comes on any of them, and says on which")
  func listening() async throws {
    try await withAccounts { both, home, work, carol, carolListens in
      try await TestProcess.withProcess(both.invocation(["listen", "--json", "--count", "2"])) { listening in
        try await eventually { listening.standardOutput.matches(of: /"state":"online"/).count == 2 }
        try await carol.does("send", work.jid, "one")
        try await listening.expect(#""body":"one""#)
        try await carol.does("send", home.jid, "two")
        #expect(try await listening.wait() == .exited(0))
        let messages = listening.standardOutput.split(separator: "\n").filter { $0.contains(#""event":"message""#) }
        #expect(messages.count == 2)
        #expect(messages.first?.contains(#""account":"\#(work.jid)""#) == true)
        #expect(messages.last?.contains(#""account":"\#(home.jid)""#) == true)
      }
    }
  }

  @Test("Scripts work with one after the other, or name one; single commands do each, or need one")
  func scripts() async throws {
    try await withAccounts { both, home, work, carol, carolListens in
      let script = """
        /to \(carol.jid)
        from home
        /account work
        /to \(carol.jid)
        from work
        /send home:\(carol.jid) home by name
        /account home
        home again
        """
      try await both.does("run", "-", input: .text(script))
      try await eventually { carolListens.shownBodies.count == 4 }
      let said = carolListens.standardOutput.split(separator: "\n").compactMap { line -> String? in
        guard let from = line.firstMatch(of: /"from":"([^\/"]*)/), let body = line.firstMatch(of: /"body":"([^"]*)"/)
        else {
          return nil
        }
        return "\(from.output.1 == home.jid ? "home" : "work"): \(body.output.1)"
      }
      #expect(said.filter { $0.hasPrefix("home") } == ["home: from home", "home: home by name", "home: home again"])
      #expect(said.filter { $0.hasPrefix("work") } == ["work: from work"])
      let status = try await both.does("--json", "status")
      #expect(status.count == 2 && status[0].contains(home.jid) && status[1].contains(work.jid))
      #expect(try await both.does("status").map { $0.prefix(6) } == ["[home]", "[work]"])
      let refused = try await both.run("send", carol.jid, "x")
      #expect(refused.ending == .exited(64) && refused.errors.contains("works with one account"), "\(refused.errors)")
      // Outside of their lines an address names no account, and whoever writes it so is told how one is chosen.
      let named = try await both.run("--account", "home", "send", "work:\(carol.jid)", "x")
      expectOneSentence(named, code: 65, naming: "is not an address: your account 'work' is chosen by --account.")
      var none = both
      none.environment["JACKDAW_ACCOUNT"] = ""
      #expect(try await none.run("status").ending == .exited(78))
    }
  }

  @Test("An agent has them all")
  func agent() async throws {
    try await withAccounts { both, home, work, carol, carolListens in
      var host = both
      host.environment[TestProcess.Invocation.noAgent] = ""
      try await TestProcess.withProcess(host.invocation(["agent", "run"])) { agent in
        let run = both.home.path + "/.local/share/jackdaw/run/"
        try await eventually { access(run + home.jid, F_OK) == 0 && access(run + work.jid, F_OK) == 0 }
        var guest = host
        guest.environment["JACKDAW_ACCOUNT"] = ""
        for (name, account) in [("home", home), ("work", work)] {
          try await guest.does("--account", name, "send", carol.jid, "by \(name)")
          #expect(
            try await guest.does("--account", name, "--json", "agent", "status").first?.contains(account.jid) == true)
          try await carolListens.expect(#""body":"by \#(name)""#)
        }
        let status = try await guest.does("--account", "work", "agent", "status").first ?? ""
        #expect(status.contains("\(home.jid) \(work.jid)"), "\(status)")
        let removed = try await guest.run("account", "remove", "home")
        #expect(removed.errors.contains("Its agent still runs, for \(work.jid) too."), "\(removed)")
        #expect(try await guest.does("--account", "work", "ping").count == 1)
        agent.signal(SIGTERM)
        #expect(try await agent.wait() == .exited(0))
      }
    }
  }

  /// A person whose commands cannot log in, with an agent for each of these choices of accounts: what succeeds goes through one.
  private func withAgents(
    _ choices: [String],
    _ body: (_ guest: Person, _ home: TestAccount, _ work: TestAccount, _ carol: Person) async throws -> Void
  ) async throws {
    try await withAccounts(friends: true) { both, home, work, carol, _ in
      var host = both
      host.environment[TestProcess.Invocation.noAgent] = ""
      let run = both.home.path + "/.local/share/jackdaw/run/"
      var agents: [TestProcess] = []
      for choice in choices {
        host.environment["JACKDAW_ACCOUNT"] = choice
        agents.append(try TestProcess.start(host.invocation(["agent", "run"])))
      }
      defer { for agent in agents { agent.signal(SIGKILL) } }
      try await eventually { access(run + home.jid, F_OK) == 0 && access(run + work.jid, F_OK) == 0 }
      for name in ["home", "work"] {
        // The socket is there before the account has logged in, with the password of its configuration.
        try await eventually {
          let status = try await host.run("--account", name, "--json", "agent", "status")
          return status.output.contains(#""online""#)
        }
      }
      let configuration = try #require(KernelFile.read(both.home.file("config.toml")))
      try both.home.write(configuration.replacing(/password = ".*"/, with: #"password = "wrong""#), to: "config.toml")
      host.environment["JACKDAW_ACCOUNT"] = "home,work"
      try await body(host, home, work, carol)
      for agent in agents {
        agent.signal(SIGTERM)
        #expect(try await agent.wait() == .exited(0))
      }
    }
  }

  @Test(
    "A command for several goes through one agent that has them all, and through the agent of each",
    arguments: [
      ["home,work"], ["home", "work"],
    ])
  func severalThroughAgents(_ choices: [String]) async throws {
    try await withAgents(choices) { guest, home, work, carol in
      try await guest.does("status", "away", "Out")
      let status = try await guest.does("status")
      #expect(
        status.map { $0.prefix(6) } == ["[home]", "[work]"] && status.allSatisfy { $0.contains("Out") }, "\(status)")
      let friends = try await guest.does("friends")
      #expect(
        friends.count == 2 && friends[0].hasPrefix("[home]\tCarol") && friends[1].hasPrefix("[work]\tCarol"),
        "\(friends)"
      )
      let rows = try await guest.does("--json", "friends")
      #expect(rows.count == 2 && rows[0].contains(home.jid) && rows[1].contains(work.jid), "\(rows)")
      #expect(try await guest.run("send", carol.jid, "x").ending == .exited(64))
      try await carol.does("send", home.jid, "to home")
      try await carol.does("send", work.jid, "to work")
      let unread = try await guest.does("unread")
      #expect(
        unread.count == 2 && unread[0].hasSuffix("[home] Carol: to home")
          && unread[1].hasSuffix("[work] Carol: to work"),
        "\(unread)")
      try await readsInOnePager(guest)
      let agents = try await guest.does("agent", "status")
      #expect(agents.count == choices.count && agents[0].hasPrefix("[home]\tagent"), "\(agents)")
      guard choices.count == 1 else { return }
      try await guest.does(input: .text("/send work:\(carol.jid) by a script\n/account\n"))
      try await TestProcess.withProcess(guest.invocation(["listen", "--count", "2"])) { listening in
        try await carol.does("send", work.jid, "one")
        try await listening.expect("[work] Carol: one")
        try await carol.does("send", home.jid, "two")
        #expect(try await listening.wait() == .exited(0))
        #expect(listening.standardOutput.contains("[home] Carol: two"))
      }
      try await interrupted(guest, by: SIGTERM, home, work, carol)
    }
  }

  private func interrupted(
    _ person: Person, by signal: Int32, _ home: TestAccount, _ work: TestAccount, _ carol: Person
  ) async throws {
    try await TestProcess.withProcess(person.invocation(["--json", "listen"])) { listening in
      // What it has shown it has begun with.
      for account in [home, work] {
        try await carol.does("send", account.jid, "to be shown")
        try await listening.expect(#""body":"to be shown""#)
      }
      listening.signal(signal)
      #expect(try await listening.wait() == .exited(0))
    }
  }

  @Test("one interrupt ends 'listen' of all of them", arguments: [SIGINT, SIGTERM])
  func interruptedAtOnce(_ signal: Int32) async throws {
    try await withAccounts { both, home, work, carol, _ in
      try await interrupted(both, by: signal, home, work, carol)
    }
  }

  @Test("'agent stop' ends the agents of all of them, and says where there is none")
  func stoppedAtOnce() async throws {
    try await withAccounts { both, _, _, _, _ in
      var host = both
      host.environment[TestProcess.Invocation.noAgent] = ""
      for choices in [["home,work"], ["home", "work"]] {
        for choice in choices {
          host.environment["JACKDAW_ACCOUNT"] = choice
          try await host.does("agent", "start")
        }
        host.environment["JACKDAW_ACCOUNT"] = "home,work"
        try await host.does("agent", "stop")
        let none = try await host.run("--json", "agent", "status")
        let told = none.output.matches(of: #/"command":"agent status","condition":"no-agent","text":"(home|work): No /#)
        #expect(none.ending == .exited(69) && told.count == 2, "\(none)")
      }
    }
  }

  private func readsInOnePager(_ guest: Person) async throws {
    var reader = guest
    reader.environment["PAGER"] = "sed 's/^/paged: /'; echo the end"
    try await reader.atThePrompt("unread") { unread in
      let screen = try await unread.expectScreen("what both accounts have, paged") { $0.lines.contains("the end") }
      #expect(
        screen.lines.count { $0.hasPrefix("paged: ") && $0.contains("Carol: to ") } == 2
          && screen.lines.count { $0 == "the end" } == 1, "\(screen.lines)")
      #expect(try await unread.wait() == .exited(0))
    }
    reader.environment["PAGER"] = "exit"
    try await reader.atThePrompt("unread") { unread in
      let ending = try await unread.wait()
      #expect(ending == .exited(0))
    }
  }

  @Test("Where one of several has no agent, the others' commands go through theirs, and its failure is told as its own")
  func oneWithoutAgent() async throws {
    try await withAgents(["home", "work"]) { guest, home, work, _ in
      try await guest.does("--account", "work", "agent", "stop")
      let friends = try await guest.run("friends")
      #expect(friends.ending == .exited(77), "\(friends.errors)")
      #expect(friends.output.hasPrefix("[home]\tCarol") && friends.output.split(separator: "\n").count == 1)
      #expect(friends.errors.contains("work: Wrong user name"), "\(friends.errors)")
    }
  }
}
