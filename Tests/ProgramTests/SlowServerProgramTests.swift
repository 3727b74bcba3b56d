// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
import Support
import Testing

/// A line over which what is sent takes longer than a server may take to answer.
@Suite("A server that takes long to read")
struct SlowServerProgramTests {
  private static let count = 8_000
  private static let text = String(repeating: "x", count: 80)

  /// The probe stands behind what waits for the server, and its answer comes later than one may that nothing holds up.
  @Test("is not taken for one that is gone: bytes that it takes are a sign of life")
  func busyLine() async throws {
    try await withPair(on: .prosody, friends: true) { alice, bob in
      // What comes back stays small, so that the line is busy with what is sent alone.
      var bob = bob
      bob.environment["JACKDAW_CONFIG"] = try bob.home.write("receipts = false\n", to: "config.toml")
      try await bob.listening("--json", "--count", "\(Self.count)") { bobListens in
        try await bobListens.expect(#""state":"online""#)
        try await alice.sees(bob)
        try await FaultProxy.with(to: alice.server) { proxy in
          var slow = alice.through(proxy)
          slow.environment["JACKDAW_TIMEOUT"] = "600"
          try await TestProcess.withProcess(slow.invocation(["--json", "run", "-"], input: .open)) { script in
            script.send("/ping\n/to \(bob.jid)\n")
            try await script.expect(#""command":"ping""#)
            // Takes a little all the time, as how long the lines take to be stored is the machine's affair.
            proxy.slow(.init(bytes: 1_024, interval: .milliseconds(35)))
            for number in 1...Self.count { script.send("\(number) \(Self.text)\n") }
            script.closeInput()
            let last = "\(Self.count) \(Self.text)"
            try await eventually {
              if bobListens.standardOutput.contains(last) { return true }
              return try await alice.does("outbox").last?.contains(last) == true
            }
            // Asks at once whether the connection stands.
            script.signal(SIGCONT)
            proxy.slow(.init(bytes: 4_096, interval: .milliseconds(45)))
            #expect(try await script.wait(within: .seconds(300)) == .exited(0), "\(script.standardError)")
            #expect(proxy.connections == 1)
          }
        }
        #expect(try await bobListens.wait() == .exited(0))
        #expect(bobListens.shownBodies == (1...Self.count).map { "\($0) \(Self.text)" })
      }
    }
  }

  /// It has all of them after eight seconds or so, and says with each hundred that it goes on.
  @Test("is waited for as long as it goes on: '--timeout' counts from the last message that it took")
  func goesOn() async throws {
    try await withPair(on: .prosody) { alice, bob in
      try await FaultProxy.with(to: alice.server) { proxy in
        var slow = alice.through(proxy)
        slow.environment["JACKDAW_TIMEOUT"] = "5"
        try await TestProcess.withProcess(slow.invocation(["--json", "send", "--lines", bob.jid], input: .open)) {
          sending in
          sending.send("first\n")
          try await sending.expect(#""state":"server""#)
          proxy.slow(.init(bytes: 1_024, interval: .milliseconds(35)))
          for number in 2...700 { sending.send("\(number) \(Self.text)\n") }
          sending.closeInput()
          #expect(try await sending.wait() == .exited(0), "\(sending.standardError)")
          #expect(sending.standardOutput.matches(of: /"state":"server"/).count == 700)
        }
      }
    }
  }
}
