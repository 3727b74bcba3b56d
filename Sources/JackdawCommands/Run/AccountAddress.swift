// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// `work:bob@example.org`: whom an account of several means. No address has a colon before its `@` (RFC 7622 3.3.1), nor has a domain one that is
/// no IPv6 address.
enum AccountAddress {
  /// - Returns: the account's name and the rest; nil: the word names no account.
  static func split(_ word: String) -> (name: String, rest: String)? {
    guard let colon = word.firstIndex(of: ":"), colon != word.startIndex, word[..<colon] != "xmpp" else { return nil }
    let rest = word[word.index(after: colon)...]
    return rest.isEmpty ? nil : (String(word[..<colon]), String(rest))
  }
}

extension CommandTable {
  /// Where the first word stands that is an argument of the command which the words begin with.
  func firstArgument(of words: [String], in place: CommandPlace) -> Int? {
    guard let first = words.first, let named = naming(first, in: place).only else { return nil }
    var index = 1
    if let group = named.command.declaration.bare, words.count > 1 {
      let children = children(of: named.command, for: place)
      if naming(words[1], among: children, of: group).only != nil { index = 2 }
    }
    while index < words.count, words[index] != "--" {
      guard words[index].hasPrefix("-") else { return index }
      index += takesValue(words[index]) ? 2 : 1
    }
    return nil
  }

  /// Whether the words are of a command that picks whom plain lines go to.
  func picksConversation(_ words: [String]) -> Bool {
    words.first.flatMap { naming($0, in: .lines).only }?.command.declaration.picksConversation ?? false
  }
}
