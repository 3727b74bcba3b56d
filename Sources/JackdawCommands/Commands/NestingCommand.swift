// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// A command of a script that runs another one, which stands behind it in its line.
protocol NestingCommand: ClientCommand {
  /// The words of the other, with its slash or without; none: there is no other.
  var command: [String] { get }
}

extension CommandTable {
  /// Whether words pick whom plain lines go to.
  enum Picking: Equatable {
    case no
    /// By this word: `to`.
    case yes(String)
    /// They cannot be understood, and may have been meant to.
    case perhaps
  }

  /// Whether the words that stand behind another command in its line pick whom plain lines go to, if only by what they run.
  func picking(nested words: [String]) -> Picking {
    let words = Self.withoutSlash(words)
    guard let first = words.first else { return .no }
    guard let named = naming(first, in: .lines).only else { return .perhaps }
    if picksConversation(words, isAtPrompt: false) { return .yes(first) }
    guard named.command.declaration.runsCommand else { return .no }
    guard case .command(let command, _)? = try? parse(line: words), let outer = command as? any NestingCommand else {
      return .perhaps
    }
    return picking(nested: outer.command)
  }

  /// The words of a command that stands behind another one, as those of a line are.
  static func withoutSlash(_ words: [String]) -> [String] {
    guard let first = words.first, first.hasPrefix("/") else { return words }
    return [String(first.dropFirst())] + words.dropFirst()
  }
}
