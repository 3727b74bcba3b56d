// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
import Support
import Testing

/// Commands that go through the session of another Jackdaw of the account.
@Suite("The agent")
struct AgentProgramTests {
  @Test("runs commands as they would run by themselves: the same output, the same code")
  func alike() async throws {
    try await withPair(on: .prosody, friends: true) { alice, bob in
      try await alice.does("friends", "rename", bob.jid, "Bob Ü")
      try await alice.does("send", bob.jid, "before")
      try await AgentHost.with(of: alice) { host in
        let commands: [[String]] = [
          ["friends"], ["friends", "list", "--json"], ["status", "--unread"], ["outbox"], ["history", bob.jid],
          ["history", "--search", "before", "--export", "text"], ["friends", "show", "Bob Ü"], ["blocked"],
          ["friends", "export"], ["friends", "rename", bob.jid, "Bob Ü"], ["privacy", bob.jid], ["unread"], ["rooms"],
          ["send", "nobody"], ["send", "no one", "x"], ["send", "a@@b", "x"], ["friends", "add", alice.jid],
          ["nonsense"],
          ["friends", "accept", "eve@example.org"], ["send", "--wait", "never", bob.jid, "x"], ["run", "/nonexistent"],
          ["friends", "import", "/nonexistent"], ["block", "-q"], ["account", "list"], ["--version"],
        ]
        for words in commands {
          let alone = try await TestProcess.run(alice.invocation(words))
          let through = try await TestProcess.run(host.guest.invocation(words))
          #expect(through.ending == alone.ending, "\(words): \(through.errors)")
          // Times differ, and who is online.
          let (one, other) = (Self.steady(through.output), Self.steady(alone.output))
          #expect(one == other, "\(words)")
          #expect(through.errors == alone.errors, "\(words)")
        }
        #expect(try await host.commandCount() == 0)
      }
    }
  }

  private static func steady(_ text: String) -> String {
    text.replacing(/"time":"[^"]*"/, with: "").replacing(/"presence":"?[a-z]*"?/, with: "")
      .replacing(/\b(online|offline|unknown|available)\b/, with: "")
  }

