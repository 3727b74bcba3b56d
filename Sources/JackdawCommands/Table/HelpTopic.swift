// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// What `help` has a page on and is no command.
enum HelpTopic: String, CaseIterable, Sendable {
  case accounts, data
  case exitCodes = "exit-codes"
  case json, keys, scripts

  /// The topic that these words name, `exit codes` as well as `exit-codes`.
  init?(_ words: [String]) {
    self.init(rawValue: words.joined(separator: "-").lowercased())
  }

  /// A part of a page.
  enum Block: Sendable {
    case text(String)
    /// Lines as they are typed or printed, never broken.
    case typed([String])
    /// Words, and what each is or does.
    case list([(word: String, meaning: String)])
  }

  /// What the page is about, in a line.
  var title: String {
    switch self {
    case .accounts: "Accounts: which one a run works with, and where its password is"
    case .data: "Data: what is stored where, and what others see"
    case .exitCodes: "Exit codes: what a command or a script ends with"
    case .json: "JSON: what programs read"
    case .keys: "Keys of the prompt"
    case .scripts: "Scripts: the lines of the prompt, from a file or a pipe"
    }
  }

  /// What the page says.
  var blocks: [Block] {
    switch self {
    case .accounts: Self.accountsPage
    case .data: Self.dataPage
    case .exitCodes: Self.exitCodesPage
    case .json: Self.jsonPage
    case .keys: Self.keysPage
    case .scripts: Self.scriptsPage
    }
  }

  /// The page, each line within `columns` where that can be.
  func text(columns: Int) -> String {
    let parts = blocks.map { block in
      switch block {
      case .text(let text): text.wrapped(to: columns)
      case .typed(let lines): lines.map { "    " + $0 }.joined(separator: "\n")
      case .list(let entries): Self.list(entries, columns)
      }
    }
    return ([title.wrapped(to: columns)] + parts).joined(separator: "\n\n")
  }

  private static func list(_ entries: [(word: String, meaning: String)], _ columns: Int) -> String {
    let widest = entries.map(\.word.count).filter { $0 < columns / 2 }.max() ?? 0
    let lines = entries.map { entry in
      HelpEntry(label: entry.word, summary: entry.meaning).text(columns, column: HelpEntry.indentation + widest + 2)
    }
    return String(lines.joined().dropLast())
  }
}
