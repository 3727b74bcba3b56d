// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Support
import Testing

/// `channel_binding` in the configuration, at servers that offer it.
@Suite("Channel binding, at real servers")
struct ChannelBindingOffProgramTests {
  /// What Prosody 0.12 and ejabberd 23.01 know, tls-unique, there is in TLS 1.2 alone.
  private static func options(_ kind: TestServer.Kind) -> TestServer.Options {
    kind == .ejabberd ? .meagreEjabberd : .init { $0.tls = .version12 }
  }

  @Test("logs in without it and says so each time; on, it is used", arguments: TestServer.Kind.allCases)
  func off(kind: TestServer.Kind) async throws {
    try await withPair(on: kind, Self.options(kind)) { alice, _ in
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

  /// -PLUS that the server refuses: its own TLS connection is not the one that the client knows.
  @Test(
    "a man in the middle with the server's own certificate is found out, and let through where binding is off",
    arguments: TestServer.Kind.allCases)
  func middleman(kind: TestServer.Kind) async throws {
    try await withPair(on: kind, Self.options(kind)) { alice, _ in
      try await Middleman.with(before: alice.server) { middleman in
        var alice = alice
        alice.environment = [
          "JACKDAW_SERVER": "\(middleman.address)", "JACKDAW_TLS": "direct", "JACKDAW_JID": "",
          "JACKDAW_CONFIG": alice.home.file("config.toml"),
        ]
        for (setting, isThrough) in [("auto", false), ("off", true)] {
          try alice.home.write(
            "[accounts.me]\njid = \"\(alice.jid)\"\nchannel_binding = \"\(setting)\"\n", to: "config.toml")
          let outcome = try await alice.run("account", "check")
          if isThrough {
            #expect(outcome.ending == .exited(0), "\(outcome.errors)")
            #expect(outcome.errors.contains("Channel binding is off for this account"))
          } else {
            // ejabberd says that the user name or the password is wrong.
            #expect(outcome.ending == .exited(kind == .ejabberd ? 77 : 76), "\(outcome.errors)")
            #expect(outcome.errors.contains("possible man in the middle"), "\(outcome.errors)")
            #expect(outcome.errors.contains(#"channel_binding = "off""#), "\(outcome.errors)")
            #expect(middleman.heard.contains("-PLUS") && !middleman.heard.contains("'PLAIN'"), "\(middleman.heard)")
          }
        }
      }
    }
  }
}
