// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawXML
import Testing

@testable import JackdawProtocol

/// XEP-0077: what servers ask, and what they are answered.
@Suite struct RegistrationFormTests {
  private func form(_ content: String) throws -> RegistrationForm {
    try RegistrationForm(Element(parsing: "<query xmlns='jabber:iq:register'>\(content)</query>"))
  }

  private static let account = ["username": "alice", "password": "secret"]

  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var asked: String
    var values = RegistrationFormTests.account
    var answered: String
  }

  static let filled = [
    Case(
      testDescription: "the fields of XEP-0077",
      asked: "<instructions>Choose</instructions><username/><password/>",
      answered: "<username>alice</username><password>secret</password>"),
    Case(
      testDescription: "one of them is ours to know",
      asked: "<username/><password/><email/>", values: account.merging(["email": "a@x.org"]) { $1 },
      answered: "<username>alice</username><password>secret</password><email>a@x.org</email>"),
    Case(
      testDescription: "the obsolete key",
      asked: "<username/><password/><key>31415</key>",
      answered: "<username>alice</username><password>secret</password><key>31415</key>"),
    Case(
      testDescription: "a form takes the place of the fields, and what is hidden in it comes back",
      asked: """
        <instructions>Choose</instructions><username/><password/><email/><x xmlns='jabber:x:data' type='form'>\
        <field type='hidden' var='FORM_TYPE'><value>jabber:iq:register</value></field>\
        <field type='hidden' var='sid'><value>7</value></field><field type='fixed'><value>Hello</value></field>\
        <field type='text-single' var='username'><required/></field>\
        <field type='text-private' var='password'><required/></field><field var='nick'/></x>
        """,
      answered: """
        <x xmlns='jabber:x:data' type='submit'>\
        <field var='FORM_TYPE' type='hidden'><value>jabber:iq:register</value></field>\
        <field var='sid' type='hidden'><value>7</value></field><field var='username'><value>alice</value></field>\
        <field var='password'><value>secret</value></field></x>
        """),
    Case(
      testDescription: "choices, suggestions, several lines",
      asked: """
        <x xmlns='jabber:x:data' type='form'><field var='username'><required/></field><field var='password'/>\
        <field type='list-single' var='plan'><value>free</value><option><value>free</value></option>\
        <option><value>paid</value></option><required/></field>\
        <field type='boolean' var='news'><value>1</value></field>\
        <field type='text-multi' var='about'><required/></field></x>
        """,
      values: account.merging(["plan": "paid", "about": "one\ntwo"]) { $1 },
      answered: """
        <x xmlns='jabber:x:data' type='submit'><field var='username'><value>alice</value></field>\
        <field var='password'><value>secret</value></field><field var='plan'><value>paid</value></field>\
        <field var='news'><value>1</value></field>\
        <field var='about'><value>one</value><value>two</value></field></x>
        """),
  ]

  @Test("The registration form is filled in with what the server asks for", arguments: filled)
  func theServerGetsWhatItAsksFor(_ example: Case) throws {
    let answer = try form(example.asked).filled(with: example.values)
    #expect(answer == (try Element(parsing: "<query xmlns='jabber:iq:register'>\(example.answered)</query>")))
  }

  struct Refusal: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var asked: String
    var values = RegistrationFormTests.account
    var code: RegistrationFormError.Code
    var fields: [String] = []
    var words: String
  }

  static let refused = [
    Refusal(
      testDescription: "a field that nobody gave", asked: "<username/><password/><email/><phone/>",
      code: .missingFields, fields: ["email", "phone"], words: "The server asks for more: email, phone."),
    Refusal(
      testDescription: "an empty answer is none", asked: "<username/><password/><email/>",
      values: account.merging(["email": ""]) { $1 }, code: .missingFields, fields: ["email"],
      words: "The server asks for more: email."),
    Refusal(
      testDescription: "unknown required fields of a form, by name and label",
      asked: """
        <x xmlns='jabber:x:data' type='form'><field var='username'/><field var='password'/>\
        <field var='x-mmn' label="Mother's name"><required/></field><field var='y'><required/></field></x>
        """,
      code: .missingFields, fields: ["x-mmn", "y"],
      words: "The server asks for more: x-mmn (Mother's name), y."),
    Refusal(
      testDescription: "a slip of the pen", asked: "<username/><password/><email/>",
      values: account.merging(["email": "a@x", "emial": "a@x"]) { $1 }, code: .unknownFields, fields: ["emial"],
      words: "The server does not ask for emial: it asks for email."),
    Refusal(
      testDescription: "none of the choices",
      asked: """
        <x xmlns='jabber:x:data' type='form'><field type='list-single' var='plan'><option><value>free</value></option>\
        <option><value>paid</value></option></field></x>
        """,
      values: account.merging(["plan": "gold"]) { $1 }, code: .wrongValue, fields: ["plan"],
      words: "'gold' is not an answer that the server accepts: plan is one of free, paid."),
    Refusal(
      testDescription: "a CAPTCHA, with the page that has it",
      asked: """
        <x xmlns='jabber:x:data' type='form'><field var='username'/><field var='password'/>\
        <field var='captcha-fallback-url'><value>https://x.org/captcha</value></field>\
        <field var='ocr' label='Enter the text you see'><required/></field></x>
        """,
      code: .captcha,
      words: "The server wants a CAPTCHA solved, which cannot be done here. Use its web page: https://x.org/captcha"),
    Refusal(
      testDescription: "a picture to look at, without a page",
      asked: """
        <x xmlns='jabber:x:data' type='form'><field var='username'/><field var='password'/><field var='animal'>\
        <media xmlns='urn:xmpp:media-element'><uri type='image/png'>cid:x</uri></media><required/></field></x>
        """,
      code: .captcha,
      words: "The server wants a CAPTCHA solved, which cannot be done here. Ask whoever runs it for another way."),
    Refusal(
      testDescription: "a web page only",
      asked: """
        <instructions> Register on our page </instructions>\
        <x xmlns='jabber:x:oob'><url>https://x.org/new</url></x>
        """,
      code: .elsewhere,
      words: "The server does this only elsewhere: Register on our page; https://x.org/new"),
    Refusal(
      testDescription: "nothing at all", asked: "", code: .elsewhere,
      words: "The server does this only elsewhere."),
  ]

  @Test("Fields that cannot be filled in are named", arguments: refused)
  func whatCannotBeAnsweredIsNamed(_ example: Refusal) throws {
    let form = try form(example.asked)
    let error = #expect(throws: RegistrationFormError.self) { try form.filled(with: example.values) }
    #expect(error?.code == example.code)
    #expect(error?.fields == example.fields)
    #expect(error?.description == example.words)
  }

  @Test("What can be asked of people is asked, and what is wrong already is told before", arguments: refused)
  func questions(_ example: Refusal) throws {
    let form = try form(example.asked)
    guard example.code != .missingFields else {
      let questions = try form.questions(besides: example.values)
      #expect(questions.map(\.name) == example.fields && questions.allSatisfy(\.isRequired))
      return
    }
    let error = #expect(throws: RegistrationFormError.self) { try form.questions(besides: example.values) }
    #expect(error?.code == example.code)
  }

  static let readings: [(RegistrationQuestion.Kind, Bool, [String], String, RegistrationQuestion.Reading)] = [
    (.line, true, [], " a@x.org ", .value("a@x.org")), (.line, false, [], " ", .skipped),
    (.line, true, [], "", .mistake("The server insists on an answer.")), (.line, true, ["x"], "", .skipped),
    (.line, true, [], "a\u{7}", .mistake("That has a character that cannot be sent.")),
    (.secret, true, [], " p ", .value(" p ")), (.lines, false, [], "a\nb", .value("a\nb")),
    (.yesOrNo, true, [], "Y", .value("1")), (.yesOrNo, true, [], "no", .value("0")),
    (.yesOrNo, true, [], "perhaps", .mistake("Please answer yes or no.")),
    (.choice(choices), true, [], "2", .value("1")), (.choice(choices), true, [], "one", .value("1")),
    (.choice(choices), true, [], "0", .mistake("Please answer with one of the numbers 1 to 3.")),
    (.choices(choices), false, [], "3, 1 3", .value("c\n2")), (.choices(choices), false, [], ",", .skipped),
    (.choices(choices), false, [], "1 4", .mistake("Please answer with some of the numbers 1 to 3, like 1 2.")),
  ]

  /// The first has the number of the second for a value: what is typed is what stands there.
  static let choices = [("Two", "2"), ("One", "1"), ("Three", "c")].map {
    RegistrationQuestion.Choice(label: $0.0, value: $0.1)
  }

  @Test("An answer is read as its question says", arguments: readings)
  func reading(
    _ row: (
      kind: RegistrationQuestion.Kind, isRequired: Bool, suggestion: [String], typed: String,
      reading: RegistrationQuestion.Reading
    )
  ) {
    var question = RegistrationQuestion(legacy: "x")
    (question.kind, question.isRequired, question.suggestion) = (row.kind, row.isRequired, row.suggestion)
    #expect(question.read(row.typed) == row.reading)
  }

  @Test("The server's own words in the error are cut") func theServersWordsAreCut() throws {
    let long = String(repeating: "word ", count: 10_000)
    let form = try form("<instructions>\(long)</instructions>")
    let error = #expect(throws: RegistrationFormError.self) { try form.filled(with: Self.account) }
    #expect(try #require(error).description.utf8.count < 2_000)
  }

  @Test(
    "An element that is not a registration form is refused",
    arguments: [
      "<query xmlns='jabber:iq:roster'/>",
      "<query xmlns='jabber:iq:register'><x xmlns='jabber:x:data' type='frob'/></query>",
      "<query xmlns='jabber:iq:register'>\(String(repeating: "<email/>", count: 600))</query>",
    ])
  func whatIsNoFormIsRefused(_ xml: String) throws {
    let element = try Element(parsing: xml)
    #expect(throws: StanzaFormatError.self) { try RegistrationForm(element) }
  }

  @Test("A dump of the form does not show the password") func thePasswordIsInNoDump() throws {
    let request = RegistrationRequest(account: try JID("alice@example.org"), password: "hunter2", id: "r1")
    var dumped = ""
    dump(request, to: &dumped)
    #expect(!dumped.contains("hunter2"))
  }
}
