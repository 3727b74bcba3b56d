// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession
import JackdawXML
import Support
import Testing

@testable import JackdawCommands

/// What a command of the shell says in a room, and waits for.
@Client @Suite("send into a room", .onLoop)
struct SendIntoRoomTests {
  private let tea = "tea@rooms.example.org"

  @Test("that has to be entered first waits with --wait sent until the room has it", arguments: [[], ["--lines"]])
  func waitSent(_ option: [String]) async throws {
    let rig = try ApplicationRig(TypedLines("Cake?\n"))
    _ = RoomHost(rig)
    #expect(try await rig.run(["send", "--wait", "sent"] + option + [tea]) == .success, "\(rig.output.failures)")
    #expect(rig.sentMessages == ["\(tea)|Cake?"])
    #expect(rig.output.rows(SentRow.self).map(\.state) == [.server])
  }

  @Test("that cannot be entered fails with --wait sent, too", arguments: [[], ["--lines"]])
  func refused(_ option: [String]) async throws {
    let rig = try ApplicationRig(TypedLines("Cake?\n"))
    let host = RoomHost(rig)
    host.moved["tea"] = "milk@rooms.example.org"
    #expect(try await rig.run(["send", "--wait", "sent"] + option + [tea]) != .success)
    #expect(rig.sentMessages.isEmpty && rig.output.rows(SentRow.self).isEmpty)
  }

  @Test(
    "refuses to wait for what nobody tells there, before anything is said",
    arguments: ["delivered", "displayed"])
  func silent(_ wait: String) async throws {
    let rig = try ApplicationRig()
    _ = RoomHost(rig)
    #expect(try await rig.run("send", "--wait", wait, tea, "Cake?") == .unavailable)
    #expect(rig.sentMessages.isEmpty && rig.output.failures.first?.condition == "not-acceptable")
  }

  @Test("waits for somebody to read it in a small room of members who see each other")
  func displayed() async throws {
    let rig = try ApplicationRig()
    let host = RoomHost(rig)
    host.features = ["muc_membersonly", "muc_nonanonymous"]
    let run = try await rig.start("send", "--wait", "displayed", tea, "Cake?")
    #expect(rig.sentMessages == ["\(tea)|Cake?"] && run.value == nil, "\(rig.output.failures)")
    await rig.fixture.clock.elapse(.seconds(31))
    #expect(run.value == .tryAgain)
  }
}
