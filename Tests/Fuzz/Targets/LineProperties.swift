// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawSession

@testable import JackdawCommands

/// A line of a script or of the prompt: a message is what was typed, words that are quoted are the same words, and a line that
/// gives a password never goes into the history. What a variable holds makes nothing else of a line.
enum LineProperties {
  static func check(_ input: inout FuzzInput) throws {
    let choice = input.byte()
    let text = input.text()
    for inScript in [false, true] {
      guard let line = try? Line(text, inScript: inScript) else {
        try require(Line.isCommand(text), "a text that is no command cannot be read")
        _ = Line.commandWords(of: text)
        continue
      }
      switch line {
      case .blank:
        try require(inScript || text.allSatisfy(\.isWhitespace), "something is taken for nothing")
      case .message(let message):
        try require(message == text || "/" + message == text, "a message is not what was typed: \(message)")
      case .command(let words): try check(words, text)
      }
    }
    try checkVariables(text)
    try checkPattern(text, choice)
    _ = try? VCardEdit("adr", text)
  }

  private static let table = CommandTable.standard

  private static func check(_ words: [String], _ text: String) throws {
    let quoted = words.map(ShellWords.quoted).joined(separator: " ")
    try require((try? ShellWords.split(quoted)) == words, "quoted words are other words: \(quoted)")
    // Each parsing makes all commands anew: a few words are as good as many.
    guard words.count < 40 else { return }
    // As at the prompt, where the history is.
    let request = try? table.parse(line: words, abbreviated: true)
    if case .command(_, let name)? = request, name.hasPrefix("account") {
      try require(Line.mayHoldPassword(text, of: table), "a line that may give a password is kept: \(text)")
    }
    // The parser's own scripts take seconds to make.
    guard !words.contains(where: { $0.hasPrefix("--gen") || $0.hasPrefix("--exp") }) else { return }
    _ = try? table.parse(shell: words)
  }

  private static let sly = ScriptVariables(environment: ["a": "/quit 'x\n\" ${a}$", "b": ""])

  private static func checkVariables(_ text: String) throws {
    guard let line = try? Line(text, inScript: true, variables: sly), let plain = try? Line(text, inScript: true) else {
      return
    }
    switch (line, plain) {
    case (.blank, .blank), (.message, .message): break
    case (.command(let words), .command(let others)):
      try require(words.count == others.count, "a value is more than one word, or none: \(words)")
    default: try require(false, "a value has made something else of a line: \(line)")
    }
    guard !text.contains("$") else { return }
    try require(line == plain, "a line without variables is another with them: \(line)")
  }

  private static func checkPattern(_ text: String, _ choice: UInt8) throws {
    let half =
      text.unicodeScalars.index(
        text.startIndex, offsetBy: Int(choice) % 32, limitedBy: text.endIndex) ?? text.endIndex
    guard let pattern = try? TextPattern(String(text[..<half])) else { return }
    _ = pattern.isIn(String(text[half...]))
  }
}
