// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
import Support
import Testing

/// The program in a terminal of somebody who has no account here yet.
@Suite("A first start")
struct FirstStartProgramTests {
  /// A home in which nothing is, and what reaches the server.
  private struct Home {
    let server: TestServer
    let directory: TestDirectory
    var environment: [String: String]
    var columns = 80

    var configuration: String { directory.path + "/.config/jackdaw/config.toml" }

    func invocation(_ arguments: [String] = [], terminal: Bool = true) -> TestProcess.Invocation {
      .jackdaw(
        arguments, in: directory, environment: environment,
        terminal: terminal ? .init(columns: columns, rows: 30) : nil)
    }

    func text() -> String? {
      guard let file = fopen(configuration, "r") else { return nil }
      defer { fclose(file) }
      var bytes = [UInt8](repeating: 0, count: 1 << 16)
      return String(decoding: bytes[..<fread(&bytes, 1, bytes.count, file)], as: UTF8.self)
    }
  }

  private func withHome(
    _ kind: TestServer.Kind = .prosody, _ options: TestServer.Options = .init(),
    _ body: (inout Home) async throws -> Void
  ) async throws {
    let server = try await TestServer.shared(kind, options)
    try await TestDirectory.with { directory in
      var home = Home(
        server: server, directory: directory,
        environment: [
          "HOME": directory.path, "JACKDAW_SERVER": "\(server.address)", "JACKDAW_CA_FILE": server.caFile,
        ])
      try await body(&home)
    }
  }

  @Test(
    "asks, logs in, stores the account and leads on; the second one does not ask", arguments: TestServer.Kind.allCases)
  func success(kind: TestServer.Kind) async throws {
    try await withHome(kind) { home in
      let alice = try await home.server.account()
      try await TestProcess.withProcess(home.invocation()) { jackdaw in
        try await jackdaw.expectScreen(showing: "Address:")
        jackdaw.send(alice.jid + Key.enter)
        try await jackdaw.expectScreen(showing: "Password for \(alice.jid):")
        jackdaw.send(alice.password + Key.enter)
        try await jackdaw.expectScreen(showing: "You have no friends here yet.")
        let screen = try await jackdaw.expectScreen(showing: "/quit")
        #expect(screen.lines.contains { $0.contains("You are \(alice.jid).") })
        #expect(!jackdaw.standardOutput.contains(alice.password))
        jackdaw.send("/ping" + Key.enter)
        try await jackdaw.expectScreen(showing: " ms")
        // The session that asked is the one that goes on.
        #expect(screen.lines.count { $0.hasSuffix("-- online") } <= 1)
        jackdaw.send("/quit" + Key.enter)
        #expect(try await jackdaw.wait() == .exited(0))
      }
      let text = try #require(home.text())
      #expect(text.contains("[accounts.\"\(alice.jid)\"]") && text.contains("server = \"\(home.server.address)\""))
      #expect(text.contains("ca_file = \"\(home.server.caFile)\"") && text.contains("password = \"\(alice.password)\""))
      var status = stat()
      #expect(stat(home.configuration, &status) == 0 && status.st_mode & 0o777 == 0o600)
      home.environment = ["HOME": home.directory.path]
      try await TestProcess.withProcess(home.invocation()) { jackdaw in
        try await jackdaw.expectScreen(showing: "online")
        #expect(!jackdaw.standardOutput.contains("Address") && !jackdaw.standardOutput.contains("/quit"))
        jackdaw.send("/quit" + Key.enter)
        #expect(try await jackdaw.wait() == .exited(0))
      }
    }
  }

