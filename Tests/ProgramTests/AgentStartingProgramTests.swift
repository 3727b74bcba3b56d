// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
import Support
import Testing

/// Agents that a command starts in the background.
@Suite("The agent in the background")
struct AgentStartingProgramTests {
  /// Somebody with a configuration file that says `agent = true`, and nothing in the environment.
  private static func configured(_ person: Person, password: String? = nil) throws -> Person {
    var configured = person
    configured.environment = [
      TestProcess.Invocation.noAgent: "", "JACKDAW_JID": "", "JACKDAW_PASSWORD": "", "JACKDAW_SERVER": "",
      "JACKDAW_CA_FILE": "", "JACKDAW_CONFIG": person.home.file("config.toml"),
    ]
    try person.home.write(
      """
      agent = true
      agent_idle = "1h"
      [accounts.home]
      jid = "\(person.jid)"
      \(password ?? "password = \"\(person.account.password)\"")
      server = "\(person.server.address)"
      ca_file = "\(person.server.caFile)"

      """, to: "config.toml")
    return configured
  }

  /// Somebody with two accounts, alice's and bob's.
  /// - Parameters:
  ///   - hasPasswords: the configuration names files with their passwords.
  ///   - bobsServer: where bob's is; nil: where alice's is.
  private static func withBoth(
    _ alice: Person, _ bob: Person, hasPasswords: Bool = true, bobsServer: String? = nil
  ) throws -> Person {
    var both = try configured(alice)
    both.environment["JACKDAW_ACCOUNT"] = "alice,bob"
    let accounts = try [("alice", alice), ("bob", bob)].map { name, person in
      let file = try alice.home.write(person.account.password + "\n", to: name + ".password")
      let password = hasPasswords ? "password_file = \"\(file)\"" : ""
      return """
        [accounts.\(name)]
        jid = "\(person.jid)"
        server = "\(name == "bob" ? bobsServer ?? "\(person.server.address)" : "\(person.server.address)")"
        ca_file = "\(person.server.caFile)"
        \(password)

        """
    }
    try alice.home.write("agent = true\n" + accounts.joined(), to: "config.toml")
    return both
  }

  private static func process(of person: Person) async throws -> pid_t {
    let line = try await person.does("--json", "agent", "status").first ?? ""
    return try #require(line.firstMatch(of: /"process":(\d+)/).flatMap { pid_t($0.output.1) }, "\(line)")
  }

  @Test("'agent = true' starts one with the first command")
  func automatic() async throws {
    try await withPair(on: .prosody, friends: true) { alice, bob in
      let person = try Self.configured(alice)
      try await person.does("send", bob.jid, "first")
      #expect(try await person.does("agent", "status").first?.contains("agent") == true)
      try await person.does("send", bob.jid, "second")
      try await person.does("agent", "stop")
      try await person.does("--no-agent", "send", bob.jid, "alone")
      #expect(try await person.run("agent", "status").ending == .exited(69))
      // It outlives its account's entry, whose name no command finds it by then.
      try await person.does("agent", "start")
      let removed = try await person.run("account", "remove", "home")
      #expect(removed.errors.contains("type: jackdaw --jid \(alice.jid) agent stop"), "\(removed)")
      try await person.does("--jid", alice.jid, "agent", "stop")
    }
  }

  @Test("A lock of the script that started it, and other files that are open there, are not held by it")
  func descriptorsOfItsStarter() async throws {
    try await withPair(on: .prosody) { alice, _ in
      let person = try Self.configured(alice)
      let lock = person.home.file("lock")
      // The password is handed on by a descriptor that the script uses, too.
      for (words, environment) in [
        (["ping"], [:]), (["agent", "start"], ["JACKDAW_PASSWORD": alice.account.password]),
      ] {
        var invocation = person.invocation(words)
        invocation.environment.merge(environment) { $1 }
        let shell = #"exec 3>"$0.3" 9>"$0"; flock -n 9 && "$@""#
        (invocation.program, invocation.arguments) = (
          "sh", ["-c", shell, lock, invocation.program] + invocation.arguments
        )
        #expect(try await TestProcess.run(invocation).ending == .exited(0))
        let agent = try await Self.process(of: person)
        let left = try await TestProcess.run(.init("flock", ["-n", lock, "ls", "-l", "/proc/\(agent)/fd"]))
        #expect(left.ending == .exited(0) && !left.output.contains(lock), "\(left)")
        try await person.does("agent", "stop")
      }
    }
  }

  /// The socket of one that was killed stays, and the stream that it had is gone on with, which is said before it is ready.
  @Test("Where one was killed, the next command starts another one, which goes on with its stream")
  func afterKill() async throws {
    try await withPair(on: .prosody, friends: true) { alice, bob in
      let person = try Self.configured(alice)
      try await person.does("send", bob.jid, "first")
      let first = try await Self.process(of: person)
      kill(first, SIGKILL)
      try await eventually { kill(first, 0) != 0 }
      try await person.does("send", bob.jid, "second")
      let second = try await Self.process(of: person)
      #expect(second != first)
      kill(second, SIGKILL)
      try await eventually { kill(second, 0) != 0 }
      let started = try await person.does("--json", "agent", "start")
      #expect(started.first?.contains(#""state":"resumed""#) == true, "\(started)")
      try await person.does("agent", "stop")
    }
  }

