// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import Support
import Testing

@testable import JackdawCommands

@Client @Suite("history off", .onLoop)
struct HistoryKeepingTests {
  @Test("lists what is not kept, and says so where there is nothing")
  func listing() async throws {
    let rig = try ApplicationRig()
    #expect(try await rig.run("history", "off") == .success)
    #expect(rig.output.lines.isEmpty)
    #expect(rig.output.notices == ["No conversation is left out of the history."])
    #expect(try await rig.run("history", "off", "bob@example.org") == .success)
    #expect(try await rig.run("history", "off") == .success)
    #expect(rig.output.lines == ["bob@example.org is not kept.", "bob@example.org is not kept."])
    #expect(rig.output.notices.count == 1)
  }
}
