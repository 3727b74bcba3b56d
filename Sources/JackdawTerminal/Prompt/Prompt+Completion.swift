// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import CReadline
import JackdawCommands

extension Prompt {
  /// The candidates for readline: whole lines, so that our own rules say where a word begins and how it is quoted.
  func completions() -> UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? {
    jd_rl_completion_settings(0)
    let typed = String(String(cString: jd_rl_line()).utf8.prefix(Int(jd_rl_point()))) ?? ""
    let isCommand = PromptLine.isCommand(typed)
    let words = isCommand ? TypedWords(command: typed) : TypedWords(message: typed)
    let found = (delegate?.promptCompletions(words: words.words, partial: words.partial) ?? [])
      .compactMap(Self.typeable)
    guard let first = found.first else { return nil }
    let head = String(typed.utf8.prefix(words.start)) ?? ""
    func line(_ word: String, ends: Bool) -> String {
      head + (isCommand ? TypedWords.quoted(word, in: words.quote, ends: ends) : word)
    }
    suggestions = found.map(\.text)
    guard found.count > 1 else {
      if first.endsWord { jd_rl_completion_settings(0x20) }
      return Self.matches([line(first.text, ends: first.endsWord)])
    }
    let common = Self.commonPrefix(suggestions)
    // Candidates that match in another case, say, share less than was typed: that is left as it is.
    let start = common.count >= words.partial.count ? line(common, ends: false) : typed
    return Self.matches([start] + found.map { line($0.text, ends: $0.endsWord) })
  }

  /// A candidate that can be typed: its text, or else what it has instead.
  nonisolated static func typeable(_ candidate: Completion) -> Completion? {
    if canBeTyped(candidate.text) { return candidate }
    guard let instead = candidate.instead, canBeTyped(instead) else { return nil }
    return Completion(instead, endsWord: candidate.endsWord)
  }

  /// Readline writes what it inserts as it is. A name that could steer the terminal, hide or reorder, and an address that was
  /// made to look like another, are not offered; whose they are can be typed in another way.
  nonisolated static func canBeTyped(_ word: String) -> Bool {
    guard word.utf8.count <= TerminalLimits.completionBytes else { return false }
    return isUnchanged(word, Escaper.line(word)) && (!word.contains("@") || isUnchanged(word, Escaper.address(word)))
  }

  private nonisolated static func isUnchanged(_ word: String, _ shown: String) -> Bool {
    word.utf8.elementsEqual(shown.utf8)
  }

  private static func matches(_ lines: [String]) -> UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? {
    let list = jd_rl_match_list(lines.count)
    for (index, line) in lines.enumerated() { jd_rl_set_match(list, index, line) }
    return list
  }

  nonisolated static func commonPrefix(_ words: [String]) -> String {
    guard let first = words.first else { return "" }
    return words.dropFirst().reduce(first) { common, word in
      String(zip(common, word).prefix { $0 == $1 }.map(\.0))
    }
  }

  /// Shows the candidates above the line, in columns.
  func listSuggestions() {
    let width = columns ?? 80
    let shown = suggestions.prefix(TerminalLimits.listedCompletions).map { Width.truncate(Escaper.line($0), to: width) }
    if isSpoken { return list(shown.map { $0 + "\n" }.joined()) }
    let column = (shown.map { Width.of($0) }.max() ?? 0) + 2
    let perRow = max(1, (width + 2) / column)
    var lines = ""
    for start in stride(from: 0, to: shown.count, by: perRow) {
      let row = shown[start..<min(start + perRow, shown.count)]
      lines += row.dropLast().map { Width.pad($0, to: column) }.joined() + (row.last ?? "") + "\n"
    }
    list(lines)
  }

  private func list(_ words: String) {
    var lines = words
    let rest = suggestions.count - TerminalLimits.listedCompletions
    if rest > 0 { lines += style.paint("and \(rest) more", .faint) + "\n" }
    write(lines)
    settle()
    awaitQuiet()
  }
}
