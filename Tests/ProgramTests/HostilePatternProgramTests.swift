// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
import Support
import Testing

@Suite("A pattern that backtracks over a stranger's text")
struct HostilePatternProgramTests {
  @Test("stops neither what else is waited for, nor a signal", arguments: [SIGTERM, SIGINT])
  func wait(_ signal: Int32) async throws {
    try await withPair(on: .prosody, friends: true) { alice, bob in
      let script = bob.invocation(["--json", "run", "-"], input: .open)
      try await TestProcess.withProcess(script) { running in
        running.send("/post x-ready\n/wait message --match 'h.*l.*x' --for 170\n/post x-matched\n/sleep 600\n")
        try await running.expect(#""event":"x-ready""#)
        try await alice.sees(bob)
        let text = String(repeating: "hl", count: 25_000)
        try await alice.does("send", bob.jid, input: .text(text))
        try await alice.does("send", bob.jid, "h-l-x")
        try await running.expect(#""event":"x-matched""#)
        running.signal(signal)
        #expect(try await running.wait() == .exited(130))
      }
    }
  }
}
