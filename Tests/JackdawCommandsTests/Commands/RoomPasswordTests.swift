// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession
import JackdawStore
import Support
import Testing

@testable import JackdawCommands

/// The password that the user gives to a room.
@Client @Suite("The password of a room", .onLoop)
struct RoomPasswordTests: RoomSuite {
  let rig: ApplicationRig
  let host: RoomHost

  init() throws {
    rig = try ApplicationRig()
    host = RoomHost(rig)
  }

  /// The room is bookmarked with the password "old", and configured so.
  private func configure(_ setting: String) async throws {
    host.bookmarks = [
      (tea, "<conference xmlns='urn:xmpp:bookmarks:1' autojoin='true'><password>old</password></conference>")
    ]
    #expect(try await rig.run("rooms", "config", tea, setting) == .success, "\(rig.output.failures)")
  }

  @Test(
    "that they configure takes the place of the one before, and lets them in the next time",
    arguments: ["roomsecret", "ROOMSECRET", "muc#roomconfig_roomsecret"])
  func configured(setting: String) async throws {
    try await configure("\(setting)=new")
    #expect(host.bookmarks.map { $0.content.contains("<password>new</password>") } == [true], "\(host.bookmarks)")
    #expect(try stored(tea)?.password == "new" && stored(tea)?.autojoin == true)
    let next = try ApplicationRig()
    let same = RoomHost(next)
    (same.bookmarks, same.password) = (host.bookmarks, "new")
    #expect(try await next.run("rooms", "join", tea) == .success, "\(next.output.failures)")
  }

  @Test("that they take away is kept no more")
  func emptied() async throws {
    try await configure("roomsecret=")
    #expect(host.bookmarks.map { $0.content.contains("password") } == [false], "\(host.bookmarks)")
  }

  @Test("stays where other settings change")
  func otherSettings() async throws {
    try await configure("publicroom=yes")
    #expect(host.bookmarks.map { $0.content.contains("<password>old</password>") } == [true], "\(host.bookmarks)")
  }

  @Test("is kept of no room that they have not kept themselves")
  func unknownRoom() async throws {
    #expect(try await rig.run("rooms", "config", tea, "roomsecret=new") == .success)
    #expect(try stored(tea) == nil && host.bookmarks.isEmpty)
  }
}