  @Test("names the friends who are online")
  func friends() async throws {
    try await withHome { home in
      let (alice, bob) = try await home.server.pair(friends: true)
      var other = home
      other.environment["JACKDAW_JID"] = bob.jid
      other.environment["JACKDAW_PASSWORD"] = bob.password
      try await TestProcess.withProcess(other.invocation(["listen", "--json"], terminal: false)) { listener in
        try await listener.expect(#""state":"online""#)
        try await TestProcess.withProcess(home.invocation()) { jackdaw in
          try await jackdaw.expectScreen(showing: "Address:")
          jackdaw.send(alice.jid + Key.enter)
          try await jackdaw.expectScreen(showing: "Password for")
          jackdaw.send(alice.password + Key.enter)
          try await jackdaw.expectScreen(showing: "Online: \(bob.jid).")
          jackdaw.send(Key.controlD)
          #expect(try await jackdaw.wait() == .exited(0))
        }
      }
    }
  }

  @Test("asks again for a wrong password and for a mistyped address, within 40 columns")
  func again() async throws {
    try await withHome { home in
      home.columns = 40
      let alice = try await home.server.account()
      try await TestProcess.withProcess(home.invocation()) { jackdaw in
        try await jackdaw.expectScreen(showing: "Address:")
        jackdaw.send("alice" + Key.enter)
        try await jackdaw.expectScreen(showing: "alice@example.org")
        // What is typed before the question stands there is not for it.
        try await jackdaw.expectScreen("the question again") { $0.text.count(of: "Address:") == 2 }
        jackdaw.send(alice.jid + Key.enter)
        try await jackdaw.expectScreen(showing: "Password for")
        jackdaw.send("wrong" + Key.enter)
        try await jackdaw.expectScreen(showing: "Wrong user name or password.")
        try await jackdaw.expectScreen("a second question") { $0.text.count(of: "Password for") == 2 }
        jackdaw.send(alice.password + Key.enter)
        try await jackdaw.expectScreen(showing: "You have no friends here yet.")
        jackdaw.send("/quit" + Key.enter)
        #expect(try await jackdaw.wait() == .exited(0))
      }
      #expect(home.text()?.contains(alice.password) == true)
    }
  }

  @Test("leaves after three wrong passwords with 77, and leaves nothing behind")
  func wrong() async throws {
    try await withHome { home in
      let alice = try await home.server.account()
      try await TestProcess.withProcess(home.invocation()) { jackdaw in
        try await jackdaw.expectScreen(showing: "Address:")
        jackdaw.send(alice.jid + Key.enter)
        for number in 1...3 {
          try await jackdaw.expectScreen("question \(number)") { $0.text.count(of: "Password for") == number }
          jackdaw.send("wrong" + Key.enter)
        }
        #expect(try await jackdaw.wait() == .exited(77))
        #expect(jackdaw.standardOutput.contains("No account was stored"))
      }
      #expect(home.text() == nil)
      #expect(try await TestProcess.run(.init("ls", [home.directory.path + "/.local/share/jackdaw"])).lines.isEmpty)
    }
  }

  @Test(
    "says while the password is asked for that the server is down, or not the right one, and offers the address again")
  func down() async throws {
    try await withHome { home in
      home.columns = 200
      let closed = ClosedPort()
      home.environment["JACKDAW_SERVER"] = "127.0.0.1:\(closed.port)"
      try await TestProcess.withProcess(home.invocation()) { jackdaw in
        try await jackdaw.expectScreen(showing: "Address:")
        jackdaw.send("alice@\(home.server.domain)" + Key.enter)
        try await jackdaw.expectScreen(showing: "Check your network, or try again later.")
        try await jackdaw.expectScreen(showing: "Address [alice@\(home.server.domain)]:")
        jackdaw.send(Key.controlC)
        #expect(try await jackdaw.wait() == .exited(130))
      }
      home.environment["JACKDAW_SERVER"] = "\(home.server.address)"
      home.environment["JACKDAW_CA_FILE"] = nil
      try await TestProcess.withProcess(home.invocation()) { jackdaw in
        try await jackdaw.expectScreen(showing: "Address:")
        jackdaw.send("alice@\(home.server.domain)" + Key.enter)
        try await jackdaw.expectScreen(showing: "Your password was not sent.")
        try await jackdaw.expectScreen(showing: "Address [alice@\(home.server.domain)]:")
        jackdaw.send(Key.controlD)
        #expect(try await jackdaw.wait() == .exited(130))
      }
      #expect(home.text() == nil)
    }
  }

  @Test(
    "is left at each question by Ctrl-C and Ctrl-D, and nothing is stored", arguments: [Key.controlC, Key.controlD])
  func left(_ key: String) async throws {
    try await withHome { home in
      let jid = "somebody@\(home.server.domain)"
      for answers in [[], [jid], ["new"], ["new", jid]] {
        func leaves() async throws -> String {
          try await TestProcess.withProcess(home.invocation()) { jackdaw in
            try await jackdaw.expectScreen(showing: "Address:")
            for (answer, question) in zip(
              answers, answers == [jid] ? ["Password for"] : ["New address:", "New password"])
            {
              jackdaw.send(answer + Key.enter)
              try await jackdaw.expectScreen(showing: question)
            }
            jackdaw.send(key)
            #expect(try await jackdaw.wait() == .exited(130))
            return jackdaw.standardOutput
          }
        }
        // A terminal throws away what it holds when Ctrl-C is typed, which may be what the program has just said.
        var said = ""
        for _ in 1...10 where !said.contains("No account was stored.") { said = try await leaves() }
        #expect(said.contains("No account was stored."), "\(said)")
      }
      #expect(home.text() == nil)
    }
  }

  @Test("makes a new account", arguments: TestServer.Kind.allCases)
  func registers(kind: TestServer.Kind) async throws {
    try await withHome(kind, .open) { home in
      let jid = "first-" + String(UInt64.random(in: 0...UInt64.max), radix: 36) + "@\(home.server.domain)"
      try await TestProcess.withProcess(home.invocation()) { jackdaw in
        try await jackdaw.expectScreen(showing: "Address:")
        jackdaw.send("new" + Key.enter)
        try await jackdaw.expectScreen(showing: "New address:")
        jackdaw.send(jid + Key.enter)
        try await jackdaw.expectScreen(showing: "New password for")
        jackdaw.send("hidden" + Key.enter)
        try await jackdaw.expectScreen(showing: "Again:")
        jackdaw.send("hidden" + Key.enter)
        try await jackdaw.expectScreen(showing: "You are \(jid).")
        jackdaw.send("/quit" + Key.enter)
        #expect(try await jackdaw.wait() == .exited(0))
        #expect(!jackdaw.standardOutput.contains("hidden"))
      }
      #expect(try await TestProcess.run(home.invocation(["ping"], terminal: false)).ending == .exited(0))
    }
  }

  @Test("asks what the server wants to know before it makes a new account")
  func questions() async throws {
    try await withHome(.prosody, AccountLifeTests.questions) { home in
      let jid = "first-" + String(UInt64.random(in: 0...UInt64.max), radix: 36) + "@\(home.server.domain)"
      try await TestProcess.withProcess(home.invocation()) { jackdaw in
        for (question, answer) in [
          ("Address:", "new"), ("New address:", jid), ("New password for", "hidden"), ("Again:", "hidden"),
          ("Email:", "me@example.org"), ("Plan (1 Free of charge, 2 Paid", ""),
        ] {
          try await jackdaw.expectScreen(showing: question)
          jackdaw.send(answer + Key.enter)
        }
        try await jackdaw.expectScreen(showing: "You are \(jid).")
        jackdaw.send("/quit" + Key.enter)
        #expect(try await jackdaw.wait() == .exited(0))
      }
    }
  }

  @Test("without a terminal is no start: it ends with 78 and names the command")
  func noTerminal() async throws {
    try await withHome { home in
      var piped = home.invocation(terminal: false)
      piped.input = .text("hello\n")
      expectOneSentence(try await TestProcess.run(piped), code: 78, naming: "account add")
    }
  }

  @Test("'account add' asks three times, stores nothing, and then what is right in the place of what is there")
  func add() async throws {
    try await withHome { home in
      let alice = try await home.server.account()
      let invocation = home.invocation(["account", "add", alice.jid])
      try await TestProcess.withProcess(invocation) { add in
        for number in 1...3 {
          try await add.expectScreen("question \(number)") { $0.text.count(of: "Password for") == number }
          add.send("wrong" + Key.enter)
        }
        #expect(try await add.wait() == .exited(77))
        #expect(add.standardOutput.contains("--no-check"))
      }
      #expect(home.text() == nil)
      for change in ["Added", "Updated"] {
        try await TestProcess.withProcess(invocation) { add in
          try await add.expectScreen(showing: "Password for")
          add.send(alice.password + Key.enter)
          #expect(try await add.wait() == .exited(0))
          #expect(add.standardOutput.contains("\(change) \(alice.jid)."))
        }
      }
      #expect(try await TestProcess.run(home.invocation(["ping"], terminal: false)).ending == .exited(0))
    }
  }

  @Test("without a home, what is given is enough, and one warning says that nothing is stored")
  func noHome() async throws {
    try await withHome { home in
      let (alice, bob) = try await home.server.pair()
      home.environment["HOME"] = ""
      home.environment["JACKDAW_JID"] = alice.jid
      home.environment["JACKDAW_PASSWORD"] = alice.password
      let sent = try await TestProcess.run(home.invocation(["send", bob.jid, "hello"], terminal: false))
      #expect(sent.ending == .exited(0))
      #expect(sent.errors.split(separator: "\n").count == 1 && sent.errors.contains("Nothing is stored on disk"))
      home.environment["JACKDAW_DATA_DIR"] = home.directory.path + "/data"
      let stored = try await TestProcess.run(home.invocation(["send", bob.jid, "hello"], terminal: false))
      #expect(stored.ending == .exited(0) && stored.errors.isEmpty)
    }
  }
}

extension String {
  fileprivate func count(of text: String) -> Int { ranges(of: text).count }
}
