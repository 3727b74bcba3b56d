// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Support
import Testing

@Suite("'send'") struct SendProgramTests {
  /// More than go out before the server has said that it counts them.
  @Test("of many lines that waits until they are sent has sent all when it ends", arguments: TestServer.Kind.allCases)
  func manyLines(_ kind: TestServer.Kind) async throws {
    // A server that is slow to archive them may still have some to read when the command has gone, and lose them with the connection.
    try await withPair(on: kind, .init { $0.without = ["mam"] }, friends: true) { alice, bob in
      let texts = (1...300).map { "\($0)" }
      try await bob.listening("--json", "--count", "\(texts.count)") { bobListens in
        try await alice.sees(bob)
        let sent = try await alice.run(
          "--json", "send", "--lines", "--wait", "sent", bob.jid, input: .text(texts.map { $0 + "\n" }.joined()))
        #expect(sent.ending == .exited(0) && sent.errors.isEmpty, "\(sent.errors)")
        #expect(sent.output.matches(of: /"state":"sent"/).count == texts.count)
        #expect(try await bobListens.wait() == .exited(0))
        #expect(bobListens.shownBodies == texts)
      }
    }
  }
}
