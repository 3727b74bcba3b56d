// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
import Support
import Testing

@Suite("One thread")
struct OneThreadTests {
  @Test("a busy session runs on one thread besides the helper")
  func threads() async throws {
    try await withPair(on: .prosody, friends: true) { alice, bob in
      try await bob.listening { listening in
        try await eventually { try await alice.does("friends", "list", "--online").contains { $0.contains(bob.jid) } }
        let script = (["/to \(bob.jid)"] + (1...2_000).map { "message \($0)" }).joined(separator: "\n")
        async let sending = alice.does(input: .text(script))
        try await listening.expect("message 1000")
        #expect(Self.threads(of: listening.id) <= 2)
        try await listening.expect("message 2000")
        #expect(Self.threads(of: listening.id) <= 2)
        _ = try await sending
      }
    }
  }

  @Test("a flood of messages does not delay a key")
  func flood() async throws {
    try await withPair(on: .prosody, friends: true) { alice, bob in
      try await bob.atThePrompt { prompt in
        try await prompt.expectScreen(showing: "online")
        try await eventually { try await alice.does("friends", "list", "--online").contains { $0.contains(bob.jid) } }
        let script = (["/to \(bob.jid)"] + (1...3_000).map { "flood \($0)" }).joined(separator: "\n")
        async let sending = alice.does(input: .text(script))
        try await prompt.expectScreen(showing: "flood")
        prompt.send("still here")
        // It is seen while the flood goes on, not after its last message.
        let screen = try await prompt.expectScreen("what was typed") { $0.cursorLine.contains("still here") }
        #expect(!screen.lines.contains { $0.contains("flood 3000") })
        try await prompt.expectScreen(showing: "flood 3000")
        #expect(prompt.screen.cursorLine.contains("still here"))
        _ = try await sending
      }
    }
  }

  private static func threads(of process: Int32) -> Int {
    guard let folder = opendir("/proc/\(process)/task") else { return .max }
    defer { closedir(folder) }
    var count = 0
    while let entry = readdir(folder) {
      if entry.pointee.d_name.0 != CChar(UInt8(ascii: ".")) { count += 1 }
    }
    return count
  }
}
