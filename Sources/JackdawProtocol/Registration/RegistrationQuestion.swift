// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawXML

/// One field of a ``RegistrationForm`` as a question for people, and what their answers mean.
///
/// Its words and choices are the server's: shown through the escaper only.
package struct RegistrationQuestion: Sendable, Equatable {
  /// How it is answered.
  package enum Kind: Sendable, Equatable {
    case line
    /// A line that nobody is to see.
    case secret
    /// Any number of lines.
    case lines
    case yesOrNo
    /// One of these.
    case choice([Choice])
    /// Any number of these.
    case choices([Choice])
  }

  /// One of the answers to choose from.
  package struct Choice: Sendable, Equatable {
    /// For people.
    package var label: String
    /// For the server.
    package var value: String
  }

  /// What an answer comes to.
  package enum Reading: Sendable, Equatable {
    /// The field's value; its lines are those of a field that has several.
    case value(String)
    /// Nothing is sent but what the form itself suggests.
    case skipped
    /// It is no answer: a sentence that says why.
    case mistake(String)
  }

  /// The field's name, by which it is answered.
  package var name: String
  /// What to ask.
  package var label: String
  /// More about it, where the server says more.
  package var explanation: String?
  package var isRequired: Bool
  package var kind: Kind
  /// What the form itself suggests, by the choices' labels; empty where it suggests nothing.
  package var suggestion: [String]

  /// A field of a form (XEP-0004).
  init(_ field: DataForm.Field, name: String) {
    self.name = name
    label = Self.words(field.label) ?? name
    explanation = Self.words(field.description)
    isRequired = field.isRequired
    let choices = field.options.map { Choice(label: Self.words($0.label) ?? $0.value, value: $0.value) }
    switch field.kind {
    case .boolean: kind = .yesOrNo
    case .textPrivate: kind = .secret
    case .textMulti, .jidMulti: kind = .lines
    case .listSingle where !choices.isEmpty: kind = .choice(choices)
    case .listMulti where !choices.isEmpty: kind = .choices(choices)
    case .listMulti: kind = .lines
    case .fixed, .hidden, .jidSingle, .listSingle, .textSingle, nil: kind = .line
    }
    let values = field.values.filter { !$0.isEmpty }
    suggestion =
      switch kind {
      case .yesOrNo: values.prefix(1).map { $0 == "1" || $0 == "true" ? "yes" : "no" }
      case .choice(let choices), .choices(let choices):
        values.map { value in choices.first { $0.value == value }?.label ?? value }
      // Nobody sees what is in it.
      case .secret: []
      case .line, .lines: values
      }
  }

  /// One of the fields that XEP-0077 itself knows, each of which has to be filled in.
  init(legacy name: String) {
    self.name = name
    label = Self.legacyLabels[name] ?? name
    isRequired = true
    kind = .line
    suggestion = []
  }

  /// XEP-0077 14.
  private static let legacyLabels = [
    "address": "Street", "city": "City", "date": "Date", "email": "E-mail address", "first": "Given name",
    "last": "Family name", "misc": "Anything else", "name": "Full name", "nick": "Nickname", "phone": "Phone number",
    "state": "State or region", "text": "Text", "url": "Web page", "zip": "Postal code",
  ]

  private static func words(_ text: String?) -> String? {
    guard let text, text.contains(where: { !$0.isWhitespace }) else { return nil }
    return text
  }

  // MARK: Answers

  /// What `typed` means as an answer; a number stands for the choice of that place, counted from 1.
  package func read(_ typed: String) -> Reading {
    guard StanzaWriter.canCarry(typed) else { return .mistake("That has a character that cannot be sent.") }
    let text = typed[...].trimmed
    if text.isEmpty {
      return isRequired && suggestion.isEmpty ? .mistake("The server insists on an answer.") : .skipped
    }
    switch kind {
    case .secret: return .value(typed)
    case .line, .lines: return .value(String(text))
    case .yesOrNo:
      switch text.lowercased() {
      case "y", "yes", "1", "true": return .value("1")
      case "n", "no", "0", "false": return .value("0")
      default: return .mistake("Please answer yes or no.")
      }
    case .choice(let choices):
      guard let choice = Self.choice(text, of: choices) else {
        return .mistake("Please answer with one of the numbers 1 to \(choices.count).")
      }
      return .value(choice.value)
    case .choices(let choices):
      var values: [String] = []
      for word in text.split(whereSeparator: { $0 == "," || $0.isWhitespace }) {
        guard let choice = Self.choice(word, of: choices) else {
          return .mistake("Please answer with some of the numbers 1 to \(choices.count), like 1 2.")
        }
        if !values.contains(choice.value) { values.append(choice.value) }
      }
      return values.isEmpty ? .skipped : .value(values.joined(separator: "\n"))
    }
  }

  private static func choice(_ text: Substring, of choices: [Choice]) -> Choice? {
    if let number = Int(text) { return choices.indices.contains(number - 1) ? choices[number - 1] : nil }
    let text = text.lowercased()
    return choices.first { $0.label.lowercased() == text || $0.value.lowercased() == text }
  }
}
