// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
import JackdawLoop
import JackdawStore
import Support
import Testing

@testable import JackdawCommands
@testable import JackdawSession

@Client @Suite("Commands as methods of the agent", .onLoop)
struct AgentMethodTests {
  private func hosting(_ body: @escaping @Client (ApplicationRig, AgentFolder) async throws -> Void) async throws {
    try await AgentServerTests().hosting { rig, folder, _ in try await body(rig, folder) }
  }

  private static func request(_ id: Int, _ method: String, _ parameters: String) -> String {
    #"{"jsonrpc":"2.0","id":\#(id),"method":"\#(method)","params":\#(parameters)}"#
  }

  /// What the reader `--as bot` has not been presented.
  private func unpresented(_ rig: ApplicationRig) throws -> [String] {
    try rig.store.messages.unpresented(to: "bot as bot", after: nil, limit: 100).map(\.body)
  }

  @Test("In a process of several accounts a method is for its socket's account, in the session that is there")
  func severalAccounts() async throws {
    try await TestDirectory.onLoop { directory in
      let two = """
        [accounts.home]
        jid = "alice@example.org"
        [accounts.work]
        jid = "carol@example.org"
        """
      let configuration = try directory.write(two, to: "config.toml")
      let rig = try ApplicationRig(
        words: ["--account", "home", "--account", "work", "listen"],
        environment: ["JACKDAW_CONFIG": configuration, "JACKDAW_PASSWORD": ""],
        agentFolder: AgentFolder(path: directory.path + "/run"))
      let accounts = try rig.application.chosenAccounts()
      #expect(accounts.map(\.name) == ["home", "work"])
      let server = AgentServer(host: rig.application, parts: try #require(rig.application.parts.agent))
      for account in accounts {
        let methods: [(String, [String])] = [
          ("ping", []), ("status", []), ("listen", []), ("send", ["bob@example.org", "x"]),
        ]
        for (method, arguments) in methods {
          let parameters = JSONValue.array(arguments.map { JSONValue.string($0) })
          let admission = try await server.admit(method: method, parameters, account: account)
          #expect(!admission.settings.areSeveralGiven && !admission.settings.namesAccounts)
          let guest = Application(
            settings: admission.settings, parts: rig.application.parts, sharing: admission.accounts,
            for: admission.caller)
          let chosen = try guest.chosenAccounts()
          #expect(chosen.count == 1 && chosen.first === account, "\(method)")
        }
      }
    }
  }

  @Test("Messages that are collected for an answer are presented once it is out")
  func collected() async throws {
    try await hosting { rig, folder in
      let listen = Self.request(1, "listen", #"{"arguments":["--as","bot","--count","2"],"stream":false}"#)
      let client = try AgentClient(folder)
      await client.say(listen)
      await rig.fixture.receive(ListenTests.message("one"))
      await AgentClient.settle()
      // It goes before it has its answer.
      await client.close()
      #expect(try unpresented(rig) == ["one"])
      let again = try AgentClient(folder)
      await again.say(listen)
      await rig.fixture.receive(ListenTests.message("two"))
      await AgentClient.settle()
      let rows = again.said("result").first?["rows"].elements ?? []
      #expect(rows.compactMap { $0["body"].text } == ["one", "two"])
      #expect(try unpresented(rig).isEmpty)
      await again.close()
    }
  }

  @Test("What another program logs is among what is collected, though none of it is out")
  func collectedFromTheLog() async throws {
    try await hosting { rig, folder in
      let client = try AgentClient(folder)
      await client.say(Self.request(1, "listen", #"{"arguments":["--as","bot","--count","2"],"stream":false}"#))
      await rig.fixture.receive(ListenTests.message("one"))
      rig.fixture.session.intake.othersMayHaveLogged()
      await AgentClient.settle()
      await rig.fixture.receive(ListenTests.message("two"))
      await AgentClient.settle()
      let rows = client.said("result").first?["rows"].elements ?? []
      #expect(rows.compactMap { $0["body"].text } == ["one", "two"])
      await client.close()
    }
  }

  @Test("More rows than an answer may have are an error, and none of them is presented")
  func tooLong() async throws {
    try await hosting { rig, folder in
      let client = try AgentClient(folder)
      await client.say(Self.request(1, "listen", #"{"arguments":["--as","bot"],"stream":false}"#))
      let text = String(repeating: "x", count: 40_000)
      for number in 1...30 {
        await rig.fixture.receive(
          "<message from='bob@example.org/x' type='chat' id='m\(number)'><body>\(number) \(text)</body></message>")
      }
      await AgentClient.settle()
      #expect(client.said("error").first?["code"].integer == AgentLanguage.Failure.tooLong)
      #expect(client.said("result").isEmpty)
      await client.close()
      let again = try AgentClient(folder)
      await again.say(Self.request(1, "listen", #"["--as","bot","--count","1"]"#))
      #expect(again.said("event").compactMap { $0["object"]["body"].text } == ["1 " + text])
      await again.close()
    }
  }

  @Test(
    "'listen' ends with the process, which does not wait for it; of what streams it is said how far it got",
    arguments: [true, false])
  func listenAtTheEnd(streams: Bool) async throws {
    try await TestDirectory.onLoop { directory in
      let folder = AgentFolder(path: directory.path + "/run")
      let rig = try ApplicationRig(agentFolder: folder)
      let host = try await rig.start("listen")
      let client = try AgentClient(folder)
      await client.say(
        Self.request(1, "listen", #"{"arguments":["--as","bot","--count","3"],"stream":\#(streams)}"#))
      await rig.fixture.receive(ListenTests.message("one"))
      await AgentClient.settle()
      rig.application.interrupted(by: SIGINT)
      await AgentClient.settle()
      let failure = client.said("error").first
      #expect(failure?["code"].integer == AgentLanguage.Failure.leaving)
      if streams { #expect(Handover(failure?["data"] ?? .null) == Handover(count: 2)) }
      await rig.fixture.clock.elapse(.seconds(10))
      #expect(host.value == .success)
      #expect(try unpresented(rig) == (streams ? [] : ["one"]))
    }
  }

  @Test("An error at the end says nothing of the messages before it that the client has not confirmed")
  func failure() async throws {
    try await TestDirectory.onLoop { directory in
      let folder = AgentFolder(path: directory.path + "/run")
      let rig = try ApplicationRig(agentFolder: folder)
      let host = try await rig.start("listen")
      let client = try AgentClient(folder)
      await client.say(
        Self.request(
          1, "listen", #"{"arguments":["--as","bot","--timeout","10"],"stream":true,"confirm":true}"#))
      await rig.fixture.receive(ListenTests.message("one"))
      await AgentClient.settle()
      rig.fixture.connector.outcome = { _ in .hangs }
      rig.fixture.connector.transport?.peerEnds(FakeConnector.brokenLine)
      await rig.fixture.clock.elapse(.seconds(11))
      await AgentClient.settle()
      #expect(client.said("event").compactMap { $0["object"]["body"].text } == ["one"])
      #expect(try unpresented(rig) == ["one"])
      await client.say(#"{"jsonrpc":"2.0","method":"written","params":{"run":1,"objects":20}}"#)
      #expect(try unpresented(rig).isEmpty)
      #expect(client.said("error").first?["code"].integer == Int(ExitCode.tryAgain.value))
      await client.close()
      rig.application.interrupted(by: SIGINT)
      await rig.fixture.clock.elapse(.seconds(30))
      #expect(host.hasEnded)
    }
  }

  @Test("An interrupt in the same breath as its request ends what was asked for")
  func earlyInterrupt() async throws {
    try await hosting { rig, folder in
      let client = try AgentClient(folder)
      await client.say(
        Self.request(1, "listen", "[]") + "\n"
          + #"{"jsonrpc":"2.0","method":"interrupt","params":{"run":1,"signal":2}}"#)
      #expect(rig.application.agent?.runCount == 0)
      #expect(client.said("result").count + client.said("error").count == 1)
      await client.close()
    }
  }

  @Test(
    "Parameters of another type are named, and nothing is done",
    arguments: [
      #"{"arguments":"away"}"#, #"{"arguments":{"0":"away"}}"#, #"{"arguments":["away"],"account":7}"#,
      #"{"arguments":["away"],"stream":"yes"}"#, #"{"arguments":["away"],"confirm":1}"#,
      #"{"arguments":["away"],"stdin":["x"]}"#, #""away""#, "7",
    ])
  func types(_ parameters: String) async throws {
    try await hosting { rig, folder in
      let client = try AgentClient(folder)
      _ = rig.fixture.sent()
      await client.say(Self.request(1, "status", parameters))
      #expect(client.said("error").first?["code"].integer == AgentLanguage.Failure.badParameters, "\(client.lines)")
      #expect(rig.fixture.sent().isEmpty)
      await client.close()
    }
  }

  @Test(
    "Options that a session which is there cannot follow are refused; those of the output do no harm",
    arguments: ["account", "jid", "server", "tls", "ca-file", "password-file", "config", "data-dir"])
  func options(_ name: String) async throws {
    try await hosting { _, folder in
      let client = try AgentClient(folder)
      await client.say(Self.request(1, "status", #"["--\#(name)","x"]"#))
      await client.say(Self.request(2, "status", #"["--no-agent"]"#))
      await client.say(Self.request(3, "status", #"["--no-history"]"#))
      await client.say(Self.request(5, "listen", #"["--exec","true"]"#))
      for id in [1, 2, 3, 5] { #expect(client.said("error", id).first?["code"].integer == 64) }
      await client.say(Self.request(4, "status", #"["--json","-q"]"#))
      #expect(client.said("result", 4).count == 1)
      await client.close()
    }
  }

  @Test("A method that fails before it is begun gives the same 'data' as one that fails later")
  func failsEarly() async throws {
    try await hosting { _, folder in
      let client = try AgentClient(folder)
      await client.say(Self.request(1, "send", "[]"))
      await client.say(Self.request(2, "status", #"["--no-history"]"#))
      await client.say(Self.request(3, "listen", #"["--exec","true"]"#))
      for (id, command) in [(1, nil), (2, "status"), (3, "listen")] as [(Int, String?)] {
        let error = try #require(client.said("error", id).first)
        let data = error["data"]
        #expect(data["event"].text == "error" && data["account"].text == "alice@example.org", "\(client.lines)")
        #expect(data["code"].integer == 64 && data["command"].text == command, "\(client.lines)")
        #expect(data["text"].text != nil && data["text"].text == error["message"].text, "\(client.lines)")
      }
      await client.close()
    }
  }

  @Test("A last line is one without a newline too, where nothing follows it")
  func lastLine() async throws {
    try await hosting { rig, folder in
      let client = try AgentClient(folder)
      await client.sayLast(Self.request(1, "send", #"["bob@example.org","last"]"#))
      #expect(rig.sentMessages == ["bob@example.org|last"])
      #expect(client.said("result").count == 1)
    }
  }

  /// What had come until then was sent as if it were all.
  @Test(
    "A piece of stdin of another type is a fault of stdin, and not its end",
    arguments: [#""text":5"#, #""base64":"!!""#, #""error":false"#])
  func wrongPiece(_ piece: String) async throws {
    try await hosting { rig, folder in
      let client = try AgentClient(folder)
      await client.run("send", "bob@example.org")
      await client.say(#"{"jsonrpc":"2.0","method":"input","params":{"run":1,"text":"half\n"}}"#)
      await client.say(#"{"jsonrpc":"2.0","method":"input","params":{"run":1,\#(piece)}}"#)
      #expect(client.code() == 74 && rig.sentMessages.isEmpty, "\(client.lines)")
      await client.close()
    }
  }

  @Test("A path that means another file here than where it was typed is refused, in an included script too")
  func ownFiles() async throws {
    let scripts = ["/dev/stdin": TypedLines("/send bob@example.org stolen")]
    let rig = try ApplicationRig(TypedLines("/include /dev/stdin"), scripts: scripts)
    let guest = Application(
      settings: rig.application.settings, parts: rig.application.parts,
      for: Caller(directory: "/dev", environment: [:]))
    for path in ["/dev/stdin", "/dev/fd/3", "//dev//tty", "stdin", "/tmp/../proc/self/fd/0", "/proc/thread-self/fd/1"] {
      #expect { try guest.path(path) } throws: { ($0 as? CommandFailure)?.code == .badInput }
    }
    #expect(try guest.path("/tmp/dev/stdin") == "/tmp/dev/stdin")
    #expect(try guest.path("shm/x") == "/dev/shm/x")
    #expect(try rig.application.path("/dev/stdin") == "/dev/stdin")
    let request = try CommandTable.standard.parse(shell: [])
    let run = StartedTask { await guest.carryOut(request) }
    await rig.fixture.clock.settle()
    #expect(run.value == .badInput && rig.sentMessages.isEmpty)
    #expect(rig.output.failures.count == 1)
  }
  @Test("A file that includes itself by another name is found out, whatever folder its path begins in")
  func includesItself() async throws {
    try await TestDirectory.onLoop { directory in
      let script = "/send bob@example.org once\n/include ./loop"
      _ = try directory.write(script, to: "loop")
      let rig = try ApplicationRig(scripts: ["loop": TypedLines(script), "./loop": TypedLines(script)])
      let guest = Application(
        settings: rig.application.settings, parts: rig.application.parts,
        for: Caller(directory: directory.path, environment: [:]))
      let code = await guest.carryOut(try CommandTable.standard.parse(shell: ["run", "loop"]))
      #expect(code == .badInput && rig.sentMessages == ["bob@example.org|once"])
      #expect(rig.output.failures.map(\.text) == ["line 2: ./loop includes itself."])
    }
  }
}
