// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession
import JackdawXML
import Support
import Testing

@testable import JackdawCommands

@Client @Suite("status", .onLoop)
struct StatusTests {
  private static func presences(_ rig: ApplicationRig) -> [Element] {
    rig.fixture.server.received.filter { $0.name == "presence" }
  }

  @Test(
    "in a script announces the presence that the word means, and shows it in the words of the screen",
    arguments: [
      ("away gone fishing", "away", "gone fishing", "away|gone fishing"), ("busy", "dnd", nil, "busy"),
      ("dnd", "dnd", nil, "busy"), ("xa", "xa", nil, "xa"), ("chat", "chat", nil, "chat"),
      ("online", nil, nil, "online"), ("available", nil, nil, "online"), ("back", nil, nil, "online"),
      ("online at home", nil, "at home", "online|at home"), ("offline", nil, nil, "offline"),
    ] as [(String, String?, String?, String)])
  func announces(_ words: String, _ show: String?, _ status: String?, _ shown: String) async throws {
    let rig = try ApplicationRig(TypedLines("/status \(words)\n"))
    #expect(try await rig.run() == .success)
    let presence = try #require(
      Self.presences(rig).last { $0.attribute("type") != "unavailable" || words == "offline" })
    #expect(presence.child("show", "jabber:client")?.text == show)
    #expect(presence.child("status", "jabber:client")?.text == status)
    #expect((presence.attribute("type") == "unavailable") == (words == "offline"))
    #expect(rig.output.lines == ["alice@example.org|\(shown)"])
  }

  @Test("from the shell cannot be set, and says where it can be", arguments: [true, false])
  func fromTheShell(_ isAtWork: Bool) async throws {
    let rig = try ApplicationRig()
    rig.stored.isAtWork = isAtWork
    #expect(try await rig.run("status", "dnd", "in a meeting") == .unavailable)
    let failure = try #require(rig.output.failures.first)
    #expect(
      failure.text == "A status lasts as long as the session that sets it. "
        + (isAtWork
          ? "Jackdaw is running for alice@example.org: type '/status busy in a meeting' at its prompt, or put it into its script; an agent takes it once it is online again."
          : "Jackdaw is not running: start 'jackdaw' and type '/status busy in a meeting' at its prompt."))
    #expect(failure.condition == "no-session" && rig.fixture.connector.plans.isEmpty)
  }

  @Test("shown from the shell is what is known on this machine, without a connection")
  func shownFromTheShell() async throws {
    let rig = try ApplicationRig()
    #expect(try await rig.run("status") == .success)
    #expect(rig.output.lines == ["alice@example.org|offline|Jackdaw is not running here; other devices are not known."])
    let beside = try ApplicationRig()
    beside.stored.isAtWork = true
    #expect(try await beside.run("status") == .success)
    let advice = "'/status' at its prompt or in its script shows your status, an agent tells it once it is online."
    #expect(beside.output.lines == ["alice@example.org|Jackdaw is running: \(advice)"])
    #expect(rig.fixture.connector.plans.isEmpty && beside.fixture.connector.plans.isEmpty)
  }
}
