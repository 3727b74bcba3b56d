// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// What one line of a script or of the prompt is.
package enum Line: Equatable, Sendable {
  case blank
  /// The text to send to the current conversation.
  case message(String)
  /// A command's words, without the slash.
  case command([String])

  /// Reads a line: `/…` is a command, `//…` a message that begins with a slash, `/me …` a message (XEP-0245), and in a
  /// script `#…` a comment.
  ///
  /// The words of a command are quoted as in a shell; at the prompt, where people type prose, an apostrophe within a word is no quote.
  ///
  /// What the line is, is settled before a variable's value comes into it: none makes a command of a message.
  /// - Parameters:
  ///   - variables: those of a script; nil: `${NAME}` stands for itself.
  ///   - takesLine: whether what stands behind this word is one text, as it was typed.
  ///   - withoutOptions: makes words of these in which those at the places, which begin with a value, are no options.
  /// - Throws: ``CommandFailure`` with code 65 for an open quote, or a variable that has no value.
  package init(
    _ text: String, inScript: Bool, variables: ScriptVariables? = nil, takesLine: (String) -> Bool = { _ in false },
    withoutOptions: ([String], Set<Int>) throws(CommandFailure) -> [String] = { words, _ in words }
  ) throws(CommandFailure) {
    if Self.isBlank(text, inScript: inScript) {
      self = .blank
    } else if text.hasPrefix("//") {
      self = .message(try Self.expanded(text.dropFirst(), variables))
    } else if !Self.isCommand(text) {
      self = .message(try Self.expanded(text[...], variables))
    } else {
      let name = text.dropFirst().prefix { !$0.isWhitespace }
      let rest = text[name.endIndex...].drop(while: \.isWhitespace)
      if !rest.isEmpty, !Self.helpOptions.contains(rest), takesLine(String(name)) {
        self = .command([String(name), "--", try Self.expanded(rest, variables)])
      } else {
        let (words, dashed) = try ShellWords.marked(
          String(text.dropFirst()), variables, hasApostrophes: !inScript)
        self = .command(dashed.isEmpty ? words : try withoutOptions(words, dashed))
      }
    }
  }

  private static func expanded(_ text: Substring, _ variables: ScriptVariables?) throws(CommandFailure) -> String {
    guard let variables else { return String(text) }
    return try variables.expanded(String(text))
  }

  /// The line that says just this text.
  static func saying(_ text: String) -> String {
    text.hasPrefix("//") || isCommand(text) ? "/" + text : text
  }

  /// Whether nothing is to be done.
  static func isBlank(_ text: String, inScript: Bool) -> Bool {
    // Nearly all begin with a letter or a slash, which are no white space and begin no comment.
    if let first = text.utf8.first, (UInt8(ascii: "$")..<0x7F).contains(first) { return false }
    return text.allSatisfy(\.isWhitespace) || inScript && text.drop(while: \.isWhitespace).hasPrefix("#")
  }

  private static let helpOptions: Set<Substring> = ["--help", "--help-all", "-h"]

  /// Whether the line is a command, whatever else is wrong with it.
  static func isCommand(_ text: String) -> Bool {
    text.hasPrefix("/") && !text.hasPrefix("//") && text != "/me" && !text.hasPrefix("/me ")
  }

  /// The name of the command that a line of the prompt would be without the white space before it, also of one that takes a password
  /// in other clients; nil: it would be none. What has several lines was pasted, and is a message whatever it begins with.
  static func commandBehindSpace(_ text: String, of table: CommandTable) -> String? {
    guard text.first?.isWhitespace == true, !text.contains(where: \.isNewline) else { return nil }
    let typed = String(text.drop(while: \.isWhitespace))
    guard isCommand(typed) else { return nil }
    let name = String(typed.dropFirst().prefix { !$0.isWhitespace })
    // A beginning may be that of a path.
    if case .exact = table.naming(name, in: .lines) { return name }
    return mayHoldPassword(typed, of: table) ? name : nil
  }

  /// The words of a command that cannot be split as it ought to be: what they were meant for can be told all the same.
  static func commandWords(of text: String) -> [String] {
    text.dropFirst().split(whereSeparator: \.isWhitespace).map(String.init)
  }

  /// Whether a line of the prompt is to be kept out of the history: one that gives a password, by a command of ours or as habits
  /// from other clients have it.
  static func mayHoldPassword(_ text: String, of table: CommandTable) -> Bool {
    let command = text.drop(while: \.isWhitespace)
    guard command.hasPrefix("/") else { return false }
    let plain = command.drop { $0 == "/" || $0.isWhitespace }
    // As they are typed, and as they are understood: a command may be quoted.
    let readings = [true, false].map { (try? ShellWords.split(String(plain), hasApostrophes: $0)) ?? [] }
    let names = Set([plain.prefix { !$0.isWhitespace }.lowercased()] + readings.map { $0.first?.lowercased() ?? "" })
    let understood = readings.joined().joined(separator: " ").lowercased()
    let typed = text.lowercased()
    return names.contains { name in
      let naming = table.naming(name, in: .lines)
      if case .exact = naming {} else if othersPasswordCommands.contains(name) { return true }
      // An alias or a beginning is as good as the name; one of several may have been meant.
      return naming.candidates.contains { named in
        let declaration = named.command.declaration
        return declaration.mayHoldPassword
          || declaration.secretMarks.contains { typed.contains($0) || understood.contains($0) }
      }
    }
  }

  /// What takes a password in other clients, and is no command here.
  private static let othersPasswordCommands: Set<String> = [
    "auth", "connect", "identify", "login", "pass", "passwd", "password", "register",
  ]
}