  @Test(
    "sends without logging in again, and each command's files, input and messages are its own",
    arguments: TestServer.Kind.allCases)
  func through(_ kind: TestServer.Kind) async throws {
    try await withPair(on: kind, friends: true) { alice, bob in
      try await bob.listening("--json", "--count", "6") { bobListens in
        try await bobListens.expect(#""state":"online""#)
        try await AgentHost.with(of: alice) { host in
          try await alice.sees(bob)
          let guest = host.guest
          try await guest.does("send", bob.jid, "word")
          try await guest.does("send", bob.jid, input: .text("all of\nstdin\n"))
          try await guest.does("send", "--lines", bob.jid, input: .text("one\ntwo\n"))
          try await guest.does(input: .text("/to \(bob.jid)\nfrom a script\n/ping\n"))
          try guest.home.write("/to \(bob.jid)\nfrom a file\n", to: "night.jack")
          try await guest.does("run", "night.jack")
          #expect(try await guest.run("send", bob.jid, "x", input: .text("")).ending == .exited(0))
          #expect(try await guest.run(input: .text("/to nobody\n")).ending == .exited(67))
          let broken = try await guest.run("run", "-", input: .bytes([0x2F, 0xFF, 0x0A]))
          #expect(broken.ending == .exited(65) && broken.errors.contains("line 1") || broken.errors.contains("Line 1"))
        }
        #expect(try await bobListens.wait() == .exited(0))
        #expect(bobListens.shownBodies == ["word", #"all of\nstdin"#, "one", "two", "from a script", "from a file"])
      }
    }
  }

  @Test(
    "tells of each message to nobody, also where the server says first that it has it",
    arguments: TestServer.Kind.allCases)
  func nobody(_ kind: TestServer.Kind) async throws {
    try await withPair(on: kind) { alice, _ in
      try await AgentHost.with(of: alice) { host in
        let nobody = "nobody@\(alice.jid.split(separator: "@").last ?? "")"
        for number in 1...6 {
          let one = try await host.guest.run("send", nobody, "x")
          let lines = try await host.guest.run("send", "--lines", nobody, input: .text("\(number)\n"))
          #expect(one.ending == .exited(69) && lines.ending == .exited(69), "\(number): \(one) \(lines)")
        }
      }
    }
  }

  @Test("In a folder that cannot be named to the agent, a command finds its files by itself")
  func folderWithoutName() async throws {
    try await withPair(on: .prosody) { alice, _ in
      try await AgentHost.with(of: alice) { host in
        var invocation = host.person.invocation(["run", "night.jack"])
        // Latin-1, as old archives have it.
        let shell = """
          d=$(printf 'Pr\\344sent') && mkdir "$d" && cd "$d" && echo /friends >night.jack || exit 1
          "$0" "$@"; code=$?; cd .. && rm -r "$d"; exit $code
          """
        (invocation.program, invocation.arguments) = ("sh", ["-c", shell, invocation.program] + invocation.arguments)
        let run = try await TestProcess.run(invocation)
        #expect(run.ending == .exited(0), "\(run)")
      }
    }
  }

  @Test("A status from the shell is that of the session that runs: an agent's, and a prompt's")
  func status() async throws {
    try await withPair(on: .prosody, friends: true) { alice, bob in
      func isShown(_ text: String) async throws {
        try await eventually { try await bob.does("friends", "list", "--online").contains { $0.contains(text) } }
      }
      try await AgentHost.with(of: alice) { host in
        try await host.guest.does("status", "away", "At lunch")
        try await isShown("At lunch")
        #expect(try await host.guest.does("status").first?.contains("At lunch") == true)
      }
      var person = alice
      person.environment[TestProcess.Invocation.noAgent] = ""
      let guest = AgentHost(person: person, process: try TestProcess.start(.init("true"))).guest
      try await person.atThePrompt { prompt in
        try await prompt.expectScreen(showing: "jackdaw>")
        try await eventually { try await guest.run("status", "busy", "Writing").ending == .exited(0) }
        try await isShown("Writing")
        try await prompt.expectScreen(showing: "busy")
        prompt.send(Key.controlD)
        #expect(try await prompt.wait() == .exited(0))
      }
      #expect(try await person.run("status", "away").ending == .exited(69))
    }
  }

  @Test("Ctrl-C and a closed terminal end the command alone; a second interrupt ends the wait for one")
  func interrupts() async throws {
    try await withPair(on: .prosody) { alice, _ in
      try await AgentHost.with(of: alice) { host in
        for signal in [SIGINT, SIGTERM, SIGHUP] {
          try await TestProcess.withProcess(host.guest.invocation(["listen", "--json"])) { listening in
            try await listening.expect(#""state":"online""#)
            listening.signal(signal)
            #expect(try await listening.wait() == .exited(0))
          }
        }
        try await TestProcess.withProcess(host.guest.invocation(["send", "--lines", alice.jid], input: .open)) {
          sending in
          try await eventually { try await host.commandCount() == 1 }
          sending.signal(SIGINT)
          #expect(try await sending.wait() == .exited(130))
        }
        // Killed, it cannot say goodbye.
        try await TestProcess.withProcess(host.guest.invocation(["listen", "--json"])) { listening in
          try await listening.expect(#""state":"online""#)
          listening.signal(SIGKILL)
          _ = try await listening.wait()
        }
        try await eventually { try await host.commandCount() == 0 }
      }
    }
  }

  @Test("'listen' goes on by itself when the agent ends, and shows each message once")
  func goesOn() async throws {
    try await withPair(on: .prosody, friends: true) { alice, bob in
      var listener = alice
      listener.environment[TestProcess.Invocation.noAgent] = ""
      try await AgentHost.with(of: alice) { host in
        try await TestProcess.withProcess(listener.invocation(["listen", "--json", "--count", "3"])) { listening in
          try await listening.expect(#""state":"online""#)
          #expect(try await host.commandCount() == 1)
          try await bob.does("send", alice.jid, "one")
          try await listening.expect(#""body":"one""#)
          try await host.guest.does("agent", "stop")
          #expect(try await host.process.wait() == .exited(0))
          #expect(access(host.socket, F_OK) != 0)
          // As a service manager that starts it anew.
          try await AgentHost.with(of: alice) { next in
            let status = try await next.guest.does("--json", "agent", "status")
            #expect(status.first?.contains(#""agent":true"#) == true, "\(status)")
            try await next.guest.does("agent", "stop")
            #expect(try await next.process.wait() == .exited(0))
          }
          try await bob.does("send", alice.jid, "two")
          try await bob.does("send", alice.jid, "three")
          #expect(try await listening.wait() == .exited(0))
          #expect(listening.shownBodies == ["one", "two", "three"])
        }
      }
    }
  }

  @Test("Killed in the middle of a command: 75, what is not confirmed is named, and the next agent sees to it, once")
  func killed() async throws {
    try await withPair(on: .prosody, friends: true) { alice, bob in
      try await bob.listening("--json", "--count", "2") { bobListens in
        try await alice.sees(bob)
        try await FaultProxy.with(to: alice.server) { proxy in
          let slow = alice.through(proxy)
          try await AgentHost.with(of: slow) { host in
            // The socket is there before the log-in is done.
            try await host.guest.does("ping")
            proxy.swallow()
            try await TestProcess.withProcess(host.guest.invocation(["send", bob.jid, "one"])) { sending in
              try await eventually { try await alice.does("outbox").contains { $0.contains("one") } }
              host.process.signal(SIGKILL)
              #expect(try await sending.wait() == .exited(75))
              #expect(sending.standardError.contains("1 message is not confirmed yet"), "\(sending.standardError)")
            }
            // The socket of the dead is nobody's: the command goes by itself.
            #expect(access(host.socket, F_OK) == 0)
          }
        }
        var next = alice
        next.environment[TestProcess.Invocation.noAgent] = ""
        let sent = try await next.run("send", bob.jid, "two")
        #expect(sent.ending == .exited(0) && sent.errors.isEmpty, "\(sent.errors)")
        try await AgentHost.with(of: alice) { host in
          try await eventually { try await host.guest.does("outbox").isEmpty }
        }
        #expect(try await bobListens.wait() == .exited(0))
        #expect(bobListens.shownBodies == ["two", "one"])
      }
    }
  }

  @Test("Stopped: the command waits for its time, says that nothing was done, and that stays so")
  func stopped() async throws {
    try await withPair(on: .prosody, friends: true) { alice, bob in
      try await bob.listening("--json", "--count", "1") { bobListens in
        try await alice.sees(bob)
        try await AgentHost.with(of: alice) { host in
          // The socket's file is there before anybody listens at it.
          try await host.guest.does("ping")
          host.process.signal(SIGSTOP)
          let sent = try await host.guest.run("send", "--timeout", "2", bob.jid, "never")
          #expect(sent.ending == .exited(75) && sent.errors.contains("Nothing was done"), "\(sent.errors)")
          // Without an account of its own it is not waited for.
          #expect(try await host.guest.run("--jid", "eve@example.org", "outbox").ending == .exited(0))
          host.process.signal(SIGCONT)
          try await host.guest.does("send", bob.jid, "once")
        }
        #expect(try await bobListens.wait() == .exited(0))
        #expect(bobListens.shownBodies == ["once"])
        #expect(try await bob.does("history", alice.jid).count == 1)
      }
    }
  }

  @Test(
    "Another user is not let in, and a folder of others is not used",
    .enabled(if: geteuid() == 0, "only root can be somebody else"))
  func otherUser() async throws {
    try await withPair(on: .prosody) { alice, _ in
      try await AgentHost.with(of: alice) { host in
        // Whatever keeps others out of the folder is taken away: what is left is the look at who they are.
        var path = host.socket
        chmod(path, 0o777)
        while let slash = path.lastIndex(of: "/"), slash != path.startIndex {
          path = String(path[..<slash])
          if path == "/tmp" { break }
          chmod(path, 0o711)
        }
        let answer = try await python(
          """
          import os, socket, sys
          os.setgid(65534); os.setuid(65534)
          s = socket.socket(socket.AF_UNIX); s.connect(sys.argv[1]); s.settimeout(150)
          try:
            s.sendall(b'{"jsonrpc":"2.0","id":1,"method":"version"}\\n'); print(s.recv(100))
          except (BrokenPipeError, ConnectionResetError): print(b'')
          """, host.socket)
        #expect(answer == "b''\n")
        // The folder is not private any more: commands go by themselves, and fail by their wrong password.
        let alone = try await host.guest.run("ping")
        #expect(alone.ending == .exited(77), "\(alone.errors)")
      }
    }
  }

  @Test("Killed at any byte of what it answers: what was not begun is done here, what was is not done again")
  func cutAnswer() async throws {
    try await withPair(on: .prosody, friends: true) { alice, bob in
      var person = alice
      person.environment[TestProcess.Invocation.noAgent] = ""
      let started = #"{"jsonrpc":"2.0","method":"started","params":{"run":1}}"# + "\n"
      let answer = started + #"{"jsonrpc":"2.0","id":1,"result":{"code":0}}"# + "\n"
      let cuts = Array(stride(from: 0, to: answer.utf8.count, by: 7)) + [started.utf8.count, answer.utf8.count]
      // An agent that says so much to each command in turn, and is gone.
      let agent = """
        import os, socket, sys
        os.makedirs(sys.argv[1], mode=0o700); os.chmod(sys.argv[1], 0o700)
        s = socket.socket(socket.AF_UNIX); s.bind(sys.argv[1] + "/" + sys.argv[2]); s.listen(5)
        for count in sys.argv[4:]:
          c, _ = s.accept(); request = b""
          while not request.endswith(b"\\n"): request += c.recv(65536)
          c.sendall(sys.argv[3].encode()[:int(count)]); c.close()
        """
      let host = AgentHost.socket(of: person)
      let folder = String(host.dropLast(person.jid.count + 1))
      try await TestProcess.withProcess(
        .init(SourceTree.python, ["-c", agent, folder, person.jid, answer] + cuts.map { "\($0)" })
      ) { _ in
        try await eventually { access(host, F_OK) == 0 }
        var sent: [String] = []
        for cut in cuts {
          let run = try await person.run("send", bob.jid, "cut at \(cut)")
          let code = cut < started.utf8.count || cut == answer.utf8.count ? 0 : 75
          #expect(run.ending == .exited(code), "\(cut): \(run.errors)")
          if cut < started.utf8.count { sent.append("cut at \(cut)") }
        }
        try await bob.listening("--json", "--count", "\(sent.count)") { listening in
          let ending = try await listening.wait()
          #expect(ending == .exited(0))
          #expect(listening.shownBodies == sent)
        }
        let all = try await bob.does("history", alice.jid)
        #expect(all.filter { $0.contains("cut at") }.count == sent.count)
      }
    }
  }

  @Test("Where it may open no more files, who asks for nothing makes place")
  func descriptors() async throws {
    try await withPair(on: .prosody) { alice, _ in
      try await AgentHost.with(of: alice) { host in
        let limits = ["--pid", "\(host.process.id)", "--nofile=24"]
        #expect(try await TestProcess.run(.init("prlimit", limits)).ending == .exited(0))
        try await python(
          """
          import socket, sys
          def open():
            s = socket.socket(socket.AF_UNIX); s.connect(sys.argv[1]); s.settimeout(150); return s
          kept = [open() for turn in range(30)]
          last = open()
          last.sendall(b'{"jsonrpc":"2.0","id":1,"method":"version"}\\n')
          assert b'"process"' in last.recv(65536)
          """, host.socket)
      }
    }
  }

  @Test("Half frames, a client that reads nothing, and hundreds of clients leave the others alone")
  func clients() async throws {
    try await withPair(on: .prosody) { alice, _ in
      try await AgentHost.with(of: alice) { host in
        try await python(
          """
          import socket, sys
          def open():
            s = socket.socket(socket.AF_UNIX); s.connect(sys.argv[1]); return s
          ask = b'{"jsonrpc":"2.0","id":%d,"method":"history","params":["--json"]}\\n'
          kept = []
          for turn in range(400):
            s = open()
            s.sendall([b'', b'{"jsonrpc"', b'\\xff\\xfe\\n', b'[' * 5000 + b'\\n', b'x' * 100000][turn % 5])
            kept.append(s)
            if len(kept) > 100: kept.pop(0).close()
          deaf = open()
          deaf.setblocking(False)
          try:
            for turn in range(20000): deaf.send(b'{"jsonrpc":"2.0","id":%d,"method":"version"}\\n' % turn)
          except BlockingIOError: pass
          except (BrokenPipeError, ConnectionResetError): pass
          """, host.socket)
        try await host.guest.does("ping")
        #expect(try await host.commandCount() == 0)
      }
    }
  }
}
