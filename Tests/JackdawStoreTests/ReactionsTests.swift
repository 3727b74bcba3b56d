// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawProtocol
import JackdawSession
import Testing

@testable import JackdawStore

@Suite("The reactions to a message") struct ReactionsTests {
  private var reactions = Reactions()

  private mutating func take(_ nick: String, _ with: String..., of occupant: String? = nil, isOwn: Bool = false) throws
  {
    let from = try JID("tea@rooms.example.org/" + nick)
    reactions.take(MessageFate.Reactions(from: from, with: with, isOwn: isOwn), of: occupant)
  }

  private var shown: [String] { reactions.all.map { ($0.from.resource ?? "") + $0.with.joined() } }

  @Test("are each person's last ones, in the order of these")
  mutating func last() throws {
    try take("bob", "1")
    try take("carol", "2")
    try take("bob", "3", "4")
    #expect(shown == ["carol2", "bob34"])
    try take("carol")
    #expect(shown == ["bob34"])
    try take("al", "5", isOwn: true)
    try take("Alice", "6", isOwn: true)
    #expect(shown == ["bob34", "Alice6"])
  }

  @Test("are one person's by the room's word where it says who that is, else by what they are called")
  mutating func occupants() throws {
    try take("bob", "1", of: "b")
    try take("bob", "2", of: "mallory")
    #expect(shown == ["bob1", "bob2"])
    try take("robert", "3", of: "b")
    #expect(shown == ["bob2", "robert3"])
    // Which of those who were called so it is is not known.
    try take("bob", "4")
    #expect(shown == ["robert3", "bob4"])
    try take("bob", "5", of: "m")
    #expect(shown == ["robert3", "bob5"])
    try take("eve", of: "m")
    #expect(shown == ["robert3"])
  }

  /// What takes longer with each would not be back today.
  @Test(
    "of twenty thousand people are put together at once, and so are those of one who changes their mind as often")
  mutating func flood() throws {
    for number in 0..<20_000 { try take("n\(number)", "1") }
    #expect(reactions.all.count == 20_000)
    for number in 0..<20_000 { try take("bob", "\(number)", of: number.isMultiple(of: 2) ? "b" : nil) }
    #expect(reactions.all.count == 20_001)
  }
}