  @Test("An agent for several accounts has the passwords in files that the configuration names; none is typed for it")
  func severalPasswordFiles() async throws {
    try await withPair(on: .prosody, friends: true) { alice, bob in
      let both = try Self.withBoth(alice, bob)
      let started = try await both.does("--json", "agent", "start")
      #expect(started.count == 1 && started[0].contains(#""accounts":["\#(alice.jid)","\#(bob.jid)"]"#), "\(started)")
      try await both.does("agent", "stop")
      // The first command starts it.
      #expect(try await both.run("friends").errors.isEmpty)
      #expect(try await both.does("--json", "agent", "status").count == 1)
      try await both.does("agent", "stop")
      let asking = try Self.withBoth(alice, bob, hasPasswords: false)
      let refused = try await asking.run("agent", "start")
      #expect(
        refused.ending == .exited(77) && refused.errors.contains("run 'jackdaw --account alice agent start'"),
        "\(refused)")
    }
  }

  @Test(
    "One whose configuration names a file with the password uses what stands there once the server refuses the old one")
  func changedPasswordFile() async throws {
    try await withPair(on: .prosody, .open, friends: true) { alice, bob in
      let file = try alice.home.write(alice.account.password + "\n", to: "password")
      let person = try Self.configured(alice, password: "password_file = \"\(file)\"")
      let bobs = bob.invocation(["--json", "run", "-"], input: .open)
      try await TestProcess.withProcess(bobs) { script in
        func sees(_ count: Int, _ show: String) async throws {
          try await eventually {
            script.standardOutput.split(separator: "\n")
              .count {
                $0.contains(#""event":"presence""#) && $0.contains(alice.jid) && $0.contains(#""show":"\#(show)""#)
              } == count
          }
        }
        script.send("/ping\n")
        try await script.expect(#""command":"ping""#)
        try await person.does("agent", "start")
        let process = try await Self.process(of: person)
        try await sees(1, "available")
        try alice.home.write("another secret\n", to: "password")
        let given = try alice.home.write("another secret\n", to: "given")
        try await alice.does("account", "password", "--new-password-file", given)
        try await sees(1, "unavailable")
        try await sees(2, "available")
        #expect(try await Self.process(of: person) == process)
        try await person.does("agent", "stop")
        script.closeInput()
        #expect(try await script.wait() == .exited(0))
      }
    }
  }

  @Test("'agent start' for several accounts starts what is missing, and 'agent stop' ends each process that there is")
  func severalProcesses() async throws {
    try await withPair(on: .prosody) { alice, bob in
      let both = try Self.withBoth(alice, bob)
      try await both.does("--account", "alice", "agent", "start")
      let started = try await both.does("--json", "agent", "start")
      #expect(
        started.count == 2 && started[0].contains(#""accounts":["\#(alice.jid)"]"#)
          && started[1].contains(#""accounts":["\#(bob.jid)"]"#), "\(started)")
      try await both.does("agent", "stop")
      #expect(try await both.run("agent", "status").ending == .exited(69))
      // One that has both sessions, and the socket of one alone: the other has a process of its own.
      try await both.does("--account", "bob", "agent", "start")
      let run = AgentHost.socket(of: both)
      try await TestProcess.withProcess(both.invocation(["agent", "run"])) { agent in
        try await eventually { access(run, F_OK) == 0 }
        try await both.does("agent", "stop")
        #expect(try await agent.wait() == .exited(0))
      }
      #expect(try await both.run("--account", "bob", "agent", "status").ending == .exited(69))
    }
  }

  @Test("One of several that stands still fails for its own account alone")
  func stoppedOne() async throws {
    try await withPair(on: .prosody, friends: true) { alice, bob in
      let both = try Self.withBoth(alice, bob)
      var first = both
      first.environment["JACKDAW_ACCOUNT"] = "alice"
      try await first.does("agent", "start")
      try await both.does("agent", "start")
      let process = try await Self.process(of: first)
      kill(process, SIGSTOP)
      var friends = try await both.run("--timeout", "1", "friends")
      // On a busy machine bob's may take as long.
      try await eventually {
        if friends.output.hasPrefix("[bob]\t") { return true }
        friends = try await both.run("--timeout", "3", "friends")
        return false
      }
      kill(process, SIGCONT)
      #expect(friends.ending == .exited(75) && friends.output.hasPrefix("[bob]\t"), "\(friends)")
      #expect(friends.errors.contains("alice: Jackdaw runs for this account, but did not answer"), "\(friends)")
      try await both.does("agent", "stop")
    }
  }

  @Test("'agent start' for several accounts says why one of them has none")
  func oneRefused() async throws {
    try await withPair(on: .prosody) { alice, bob in
      let both = try Self.withBoth(alice, bob)
      try alice.home.write("wrong\n", to: "bob.password")
      let started = try await both.run("agent", "start")
      #expect(started.ending == .exited(69) && started.output.hasPrefix("[alice]\tagent"), "\(started)")
      #expect(started.errors.contains("bob: Wrong user name or password."), "\(started)")
      // It has the session of one, and says how the other is.
      #expect(started.output.contains("\(bob.jid) (offline)"), "\(started)")
      _ = try await both.run("agent", "stop")
    }
  }

  @Test("Commands go through one for several accounts while it waits for the server of another of them")
  func besideASilentServer() async throws {
    try await withPair(on: .prosody) { alice, bob in
      try await FaultProxy.with(to: bob.server, .silence, after: 1) { proxy in
        var both = try Self.withBoth(alice, bob, bobsServer: "\(proxy.address)")
        both.environment["JACKDAW_ACCOUNT"] = "bob,alice"
        try await TestProcess.withProcess(both.invocation(["agent", "run", "--timeout", "600"])) { _ in
          let socket = AgentHost.socket(of: alice)
          try await eventually { access(socket, F_OK) == 0 }
        }
      }
    }
  }

  @Test("It waits for a silent server no longer than the command that starts it")
  func timeout() async throws {
    try await withPair(on: .prosody) { alice, bob in
      try await FaultProxy.with(to: bob.server, .silence, after: 1) { proxy in
        var person = try Self.withBoth(alice, bob, bobsServer: "\(proxy.address)")
        person.environment["JACKDAW_ACCOUNT"] = "bob"
        for words in [["agent", "start"], ["ping"]] {
          let run = try await TestProcess.run(person.invocation(["--timeout", "2"] + words))
          #expect(run.ending == .exited(75), "\(run)")
          #expect(run.errors.contains("The agent did not start: The log-in took longer than 2 seconds"), "\(run)")
        }
      }
    }
  }

  @Test("'agent = true' starts one for each account, though another one's runs")
  func besideAnother() async throws {
    try await withPair(on: .prosody) { alice, bob in
      var processes: Set<pid_t> = []
      let both = try Self.withBoth(alice, bob)
      for name in ["alice", "bob"] {
        var person = both
        person.environment["JACKDAW_ACCOUNT"] = name
        #expect(try await person.run("ping").errors.isEmpty)
        processes.insert(try await Self.process(of: person))
      }
      #expect(processes.count == 2)
      try await both.does("agent", "stop")
    }
  }

  @Test("'agent = true': why none could be started is said, and the command is done without")
  func notStarted() async throws {
    try await withPair(on: .prosody, friends: true) { alice, _ in
      let person = try Self.configured(alice)
      try await person.does("--no-agent", "friends")
      // Where its socket would be.
      try person.home.write("", to: ".local/share/jackdaw/run")
      let friends = try await person.run("friends")
      #expect(friends.ending == .exited(0) && friends.errors.contains("The agent did not start: "), "\(friends)")
    }
  }

  @Test("'agent = true' starts none for what needs no connection")
  func notForLocalCommands() async throws {
    try await withPair(on: .prosody) { alice, _ in
      let person = try Self.configured(alice)
      for words in [["history"], ["unread"], ["outbox"]] {
        let run = try await TestProcess.run(person.invocation(words))
        #expect(run.ending == .exited(0), "\(words): \(run.errors)")
      }
      #expect(try await person.run("agent", "status").ending == .exited(69))
    }
  }

  @Test(
    "'--no-history': one that is started with it keeps nothing either, and 'agent = true' starts none for a command with it"
  )
  func keepsNothing() async throws {
    try await withPair(on: .prosody, friends: true) { alice, bob in
      let person = try Self.configured(alice)
      let script = "/sleep 0.01\n"
      #expect(try await person.run("--no-history", input: .text(script)).ending == .exited(0))
      #expect(try await person.run("agent", "status").ending == .exited(69))

      try await person.does("--no-history", "agent", "start")
      try await bob.does("send", alice.jid, "between us")
      #expect(try await person.does("listen", "--count", "1").last?.hasSuffix("between us") == true)
      try await person.does("send", bob.jid, "and gone")
      try await person.does("agent", "stop")
      #expect(try await person.does("--no-agent", "history", bob.jid) == [])
    }
  }

  @Test("It is ready though a program that says the password leaves another one behind, which has its stderr")
  func lingeringPasswordProgram() async throws {
    try await withPair(on: .prosody) { alice, _ in
      // Until the test's directory is gone.
      let lingering = "while [ -d \(alice.home.path) ]; do sleep 0.1; done >/dev/null &"
      let command = "\(lingering) echo \(alice.account.password)"
      let person = try Self.configured(alice, password: #"password_command = "sh -c '\#(command)'""#)
      let started = try await person.does("agent", "start")
      #expect(started.first?.contains("online") == true, "\(started)")
      try await person.does("agent", "stop")
    }
  }
}
