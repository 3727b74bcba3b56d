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
        try await alice.sees(bob)
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
        try await alice.sees(bob)
        try await TestProcess.withProcess(alice.invocation([], input: .open)) { script in
          script.send("/to \(bob.jid)\n")
          async let _: Void = flood(by: script, shownBy: prompt)
          try await prompt.expectScreen(showing: "flood")
          prompt.send("still here")
          // The flood has no end: what was typed is seen in the middle of it.
          let screen = try await prompt.expectScreen("what was typed") { $0.cursorLine.contains("still here") }
          let number = Self.number(on: screen)
          try await prompt.expectScreen("what was typed below more of the flood") {
            $0.cursorLine.contains("still here") && Self.number(on: $0) > number + 1000
          }
        }
      }
    }
  }

  /// Sends messages until it is cancelled, some hundreds ahead of what is shown.
  private func flood(by script: TestProcess, shownBy prompt: TestProcess) async throws {
    var number = 0
    while !Task.isCancelled {
      number += 1
      script.send("flood \(number)\n")
      if number > 500, number % 100 == 0 { try await prompt.expect("flood \(number - 500)") }
    }
  }

  /// The last message of the flood that is shown; 0 for none.
  private static func number(on screen: Screen) -> Int {
    screen.lines.compactMap { $0.split(separator: "flood ", maxSplits: 1).last.flatMap { Int($0) } }.max() ?? 0
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
