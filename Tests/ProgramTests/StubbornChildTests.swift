// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
import Support
import Testing

/// Programs that Jackdaw runs and that do not end when they are told to.
@Suite("A child that ignores SIGTERM")
struct StubbornChildTests {
  /// A shell script that ignores what it can, and so does what it starts; it leaves the numbers of both.
  private func script(in home: TestDirectory) throws -> String {
    try home.write(
      """
      trap '' TERM INT HUP
      sleep 100000 &
      echo $$ $! > \(home.file("new"))
      mv \(home.file("new")) \(home.file("pids"))
      while :; do wait; sleep 1; done
      """, to: "stubborn.sh")
  }

  private func children(in home: TestDirectory) async throws -> [pid_t] {
    try await eventually { KernelFile.read(home.file("pids")) != nil }
    let pids = try #require(KernelFile.read(home.file("pids"))).split(whereSeparator: \.isWhitespace).compactMap {
      pid_t($0)
    }
    #expect(pids.count == 2 && pids.allSatisfy(isRunning))
    return pids
  }

  private func isRunning(_ pid: pid_t) -> Bool {
    guard let status = KernelFile.read("/proc/\(pid)/stat") else { return false }
    return status.split(separator: ")").last.map { !$0.hasPrefix(" Z") && !$0.hasPrefix(" X") } ?? false
  }

  @Test("of `listen --exec` is gone when the program is, and so is what it started", arguments: [SIGTERM, SIGINT])
  func exec(_ signal: Int32) async throws {
    try await withPair(on: .prosody, friends: true) { alice, bob in
      let script = try script(in: alice.home)
      try await alice.listening("--json", "--exec", "sh \(script)") { listening in
        try await listening.expect(#""state":"online""#)
        try await bob.does("send", alice.jid, "hello")
        let pids = try await children(in: alice.home)
        listening.signal(signal)
        #expect(try await listening.wait() == .exited(130))
        #expect(pids.filter(isRunning) == [])
      }
    }
  }

  @Test("of `listen --exec` at a terminal gets no Ctrl-C, has five seconds like any other, and is gone then")
  func controlC() async throws {
    try await withPair(on: .prosody, friends: true) { alice, bob in
      let done = alice.home.file("done")
      let told = alice.home.file("told")
      let program = try alice.home.write(
        "until [ -e \(told) ]; do sleep 0.1; done; sleep 0.5; echo > \(done)", to: "slow.sh")
      let invocation = alice.invocation(["listen", "--exec", "sh \(program)"], terminal: .init())
      try await TestProcess.withProcess(invocation) { listening in
        try await eventually {
          try await bob.does("friends", "list", "--online").contains { $0.contains(alice.jid) }
        }
        try await bob.does("send", alice.jid, "hello")
        try await listening.expectScreen(showing: "hello")
        listening.send(Key.controlC)
        await listening.inputIsWritten()
        try alice.home.write("", to: "told")
        #expect(try await listening.wait() == .exited(0))
        #expect(KernelFile.read(done) != nil, "the program was not let finish")
      }
    }
  }

  @Test("as a password_command is gone when the program is, at a terminal or not", arguments: [true, false])
  func passwordCommand(isTerminal: Bool) async throws {
    try await TestDirectory.with { home in
      let script = try script(in: home)
      let configuration = try home.write(
        "[accounts.a]\njid = \"alice@example.org\"\npassword_command = [\"sh\", \"\(script)\"]\n", to: "config.toml")
      let words = ["--config", configuration, "friends", "list"]
      try await TestProcess.withProcess(.jackdaw(words, in: home, terminal: isTerminal ? .init() : nil)) { jackdaw in
        let pids = try await children(in: home)
        if isTerminal { jackdaw.send(Key.controlC) } else { jackdaw.signal(SIGTERM) }
        #expect(try await jackdaw.wait() == .exited(130))
        #expect(pids.filter(isRunning) == [])
      }
    }
  }

  @Test("as a password_command may ask on the terminal")
  func asks() async throws {
    try await withPair(on: .prosody) { alice, _ in
      var alice = alice
      alice.environment["JACKDAW_PASSWORD"] = ""
      let configuration = try alice.home.write(
        """
        [accounts.a]
        jid = "\(alice.jid)"
        password_command = ["sh", "-c", "printf 'Passphrase: ' >/dev/tty; read word </dev/tty; echo $word"]
        """, to: "config.toml")
      var invocation = alice.invocation(["--config", configuration, "ping"], terminal: .init())
      invocation.environment["JACKDAW_PASSWORD"] = nil
      invocation.environment["JACKDAW_JID"] = nil
      try await TestProcess.withProcess(invocation) { jackdaw in
        try await jackdaw.expectScreen(showing: "Passphrase:")
        jackdaw.send(alice.account.password + Key.enter)
        #expect(try await jackdaw.wait() == .exited(0))
      }
    }
  }
}
