// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Support
import Testing

@Suite("The prompt calls its user, built") struct NotificationProgramTests {
  @Test("by the bell, the terminal and a program that gets the message", arguments: TestServer.Kind.allCases)
  func everyWay(_ kind: TestServer.Kind) async throws {
    try await withPair(on: kind, friends: true) { alice, bob in
      var alice = alice
      let told = alice.home.path + "/told"
      alice.environment["JACKDAW_CONFIG"] = try alice.home.write(
        """
        desktop_through = "osc777"
        notify = ["sh", "-c", 'cat >> "$0"', "\(told)"]
        """, to: "config.toml")
      try await alice.atThePrompt { prompt in
        try await prompt.expectScreen(showing: "online")
        try await bob.does("send", alice.jid, "lunch;\u{9B}31m at one?")
        try await prompt.expect("\u{7}\u{1B}]777;notify;")
        try await eventually {
          let outcome = try await TestProcess.run(.init("cat", [told]))
          return outcome.output.contains(#""body":"lunch;"#) && outcome.output.hasSuffix("}\n")
        }
        prompt.send("/quit" + Key.enter)
        #expect(try await prompt.wait() == .exited(0))
      }
    }
  }
}
