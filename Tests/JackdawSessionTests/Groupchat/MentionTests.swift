// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Testing

@testable import JackdawSession

@Suite struct MentionTests {
  @Test(
    "a name counts as a whole word, in any case",
    arguments: [
      ("alice: lunch?", true), ("hey ALICE", true), ("(alice)", true), ("malice", false), ("alices", false),
      ("alice_", false), ("alicé", false), ("éalice", false), ("malice, alice", true), ("ali ce", false), ("", false),
    ])
  func word(text: String, isMention: Bool) { #expect(Mention.names("alice", in: text) == isMention) }

  @Test("A nick of several words is found as a whole") func aNameOfSeveralWordsIsFoundAsItStands() {
    #expect(Mention.names("Al B.", in: "what about al b.?"))
    #expect(!Mention.names("Al B.", in: "what about al bert?"))
  }

  @Test("An empty nick is never mentioned") func nobodyIsNamedByNothing() { #expect(!Mention.names("", in: "alice")) }

  @Test("A nick in another script is found")
  func aNameOfAnotherScriptIsFound() { #expect(Mention.names("Ольга", in: "привет, ольга!")) }
}
