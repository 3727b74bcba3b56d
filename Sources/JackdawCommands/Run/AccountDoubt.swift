// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// Why a script's lines may be about another one of several accounts than the one in use: the line that was to choose it failed. What the
/// lines below send would leave from the wrong account.
package enum AccountDoubt: Equatable {
  /// `/account`, by its name, failed.
  case failed(command: String)
  /// `/to`, by its name or alias, found nobody among the people of all accounts: it might have chosen the account of somebody.
  case foundNobody(command: String)
  /// A line could not be understood, and may have been one of these.
  case unclear

  /// What the failure of a command means; nil: nothing, as it would have chosen no account.
  /// - Parameters:
  ///   - words: its words, as far as they could be told apart.
  ///   - table: the commands that it may have been.
  init?(failed words: [String], of table: CommandTable) {
    let name = words.first { !$0.hasPrefix("-") } ?? ""
    guard let named = table.naming(name, in: .lines).only else {
      self = .unclear
      return
    }
    // Of the commands of `account` one alone chooses.
    if let (leaf, count) = table.leaf(of: words, in: .lines), count > 1, leaf.command != AccountUseCommand.self {
      return nil
    }
    let declaration = named.command.declaration
    guard declaration.picksConversation else {
      guard declaration.runsCommand else { return nil }
      self = .unclear
      return
    }
    switch (declaration.bare?.command?.declaration ?? declaration).word(at: 0) {
    case .account: self = .failed(command: named.word)
    case .friend: self = .foundNobody(command: named.word)
    default: return nil
    }
  }

  /// A `/to` that succeeds chooses as the one that failed would have, which is no way to choose what an `/account` was to.
  var endsWithConversation: Bool { if case .foundNobody = self { true } else { false } }

  /// Whether a command that succeeds ends it.
  func ends(with declaration: CommandDeclaration) -> Bool {
    endsWithConversation && declaration.picksConversation && declaration.word(at: 0) == .friend
  }

  /// - Parameter names: of the accounts that can be chosen.
  func failure(among names: [String]) -> CommandFailure {
    let reason =
      switch self {
      case .failed(let command): "Not done, as the '/\(command)' before it failed."
      case .foundNobody(let command):
        "Not done, as the '/\(command)' before it failed, and may have meant somebody of another account."
      case .unclear: "Not done: a line before it was not understood, and may have chosen another account."
      }
    return CommandFailure(
      .usage, "no-account", "\(reason) Choose one first, by '/account NAME': \(names.joined(separator: ", ")).")
  }
}
