// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawProtocol
import Testing

@testable import JackdawCommands

@Suite("The first screen")
struct WelcomeRowTests {
  private func text(friends: Int, online: [String]) throws -> [String] {
    let online = try online.map { (jid: try JID("\($0)@example.org"), name: $0) }
    return WelcomeRow(try JID("alice@example.org/desk"), friends: friends, online: online).lines
      .map { $0.map(\.text).joined(separator: "  ") }
  }

  @Test("names the account, the way on and the way out, in no more than 12 lines of 40 columns")
  func fits() throws {
    let lines = try text(friends: 0, online: [])
    #expect(lines.first == "You are alice@example.org.")
    for hint in ["/friends add", "/help", "/quit", "You have no friends here yet."] {
      #expect(lines.contains { $0.contains(hint) })
    }
    #expect(lines.count <= 12 && lines.allSatisfy { $0.count <= 40 })
  }

  @Test("names who is online, the first of them where there are many")
  func online() throws {
    #expect(try text(friends: 3, online: [])[1] == "None of your 3 friends is online.")
    let only = WelcomeRow(try JID("alice@example.org"), friends: 1, online: [], only: "bob")
    #expect(only.lines[1].map(\.text) == ["Your friend bob is offline."])
    #expect(try text(friends: 3, online: ["bob", "carol"])[1] == "Online: bob, carol.")
    #expect(
      try text(friends: 9, online: ["a", "b", "c", "d", "e", "f", "g"])[1] == "Online: a, b, c, d, e and 2 more.")
  }
}
