// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Testing

@testable import JackdawCommands

@Suite("An address that names its account")
struct AccountAddressTests {
  @Test(
    "is split at its first colon",
    arguments: [
      ("work:bob@example.org", "work", "bob@example.org"), ("me@work:Bob", "me@work", "Bob"),
      ("work:bob@[::1]", "work", "bob@[::1]"),
    ])
  func split(_ word: String, _ name: String, _ rest: String) {
    let parts = AccountAddress.split(word)
    #expect(parts?.name == name && parts?.rest == rest)
  }

  @Test(
    "is none without a name or an address", arguments: ["bob@example.org", ":bob", "work:", "xmpp:bob@example.org", ""])
  func none(_ word: String) { #expect(AccountAddress.split(word) == nil) }

  @Test(
    "is the first argument of a command",
    arguments: [
      (["send", "work:bob", "a:b"], 1), (["send", "--wait", "sent", "work:bob"], 3),
      (["friends", "add", "work:bob"], 2),
      (["friends", "list"], nil), (["to", "work:bob"], 1), (["msg", "work:bob", "x"], 1),
      (["nonsense", "work:bob"], nil),
      (["send", "--", "work:bob"], nil), (["friends", "show", "--", "work:bob"], 3), (["ping", "--"], nil), ([], nil),
    ] as [([String], Int?)])
  func place(_ words: [String], _ place: Int?) {
    #expect(CommandTable.standard.firstArgument(ofLine: words) == place)
  }

  @Test(
    "is none where an alias has the address, and a text or a nick begins at once",
    arguments: [
      (["topic", "home:made", "cake"], nil), (["away", "home:lunch"], nil), (["nick", "home:boy"], nil),
      (["invite", "work:bob"], 1), (["who", "work:bob"], 1), (["status", "work:away"], 1),
      (["rooms", "topic", "work:tea", "a:b"], 2),
      (["kick", "home:boy"], nil), (["ban", "work:bob@a"], 1),
    ] as [([String], Int?)])
  func alias(_ words: [String], _ place: Int?) {
    #expect(CommandTable.standard.firstArgument(ofLine: words) == place)
  }

  @Test(
    "may follow the first argument, where that is no text, name or nick",
    arguments: [
      (["friends", "add", "work:bob", "--name", "a:b", "work:al"], [5]),
      (["block", "work:bob", "work:al", "--", "work:eve"], [2, 4]),
      (["rooms", "invite", "work:tea", "work:bob", "--reason", "a:b"], [3]), (["unread", "work:bob", "work:al"], [2]),
      (["send", "work:bob", "work:al"], []), (["send", "work:bob", "work:al", "--", "a:b"], [2]),
      (["rooms", "kick", "work:tea", "work:bob"], []), (["friends", "group", "work:bob", "work:al"], []),
      (["friends", "rename", "work:bob", "work:al"], []), (["friends", "show", "work:bob", "work:al"], []),
      (["if-online", "work:bob", "ping", "work:al"], []), (["send", "--", "work:bob"], []),
      (["rooms", "unban", "work:tea", "work:bob", "work:eve@a"], [3, 4]),
      (["send", "--also=work:al", "work:bob", "--", "--also=work:eve"], [1]),
      (["rooms", "destroy", "work:tea", "--reason=work:x", "--to=work:coffee"], [4]),
      (["rooms", "ban", "work:tea", "work:boy", "work:bob@a"], [4]),
      (["send", "--also", "work:al", "work:bob", "--", "a:b"], [2]),
      (["rooms", "destroy", "work:tea", "--to", "work:coffee", "--reason", "a:b"], [4]),
      (["nonsense", "x", "y"], []),
      ([], []),
    ] as [([String], [Int])])
  func further(_ words: [String], _ places: [Int]) {
    #expect(CommandTable.standard.furtherAddresses(of: words, in: .lines).map(\.place) == places)
  }

  @Test(
    "is what '--from' has",
    arguments: [
      (["listen", "--from", "work:bob", "--from=home:al"], [2, 3]), (["wait", "message", "--from", "work:bob"], [3]),
      (["wait", "message", "--match", "x", "--", "--from", "work:bob"], []), (["send", "bob", "--from", "x:y"], []),
      (["listen", "--from"], []), (["post", "--from=work:bob", "x-a", "b", "--from", "work:eve"], [1]),
      (["post", "x-a", "--from", "work:bob", "b"], [3]), (["history", "--from", "work:bob"], [2]),
      (["history", "x", "--from=work:bob"], [2]),
    ] as [([String], [Int])])
  func senders(_ words: [String], _ places: [Int]) {
    #expect(CommandTable.standard.senders(of: words, in: .lines).map(\.place) == places)
  }
}
