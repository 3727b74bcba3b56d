// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// A registration form cannot be filled in with what there is.
package struct RegistrationFormError: Error, Sendable, Equatable, CustomStringConvertible {
  /// An open code, to match.
  package struct Code: Hashable, Sendable {
    package let name: String
    package init(name: String) { self.name = name }
    /// Fields that the server insists on have no value: ``RegistrationFormError/fields``.
    package static let missingFields = Code(name: "missing-fields")
    /// The server does not ask for what was given.
    package static let unknownFields = Code(name: "unknown-fields")
    /// A value is none of those that can be chosen.
    package static let wrongValue = Code(name: "wrong-value")
    /// A riddle for humans has to be solved, which needs more than text.
    package static let captcha = Code(name: "captcha")
    /// There is nothing to fill in: it is done somewhere else.
    package static let elsewhere = Code(name: "elsewhere")
  }

  /// To match.
  package var code: Code
  /// The names of the fields that it is about.
  package var fields: [String]
  /// One sentence for people, without the server's words.
  package var sentence: String
  /// The server's words, cut to what anybody reads. From the network: shown through the escaper only.
  package var peerText: String?

  package var description: String { Sentence.joined(sentence, peerText) }

  /// - Parameter words: what of the server's there is to say.
  private init(_ code: Code, _ sentence: String, _ words: [String?], fields: [String] = []) {
    self.code = code
    self.fields = fields
    self.sentence = sentence
    let words = words.compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: "; ")
    peerText = words.isEmpty ? nil : PeerText.cut(words)
  }

  static func missing(_ fields: [String], labels: [String], _ page: String?) -> RegistrationFormError {
    RegistrationFormError(
      .missingFields, "The server asks for more.", [labels.joined(separator: ", "), page.map { "see \($0)" }],
      fields: fields)
  }

  static func unknown(_ fields: [String], asked: [String]) -> RegistrationFormError {
    RegistrationFormError(
      .unknownFields, "The server does not ask for \(fields.joined(separator: ", ")).",
      [asked.isEmpty ? nil : "it asks for \(asked.joined(separator: ", "))"], fields: fields)
  }

  static func wrongChoice(_ field: DataForm.Field, _ value: String) -> RegistrationFormError {
    RegistrationFormError(
      .wrongValue, "'\(value)' is not an answer that the server accepts.",
      ["\(field.name ?? "") is one of \(field.options.map(\.value).joined(separator: ", "))"],
      fields: [field.name ?? ""])
  }

  static func captcha(_ page: String?) -> RegistrationFormError {
    let wanted = "The server wants a CAPTCHA solved, which cannot be done here."
    let way = page == nil ? "Ask whoever runs it for another way." : "Use its web page."
    return RegistrationFormError(.captcha, "\(wanted) \(way)", [page])
  }

  static func elsewhere(_ instructions: String?, _ page: String?) -> RegistrationFormError {
    RegistrationFormError(.elsewhere, "The server does this only elsewhere.", [instructions, page])
  }
}
