// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
import JackdawLoop
import JackdawSession
import Support
import Testing

@testable import JackdawCommands

@Client @Suite("Other processes' commands", .onLoop)
struct AgentServerTests {
  /// A `listen` that runs, whose session others go through.
  func hosting(
    _ body: @escaping @Client (ApplicationRig, AgentFolder, StartedTask<ExitCode>) async throws -> Void
  ) async throws {
    try await TestDirectory.onLoop { directory in
      let folder = AgentFolder(path: directory.path + "/run")
      let rig = try ApplicationRig(agentFolder: folder)
      let host = try await rig.start("listen")
      try await body(rig, folder, host)
      rig.application.interrupted(by: SIGINT)
      await rig.fixture.clock.elapse(.seconds(10))
      #expect(host.value == .success)
    }
  }

  private static let send = ["send", "bob@example.org", "hello"]

  @Test("run in the session that is there, and end with their code")
  func run() async throws {
    try await hosting { rig, folder, _ in
      let client = try AgentClient(folder)
      await client.run("send", "bob@example.org", "hello")
      #expect(client.said("started").count == 1)
      #expect(rig.sentMessages == ["bob@example.org|hello"])
      #expect(client.code() == 0)
      await client.run("send", "nobody at all", "x", id: 2)
      #expect(client.code(2) == 67 && client.output("stderr").contains("nobody at all"))
    }
  }

