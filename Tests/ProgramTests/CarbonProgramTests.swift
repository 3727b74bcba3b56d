// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Support
import Testing

/// Two devices of one account.
@Suite("Message carbons")
struct CarbonProgramTests {
  @Test("bring what one device sends and gets to the other", arguments: TestServer.Kind.allCases)
  func twoDevices(kind: TestServer.Kind) async throws {
    try await withPair(on: kind) { alice, bob in
      try await alice.atThePrompt { prompt in
        try await prompt.expectScreen(showing: "online")
        try await alice.listening("--json", "--jid", alice.jid + "/device") { device in
          // It hears of the other device once it is online itself, and can be sent to.
          try await device.expect(#""event":"presence""#)

          try await bob.does("send", alice.jid + "/device", "to the device")
          try await device.expect(#""body":"to the device","delayed":null,"carbon":null"#)
          try await prompt.expectScreen(showing: "\(bob.jid): to the device")

          prompt.send("/to \(bob.jid)" + Key.enter + "from the prompt" + Key.enter)
          try await device.expect(#""body":"from the prompt","delayed":null,"carbon":"sent""#)

          // A single command is a device too: what it sends is ours.
          try await alice.does("send", bob.jid, "from the shell")
          try await device.expect(#""body":"from the shell","delayed":null,"carbon":"sent""#)
          try await prompt.expectScreen(showing: "me: from the shell")
        }
        prompt.send("/quit" + Key.enter)
        #expect(try await prompt.wait() == .exited(0))
        // What was said here did not come back as a copy.
        #expect(prompt.screen.lines.count { $0.contains("me → \(bob.jid): from the prompt") } == 1)
      }
    }
  }

  @Test("of what goes to one device the other has a copy marked so", arguments: TestServer.Kind.allCases)
  func received(kind: TestServer.Kind) async throws {
    try await withPair(on: kind) { alice, bob in
      try await alice.listening("--json", "--jid", alice.jid + "/one", "--count", "1") { one in
        try await one.expect(#""state":"online""#)
        try await alice.listening("--json", "--jid", alice.jid + "/two", "--count", "1") { two in
          try await two.expect(#""event":"presence""#)
          try await bob.does("send", alice.jid + "/two", "for two")
          #expect(try await two.wait() == .exited(0))
          #expect(two.standardOutput.contains(#""body":"for two","delayed":null,"carbon":null"#))
        }
        #expect(try await one.wait() == .exited(0))
        #expect(
          one.standardOutput.contains(
            #""to":"\#(alice.jid)/two","type":"chat","body":"for two","delayed":null,"carbon":"received""#))
      }
    }
  }

  /// The line stands still meanwhile, so that both come in one read. No archive has them once more. ejabberd copies no receipt that comes for
  /// a resource without presence, as a single command's is.
  @Test("and the receipt for what it copies count when they come together")
  func withItsReceipt() async throws {
    try await withPair(on: .prosody, .init { $0.without = ["mam"] }, friends: true) { alice, bob in
      try await TestDirectory.with { home in
        try await FaultProxy.with(to: alice.server) { proxy in
          let device = alice.at("device", in: home).through(proxy)
          try await bob.listening("--json") { listening in
            try await listening.expect(#""state":"online""#)
            try await alice.sees(bob)
            try await device.listening("--json") { copying in
              try await copying.expect(#""event":"presence""#)
              try await alice.does("send", bob.jid, "before")
              try await copying.expect(#""body":"before""#)
              proxy.hold(.toClient)
              try await alice.does("send", "--wait", "delivered", bob.jid, "together")
              proxy.release()
              try await copying.expect(#""body":"together""#)
              try await eventually {
                let history = try await device.does("history", "--json", bob.jid)
                return history.contains { $0.contains(#""body":"together""#) && $0.contains(#""state":"delivered""#) }
              }
            }
          }
        }
      }
    }
  }

  /// Spoofed carbons (CVE-2017-5589 and its like, CVE-2019-16235).
  @Test("that somebody else makes up are not shown", arguments: TestServer.Kind.allCases)
  func spoofed(kind: TestServer.Kind) async throws {
    try await withPair(on: kind) { alice, bob in
      try await alice.listening("--count", "1") { listening in
        for (carbon, from, to) in [("received", "boss@jackdaw.test", alice.jid), ("sent", alice.jid, bob.jid)] {
          try await bob.does(
            "xml",
            "<message to='\(alice.jid)' type='chat'><\(carbon) xmlns='urn:xmpp:carbons:2'>"
              + "<forwarded xmlns='urn:xmpp:forward:0'><message xmlns='jabber:client' from='\(from)' to='\(to)' type='chat'>"
              + "<body>forged</body></message></forwarded></\(carbon)></message>")
        }
        try await bob.does("send", alice.jid, "true")
        #expect(try await listening.wait() == .exited(0))
        #expect(listening.standardOutput.contains("true"))
        #expect(!listening.standardOutput.contains("forged"))
      }
    }
  }
}
