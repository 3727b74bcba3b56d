// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawCommands
import JackdawSession
import Testing

@testable import JackdawTerminal

@Suite struct PromptLineTests {
  private func text(_ state: PromptState, columns: Int = 80, colors: Style.Colors = .none) -> String {
    PromptLine(style: Style(colors), columns: columns).text(for: state)
  }

  @Test(
    "The prompt names the conversation, its presence and what is wrong",
    arguments: [
      (nil, nil, .online, nil, "jackdaw> "),
      ("Bob", "available", .online, nil, "Bob> "),
      ("Bob", nil, .resumed, nil, "Bob (status unknown)> "),
      ("Bob", nil, .connecting, nil, "[connecting] Bob> "),
      ("Bob", "xa", .online, nil, "Bob (away)> "),
      ("Bob", "dnd", .online, nil, "Bob (busy)> "),
      ("Bob", "unavailable", .online, nil, "Bob (offline)> "),
      ("Bob", "available", .connecting, nil, "[connecting] Bob> "),
      ("Bob", "available", .retrying, 8, "[offline, next try in 8 s] Bob> "),
      (nil, nil, .offline, nil, "[offline]> "), (nil, nil, .retrying, 4, "[offline, next try in 4 s]> "),
      ("E\u{9B}vil\n", "available", .online, nil, "E\\u{9b}vil\\n> "),
    ] as [(String?, String?, ConnectionChanged.State, Int?, String)])
  func thePromptNamesTheConversation(
    conversation: String?, presence: String?, connection: ConnectionChanged.State, retryIn: Int?, shown: String
  ) {
    let state = PromptState(
      presence: presence, conversation: conversation, connection: connection, retryIn: retryIn)
    #expect(text(state) == shown)
  }

  @Test("The prompt leaves half of a narrow window to type in") func thePromptLeavesHalfOfANarrowWindowToType() {
    let name = String(repeating: "世界", count: 30)
    for connection in [ConnectionChanged.State.online, .connecting, .offline, .retrying] {
      let state = PromptState(presence: "away", conversation: name, connection: connection, retryIn: 64)
      #expect(Width.of(text(state, columns: 40)) <= 20)
    }
  }

  /// - Parameter unread: of others, the first two by name.
  private func state(_ others: [(String, Int)], more: Int = 0, unread: Int = 0) -> PromptState {
    var state = PromptState(presence: "available", conversation: "bob", connection: .online)
    state.others = others.map { PromptState.Unread($0.0, $0.1) }
    state.moreOthers = more
    state.unread = unread
    state.allUnread = unread + others.reduce(more) { $0 + $1.1 }
    return state
  }

  @Test(
    "The prompt names conversations with unread messages as far as there is room",
    arguments: [
      (120, "bob | carol +1 dave +12 erin +3> "), (80, "bob | carol +1 dave +12 erin +3> "),
      (60, "bob | carol +1, 2 more chats> "), (40, "bob | 16 unread> "), (20, "bob> "), (16, "bob> "),
    ])
  func thePromptNamesConversationsWithUnreadMessagesAsFarAsThere(columns: Int, shown: String) {
    #expect(text(state([("carol", 1), ("dave", 12), ("erin", 3)]), columns: columns) == shown)
  }

  @Test("The prompt counts the unread messages that it does not name, and those in the open conversation")
  func thePromptCountsTheUnreadMessagesThatItDoesNotName() {
    #expect(text(state([("carol", 1)]), columns: 40) == "bob | carol +1> ")
    #expect(text(state([("carol", 1)], more: 40), columns: 80) == "bob | carol +1, 40 more chats> ")
    #expect(text(state([("carol", 1)], unread: 2), columns: 80) == "bob +2 | carol +1> ")
    var nobody = state([("carol", 1)])
    nobody.conversation = nil
    #expect(text(nobody) == "jackdaw | carol +1> ")
    nobody.connection = .offline
    #expect(text(nobody) == "[offline] | carol +1> ")
    #expect(text(state([("e\u{9B}v\u{202E}il\n", 1)])) == "bob | e\\u{9b}v\\u{202e}il\\n +1> ")
  }

