// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawXML

/// What a server asks for before it makes, changes or removes an account (XEP-0077), as a list of fields or as a data form
/// (XEP-0004). Everything in it is the server's words.
package struct RegistrationForm: Sendable, Equatable {
  /// XEP-0077 section 3.
  package static let namespace = "jabber:iq:register"

  /// The server's own words for people; from the network, unescaped.
  package var instructions: String?
  /// The fields that XEP-0077 itself knows, each of which has to be filled in: `username`, `password`, `email` …
  package var fields: [String]
  /// Takes the place of ``fields`` where there is one.
  package var form: DataForm?
  /// A web page that does the same (XEP-0066).
  package var page: String?
  /// The obsolete `<key/>`, to be sent back as it came.
  package var key: String?

  /// Reads a `<query/>`.
  /// - Throws: when it is none, or its data form cannot be read.
  package init(_ query: Element) throws(StanzaFormatError) {
    guard query.matches("query", Self.namespace) else { throw .not("registration form") }
    fields = []
    for child in query.children {
      switch (child.namespace, child.name) {
      case (Self.namespace, "instructions"): instructions = instructions ?? Self.words(child.text)
      case (Self.namespace, "registered"): break
      case (Self.namespace, "key"): key = key ?? child.text
      case (Self.namespace, let name):
        guard fields.count < StanzaLimits.formFields else {
          throw StanzaFormatError(description: "A registration form is larger than any that makes sense.")
        }
        fields.append(name)
      case (DataForm.namespace, "x"):
        let read = try DataForm(child)
        if form == nil, read.kind == .form { form = read }
      case (Self.outOfBand, "x"): page = page ?? child.text(of: "url", Self.outOfBand).flatMap(Self.words)
      case _: break
      }
    }
  }

  private static let outOfBand = "jabber:x:oob"

  /// `text` without white space around it, nil when nothing is left.
  private static func words(_ text: String) -> String? {
    let inner = text.drop(while: \.isWhitespace)
    guard let last = inner.lastIndex(where: { !$0.isWhitespace }) else { return nil }
    return String(inner[...last])
  }

  // MARK: The questions

  /// What there is to ask people, besides what `values` answer already: the name and the password are always there.
  /// - Throws: ``RegistrationFormError`` where no answer of theirs would do, or `values` are wrong already.
  package func questions(besides values: [String: String]) throws(RegistrationFormError) -> [RegistrationQuestion] {
    guard let form else {
      guard !fields.isEmpty else { throw .elsewhere(instructions, page) }
      try refuseUnknown(values, known: fields)
      return fields.filter { values[$0, default: ""].isEmpty && !Self.own.contains($0) }
        .map { RegistrationQuestion(legacy: $0) }
    }
    try refuseUnknown(values, known: form.fields.compactMap(\.name))
    var questions: [RegistrationQuestion] = []
    for field in form.fields {
      guard let name = field.name, field.kind != .fixed, field.kind != .hidden else { continue }
      let isGiven = !values[name, default: ""].isEmpty
      if let given = values[name], isGiven { _ = try Self.values(given, for: field) }
      guard !isGiven, !Self.own.contains(name), !Self.isForCaptcha(field) else {
        if field.isRequired, !isGiven, Self.isForCaptcha(field) { throw captcha(form) }
        continue
      }
      questions.append(RegistrationQuestion(field, name: name))
    }
    return questions
  }

  /// What the server says to people about all of it, a paragraph each.
  package var introduction: [String] {
    let paragraphs = form.map { [$0.title].compactMap(\.self) + $0.instructions } ?? []
    return (paragraphs.isEmpty ? [instructions].compactMap(\.self) : paragraphs).filter { !$0.isEmpty }
  }

  // MARK: The answer

  /// The `<query/>` that answers with `values`; where they are silent, with what the form itself suggests.
  /// - Throws: ``RegistrationFormError`` when the server wants what `values` do not have.
  package func filled(with values: [String: String]) throws(RegistrationFormError) -> Element {
    if let form { return Element("query", Self.namespace, [try submission(of: form, values).element]) }
    guard !fields.isEmpty else { throw .elsewhere(instructions, page) }
    let missing = fields.filter { values[$0, default: ""].isEmpty }
    guard missing.isEmpty else { throw .missing(missing, labels: missing, page) }
    try refuseUnknown(values, known: fields)
    var children = fields.map { Element($0, Self.namespace, text: values[$0]) }
    if let key { children.append(Element("key", Self.namespace, text: key)) }
    return Element("query", Self.namespace, children)
  }

  private func submission(of form: DataForm, _ values: [String: String]) throws(RegistrationFormError) -> DataForm {
    var answers: [DataForm.Field] = []
    var missing: [DataForm.Field] = []
    for field in form.fields {
      guard let name = field.name, field.kind != .fixed else { continue }
      // What is hidden is the server's own, and is sent back as it came.
      let given = field.kind == .hidden ? nil : values[name].flatMap { $0.isEmpty ? nil : $0 }
      let answer =
        try given.map { text throws(RegistrationFormError) in try Self.values(text, for: field) } ?? field.values
      if answer.allSatisfy(\.isEmpty) {
        if field.isRequired { missing.append(field) }
      } else {
        answers.append(DataForm.Field(name, field.kind == .hidden ? .hidden : nil, values: answer))
      }
    }
    guard missing.isEmpty else { throw refusal(missing, of: form) }
    try refuseUnknown(values, known: form.fields.compactMap(\.name))
    return DataForm(kind: .submit, fields: answers)
  }

  /// A text as the values of a field: each line of its own where the field has several.
  private static func values(
    _ text: String, for field: DataForm.Field
  ) throws(RegistrationFormError) -> [String] {
    let values: [String]
    switch field.kind {
    case .textMulti, .listMulti, .jidMulti:
      values = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    case .boolean, .fixed, .hidden, .jidSingle, .listSingle, .textPrivate, .textSingle, nil:
      values = [text]
    }
    if field.kind == .listSingle || field.kind == .listMulti, !field.options.isEmpty {
      for value in values where !field.options.contains(where: { $0.value == value }) {
        throw .wrongChoice(field, value)
      }
    }
    return values
  }

  private func refusal(_ missing: [DataForm.Field], of form: DataForm) -> RegistrationFormError {
    if missing.contains(where: Self.isForCaptcha) { return captcha(form) }
    return .missing(missing.compactMap(\.name), labels: missing.map { Self.label($0) }, page)
  }

  private func captcha(_ form: DataForm) -> RegistrationFormError {
    .captcha(form.value(of: Self.captchaPage) ?? page)
  }

  private static func label(_ field: DataForm.Field) -> String {
    let name = field.name ?? ""
    guard let label = field.label, !label.isEmpty, label != name else { return name }
    return "\(name) (\(label))"
  }

  /// What a user gave and the server does not ask for is a slip of the pen. A name and a password are always given, and a
  /// form may do without.
  private func refuseUnknown(_ values: [String: String], known: [String]) throws(RegistrationFormError) {
    let unknown = values.keys.filter { !Self.own.contains($0) && !known.contains($0) }.sorted()
    guard unknown.isEmpty else {
      throw .unknown(unknown, asked: known.filter { $0 != "FORM_TYPE" && !Self.own.contains($0) })
    }
  }

  private static let own: Set<String> = ["username", "password", "old_password"]

  /// Whether nobody can answer it who does not see or hear something.
  private static func isForCaptcha(_ field: DataForm.Field) -> Bool {
    guard let name = field.name else { return false }
    return field.hasMedia || captchas.contains(name) || name == captchaPage
  }

  /// Where the same riddle is on the Web.
  private static let captchaPage = "captcha-fallback-url"

  /// The fields in which a human has to prove to be one (XEP-0158 4).
  private static let captchas: Set<String> = [
    "audio_recog", "ocr", "picture_q", "picture_recog", "qa", "SHA-256", "speech_q", "speech_recog", "video_q",
    "video_recog",
  ]
}
