// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Support
import Testing

/// Streams that are cut on the way to a real server, and go on.
@Suite("A connection that is cut")
struct ResumptionProgramTests {
  @Test("goes on where it was: what came meanwhile comes once", arguments: TestServer.Kind.allCases)
  func listening(_ kind: TestServer.Kind) async throws {
    try await withPair(on: kind, friends: true) { alice, bob in
      try await bob.listensOverACut(to: alice)
    }
  }

  @Test("a script goes on after a cut, and ends well", arguments: TestServer.Kind.allCases)
  func script(_ kind: TestServer.Kind) async throws {
    try await withPair(on: kind, friends: true) { alice, bob in
      try await FaultProxy.with(to: alice.server) { proxy in
        var alice = alice
        alice.environment = ["JACKDAW_SERVER": "\(proxy.address)"]
        try await bob.listening("--count", "20") { listening in
          try await alice.sees(bob)
          let invocation = alice.invocation(["--json", "run", "-"], input: .open)
          try await TestProcess.withProcess(invocation) { script in
            for number in 1...20 {
              script.send("/send \(bob.jid) number \(number)\n")
              try await script.expect(#""state":"server""#)
              if number.isMultiple(of: 7) { proxy.cut() }
            }
            script.closeInput()
            #expect(try await script.wait() == .exited(0))
          }
          #expect(try await listening.wait() == .exited(0))
          let numbers = listening.standardOutput.split(separator: "\n")
            .filter { $0.contains("number ") }.compactMap { $0.split(separator: "number ").last }
          #expect(numbers.map(String.init) == (1...20).map(String.init))
        }
      }
    }
  }

  /// Prosody 0.12 keeps 500 stanzas for a stream that is cut, and leaves without a word who asks for one that has more.
  @Test("with more waiting than the server keeps: all of it comes, once", arguments: TestServer.Kind.allCases)
  func backlog(_ kind: TestServer.Kind) async throws {
    try await withPair(on: kind, friends: true) { alice, bob in
      try await bob.isKilledListening(to: alice)
      let lines = (1...600).map { "number \($0)" }
      try await alice.does("send", "--lines", bob.jid, input: .text(lines.joined(separator: "\n") + "\n"))
      try await bob.listening("--count", "600") { listening in
        let ending = try await listening.wait()
        #expect(ending == .exited(0), "\(listening.standardError)")
        let shown = listening.standardOutput.split(separator: "\n").compactMap { $0.split(separator: "number ").last }
        #expect(shown.map(String.init) == (1...600).map(String.init))
      }
    }
  }
}
