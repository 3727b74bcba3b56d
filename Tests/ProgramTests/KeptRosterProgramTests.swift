// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Support
import Testing

/// RFC 6121 2.6.3, at real servers.
@Suite("A contact list that is as it was")
struct KeptRosterProgramTests {
  @Test("is shown once a ping behind the empty answer is answered", arguments: TestServer.Kind.allCases)
  func kept(kind: TestServer.Kind) async throws {
    try await withPair(on: kind, friends: true) { alice, bob in
      #expect(try await alice.does("friends").contains { $0.contains(bob.jid) })
      let outcome = try await alice.run("friends", "--log-xml")
      #expect(outcome.lines.contains { $0.contains(bob.jid) })
      let request = /SENT <iq[^>]* id='([^']+)'[^>]*><query[^>]*jabber:iq:roster/
      let roster = try #require(outcome.errors.firstMatch(of: request))
      let answer = try #require(
        outcome.errors.split(separator: "\n").first { $0.hasPrefix("RECV <iq") && $0.contains(roster.output.1) })
      #expect(!answer.contains("<query"), "the server sends the whole list")
      #expect(outcome.errors.contains(/SENT <iq[^>]*><ping xmlns/))
    }
  }
}
