// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Support
import Testing

@Suite("Half a key at the prompt")
struct PromptWaitingTests {
  @Test(
    "keeps no message from being shown",
    arguments: [[0x12, 0xC3], [0x16, 0xC3], [0x1B, 0xC3], [0x1B], [0xE4, 0xB8]])
  func halfAKey(keys: [UInt8]) async throws {
    try await withPair(on: .prosody, friends: true) { alice, bob in
      try await bob.atThePrompt { prompt in
        try await prompt.expectScreen(showing: "online")
        prompt.send(keys)
        try await alice.does("send", bob.jid, "it arrived")
        try await prompt.expectScreen(showing: "it arrived")
      }
    }
  }
}
