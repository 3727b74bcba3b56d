// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Testing

@testable import JackdawProtocol

@Suite("A sentence of several hands")
struct SentenceTests {
  @Test(
    "has one end",
    arguments: [
      ("It is gone", "It is gone."), ("It is gone.", "It is gone."), ("Gone!", "Gone!"), ("Why?", "Why?"),
      ("So (it is said.)", "So (it is said.)"), ("So 'it'", "So 'it'."), ("See https://x.org/a", "See https://x.org/a"),
      ("", ""), ("…)", "…)"),
    ])
  func ends(_ text: String, _ sentence: String) { #expect(Sentence.ended(text) == sentence) }

  @Test(
    "has the peer's words after a colon, where there are any",
    arguments: [
      ("The server left.", nil, "The server left."), ("The server left.", "Bye", "The server left: Bye."),
      ("The server left", "Bye.", "The server left: Bye."), ("The server left.", " ", "The server left."),
    ] as [(String, String?, String)])
  func words(_ sentence: String, _ words: String?, _ whole: String) {
    #expect(Sentence.joined(sentence, words) == whole)
  }
}
