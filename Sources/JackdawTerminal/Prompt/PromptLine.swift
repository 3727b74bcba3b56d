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
    var room = max(columns / 2, 8) - 2
    if let connection {
      head = paint("[" + connection + "]", .warning) + " "
      room -= Width.of(connection) + 3
    }
    guard let conversation = state.conversation else {
      return head + (connection == nil ? paint("jackdaw", .faint) : "") + "> "
    }
    let presence = connection == nil ? Self.presence(state.presence) : nil
    let words = presence.map { " (\($0))" } ?? ""
    let name = Width.truncate(Self.steady(conversation), to: max(room - words.count, 6))
    let look: Style.Look =
      switch state.presence {
      case _ where connection != nil: .plain
      case nil: .plain
      case "available", "chat": .good
      case "unavailable": .faint
      default: .warning
      }
    return head + paint(name, look) + paint(words, .faint) + "> "
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

  /// Nil for somebody who is there and willing to talk.
  private static func presence(_ show: String?) -> String? {
    switch show {
    case nil, "available", "chat": nil
    case "xa", "away": "away"
    case "dnd": "busy"
    case "unavailable": "offline"
    case let other?: Escaper.name(other)
    }
  }

  /// A name whose width terminals agree on: what makes a sign wide on some of them, and not for readline, is left out.
  private static func steady(_ name: String) -> String {
    var steady = ""
    for character in Escaper.line(name.clipped(to: TerminalLimits.nameLength)) {
      let scalars = character.unicodeScalars
      if scalars.contains("\u{200D}"), let first = scalars.first, !first.properties.isAlphabetic {
        steady.unicodeScalars.append(first)
      } else {
        steady.unicodeScalars.append(contentsOf: scalars.filter { $0 != "\u{FE0F}" })
      }
    }
    return steady
  }

  private func paint(_ text: String, _ look: Style.Look) -> String {
    guard let begin = style.sequence(look), !text.isEmpty else { return text }
    return "\u{1}\(begin)\u{2}\(text)\u{1}\(Style.end)\u{2}"
  }
}
