// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawSession
import Support
import Testing

@testable import JackdawCommands

@Client @Suite("What other processes' commands say by a prompt's session", .onLoop)
struct GuestMessagesTests {
  private func carbons(_ rig: ApplicationRig) -> [MessageArrived.Carbon] {
    rig.output.events.compactMap { ($0 as? MessageArrived)?.carbon }
  }

  @Test("is shown there once, as what another device of the user's says is, and what is typed as before")
  func shown() async throws {
    try await TestDirectory.onLoop { directory in
      let folder = AgentFolder(path: directory.path + "/run")
      let rig = try ApplicationRig(isTerminal: true, agentFolder: folder)
      let run = try await rig.start("chat", "bob@example.org")
      let client = try AgentClient(folder)
      await client.run("send", "bob@example.org", "hello")
      #expect(client.code() == 0)
      #expect(rig.output.messages == ["hello"] && carbons(rig) == [.sent])
      await rig.type("typed")
      #expect(rig.sentMessages == ["bob@example.org|hello", "bob@example.org|typed"])
      #expect(rig.output.messages == ["hello", "typed"] && carbons(rig) == [.sent])
      await client.close()
      rig.prompt.delegate?.promptEnded()
      await rig.fixture.clock.elapse(.seconds(10))
      #expect(run.value == .success)
    }
  }
}
