// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import Support
import Testing

@testable import JackdawCommands

@Client @Suite("rooms config", .onLoop)
struct RoomsConfigTests: RoomSuite {
  let rig: ApplicationRig
  let host: RoomHost

  init() throws {
    rig = try ApplicationRig()
    host = RoomHost(rig)
  }

  private func run(_ changes: String...) async throws -> ExitCode {
    try await rig.run(["rooms", "config", tea] + changes)
  }

  @Test("shows the settings")
  func shown() async throws {
    #expect(try await run() == .success)
    #expect(lines.contains("membersonly|no"))
  }

  @Test("sets them, also to what they are")
  func set() async throws {
    #expect(try await run("membersonly=yes", "publicroom=no", "roomname=a=b") == .success)
    let sent = host.asked.last { $0.hasPrefix("set") }
    #expect(sent?.contains("<field var='muc#roomconfig_roomname'><value>a=b</value></field>") == true)
    #expect(lines == ["\(tea) is configured as you wanted."])
  }

  @Test("of a setting that there is not sends nothing")
  func unknown() async throws {
    #expect(try await run("nonsense=1") == .badInput)
    #expect(!host.asked.contains { $0.hasPrefix("set") })
  }

  @Test("of what the room does not change fails, and names it and how it is")
  func ignored() async throws {
    host.ignoredSettings = ["muc#roomconfig_membersonly"]
    #expect(try await run("publicroom=yes", "membersonly=yes") == .unavailable)
    #expect(rig.output.failures.map(\.text) == ["\(tea) took the changes, but left as it was: membersonly (no)."])
    #expect(lines.isEmpty)
  }
}
