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
        func reconnect(_ times: Int) async throws -> Int {
          for _ in 0..<times {
            script.send("/reconnect\n/ping\n")
            try await script.expect(#""command":"ping""#)
          }
          return try script.peakMemory
        }
        let before = try await reconnect(10)
        // Each TLS session that stayed would take some 27 kB.
        let growth = try await reconnect(60) - before
        #expect(growth < 900)
        script.closeInput()
        #expect(try await script.wait() == .exited(0))
      }
    }
  }
}
