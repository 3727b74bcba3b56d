// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawCommands
import JackdawSession

/// The text before the cursor: whom plain lines go to, how they are, and what is the matter with the connection.
struct PromptLine {
  var style: Style
  var columns: Int

  /// - Returns: with what takes no column between U+0001 and U+0002, as readline wants it.
  func text(for state: PromptState) -> String {
    let narrow = columns < 60
    let connection = Self.connection(state, narrow: narrow)
    var head = ""
    // Half of the window is left to type in.
    var room = max(columns / 2, 8) - 2
    if let words = connection ?? Self.own(state.ownPresence) {
      head = paint("[" + words + "]", .warning) + " "
      room -= Width.of(words) + 3
    }
    if let account = state.account.map({ Width.truncate(Self.steady($0), to: TerminalLimits.unreadNameColumns) + ":" })
    {
      head += paint(account, .faint)
      room = max(room - Width.of(account), 8)
    }
    let others = Others(state, narrow: narrow)
    guard let conversation = state.conversation else {
      let nobody = connection == nil ? "jackdaw" : ""
      let more = others.text(within: room - Width.of(nobody))
      // The space is for a name, and there is none.
      if nobody.isEmpty, state.account == nil { head.removeLast() }
      return head + paint(nobody, .faint) + paint(more, .unread) + "> "
    }
    let (words, look) = Self.standing(state, narrow: narrow, isConnected: connection == nil)
    let unread = state.unread > 0 ? " +\(state.unread)" : ""
    let least = others.least
    let reserved = Width.of(words) + unread.count
    let name = Width.truncate(Self.steady(conversation), to: max(room - reserved - Width.of(least), 6))
    let more = others.text(within: room - reserved - Width.of(name))
    return head + paint(name, look) + paint(words, .faint) + paint(unread, .unread) + paint(more, .unread) + "> "
  }

  /// The other conversations with unread messages: ` | carol +1 dave +2, 3 more chats`.
  private struct Others {
    private let names: [String]
    private let count: Int
    /// How many there are, without a name.
    let least: String

    init(_ state: PromptState, narrow: Bool) {
      names = state.others.map { other in
        Width.truncate(PromptLine.steady(other.name), to: TerminalLimits.unreadNameColumns) + " +\(other.count)"
      }
      count = names.count + state.moreOthers
      // Where there is no room to say what is counted, it is what "unread" means elsewhere: messages.
      let least = narrow ? "\(state.allUnread - state.unread) unread" : "\(count) unread" + Self.chats(count)
      self.least = count == 0 ? "" : " | " + least
    }

    /// What is counted: conversations.
    private static func chats(_ count: Int) -> String { count == 1 ? " chat" : " chats" }

    /// As many as there is room for, then how many more there are.
    func text(within columns: Int) -> String {
      for shown in stride(from: names.count, through: 1, by: -1) {
        let rest = count - shown
        let text =
          " | " + names.prefix(shown).joined(separator: " ") + (rest > 0 ? ", \(rest) more\(Self.chats(rest))" : "")
        if Width.of(text) <= columns { return text }
      }
      return Width.of(least) <= columns ? least : ""
    }
  }

  /// Whether a line is a command: it begins with a slash, but for `//` (text that begins with one) and `/me`.
  static func isCommand(_ line: String) -> Bool {
    line.hasPrefix("/") && !line.hasPrefix("//") && !line.hasPrefix("/me ") && line != "/me"
  }

  private static func connection(_ state: PromptState, narrow: Bool) -> String? {
    switch state.connection {
    case .online, .resumed: return nil
    case .connecting: return narrow ? "…" : "connecting"
    case .offline, .retrying:
      guard let seconds = state.retryIn else { return "offline" }
      return narrow ? "off \(seconds)s" : "offline, next try in \(seconds) s"
    }
  }

  /// What is said of whom one talks to, behind the name.
  private static func standing(
    _ state: PromptState, narrow: Bool, isConnected: Bool
  ) -> (words: String, look: Style.Look) {
    switch state.company {
    case .oneself: return (narrow ? " (you)" : " (yourself)", .plain)
    case .blocked: return (" (blocked)", .stranger)
    case .stranger: return (narrow ? " (stranger)" : " (not a contact)", .stranger)
    case .server: return (" (server)", .plain)
    case .room: return (room(state.typists, narrow: narrow), .plain)
    // What is for one alone is never to look as if it went to all.
    case .occupant: return (state.typists.isEmpty || narrow ? " (private)" : " (private, typing)", .plain)
    case nil: break
    }
    guard isConnected else { return ("", .plain) }
    // Colours alone tell nothing: who is plainly there has no word, everybody else has one.
    let words = presence(state.presence, narrow: narrow).map { " (\($0))" } ?? ""
    switch state.presence {
    case nil: return (words, .plain)
    case "available", "chat", "typing": return (words, Style.Look(.online))
    case "dnd": return (words, Style.Look(.busy))
    case "unavailable": return (words, Style.Look(.offline))
    default: return (words, Style.Look(.away))
    }
  }

  private static func room(_ typists: [String], narrow: Bool) -> String {
    switch typists.count {
    case 0: return " (room)"
    case 1 where !narrow:
      return " (\(Width.truncate(steady(typists[0]), to: TerminalLimits.unreadNameColumns)) is typing)"
    case 1: return " (typing)"
    case let count: return " (\(count) typing)"
    }
  }

  /// Nil for somebody who is there and willing to talk.
  private static func presence(_ show: String?, narrow: Bool) -> String? {
    switch show {
    case nil: narrow ? "?" : "status unknown"
    case "available", "chat": nil
    case "xa", "away": "away"
    case "dnd": "busy"
    case "unavailable": "offline"
    case let other?: Escaper.name(other)
    }
  }

  /// How the user is shown; nil where that is plainly online, or not known.
  private static func own(_ show: String?) -> String? {
    switch show {
    case nil, "available": nil
    case "xa", "away": "away"
    case "dnd": "busy"
    case "chat": "free to chat"
    case "unavailable": "invisible"
    case let other?: Escaper.name(other)
    }
  }

  /// A name whose width terminals agree on: what makes a sign wide on some of them, and not for readline, is left out.
  private static func steady(_ name: String) -> String {
    var steady = ""
    for character in Escaper.called(name, within: TerminalLimits.nameLength) {
      steady += character.steady
    }
    return steady
  }

  private func paint(_ text: String, _ look: Style.Look) -> String {
    guard let begin = style.sequence(look), !text.isEmpty else { return text }
    return "\u{1}\(begin)\u{2}\(text)\u{1}\(Style.end)\u{2}"
  }
}
