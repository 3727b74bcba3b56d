// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// Another word for a command: an alias, which can be typed for it, or what somebody calls it who knows other programs.
package struct CommandSynonym: Sendable, Equatable, ExpressibleByStringLiteral {
  /// What is typed.
  package var word: String
  /// The words that it stands for beyond the command's own: `--online`.
  package var adding: [String]
  /// Its beginning alone does not mean it: `/t bob` is `/to bob`, and no topic.
  package var isTypedWhole = false

  /// - Parameter adding: the words that follow the command's own.
  package init(_ word: String, adding: [String] = []) {
    self.word = word
    self.adding = adding
  }

  /// In lines, for an address: that of the conversation that is open.
  static let openConversation = "."

  /// A word for a command about a room: of the one that is open, and not named.
  static func ofOpenRoom(_ word: String) -> CommandSynonym {
    var synonym = CommandSynonym(word, adding: [openConversation])
    synonym.isTypedWhole = true
    return synonym
  }

  /// The words that follow the command's own in `place`: in the shell no conversation is open.
  func adding(in place: CommandPlace) -> [String] {
    place == .shell ? adding.filter { $0 != Self.openConversation } : adding
  }

  /// A word that adds nothing.
  package init(stringLiteral word: String) { self.init(word) }
}

/// A line of a command as somebody may type it.
package struct CommandExample: Sendable, Equatable {
  /// Without `jackdaw` or `/` before it, quoted as a shell and a line both take it.
  package var line: String
  /// What it does, in a sentence.
  package var summary: String
  /// Where it can be typed.
  package var place: CommandPlace

  /// - Parameter place: where the example makes sense, of the places in which the command can be used.
  package init(_ line: String, _ summary: String, in place: CommandPlace = .everywhere) {
    self.line = line
    self.summary = summary
    self.place = place
  }

  /// As it is typed in `place`: `/send …`, `jackdaw send …`.
  func typed(in place: CommandPlace) -> String {
    (place == .lines ? "/" : CommandTable.program + " ") + line
  }
}
