// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
import Support
import Testing

/// A single command that says `one`, and ends before it knows what became of `two`.
enum InterruptedSend {
  /// How a command comes to leave something.
  enum Ending: CaseIterable, Sendable { case killed, cut }

  /// Alice's `send --lines` ends after a line that got lost on the way, or while the server's word on it is on its way.
  static func leaveOne(
    _ alice: Person, _ bob: Person, _ bobListens: TestProcess, loses: Bool, _ ending: Ending = .killed
  ) async throws {
    try await FaultProxy.with(to: alice.server) { proxy in
      var slow = alice
      slow.environment["JACKDAW_SERVER"] = "\(proxy.address)"
      let invocation = slow.invocation(["send", "--lines", bob.jid], input: .open)
      try await TestProcess.withProcess(invocation) { sending in
        sending.send("one\n")
        try await bobListens.expect(#""body":"one""#)
        try await eventually { try await alice.does("outbox").isEmpty }
        if loses { proxy.swallow() } else { proxy.hold(.toClient) }
        sending.send("two\n")
        if loses {
          try await eventually { try await alice.does("outbox").contains { $0.contains("two") && $0.contains("sent") } }
        } else {
          try await bobListens.expect(#""body":"two""#)
        }
        switch ending {
        case .killed:
          sending.signal(SIGKILL)
          _ = try await sending.wait()
        case .cut:
          proxy.cut()
          sending.closeInput()
          #expect(try await sending.wait() == .exited(75))
          #expect(sending.standardError.contains("1 message is still unsent"), "\(sending.standardError)")
          #expect(sending.standardError.contains("the next command sends it"), "\(sending.standardError)")
        }
        #expect(try await alice.does("outbox").count == 1, "it is not known to have arrived")
      }
    }
  }
}
