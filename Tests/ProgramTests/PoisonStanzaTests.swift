// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Support
import Testing

/// What strangers and faulty servers can send that nobody can use, behind real servers that count it, keep it and archive it.
@Suite("What nobody can use", .serialized)
struct PoisonStanzaTests {
  private static let strangers = "poison.test"
  /// In files of its own Prosody keeps no stanza of more than 127 levels, and so delivers none.
  private static func options(_ kind: TestServer.Kind) -> TestServer.Options {
    TestServer.Options {
      $0.component = strangers
      $0.hasArchiveDatabase = kind == .prosody
    }
  }

  /// Each small, and each taken by servers.
  private static let contents = [
    "<x xmlns='urn:x'\((0..<140).map { " a\($0)=''" }.joined())/>",
    "<x xmlns='urn:x'>\((0..<1_200).map { "<n\($0)/>" }.joined())</x>",
    "<x xmlns='urn:x' \(String(repeating: "n", count: 1_100))=''/>",
    "<x xmlns='urn:x'>\((0..<1_200).map { "<a xmlns='u\($0)'/>" }.joined())</x>",
    String(repeating: "<x xmlns='urn:x'>", count: 300) + String(repeating: "</x>", count: 300),
  ]

  private static func messages(to jid: String) -> [String] {
    contents.enumerated().map { number, content in
      "<message from='s\(number)@\(strangers)/x' to='\(jid)' type='chat' id='p\(number)'><body>poison</body>\(content)</message>"
    }
  }

  private static func bodies(_ output: String) -> [String] {
    output.split(separator: "\n").compactMap { line in
      line.contains(#""event":"message""#) ? value(of: "body", in: String(line)) : nil
    }
  }

  @Test("costs itself alone, online and offline, and does not come again", arguments: TestServer.Kind.allCases)
  func leftOut(_ kind: TestServer.Kind) async throws {
    try await withPair(on: kind, Self.options(kind), friends: true) { alice, bob in
      try await Strangers.with(on: bob.server, domain: Self.strangers) { strangers in
        try await bob.listening("--json", "--count", "1") { listening in
          try await listening.expect(#""state":"online""#)
          try await alice.sees(bob)
          for message in Self.messages(to: bob.jid) { try await strangers.write(message, to: bob.server) }
          let request =
            "<presence from='s9@\(Self.strangers)' to='\(bob.jid)' type='subscribe'>\(Self.contents[0])</presence>"
          try await strangers.write(request, to: bob.server)
          try await alice.does("send", bob.jid, "while online")
          #expect(try await listening.wait() == .exited(0))
          #expect(Self.bodies(listening.standardOutput) == ["while online"])
          #expect(!listening.standardOutput.contains("retrying"), "\(listening.standardOutput)")
          for number in Self.contents.indices {
            let notice = "A message from s\(number)@\(Self.strangers) was left out."
            #expect(listening.standardError.contains(notice), "\(listening.standardError)")
          }
        }
        for message in Self.messages(to: bob.jid) { try await strangers.write(message, to: bob.server) }
        try await alice.does("send", bob.jid, "while offline")
        let second = try await bob.run("--json", "listen", "--count", "1")
        #expect(second.ending == .exited(0), "\(second.errors)")
        #expect(Self.bodies(second.output) == ["while offline"])
        #expect(!second.output.contains("retrying"), "\(second.output)")
        #expect(second.errors.contains(" was left out."), "\(second.errors)")
        try await alice.does("send", bob.jid, "later")
        let third = try await bob.run("--json", "listen", "--count", "1")
        #expect(Self.bodies(third.output) == ["later"])
        #expect(!third.output.contains("retrying"))
        #expect(!third.errors.contains("A message"), "\(third.errors)")
      }
    }
  }

  @Test("in a vCard that was asked for costs the answer alone", arguments: TestServer.Kind.allCases)
  func card(_ kind: TestServer.Kind) async throws {
    try await withPair(on: kind, Self.options(kind)) { alice, _ in
      try await Strangers.with(on: alice.server, domain: Self.strangers) { strangers in
        for content in ["<FN>Bob</FN>"] + Self.contents {
          strangers.tell(card: "<vCard xmlns='vcard-temp'>\(content)</vCard>")
          let script = "/vcard s1@\(Self.strangers)\n/ping\n"
          let outcome = try await alice.run("--json", "--keep-going", "--timeout", "5", input: .text(script))
          #expect(outcome.output.contains(#""value":"Bob""#) == (content == "<FN>Bob</FN>"), "\(outcome.output)")
          #expect(
            outcome.output.contains(#""command":"ping""#) && !outcome.output.contains("retrying"), "\(outcome.output)")
        }
      }
    }
  }

  @Test("and ends the stream does so twice", arguments: ["unbound", "comment"], [true, false])
  func faulty(_ body: String, isArchived: Bool) async throws {
    let options = TestServer.Options {
      $0.faultyXML = true
      if !isArchived { $0.without = ["mam"] }
    }
    try await withPair(on: .prosody, options, friends: true) { alice, bob in
      try await bob.listening("--json", "--count", "1") { listening in
        try await listening.expect(#""state":"online""#)
        try await alice.sees(bob)
        try await alice.does("send", bob.jid, body)
        // Sooner or later it has been got past, and what comes next is there.
        try await listening.expect(#""state":"retrying""#)
        try await eventually {
          ["left out", "Skipped a stanza", "archive holds data"].contains { listening.standardError.contains($0) }
        }
        try await alice.does("send", bob.jid, "after")
        #expect(try await listening.wait() == .exited(0), "\(listening.standardOutput)\(listening.standardError)")
        #expect(Self.bodies(listening.standardOutput) == ["after"])
        let tries = listening.standardOutput.split(separator: "\n").count { $0.contains(#""state":"retrying""#) }
        #expect(tries <= 3, "\(listening.standardOutput)")
      }
    }
  }
}
