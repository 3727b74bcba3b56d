// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
import Support
import Testing

/// Docs/Services/watch.py, as somebody runs it.
@Suite("A program that is the agent's client")
struct AgentExampleProgramTests {
  @Test("Programs are its clients: the example of the manual")
  func example() async throws {
    try await withPair(on: .prosody, friends: true) { alice, bob in
      try await AgentHost.with(of: alice) { host in
        var environment = host.person.environment
        environment["XDG_RUNTIME_DIR"] = host.person.home.path + "/runtime"
        mkdir(host.person.home.path + "/runtime", 0o700)
        symlink(host.person.home.path + "/.local/share/jackdaw/run", host.person.home.path + "/runtime/jackdaw")
        let script = SourceTree.path("Docs/Services/watch.py")
        let watch = TestProcess.Invocation(SourceTree.python, ["-u", script, alice.jid], environment: environment)
        // Whoever asks is there to be answered: a command may be gone by then.
        let asking = LiveJackdaw(bob)
        try await asking.start()
        try await TestProcess.withProcess(watch) { watching in
          try await eventually { try await host.commandCount() == 1 }
          _ = try await asking.types("/send \(alice.jid) ping")
          try await watching.expect("\(bob.jid)")
          let answer = try await asking.line(with: [#""event":"message""#, #""body":"pong""#])
          #expect(answer != nil, "\(watching.standardOutput)\(watching.standardError)")
          // Before it prints the next one it has said that this one is seen.
          try await bob.does("send", alice.jid, "and more")
          try await watching.expect("and more")
          watching.signal(SIGKILL)
          _ = try await watching.wait()
        }
        try await asking.end()
        // What came meanwhile is what it gets next, and nothing twice.
        try await bob.does("send", alice.jid, "later")
        try await TestProcess.withProcess(watch) { watching in
          try await watching.expect("later")
          #expect(!watching.standardOutput.contains("ping"))
          try await alice.does("send", bob.jid, "ping")  // Their own, which is not answered.
          try await watching.expect("ping")
          try await bob.does("send", alice.jid, "at last")
          try await watching.expect("at last")
          #expect(!watching.standardOutput.contains("pong"))
        }
      }
    }
  }
}