  @Test("An address that mixes scripts to look like another is spelled out")
  func anAddressThatMixesScriptsToLookLikeAnotherIsSpelled() {
    var state = state([("d\u{430}v@a.org", 1), ("w:e\u{456}n@a.org", 2)])
    state.conversation = "b\u{43E}b@example.org"
    let others = #"d\u{430}v@a.org +1 w:e\u{456}n@a.org +2"#
    #expect(text(state, columns: 200) == #"b\u{43e}b@example.org | "# + others + "> ")
  }

  @Test("However much is unread, half of the window is left to type in", arguments: [20, 40, 80, 120])
  func howeverMuchIsUnread(columns: Int) {
    let long = String(repeating: "世界", count: 30)
    for more in [0, 500] {
      for own in [nil, "away", "dnd", "unavailable"] {
        for company in [nil, PromptState.Company.stranger, .room, .occupant] {
          var state = state(Array(repeating: (long, 9_999), count: 8), more: more, unread: 10)
          state.ownPresence = own
          state.company = company
          state.conversation = long
          // A name has six columns at least.
          #expect(Width.of(text(state, columns: columns)) <= max(columns / 2, 38))
        }
      }
    }
  }

  @Test(
    "The prompt says how the user is shown where that is not plainly online",
    arguments: [
      ("away", "[away] Bob> "), ("xa", "[away] Bob> "), ("dnd", "[busy] Bob> "), ("chat", "[free to chat] Bob> "),
      ("unavailable", "[invisible] Bob> "), ("available", "Bob> "),
    ])
  func thePromptSaysHowTheUserIsShown(own: String, shown: String) {
    var state = PromptState(presence: "available", conversation: "Bob", connection: .online)
    state.ownPresence = own
    #expect(text(state) == shown)
    state.connection = .connecting
    #expect(text(state) == "[connecting] Bob> ")
  }

  @Test(
    "The prompt says what the conversation partner is, where that is not a contact",
    arguments: [
      (.oneself, "x (yourself)> ", "x (you)> "), (.stranger, "x (not a contact)> ", "x (stranger)> "),
      (.blocked, "x (blocked)> ", "x (blocked)> "), (.server, "x (server)> ", "x (server)> "),
      (.room, "x (room)> ", "x (room)> "), (.occupant, "x (private)> ", "x (private)> "),
    ] as [(PromptState.Company, String, String)])
  func thePromptSaysWhatTheConversationPartner(
    company: PromptState.Company, shown: String, narrow: String
  ) {
    var state = PromptState(conversation: "x", connection: .online)
    state.company = company
    #expect(text(state) == shown)
    #expect(text(state, columns: 40) == narrow)
  }

  @Test(
    "The prompt says who is typing in a room",
    arguments: [
      (["bob"], "tea (bob is typing)> ", "tea (typing)> "),
      ([String(repeating: "b", count: 200)], "tea (bbbbbbbbbbbbbbbbbbb… is typing)> ", "tea (typing)> "),
      (["bob", "carol"], "tea (2 typing)> ", "tea (2 typing)> "),
    ] as [([String], String, String)])
  func thePromptSaysWhoIsTypingInARoom(typists: [String], shown: String, narrow: String) {
    var state = PromptState(conversation: "tea", connection: .online)
    (state.company, state.typists) = (.room, typists)
    #expect(text(state) == shown)
    #expect(text(state, columns: 40) == narrow)
    // To one alone it is never to look as if it were said to all.
    state.company = .occupant
    #expect(text(state) == "tea (private, typing)> " && text(state, columns: 40) == "tea (private)> ")
  }

  @Test("Colours are marked as taking no column") func coloursAreMarkedAsTakingNoColumn() {
    let shown = text(PromptState(presence: "available", conversation: "Bob", connection: .online), colors: .sixteen)
    #expect(shown == "\u{1}\u{1B}[32m\u{2}Bob\u{1}\u{1B}[0m\u{2}> ")
  }

  @Test(
    "A line is a command where a script takes it for one",
    arguments: [
      ("/friends", true), ("/", true), ("//x", false), ("/me waves", false), ("/me", false), ("/menu", true),
      ("x", false),
      ("", false), (" /x", false),
    ])
  func aLineIsACommandWhereAScriptTakes(line: String, isCommand: Bool) {
    #expect(PromptLine.isCommand(line) == isCommand)
  }
}
