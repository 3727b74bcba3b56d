// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawCommands
import JackdawProtocol
import Testing

@testable import JackdawTerminal

@Suite("What is typed and not entered")
struct DraftsTests {
  private let bob: ConversationKey
  private let carol: ConversationKey

  init() throws {
    bob = ConversationKey(try JID("bob@example.org"))
    carol = ConversationKey(try JID("carol@example.org"))
  }

  private func line(_ text: String, at point: Int? = nil) -> Drafts.Draft {
    Drafts.Draft(text: text, point: point ?? text.utf8.count)
  }

  @Test("stays with its conversation, the cursor too, and comes back with it")
  func kept() {
    var drafts = Drafts()
    #expect(drafts.open(bob, leaving: line("")) == line(""))
    #expect(drafts.open(carol, leaving: line("half\nfor bob", at: 4)) == line(""))
    #expect(drafts.open(bob, leaving: line("for carol")) == line("half\nfor bob", at: 4))
    #expect(drafts.open(carol, leaving: line("")) == line("for carol"))
    // It was cleared there.
    #expect(drafts.open(bob, leaving: line("")) == line(""))
    #expect(drafts.takeAll() == [])
  }

  @Test("while nobody was open is for whoever is opened, unless something waits there")
  func nobody() {
    var drafts = Drafts()
    #expect(drafts.open(bob, leaving: line("hello", at: 2)) == line("hello", at: 2))
    #expect(drafts.open(nil, leaving: line("hello")) == line(""))
    #expect(drafts.open(bob, leaving: line("for somebody")) == line("hello"))
    #expect(drafts.open(nil, leaving: line("")) == line("for somebody"))
    #expect(drafts.takeAll() == [])
  }

  @Test("waits for an empty line where the conversation was opened by a line, behind which more was typed")
  func due() {
    var drafts = Drafts()
    _ = drafts.open(bob, leaving: line(""))
    _ = drafts.open(carol, leaving: line("for bob"))
    drafts.open(bob)
    #expect(drafts.isDue)
    #expect(drafts.takeDue() == line("for bob"))
    #expect(!drafts.isDue && drafts.takeDue() == nil)
    drafts.open(carol)
    #expect(!drafts.isDue)
    // What waits is not lost when one goes on before.
    _ = drafts.open(bob, leaving: line("for carol"))
    drafts.open(carol)
    #expect(drafts.open(bob, leaving: line("")) == line(""))
    drafts.open(carol)
    #expect(drafts.open(bob, leaving: line("more")) == line(""))
    #expect(drafts.takeAll() == ["for carol\nmore"])
  }

  @Test("is the same when the same conversation is opened again")
  func same() {
    var drafts = Drafts()
    _ = drafts.open(bob, leaving: line(""))
    #expect(drafts.open(bob, leaving: line("x")) == line("x"))
    _ = drafts.open(carol, leaving: line("x"))
    drafts.open(bob)
    #expect(drafts.open(bob, leaving: line("")) == line("") && drafts.takeDue() == line("x"))
  }
}
