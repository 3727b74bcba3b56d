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
  /// The command that the words begin with, of a group the one that they name, and how many of them name it.
  func leaf(of words: [String], in place: CommandPlace) -> (CommandNaming.Named, count: Int)? {
    guard let first = words.first, let named = naming(first, in: place).only else { return nil }
    guard let group = named.command.declaration.bare, words.count > 1,
      let child = naming(words[1], among: children(of: named.command, for: place), of: group).only
    else { return (named, 1) }
    return (child, 2)
  }

  /// Where the first word stands that is an argument of the command which the words begin with. Behind `--` it is one where that is no
  /// free text.
  func firstArgument(ofLine words: [String]) -> Int? {
    guard let (named, count) = leaf(of: words, in: .lines) else { return nil }
    // Behind an alias that has the arguments before it the text begins at once (`/topic`, `/nick`, `/away`), or a nick (`/kick`): nobody's
    // address.
    let declaration = named.command.declaration
    let before = declaration.wordsBeforeText ?? declaration.wordsBeforeName
    let isText = !named.adding.isEmpty && before.map { $0 <= named.adding.count } == true
    let isNick = !named.adding.isEmpty && declaration.word(at: named.adding.count) == .occupant
    var index = count
    while index < words.count {
      guard words[index].hasPrefix("-") else {
        return isText || isNick && !words[index].contains("@") ? nil : index
      }
      guard words[index] != "--" else {
        return declaration.wordsBeforeText == nil && index + 1 < words.count ? index + 1 : nil
      }
      index += takesValue(words[index]) ? 2 : 1
    }
    return nil
  }

  /// The senders that `--from` names, of the command that the words begin with: the place of each, and what stands before it in its word.
  func senders(of words: [String], in place: CommandPlace) -> [(place: Int, prefix: String)] {
    guard let (named, count) = leaf(of: words, in: place) else { return [] }
    // Of a group that is named alone the command that it stands for.
    let command: any JackdawCommand.Type = named.command.declaration.bare?.command ?? named.command
    guard command.declaration.options["--from"] == .friend else { return [] }
    let end = min(words.firstIndex(of: "--") ?? words.count, textBeginning(of: words, command.declaration, from: count))
    return (min(count, end)..<end).compactMap { index in
      if words[index].hasPrefix("--from=") { return (index, "--from=") }
      return index > count && words[index - 1] == "--from" ? (index, "") : nil
    }
  }

  /// Where free text begins, in which nothing is an option; the words' end: nowhere.
  private func textBeginning(of words: [String], _ declaration: CommandDeclaration, from count: Int) -> Int {
    guard let before = declaration.wordsBeforeText else { return words.count }
    var (index, position) = (count, 0)
    while index < words.count {
      if words[index].hasPrefix("-") {
        index += takesValue(words[index]) ? 2 : 1
      } else if position == before {
        return index
      } else {
        position += 1
        index += 1
      }
    }
    return words.count
  }

  /// Where people and rooms are named behind the first argument of the command that the words begin with, and what stands before each in
  /// its word (`--also=`): they are an account's, too. Names, nicks and texts are none.
  func furtherAddresses(of words: [String], in place: CommandPlace) -> [(place: Int, prefix: String)] {
    guard let (named, count) = leaf(of: words, in: place) else { return [] }
    let declaration = (named.command.declaration.bare?.command ?? named.command).declaration
    let areSeveral = declaration.optionOfFurtherWords != nil && words.contains("--")
    let end = areSeveral ? nil : declaration.wordsBeforeText ?? declaration.wordsBeforeName
    var places: [(place: Int, prefix: String)] = []
    var (index, position, isBehindMark) = (count, 0, false)
    while index < words.count, end.map({ position < $0 }) ?? true {
      if !isBehindMark, words[index] == "--" {
        guard declaration.wordsBeforeText == nil else { break }
        isBehindMark = true
        index += 1
      } else if !isBehindMark, words[index].hasPrefix("-") {
        let (word, takesValue) = (words[index], takesValue(words[index]))
        let option = word.prefix { $0 != "=" }
        // The senders' is another matter.
        let isAddress = option != "--from" && declaration.options[String(option)]?.isOfAccount == true
        if isAddress, option.count < word.count { places.append((index, "\(option)=")) }
        if isAddress, takesValue, index + 1 < words.count { places.append((index + 1, "")) }
        index += takesValue ? 2 : 1
      } else {
        let word = declaration.word(at: areSeveral ? 0 : position)
        // Rooms' people go by their nicks, or by their addresses.
        let isAddress = word.isOfAccount || word == .occupant && words[index].contains("@")
        if position > 0, isAddress { places.append((index, "")) }
        position += 1
        index += 1
      }
    }
    return places
  }

  /// Whether the words are of a command that picks whom plain lines go to.
  /// - Parameter isAtPrompt: where some commands open the room that they enter.
  func picksConversation(_ words: [String], isAtPrompt: Bool) -> Bool {
    if words.first.flatMap({ naming($0, in: .lines).only })?.command.declaration.picksConversation == true {
      return true
    }
    return isAtPrompt && leaf(of: words, in: .lines)?.0.command is any RoomOpening.Type
  }
}

extension CommandWord {
  /// It is somebody or a room, and so one account's.
  fileprivate var isOfAccount: Bool {
    switch self {
    case .friend, .requester, .asked, .blocked, .room, .invitation: true
    case .occupant, .account, .group, .event, .command, .waitingMessage, .foldedText, .loggedMessage, .words, .file,
      .nothing:
      false
    }
  }
}
