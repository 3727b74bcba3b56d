// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Support
import Testing

/// What people ask a client whose presence they may not see.
@Suite("Questions of strangers")
struct StrangersQuestionsTests {
  @Test(
    "show nobody there, and those that are answered are acknowledged, so that a message still goes out",
    arguments: TestServer.Kind.allCases)
  func pings(kind: TestServer.Kind) async throws {
    let server = try await TestServer.shared(kind, Strangers.server)
    let (account, other) = (try await server.account("alice"), try await server.account("bob"))
    try await TestDirectory.with { home in
      let alice = Person(server: server, account: account, home: home)
      try await Strangers.with(on: server) { strangers in
        let client = "\(alice.jid)/here"
        let invocation = alice.invocation(
          ["run", "--jid", client, "--log-xml", "--keep-going", "-"], input: .open)
        try await TestProcess.withProcess(invocation) { script in
          script.send("/ping\n")
          try await script.expect(" ms")
          let asked = try await strangers.ping(client, times: 1_000)
          #expect(asked.results == 0 && asked.errors == 1_000)
          script.send("/send \(other.jid) hello\n/outbox\n/ping\n")
          try await script.expect(" ms")
          script.closeInput()
          #expect(try await script.wait() == .exited(0), "\(script.standardError.suffix(2_000))")
          let questions = script.standardError.split(separator: "\n").count {
            $0.contains("<r xmlns='urn:xmpp:sm:3'/>")
          }
          // One each hundred at least, unless some hundreds went out together.
          #expect((5...30).contains(questions), "\(questions) questions")
        }
      }
    }
  }
}
