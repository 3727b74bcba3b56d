// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Support
import Testing

@Suite("A program that connects again and again")
struct ReconnectMemoryTests {
  @Test("keeps nothing of the connections before")
  func memory() async throws {
    try await withPair(on: .prosody) { alice, _ in
      let invocation = alice.invocation(["--json", "run", "-"], input: .open)
      try await TestProcess.withProcess(invocation) { script in
        func reconnect(_ times: Int, _ name: String) async throws -> Int {
          script.send(String(repeating: "/reconnect\n", count: times) + "/post x-\(name)\n")
          try await script.expect(#""event":"x-\#(name)""#)
          return try script.peakMemory
        }
        let before = try await reconnect(10, "first")
        // A TLS session has some 50 kB.
        #expect(try await reconnect(60, "second") - before < 1_500)
        script.closeInput()
        #expect(try await script.wait() == .exited(0))
      }
    }
  }
}
