// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
import Support
import Testing

/// Two instances of one account, and file descriptors over many reconnects.
@Suite("Side by side")
struct SideBySideTests {
  @Test("two Jackdaws of one account share a database and not a resource", arguments: TestServer.Kind.allCases)
  func together(_ kind: TestServer.Kind) async throws {
    try await withPair(on: kind, friends: true) { alice, bob in
      let atThePrompt = alice.invocation(["--json"], terminal: .init(columns: 400, rows: 30))
      try await TestProcess.withProcess(atThePrompt) { prompt in
        try await prompt.expect(#""state":"online""#)
        let listen = alice.invocation(["--json", "listen", "--exec", "/bin/date", "--reply"])
        try await TestProcess.withProcess(listen) { listening in
          try await listening.expect(#""state":"online""#)
          try await eventually { try await resources(of: alice, seenBy: bob).count == 2 }

          try await bob.listening("--json", "--count", "4") { bobListens in
            try await alice.sees(bob)
            // A message to the account is shown by both, whichever of them the server chose.
            try await bob.does("send", alice.jid, "to both")
            try await prompt.expect(#""body":"to both""#)
            try await listening.expect(#""body":"to both""#)
            // Each sends, the one that listens by its program, and the other shows it.
            try await bobListens.expect(#""event":"message""#)
            try await prompt.expect(#""carbon":"sent""#)
            prompt.send("/to \(bob.jid)" + Key.enter + "from the prompt" + Key.enter)
            try await bobListens.expect(#""body":"from the prompt""#)
            try await alice.does("send", bob.jid, "from the shell")
            try await bobListens.expect(#""body":"from the shell""#)
            try await prompt.expect(#""body":"from the shell""#)
            prompt.send("/ping" + Key.enter)
            try await prompt.expect(#""command":"ping""#)
            prompt.send("once more" + Key.enter)
            #expect(try await bobListens.wait() == .exited(0))
            try await listening.expect(#""body":"once more""#)
          }
          // ejabberd may answer what follows the presence before it has sent on others'.
          try await eventually { try await resources(of: alice, seenBy: bob).count == 2 }
          #expect(!listening.standardOutput.contains("retrying") && !prompt.standardOutput.contains("retrying"))
          #expect(!listening.standardOutput.contains("conflict") && !prompt.standardOutput.contains("conflict"))
          #expect(listening.standardError.isEmpty)
        }
        prompt.send("/quit" + Key.enter)
        #expect(try await prompt.wait() == .exited(0))
      }
    }
  }

  /// The full addresses of those that are online.
  private func resources(of person: Person, seenBy other: Person) async throws -> Set<String> {
    let lines = try await other.does("--json", "friends", "show", person.jid)
    let words = lines.joined().split(whereSeparator: { "\" ,[]{}".contains($0) })
    return Set(words.filter { $0.hasPrefix(person.jid + "/") }.map(String.init))
  }

  @Test("coming back again and again takes no more descriptors")
  func reconnects() async throws {
    try await withPair(on: .prosody) { alice, _ in
      var invocation = alice.invocation(["--json"], terminal: .init(columns: 400, rows: 30))
      invocation.arguments = ["--nofile=32", invocation.program] + invocation.arguments
      invocation.program = "prlimit"
      try await TestProcess.withProcess(invocation) { prompt in
        try await prompt.expect(#""state":"online""#)
        try await reconnect(prompt)
        // The connection before may still be saying goodbye: one more, then and at the end.
        let before = descriptors(prompt.id)
        for _ in 0..<40 { try await reconnect(prompt) }
        try await eventually { descriptors(prompt.id) <= before + 1 }
        prompt.send("/quit" + Key.enter)
        #expect(try await prompt.wait() == .exited(0))
      }
    }
  }

  private func reconnect(_ prompt: TestProcess) async throws {
    prompt.send("/reconnect" + Key.enter)
    try await prompt.expect(#""state":"connecting","reason":null,"retry_in":null}"#)
    // Resumed, or begun anew where the stream was too young for that.
    try await prompt.expect(#""reason":null,"retry_in":null}"#)
  }

  private func descriptors(_ id: Int32) -> Int { (0..<64).count { link($0, of: id) != nil } }

  private func link(_ number: Int, of id: Int32) -> String? {
    var target = [UInt8](repeating: 0, count: 256)
    let count = target.withUnsafeMutableBytes { bytes in
      bytes.baseAddress.map { readlink("/proc/\(id)/fd/\(number)", $0, bytes.count) } ?? -1
    }
    return count < 0 ? nil : String(decoding: target.prefix(count), as: UTF8.self)
  }
}
