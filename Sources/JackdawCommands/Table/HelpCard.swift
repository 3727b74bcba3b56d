// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// What of the first hour fits on a screen: what `help` shows alone. At the prompt 12 lines, keys among them.
enum HelpCard {
  /// The lines of a place, each as it is typed and with what it does; short enough for 80 columns.
  static func rows(for place: CommandPlace) -> [HelpRow] { place == .lines ? ofLines : ofShell }

  private static let ofLines = [
    HelpRow("/friends add JID", summary: "Ask somebody to be your friend, as in bob@example.org."),
    HelpRow("/friends requests", summary: "Who asks you: '/friends accept JID', or 'reject'."),
    HelpRow("/friends", summary: "Your friends; '/who' shows those who are online."),
    HelpRow("/to NAME", summary: "Talk to somebody: what you type now goes there."),
    HelpRow("/rooms find", summary: "Rooms to talk in; '/rooms join ROOM' enters one."),
    HelpRow("/back", summary: "What was said before; '/search WORDS' finds it."),
    HelpRow("/away TEXT", summary: "Show yourself as away, until '/status online'."),
    HelpRow("Tab", summary: "Complete a command, a name or an address."),
    HelpRow("Alt-a, Alt-r", summary: "Open the next unread conversation; whoever wrote last."),
    HelpRow("Alt-Enter", summary: "Begin another line of the same message."),
    HelpRow("/help all", summary: "All commands. '/help keys', '/help send': more on one."),
    HelpRow("/quit", summary: "Leave; Ctrl-D does so too."),
  ]

  private static let ofShell = [
    HelpRow("jackdaw", summary: "Open the prompt; the first time it asks who you are."),
    HelpRow("jackdaw account add JID", summary: "Set up another account of yours, you@example.org."),
    HelpRow("jackdaw account check", summary: "Log in step by step, and say what is wrong."),
    HelpRow("jackdaw chat NAME", summary: "Open it, talking to somebody."),
    HelpRow("jackdaw friends add JID", summary: "Ask somebody to be your friend; 'friends' lists them."),
    HelpRow("jackdaw rooms", summary: "Your rooms; 'rooms find' shows others."),
    HelpRow("jackdaw send NAME TEXT", summary: "Send a message, and wait until the server has it."),
    HelpRow("jackdaw listen", summary: "Print what arrives."),
    HelpRow("jackdaw history NAME", summary: "Read again what was said."),
    HelpRow("jackdaw help all", summary: "All commands. 'jackdaw help send': one of them."),
    HelpRow(
      "jackdaw help TOPIC", summary: HelpTopic.allCases.map(\.rawValue).joined(separator: ", ")),
    HelpRow("man jackdaw", summary: "The manual, with all of it."),
  ]
}
