// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawCommands
import JackdawProtocol
import Testing

@testable import JackdawTerminal

@Suite("Lines that come back to the input line")
struct ReturnedLinesTests {
  @Test("are offered one at a time, oldest first, and never joined")
  func order() {
    var lines = ReturnedLines()
    lines.add("one")
    lines.add("two")
    #expect(lines.offer() == "one")
    lines.beginEntering()
    lines.endEntering()
    #expect(lines.offer() == "two")
    #expect(lines.offer() == nil && lines.isEmpty)
  }

  @Test("wait for the conversation that they were for, and never come into another one")
  func conversations() throws {
    let (bob, carol) = (ConversationKey(try JID("bob@example.org")), ConversationKey(try JID("carol@example.org")))
    var lines = ReturnedLines()
    lines.add("for bob", to: bob)
    lines.add("for nobody")
    #expect(lines.offer(in: carol) == "for nobody")
    #expect(lines.offer(in: carol) == nil && !lines.isEmpty)
    #expect(lines.offer(in: bob) == "for bob")
    lines.conversationChanged()
    // It is a draft now, and no longer among these.
    #expect(lines.takeAll() == [])
  }

  @Test("make room for a command, and come back behind it")
  func setAside() throws {
    let bob = ConversationKey(try JID("bob@example.org"))
    var lines = ReturnedLines()
    let isNone = lines.setAside("one")
    lines.add("one")
    lines.add("two")
    #expect(lines.offer() == "one")
    let isChanged = lines.setAside("one more")
    let isTheLine = lines.setAside("one")
    #expect((isNone, isChanged, isTheLine) == (false, false, true))
    lines.beginEntering()
    // The command opens a conversation.
    lines.conversationChanged()
    lines.endEntering()
    #expect(lines.offer(in: bob) == "one")
    #expect(lines.takeAll() == ["one", "two"])
  }

  @Test("keep their order when one that is entered again comes back again")
  func again() {
    var lines = ReturnedLines()
    lines.add("one")
    lines.add("two")
    _ = lines.offer()
    lines.beginEntering()
    lines.add("one")
    lines.endEntering()
    // What was typed anew is younger than what waits.
    lines.beginEntering()
    lines.add("three")
    lines.endEntering()
    #expect(lines.takeAll() == ["one", "two", "three"])
    #expect(lines.isEmpty)
  }

  @Test("are there once when the prompt is left, as they were changed meanwhile, and with what was typed behind them")
  func leftChanged() {
    var lines = ReturnedLines()
    lines.add("one")
    lines.add("two")
    _ = lines.offer()
    #expect(lines.takeAll(typed: "one, and more") == ["one, and more", "two"])
    lines.add("three")
    #expect(lines.takeAll(typed: "four") == ["three", "four"])
  }

  @Test("are all there when the prompt is left, but for what was cleared")
  func left() {
    var lines = ReturnedLines()
    for line in ["cleared", "offered", "waits"] { lines.add(line) }
    _ = lines.offer()
    lines.dropOffered()
    _ = lines.offer()
    #expect(lines.takeAll() == ["offered", "waits"])
  }
}
