// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Support
import Testing

/// What is asked on the terminal, where several want to know something.
@Suite("Questions on the terminal")
struct QuestionProgramTests {
  @Test("of two accounts that begin at once come one after the other, and the terminal is as it was")
  func twoAccounts() async throws {
    try await TestDirectory.with { directory in
      let closed = ClosedPort()
      let accounts = ["home", "work"].map { name in
        """
        [accounts.\(name)]
        jid = "\(name)@example.org"
        server = "127.0.0.1:\(closed.port)"

        """
      }
      try directory.write(accounts.joined(), to: "config.toml")
      var invocation = TestProcess.Invocation.jackdaw(
        ["--account", "home,work", "listen"], in: directory,
        environment: ["JACKDAW_CONFIG": directory.file("config.toml")], terminal: .init())
      invocation.arguments =
        ["-c", #""$@"; stty -a | grep -o -w -e '-*echo'"#, "sh", invocation.program] + invocation.arguments
      invocation.program = "sh"
      try await TestProcess.withProcess(invocation) { terminal in
        try await terminal.expectScreen(showing: "Password for home@example.org:")
        #expect(!terminal.screen.text.contains("work@"))
        terminal.send("hunter1" + Key.enter)
        try await terminal.expectScreen("the second question on a line of its own") { screen in
          screen.lines.contains { $0.hasPrefix("Password for work@example.org:") }
        }
        terminal.send("hunter2" + Key.enter)
        #expect(try await terminal.wait() == .exited(0))
        #expect(!terminal.standardOutput.contains("hunter"))
        #expect(terminal.standardOutput.split(whereSeparator: \.isNewline).last == "echo", "\(terminal.standardOutput)")
      }
    }
  }

  @Test("for a password that was mistyped are asked once more at the prompt")
  func mistyped() async throws {
    try await withPair(on: .prosody) { alice, _ in
      var asked = alice
      asked.environment["JACKDAW_PASSWORD"] = ""
      try await asked.atThePrompt("chat") { terminal in
        try await terminal.expectScreen(showing: "Password for \(alice.jid):")
        terminal.send("mistyped" + Key.enter)
        try await terminal.expectScreen("the question below what is wrong") { screen in
          let wrong = screen.lines.lastIndex { $0.contains("Wrong user name or password.") }
          return wrong.map { screen.lines[$0...].contains { $0.hasPrefix("Password for \(alice.jid):") } } ?? false
        }
        terminal.send(alice.account.password + Key.enter)
        try await terminal.expectScreen(showing: "You are online.")
        terminal.send("/quit" + Key.enter)
        #expect(try await terminal.wait() == .exited(0))
      }
    }
  }
}