  @Test("show what they find to who asked, who says when it is out")
  func output() async throws {
    try await hosting { rig, folder, _ in
      let client = try AgentClient(folder)
      client.confirms = false
      await client.run("status")
      #expect(client.output() == "row status\n" && client.code() == nil)
      await client.say(#"{"jsonrpc":"2.0","method":"written","params":{"run":1,"bytes":11}}"#)
      #expect(client.code() == 0)
      #expect(rig.output.rows.isEmpty)
    }
  }

  @Test("One whose stdout takes nothing more ends with 74, and says on stderr why")
  func brokenOutput() async throws {
    try await hosting { _, folder, _ in
      let client = try AgentClient(folder)
      client.confirms = false
      await client.run("status")
      await client.say(
        #"{"jsonrpc":"2.0","method":"broken","params":{"run":1,"condition":"io-error","text":"No space left."}}"#)
      #expect(client.code() == 74)
      #expect(client.output("stderr") == "No space left.\n")
    }
  }

  @Test("A message counts as shown when the client says that it is out, and not before")
  func presented() async throws {
    try await hosting { rig, folder, host in
      let client = try AgentClient(folder)
      client.confirms = false
      await client.run("listen", "--as", "lamp")
      await rig.fixture.receive(ListenTests.message("one"))
      await AgentClient.settle()
      #expect(client.output().hasSuffix("one\n"))
      await client.close()
      let again = try AgentClient(folder)
      again.confirms = false
      await again.run("listen", "--as", "lamp")
      #expect(again.output().hasSuffix("one\n"))
      await again.say(
        #"{"jsonrpc":"2.0","method":"written","params":{"run":1,"bytes":\#(again.output().utf8.count)}}"#)
      await again.close()
      let third = try AgentClient(folder)
      await third.run("listen", "--as", "lamp")
      #expect(!third.output().contains("one"))
      await third.close()
      #expect(!host.hasEnded)
    }
  }

  @Test(
    "that would come to something else in their own process are left to it",
    arguments: [
      (["account", "list"], [:]), (["send"], [:]), (["nonsense"], [:]), (["--help"], [:]), (["chat", "bob"], [:]),
      (["--log-xml", "ping"], [:]), (["-v", "ping"], [:]), (["--no-history", "listen"], [:]),
      (["--jid", "carol@example.org", "ping"], [:]), (["--server", "localhost", "ping"], [:]),
      (["--tls", "direct", "ping"], [:]), (["--data-dir", "/elsewhere", "ping"], [:]),
      (["--ca-file", "ca.pem", "ping"], [:]), (["ping"], ["TZ": "Europe/Rome"]),
      (["ping"], ["JACKDAW_SERVER": "localhost:5222"]), (["agent", "stop"], [:]), (["history", "import", "x"], [:]),
      (["--jid", "alice@example.org/desk", "ping"], [:]), (["run", "/dev/stdin"], [:]), (["run", "/dev/fd/63"], [:]),
      (["run", "/proc/self/fd/0"], [:]), (["run", "/proc/thread-self/fd/0"], [:]), (["run", "../dev/./stdin"], [:]),
      (["friends", "import", "/dev/tty"], [:]), (["listen", "--exec", "true"], [:]),
      (["rooms", "join", "tea@rooms.example.org", "--room-password-file=/dev/fd/3"], [:]),
    ] as [([String], [String: String])])
  func declined(_ words: [String], _ environment: [String: String]) async throws {
    try await hosting { rig, folder, _ in
      let client = try AgentClient(folder)
      let account = [
        "HOME": "/nonexistent", "JACKDAW_JID": "alice@example.org/here",
      ].merging(environment) { $1 }
      let request = RunRequest(words: words, caller: Caller(directory: "/", environment: EnvironmentVariables(account)))
      await client.say(
        String(decoding: AgentLanguage.request(.number("1"), "run", request.parameters).dropLast(), as: UTF8.self))
      #expect(client.said("error").first?["code"].integer == AgentLanguage.Failure.declined, "\(client.lines)")
      #expect(client.said("started").isEmpty)
    }
  }

  @Test("Whoever speaks no such language hears one error and is let go of; the session is untouched")
  func rubbish() async throws {
    try await hosting { rig, folder, host in
      for line in [
        "GET / HTTP/1.1", "{", "[]", #"{"jsonrpc":"2.0"}"#, "\u{0}", #"{"jsonrpc":"2.0","id":{},"method":"x"}"#,
      ] {
        let client = try AgentClient(folder)
        await client.say(line)
        #expect(client.hasEnded && client.lines.count == 1 && client.lines[0].contains(#""error""#), "\(line)")
      }
      let long = try AgentClient(folder)
      await long.say(String(repeating: "x", count: CommandLimits.agentLine + 10))
      #expect(
        long.hasEnded && long.said("error", nil).first?["code"].integer == AgentLanguage.Failure.badRequest,
        "\(long.lines)")
      let half = try AgentClient(folder)
      await half.close()
      #expect(!host.hasEnded && rig.fixture.session.isOnline)
    }
  }

  @Test("What is missing from a request, and another version of the language, are named")
  func incomplete() async throws {
    try await hosting { _, folder, _ in
      let client = try AgentClient(folder)
      await client.say(#"{"jsonrpc":"2.0","id":1,"method":"run","params":{"version":1}}"#)
      await client.say(#"{"jsonrpc":"2.0","id":2,"method":"run","params":{"version":2}}"#)
      await client.say(#"{"jsonrpc":"2.0","id":3,"method":"fly","params":[]}"#)
      await client.say(#"{"jsonrpc":"2.0","id":4,"method":"send","params":[1]}"#)
      await client.say(#"{"jsonrpc":"2.0","id":5,"method":"stop"}"#)
      #expect(
        (1...5).map { client.said("error", $0).first?["code"].integer } == [-32602, -32001, -32601, -32602, -32000])
      #expect(!client.hasEnded)
    }
  }

  @Test("A command is a method too, whose result is what it found")
  func methods() async throws {
    try await hosting { rig, folder, _ in
      let client = try AgentClient(folder)
      await client.say(#"{"jsonrpc":"2.0","id":1,"method":"status","params":[]}"#)
      #expect(client.said("result").first?["rows"].elements.first?["command"].text == "status")
      await client.say(
        #"{"jsonrpc":"2.0","id":2,"method":"send","params":{"arguments":["bob@example.org"],"stdin":"by hand"}}"#)
      #expect(rig.sentMessages == ["bob@example.org|by hand"])
      #expect(client.said("result", 2).count == 1)
      await client.say(#"{"jsonrpc":"2.0","id":3,"method":"send","params":["nobody at all","x"]}"#)
      let failure = client.said("error", 3).first
      #expect(failure?["code"].integer == 67 && failure?["data"]["condition"].text == "item-not-found")
      await client.say(#"{"jsonrpc":"2.0","id":4,"method":"version"}"#)
      #expect(client.said("result", 4).first?["accounts"].elements.first?["account"].text == "alice@example.org")
    }
  }

  @Test("What happens comes as notifications, and is presented when the client says so")
  func events() async throws {
    try await hosting { rig, folder, _ in
      let client = try AgentClient(folder)
      await client.say(
        #"{"jsonrpc":"2.0","id":1,"method":"listen","params":{"arguments":["--as","bot"],"confirm":true}}"#)
      await rig.fixture.receive(ListenTests.message("one") + ListenTests.message("two"))
      await AgentClient.settle()
      let bodies = client.said("event").compactMap { $0["object"]["body"].text }
      #expect(bodies == ["one", "two"])
      // The connection, and the first message.
      await client.say(#"{"jsonrpc":"2.0","method":"written","params":{"run":1,"objects":2}}"#)
      await client.close()
      let again = try AgentClient(folder)
      await again.say(#"{"jsonrpc":"2.0","id":1,"method":"listen","params":{"arguments":["--as","bot"]}}"#)
      #expect(again.said("event").compactMap { $0["object"]["body"].text } == ["two"])
      await again.close()
    }
  }

  @Test("read their stdin from who asked, when they want it")
  func input() async throws {
    try await hosting { rig, folder, _ in
      let client = try AgentClient(folder)
      await client.run("send", "--lines", "bob@example.org")
      #expect(client.said("read").count == 1)
      await client.say(#"{"jsonrpc":"2.0","method":"input","params":{"run":1,"text":"one\ntwo\n"}}"#)
      #expect(client.said("read").count == 2)
      await client.say(#"{"jsonrpc":"2.0","method":"input","params":{"run":1}}"#)
      #expect(rig.sentMessages.count == 2 && client.code() == 0)
      // One that nobody asked to say so much is let go of.
      let greedy = try AgentClient(folder)
      await greedy.run("listen")
      let piece = String(repeating: "x", count: 600_000)
      for _ in 0..<3 { await greedy.say(#"{"jsonrpc":"2.0","method":"input","params":{"run":1,"text":"\#(piece)"}}"#) }
      #expect(greedy.hasEnded)
    }
  }

  @Test("end by an interrupt, and with their client")
  func ending() async throws {
    try await hosting { rig, folder, host in
      let client = try AgentClient(folder)
      await client.run("listen")
      await client.say(#"{"jsonrpc":"2.0","method":"interrupt","params":{"run":1,"signal":2}}"#)
      #expect(client.code() == 0)
      await client.run("listen", id: 2)
      #expect(rig.application.agent?.runCount == 1)
      await client.close()
      #expect(rig.application.agent?.runCount == 0 && !host.hasEnded)
    }
  }

  @Test("One that is interrupted ends when what it has printed is out, so that the next does not print it again")
  func interruptedOutput() async throws {
    try await hosting { rig, folder, _ in
      let interrupt = #"{"jsonrpc":"2.0","method":"interrupt","params":{"run":1,"signal":15}}"#
      let client = try AgentClient(folder)
      client.confirms = false
      await client.run("listen", "--as", "lamp")
      await rig.fixture.receive(ListenTests.message("one"))
      await AgentClient.settle()
      await client.say(interrupt)
      #expect(client.output().hasSuffix("one\n") && client.code() == nil)
      await client.say(
        #"{"jsonrpc":"2.0","method":"written","params":{"run":1,"bytes":\#(client.output().utf8.count)}}"#)
      #expect(client.code() == 0)
      let next = try AgentClient(folder)
      next.confirms = false
      await next.run("listen", "--as", "lamp")
      #expect(!next.output().contains("one"))
      // One that writes nothing more is not waited for for ever.
      await rig.fixture.receive(ListenTests.message("two"))
      await AgentClient.settle()
      await next.say(interrupt)
      #expect(next.code() == nil)
      for _ in 0..<2 {
        await rig.fixture.clock.elapse(CommandLimits.agentConfirmation)
        await AgentClient.settle()
      }
      #expect(next.code() == 0)
    }
  }

  @Test("Who is killed at any byte of what they ask for has asked for nothing, and is gone")
  func cutRequest() async throws {
    try await hosting { rig, folder, host in
      let request = AgentClient.request(Self.send)
      for count in 0..<request.count { try await AgentClient(folder).say(only: request.prefix(count)) }
      #expect(rig.sentMessages.isEmpty)
      let client = try AgentClient(folder)
      await client.run("send", "bob@example.org", "hello")
      #expect(rig.sentMessages == ["bob@example.org|hello"] && client.code() == 0 && !host.hasEnded)
    }
  }

  @Test("More than there is room for: who has asked for nothing makes place")
  func many() async throws {
    try await hosting { rig, folder, _ in
      let busy = try AgentClient(folder)
      await busy.run("listen")
      var idle: [AgentClient] = []
      for _ in 0..<(CommandLimits.agentClients + 20) {
        idle.append(try AgentClient(folder))
        await AgentClient.settle()
      }
      #expect(rig.application.agent?.clientCount == CommandLimits.agentClients)
      #expect(!busy.hasEnded && idle[0].hasEnded)
      await idle.last?.run("send", "bob@example.org", "served")
      #expect(rig.sentMessages == ["bob@example.org|served"])
      for id in 10..<(10 + CommandLimits.agentRuns + 1) { await idle.last?.run("listen", id: id) }
      #expect(
        idle.last?.said("error", 10 + CommandLimits.agentRuns).first?["code"].integer == AgentLanguage.Failure.busy)
      for client in idle { await client.close() }
      await busy.close()
    }
  }

  @Test("What waits goes on elsewhere when the process ends, from where it is; the socket goes")
  func handedOver() async throws {
    try await TestDirectory.onLoop { directory in
      let folder = AgentFolder(path: directory.path + "/run")
      let rig = try ApplicationRig(agentFolder: folder)
      let host = try await rig.start("listen")
      let client = try AgentClient(folder)
      await client.run("listen", "--count", "3", "--for", "100")
      await rig.fixture.receive(ListenTests.message("one"))
      await AgentClient.settle()
      await rig.fixture.clock.elapse(.seconds(10))
      rig.application.interrupted(by: SIGINT)
      await AgentClient.settle()
      let failure = client.said("error").first
      #expect(failure?["code"].integer == AgentLanguage.Failure.leaving)
      #expect(Handover(failure?["data"] ?? .null) == Handover(count: 2, seconds: 90))
      await rig.fixture.clock.elapse(.seconds(10))
      #expect(host.value == .success && folder.sockets().isEmpty)
    }
  }

  @Test("A socket that nobody listens on any more is taken over; one of another process is left to it")
  func staleSocket() async throws {
    try await TestDirectory.onLoop { directory in
      let folder = AgentFolder(path: directory.path + "/run")
      try folder.make()
      // Closed without being removed, as by a kill.
      close(try LocalSocket.listen(folder: folder.path, name: "alice@example.org"))
      let rig = try ApplicationRig(agentFolder: folder)
      let host = try await rig.start("listen")
      let client = try AgentClient(folder)
      await client.run("ping", "bob@example.org")
      #expect(client.said("started").count == 1)
      let second = try ApplicationRig(agentFolder: folder)
      let other = try await second.start("listen")
      #expect(second.application.agent?.isOpen == false)
      for (rig, host) in [(rig, host), (second, other)] {
        rig.application.interrupted(by: SIGINT)
        await rig.fixture.clock.elapse(.seconds(10))
        #expect(host.value == .success)
      }
    }
  }

  @Test("An account's socket is made while another account's is")
  func anotherAccountsSocket() async throws {
    try await TestDirectory.onLoop { directory in
      let folder = AgentFolder(path: directory.path + "/run")
      try folder.make()
      let held = [folder.lock(of: "bob@example.org"), folder.path + "/.lock"].map { (path: String) in
        open(path, O_RDWR | O_CREAT, 0o600)
      }
      defer { for lock in held { close(lock) } }
      for lock in held { #expect(flock(lock, LOCK_EX | LOCK_NB) == 0) }
      let rig = try ApplicationRig(agentFolder: folder)
      let host = try await rig.start("listen")
      #expect(rig.application.agent?.isOpen == true && folder.sockets() == ["alice@example.org"])
      rig.application.interrupted(by: SIGINT)
      await rig.fixture.clock.elapse(.seconds(10))
      #expect(host.value == .success)
    }
  }

  @Test(
    "A folder that is not private, or a socket's place that is taken by something else, is not used",
    arguments: [true, false])
  func badPlace(_ isLink: Bool) async throws {
    try await TestDirectory.onLoop { directory in
      let folder = AgentFolder(path: directory.path + "/run")
      try folder.make()
      let target = directory.path + "/precious"
      close(open(target, O_CREAT | O_WRONLY, 0o600))
      if isLink { symlink(target, folder.path + "/alice@example.org") } else { chmod(folder.path, 0o777) }
      let rig = try ApplicationRig(agentFolder: folder)
      let host = try await rig.start("listen")
      #expect(rig.application.agent?.isOpen == false)
      #expect(access(target, F_OK) == 0 && !folder.isSocket("alice@example.org"))
      rig.application.interrupted(by: SIGINT)
      await rig.fixture.clock.elapse(.seconds(10))
      #expect(host.value == .success)
    }
  }

  @Test("'agent stop' hears its connection end with the process, when the server has been left")
  func stop() async throws {
    try await TestDirectory.onLoop { directory in
      let folder = AgentFolder(path: directory.path + "/run")
      let rig = try ApplicationRig(agentFolder: folder)
      let host = try await rig.start("agent", "run")
      let other = try AgentClient(folder)
      let client = try AgentClient(folder)
      await client.say(#"{"jsonrpc":"2.0","id":1,"method":"stop"}"#)
      await rig.fixture.clock.elapse(.seconds(10))
      await AgentClient.settle()
      #expect(host.value == .success && other.hasEnded)
      #expect(client.said("result").count == 1 && !client.hasEnded)
    }
  }
}
