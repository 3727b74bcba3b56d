// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Support
import Testing

/// What clients can do is told by hashes, and whoever is a contact may have as many as they like (XEP-0115).
@Suite("A contact with hundreds of clients")
struct CapabilityFloodTests {
  /// Hashes that one contact may have us look into within an hour.
  private static let looked = 8

  @Test(
    "is asked for a few of them, fills neither memory nor disk, and keeps nobody waiting",
    arguments: TestServer.Kind.allCases)
  func flood(_ kind: TestServer.Kind) async throws {
    try await withPair(on: kind, Strangers.server, friends: true) { alice, bob in
      var alice = alice
      let data = alice.home.path + "/data"
      alice.environment["JACKDAW_DATA_DIR"] = data
      try await Strangers.with(on: alice.server) { strangers in
        try await alice.does("friends", "add", Strangers.jid(0))
        try await strangers.write(
          "<presence type='subscribed' from='\(Strangers.jid(0))' to='\(alice.jid)'/>", to: alice.server)
        let script = alice.invocation(["--json", "run", "-"], input: .open)
        try await TestProcess.withProcess(script) { script in
          script.send("/ping\n")
          try await script.expect(#""command":"ping""#)
          try await strangers.comeOnline(for: alice.jid, clients: 240, bytes: 60_000)
          // As many as are kept of one contact.
          try await eventually { script.standardOutput.contains("\(Strangers.jid(0))/c63") }
          try await bob.does("send", alice.jid, "in the flood")
          try await script.expect("in the flood")
          try await eventually { try await strangers.described() >= Self.looked }
          let memory = try await number(in: "grep", "^RssAnon:", "/proc/\(script.id)/status") ?? .max
          #expect(memory < 64_000, "\(memory) kB")
          script.send("/to \(bob.jid)\nback\n/ping\n")
          script.closeInput()
          #expect(try await script.wait() == .exited(0), "\(script.standardError.suffix(2_000))")
          // ejabberd asks for each too, in people's names.
          if kind == .prosody { #expect(try await strangers.described() == Self.looked) }
        }
      }
      let files = try await number(in: "du", "-sb", data) ?? .max
      #expect(files < 4_000_000, "\(files) bytes")
    }
  }

  /// The first number that a program says.
  private func number(in program: String, _ arguments: String...) async throws -> Int? {
    let outcome = try await TestProcess.run(.init(program, arguments))
    return outcome.output.split { !$0.isNumber }.first.flatMap { Int($0) }
  }
}
