// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol

/// Asks on the terminal what a server wants to know before it makes an account. All of the server's words pass the escaper, and are cut
/// to what anybody reads.
@Client struct RegistrationDialogue {
  private let server: String
  private let output: any Output
  private let terminal: any SecretAsking

  init(with server: String, output: any Output, terminal: any SecretAsking) {
    self.server = server
    self.output = output
    self.terminal = terminal
  }

  /// The answers to what `form` asks besides `values`, by the names of its fields.
  /// - Throws: ``CommandFailure`` as ``SecretAsking``; `RegistrationFormError` where no answer would do.
  func answers(to form: RegistrationForm, besides values: [String: String]) async throws -> [String: String] {
    let questions = try form.questions(besides: values)
    introduce(form)
    var answers: [String: String] = [:]
    for question in questions {
      if let explanation = question.explanation { tell(explanation) }
      if let answer = try await answer(to: question) { answers[question.name] = answer }
    }
    return answers
  }

  private func introduce(_ form: RegistrationForm) {
    output.notice("\(server) asks for more before it makes the account.")
    for paragraph in form.introduction.prefix(CommandLimits.registrationParagraphs) { tell(paragraph) }
    if let page = form.page { output.notice("Its web page for this: \(Self.cut(page))") }
    // The questions are written by another way.
    output.settle()
  }

  private func tell(_ words: String) {
    output.notice("\(server) says: \(Self.cut(words))")
    output.settle()
  }

  /// - Returns: nil where it is left out, or answered by what the form suggests.
  private func answer(to question: RegistrationQuestion) async throws -> String? {
    while true {
      switch question.read(try await typed(question)) {
      case .value(let value): return value
      case .skipped: return nil
      case .mistake(let sentence):
        output.notice(sentence)
        output.settle()
      }
    }
  }

  private func typed(_ question: RegistrationQuestion) async throws -> String {
    let words = Self.words(of: question)
    switch question.kind {
    case .secret: return try await terminal.askSecret(words)
    case .line, .yesOrNo, .choice, .choices: return try await terminal.askLine(words)
    case .lines:
      var lines: [String] = []
      repeat {
        lines.append(try await terminal.askLine(lines.isEmpty ? words : "> "))
      } while lines.last != ""
      return lines.dropLast().joined(separator: "\n")
    }
  }

  /// `Plan (1 Free, 2 Paid) [Free]: `
  private static func words(of question: RegistrationQuestion) -> String {
    var remarks: [String] = []
    switch question.kind {
    case .line, .secret: break
    case .lines: remarks.append("an empty line ends it")
    case .yesOrNo: remarks.append("yes or no")
    case .choice(let choices): remarks.append(listed(choices))
    case .choices(let choices): remarks += [listed(choices), "any number of them"]
    }
    if !question.isRequired, question.suggestion.isEmpty { remarks.append("Enter: none") }
    var words = cut(question.label)
    while let last = words.last, last.isWhitespace || last == ":" { words.removeLast() }
    if !remarks.isEmpty { words += " (\(remarks.joined(separator: "; ")))" }
    if !question.suggestion.isEmpty { words += " [\(cut(question.suggestion.joined(separator: ", ")))]" }
    return words + ": "
  }

  private static func listed(_ choices: [RegistrationQuestion.Choice]) -> String {
    var words = choices.prefix(CommandLimits.registrationChoices).enumerated().map { place, choice in
      "\(place + 1) \(cut(choice.label))"
    }
    if choices.count > words.count { words.append("and so on to \(choices.count)") }
    return words.joined(separator: ", ")
  }

  private static func cut(_ text: String) -> String {
    text.count > CommandLimits.registrationWords ? text.prefix(CommandLimits.registrationWords) + "…" : text
  }
}
