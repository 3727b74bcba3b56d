// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import ArgumentParser
import JackdawProtocol

/// What the parser threw: a request for help, or words that it could not make sense of.
struct UsageError {
  private let error: any Error
  private let root: any ParsableCommand.Type
  private let words: WordPreparation
  private let place: CommandPlace
  private let table: CommandTable

  /// - Parameter words: those that the parser was given.
  init(_ error: any Error, about words: WordPreparation, in place: CommandPlace, table: CommandTable) {
    self.error = error
    root = place == .lines ? table.lineRoot : table.shellRoot
    self.words = words
    self.place = place
    self.table = table
  }

  /// The one that the words name, as far as they do.
  private var command: (any JackdawCommand.Type)? { words.command }

  /// The text that was asked for.
  /// - Throws: ``CommandFailure`` with code 64 when it was no request for a text.
  func text() throws(CommandFailure) -> String {
    guard root.exitCode(for: error).isSuccess else { throw CommandFailure(.usage, "usage", sentence) }
    let text = root.fullMessage(for: error)
    // The parser does not say what it was asked for: its help is known by being that.
    if let command, text == root.helpMessage(for: command) {
      return HelpPage(command: command, place: place, table: table).text()
    }
    return text == root.helpMessage() ? HelpPage(command: nil, place: place, table: table).text() : text
  }

  /// What is wrong, in our words, with what helps on: how the command is used, and a line of it.
  private var sentence: String {
    let text = Self.joined(root.message(for: error))
    let fault = words.unknownOption.map { Fault.unknownOption($0) } ?? Fault(text)
    guard let fault else { return Sentence.whole(text) }
    guard let command else { return Sentence.ended(fault.sentence) }
    switch fault {
    case .unknownOption(let option): return fault.sentence + advice(on: option, of: command)
    case .missingValue(let option): return fault.sentence + advice(onValueOf: option, of: command)
    default: return fault.sentence + usage(of: command)
    }
  }

  /// What begins with a hyphen is taken for an option, a negative number too.
  private func advice(onValueOf option: String, of command: any JackdawCommand.Type) -> String {
    let name = String(option.prefix { $0 != " " })
    guard let place = words.words.firstIndex(of: name), let next = words.words.dropFirst(place + 1).first,
      next.hasPrefix("-"), next != "--",
      !CommandInfo(of: command).arguments.contains(where: { $0.names.contains(next) })
    else { return usage(of: command) }
    return "; one that begins with '-' is written '\(name)=\(next)'"
  }

  private func advice(on option: String, of command: any JackdawCommand.Type) -> String {
    let known = table.options(of: command, in: place).map(\.name)
    if let near = Suggestion.nearest(to: option, among: known) { return "; did you mean '\(near)'?" }
    if command.declaration.wordsBeforeText != nil { return "; put '--' before a text that begins with '-'" }
    return usage(of: command)
  }

  /// How it is used, and the first example of that where it says more.
  private func usage(of command: any JackdawCommand.Type) -> String {
    let usage = ofOpenRoom(table.usage(of: command, in: place), command)
    let example = HelpPage.examples(of: command, in: place).first.map { ofOpenRoom($0.typed(in: place), command) }
    return ". Type: \(usage)" + (example.flatMap { $0 == usage ? nil : ", as in: \($0)" } ?? "")
  }

  /// As it was typed, without the room, where that is the one that is open: `/rooms nick ROOM NICK` is `/nick NICK`.
  private func ofOpenRoom(_ line: String, _ command: any JackdawCommand.Type) -> String {
    let path = table.typed(command, in: place)
    guard let alias = words.aliasOfOpenRoom, line.hasPrefix(path + " ") else { return line }
    let arguments = line.dropFirst(path.count).split(separator: " ").dropFirst()
    return (["/" + alias] + arguments.map(String.init)).joined(separator: " ")
  }

  /// A list of lines as one of words.
  private static func joined(_ text: String) -> String {
    let lines = text.split(separator: "\n")
    guard let first = lines.first, lines.count > 1 else { return text }
    return first + " " + lines.dropFirst().map { $0.drop { " -".contains($0) } }.joined(separator: ", ")
  }
}

/// What is wrong with words, as far as the parser's sentence tells it: it has no other way to say so. A sentence of another kind, such
/// as one of a command's own, is passed on.
private enum Fault {
  case missingArgument(String)
  case unknownOption(String)
  case missingValue(option: String)
  case noValueTaken(option: String)
  case tooMany([String])
  case badValue(String, of: String, among: String?)

  init?(_ text: String) {
    let quoted = Self.quoted(text)
    guard let first = quoted.first else { return nil }
    if text.hasPrefix("Missing expected argument '") {
      self = .missingArgument(first)
    } else if text.hasPrefix("Unknown option '") {
      self = .unknownOption(first)
    } else if text.hasPrefix("Missing value for '") {
      self = .missingValue(option: first)
    } else if text.hasPrefix("The option '"), text.contains("does not take any value") {
      self = .noValueTaken(option: first)
    } else if text.hasPrefix("Unexpected argument '") || text.contains(" unexpected arguments: '") {
      self = .tooMany(quoted)
    } else if text.hasPrefix("The value '"), let name = Self.between("' is invalid for '", "'", in: text) {
      let value = Self.between("The value '", "' is invalid for '", in: text) ?? first
      self = .badValue(value, of: name, among: Self.values(in: text))
    } else {
      return nil
    }
  }

  var sentence: String {
    switch self {
    case .missingArgument(let name): "\(Self.words(name)) is missing"
    case .unknownOption(let option): "There is no option '\(option)'"
    case .missingValue(let option): "A value is missing after '\(Self.words(option))'"
    case .noValueTaken(let option): "'\(Self.words(option))' takes no value"
    case .tooMany(let words) where words.count == 1: "'\(words[0])' is one word too many"
    case .tooMany(let words): "These words are too many: " + words.map { "'\($0)'" }.joined(separator: " ")
    case .badValue(let value, let name, let values?):
      "'\(value)' is not a value for '\(Self.words(name))', which takes one of \(values)"
    case .badValue(let value, let name, nil): "'\(value)' is not a value for '\(Self.words(name))'"
    }
  }

  /// What the parser calls an argument or an option, `--count <n>` or `<jid> ...`, as people write it: `--count N`, `JID`.
  private static func words(_ name: String) -> String {
    name.replacing(" ...", with: "").split(separator: " ").map { word in
      word.hasPrefix("<") && word.hasSuffix(">")
        ? CommandInfo.Argument.placeholder(String(word.dropFirst().dropLast())) : String(word)
    }
    .joined(separator: " ")
  }

  /// What stands between quotes. A word that has one in it is cut there, which only its place in a sentence suffers from.
  private static func quoted(_ text: String) -> [String] {
    text.split(separator: "'", omittingEmptySubsequences: false).enumerated().filter { $0.offset % 2 == 1 }.map {
      String($0.element)
    }
  }

  private static func between(_ start: String, _ end: String, in text: String) -> String? {
    guard let before = text.firstRange(of: start) else { return nil }
    let rest = text[before.upperBound...]
    return rest.firstRange(of: end).map { String(rest[..<$0.lowerBound]) }
  }

  /// `a, b`: the parser says few in a sentence, and more as a list.
  private static func values(in text: String) -> String? {
    guard let start = text.firstRange(of: "Please provide one of ") else { return nil }
    let list = text[start.upperBound...]
    if let values = list.firstRange(of: "the following: ") { return String(list[values.upperBound...]) }
    return quoted(String(list)).joined(separator: ", ")
  }
}
