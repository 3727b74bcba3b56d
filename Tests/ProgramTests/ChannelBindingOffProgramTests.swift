// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Support
import Testing

/// `channel_binding` in the configuration, at servers that offer it.
@Suite("Channel binding that is off, at real servers")
struct ChannelBindingOffProgramTests {
  @Test("logs in without it and says so each time; on, it is used", arguments: TestServer.Kind.allCases)
  func off(kind: TestServer.Kind) async throws {
    // What Prosody 0.12 and ejabberd 23.01 know, tls-unique, there is in TLS 1.2 alone.
    try await withPair(on: kind, TestServer.Options { $0.tls = .version12 }) { alice, _ in
      var alice = alice
      alice.environment = ["JACKDAW_JID": "", "JACKDAW_CONFIG": alice.home.file("config.toml")]
      for (setting, isOff) in [("off", true), ("off", true), ("auto", false)] {
        try alice.home.write(
          "[accounts.me]\njid = \"\(alice.jid)\"\nchannel_binding = \"\(setting)\"\n", to: "config.toml")
        let outcome = try await alice.run("account", "check")
        #expect(outcome.ending == .exited(0), "\(outcome.errors)")
        let step = try #require(outcome.lines.first { $0.contains("\tsasl\t") })
        #expect(step.contains("SCRAM-") && step.contains("-PLUS") != isOff, "\(step)")
        #expect(outcome.errors.contains("Channel binding is off for this account") == isOff, "\(outcome.errors)")
      }
    }
  }
}
