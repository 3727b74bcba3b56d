// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop
import JackdawXML

/// What `${NAME}` stands for in the lines of a script, and how its last command ended. A value.
package struct ScriptVariables: Sendable {
  private let environment: EnvironmentVariables
  /// Bounded by the lines of the script.
  private var values: [String: String] = [:]
  /// How the last command ended: `$?`.
  package var lastCode = ExitCode.success

  /// - Parameter environment: what the process was started with.
  package init(environment: EnvironmentVariables = [:]) { self.environment = environment }

  /// Gives a name a value, over one of the environment.
  /// - Throws: ``CommandFailure`` with code 65 for what cannot be a name.
  package mutating func set(_ name: String, to value: String) throws(CommandFailure) {
    try Self.check(name)
    values[name] = value
  }

  /// - Throws: ``CommandFailure`` with code 65 where there is none.
  func value(of name: String) throws(CommandFailure) -> String {
    if name == "?" { return "\(lastCode.value)" }
    try Self.check(name)
    if let value = values[name] ?? environment[name] { return value }
    throw CommandFailure(
      .badInput, "unset-variable", "There is no variable '\(name)': '/set \(name) VALUE' makes one, or the environment."
    )
  }

  private static func check(_ name: String) throws(CommandFailure) {
    let isName =
      name.unicodeScalars.allSatisfy { $0 == "_" || $0.isASCII && ($0.properties.isAlphabetic || ("0"..."9") ~= $0) }
      && name.unicodeScalars.first.map { !(("0"..."9") ~= $0) } ?? false
    guard isName else {
      throw CommandFailure(
        .badInput, "bad-input",
        "'\(name)' cannot be the name of a variable: a name has letters of ASCII, digits and '_', and no digit at its beginning."
      )
    }
  }

  /// A text that is no words, with the values in their places: quotes and backslashes are characters there.
  /// - Throws: ``CommandFailure`` with code 65 for a name that has no value.
  func expanded(_ text: String) throws(CommandFailure) -> String {
    guard text.holds(UInt8(ascii: "$")) else { return text }
    var expansion = VariableExpansion(self, inWords: false)
    var result = String.UnicodeScalarView()
    var rest = text.unicodeScalars[...]
    while let scalar = rest.first {
      if scalar == "$" {
        result.append(contentsOf: try expansion.taken(from: &rest).unicodeScalars)
      } else {
        result.append(scalar)
        rest.removeFirst()
      }
    }
    return String(result)
  }
}

/// Puts values in the places of their names, in one line. What a value holds is text, and not looked at again.
struct VariableExpansion {
  private let variables: ScriptVariables
  private let inWords: Bool
  private var bytes = 0

  /// - Parameter inWords: `$?` needs no braces, as in a shell; among the words of a message it would be an amount of money.
  init(_ variables: ScriptVariables, inWords: Bool) {
    self.variables = variables
    self.inWords = inWords
  }

  /// What stands for the `$` at the beginning of `rest`, and for what belongs to it, which is taken away.
  ///
  /// `$$` is one `$` before what would be replaced otherwise. Elsewhere a `$` is a `$`.
  mutating func taken(from rest: inout Substring.UnicodeScalarView) throws(CommandFailure) -> String {
    let dollars = rest.prefix { $0 == "$" }.count
    rest.removeFirst(dollars)
    guard let next = rest.first, next == "{" || inWords && next == "?" else {
      return String(repeating: "$", count: dollars)
    }
    let before = String(repeating: "$", count: dollars / 2)
    if dollars.isMultiple(of: 2) { return before }
    rest.removeFirst()
    var name = "?"
    if next == "{" {
      guard let end = rest.firstIndex(of: "}") else {
        throw CommandFailure(.badInput, "bad-input", "The line has an opening '${' and no closing '}'.")
      }
      name = String(rest[..<end])
      rest = rest[rest.index(after: end)...]
    }
    let value = try variables.value(of: name)
    bytes += value.utf8.count
    guard bytes <= CommandLimits.expandedBytes else {
      throw CommandFailure(
        .badInput, "too-long", "The line is longer than \(CommandLimits.expandedBytes >> 20) MB with its variables.")
    }
    return before + value
  }
}
