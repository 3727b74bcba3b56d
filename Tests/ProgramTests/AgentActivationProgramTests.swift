// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
import Support
import Testing

@Suite("How an agent starts: in the background, or where systemd listens for it", .serialized)
struct AgentActivationProgramTests {
  /// Runs an agent as systemd does, with a socket that listens already at `folder`. Where the agent's process ends by itself, `after`
  /// is run in the one that made the socket.
  private static func agent(of person: Person, in folder: String, after: String = "") -> TestProcess.Invocation {
    let start = """
      import os, socket, sys
      os.makedirs(sys.argv[1], mode=0o700); os.chmod(sys.argv[1], 0o700)
      s = socket.socket(socket.AF_UNIX); s.bind(sys.argv[1] + "/" + sys.argv[2]); s.listen(5)
      def run():
        os.dup2(s.fileno(), 3); os.set_inheritable(3, True); os.environ["LISTEN_FDS"] = "1"; os.environ["LISTEN_PID"] = str(os.getpid())
        os.execv(sys.argv[3], ["jackdaw", "agent", "run"] + sys.argv[4:])
      \(after.isEmpty ? "run()" : after)
      """
    var invocation = person.invocation([])
    let program = invocation.program
    invocation.program = SourceTree.python
    invocation.arguments = ["-c", start, folder, person.jid, program]
    return invocation
  }

  @Test("starts in the background, says why it cannot, is found by the next command, and ends when nobody needs it")
  func background() async throws {
    try await withPair(on: .prosody, friends: true) { alice, bob in
      var alice = alice
      alice.environment[TestProcess.Invocation.noAgent] = ""
      var wrong = alice
      wrong.environment["JACKDAW_PASSWORD"] = "not the password"
      let refused = try await wrong.run("agent", "start")
      #expect(
        refused.ending == .exited(77) && refused.errors.contains("Wrong user name or password"), "\(refused.errors)")
      #expect(try await alice.run("agent", "status").ending == .exited(69))
      #expect(try await alice.run("agent", "stop").ending == .exited(69))
      let row = try await alice.does("agent", "start").first ?? ""
      #expect(row.contains("online"))
      let process = row.firstMatch(of: /process (\d+)/)?.1 ?? "self"
      #expect(KernelFile.read("/proc/\(process)/comm") == "jackdaw\n", "what 'ps' shows, and 'pidof' looks for")
      #expect(try await alice.does("agent", "start").count == 1, "a second start is no error")
      try await wrong.does("send", bob.jid, "through it")
      try await alice.does("agent", "stop")
      #expect(try await alice.run("agent", "status").ending == .exited(69))
      let starter = alice
      let started = try await withThrowingTaskGroup(of: TestProcess.Outcome.self) { group in
        for _ in 0..<4 { group.addTask { try await starter.run("agent", "start") } }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(
        started.allSatisfy { $0.ending == .exited(0) }, "several starts at once are one: \(started.map(\.errors))")
      try await alice.does("agent", "stop")
      // On a busy machine it may be gone before the command that starts it has looked at it.
      try await eventually { try await alice.run("agent", "start", "--idle", "1").ending == .exited(0) }
      let socket = AgentHost.socket(of: alice)
      try await eventually { access(socket, F_OK) != 0 }
    }
  }

  @Test("takes over a socket that systemd listens on, which is kept by who made it")
  func activation() async throws {
    try await withPair(on: .prosody) { alice, _ in
      var person = alice
      person.environment[TestProcess.Invocation.noAgent] = ""
      let invocation = Self.agent(of: person, in: person.home.path + "/.local/share/jackdaw/run")
      try await TestProcess.withProcess(invocation) { agent in
        let host = AgentHost(person: person, process: agent)
        // Who comes before it is online waits for it.
        try await eventually { access(host.socket, F_OK) == 0 }
        try await host.guest.does("ping")
        agent.signal(SIGTERM)
        #expect(try await agent.wait() == .exited(0))
        #expect(access(host.socket, F_OK) == 0, "who made the socket keeps it")
      }
    }
  }

  @Test("lets in who needs no connection while it has none itself")
  func unconnected() async throws {
    try await withPair(on: .prosody) { alice, _ in
      var person = alice
      person.environment[TestProcess.Invocation.noAgent] = ""
      // Nobody listens there.
      person.environment["JACKDAW_SERVER"] = "127.0.0.1:1"
      let invocation = Self.agent(of: person, in: person.home.path + "/.local/share/jackdaw/run")
      try await TestProcess.withProcess(invocation) { agent in
        let socket = AgentHost.socket(of: person)
        try await eventually { access(socket, F_OK) == 0 }
        let outbox = try await person.run("--timeout", "150", "outbox")
        #expect(outbox.ending == .exited(0), "\(outbox.errors)")
        agent.signal(SIGTERM)
        _ = try await agent.wait()
      }
    }
  }

  @Test("serves commands that name their folder and their authority from where they are, as it was started")
  func relativePaths() async throws {
    try await withPair(on: .prosody) { alice, _ in
      var person = alice
      person.environment[TestProcess.Invocation.noAgent] = ""
      person.environment["JACKDAW_DATA_DIR"] = "data"
      person.environment["JACKDAW_CA_FILE"] = "ca.pem"
      try person.home.write(try #require(KernelFile.read(alice.server.caFile)), to: "ca.pem")
      try await person.does("agent", "start")
      var guest = person
      guest.environment["JACKDAW_PASSWORD"] = "not the password"
      try await guest.does("ping")
      try await person.does("agent", "stop")
      #expect(access(person.home.path + "/data/run/" + person.jid, F_OK) != 0)
    }
  }

  /// It did, and waited a second for its own answer, as long as the command that it was started for.
  @Test("does not ask itself by the socket that it listens on")
  func itDoesNotAskItself() async throws {
    try await withPair(on: .prosody) { alice, _ in
      var person = alice
      person.environment[TestProcess.Invocation.noAgent] = ""
      let folder = person.home.path + "/.local/share/jackdaw/run"
      var invocation = Self.agent(
        of: person, in: folder,
        after: """
          child = os.fork()
          if child == 0: run()
          print("ended", os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
          s.setblocking(False)
          try: s.accept(); print("somebody asked")
          except BlockingIOError: print("nobody asked")
          """)
      invocation.arguments += ["--account", "nobody"]
      let run = try await TestProcess.run(invocation)
      #expect(run.output.hasSuffix("ended 78\nnobody asked\n"), "\(run.output)\(run.errors)")
    }
  }
}
