// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawXML
import Support
import Testing

@testable import JackdawCommands

@Client @Suite("Registration with questions", .onLoop)
struct RegistrationDialogueTests {
  private static let fields = "<username/><password/><email/><nick/>"

  private static let form = """
    <x xmlns='jabber:x:data' type='form'><title>Join us</title><instructions>Be nice.</instructions>\
    <field type='hidden' var='FORM_TYPE'><value>jabber:iq:register</value></field>\
    <field var='username'><required/></field><field type='text-private' var='password'><required/></field>\
    <field var='email' label='E-mail:'><required/><desc>For lost passwords.</desc></field>\
    <field type='list-single' var='plan' label='Plan'><value>f</value>\
    <option label='Free'><value>f</value></option><option label='Paid'><value>p</value></option></field>\
    <field type='boolean' var='news' label='News'/><field type='text-private' var='pin' label='PIN'/></x>
    """

  private static let captcha = """
    <x xmlns='jabber:x:data' type='form'><field var='username'/><field var='password'/>\
    <field var='captcha-fallback-url'><value>https://example.org/captcha</value></field>\
    <field var='ocr' label='Enter the text you see'>\
    <media xmlns='urn:xmpp:media-element'><uri type='image/png'>cid:x</uri></media><required/></field></x>
    """

  /// What the server says to each of our requests: `questions` to the first of a connection, that it is done to the second.
  private func rig(
    _ questions: String, _ secrets: TypedSecrets?, words: [String] = [], environment: [String: String] = [:]
  ) throws -> ApplicationRig {
    let rig = try ApplicationRig(words: words, environment: environment, secrets: secrets)
    let fixture = rig.fixture
    fixture.script.isDirectTLS = true
    fixture.edit = { write, reply in
      let id = "fresh-\(fixture.connector.records.count)"
      return switch write {
      case 2:
        .saysOnly("<iq type='result' id='\(id)'><query xmlns='jabber:iq:register'>\(questions)</query></iq>")
      case 3: .saysOnly("<iq type='result' id='\(id).2'/>")
      default: .says(reply)
      }
    }
    return rig
  }

  private func register(_ rig: ApplicationRig, _ words: String...) async throws -> ExitCode {
    try await rig.run(["account", "register", "alice@example.org/here", "--no-add"] + words)
  }

  /// What was sent in over the last connection.
  private func answered(_ rig: ApplicationRig) throws -> String {
    try #require(rig.fixture.connector.records.last?.text)
  }

  @Test("asks for each of the server's fields, and sends the answers in on another connection")
  func fields() async throws {
    let typed = TypedSecrets(.success("a@x.org"), .success(""), .success("Al"))
    let rig = try rig(Self.fields, typed)
    #expect(try await register(rig) == .success)
    #expect(typed.questions == ["E-mail address: ", "Nickname: ", "Nickname: "])
    #expect(
      rig.output.notices == [
        "example.org asks for more before it makes the account.", "The server insists on an answer.",
      ])
    #expect(rig.fixture.connector.records.count == 2)
    #expect(!rig.fixture.connector.records[0].text.contains("<username>"))
    #expect(try answered(rig).contains("<email>a@x.org</email><nick>Al</nick>"))
  }

  @Test(
    "asks what a form asks: its words first, choices by number, secrets unseen, and nothing for what may be left out")
  func form() async throws {
    let typed = TypedSecrets(
      .success("a@x.org"), .success("3"), .success("2"), .success("maybe"), .success(""), .success("77"))
    let rig = try rig(Self.form + "<x xmlns='jabber:x:oob'><url>https://example.org/new</url></x>", typed)
    #expect(try await register(rig) == .success)
    #expect(
      typed.questions == [
        "E-mail: ", "Plan (1 Free, 2 Paid) [Free]: ", "Plan (1 Free, 2 Paid) [Free]: ",
        "News (yes or no; Enter: none): ",
        "News (yes or no; Enter: none): ", "PIN (Enter: none): ",
      ])
    #expect(typed.secretQuestions == ["PIN (Enter: none): "])
    #expect(
      rig.output.notices == [
        "example.org asks for more before it makes the account.", "example.org says: Join us",
        "example.org says: Be nice.", "Its web page for this: https://example.org/new",
        "example.org says: For lost passwords.", "Please answer with one of the numbers 1 to 2.",
        "Please answer yes or no.",
      ])
    let sent = try answered(rig)
    #expect(sent.contains("<field var='plan'><value>p</value></field>") && sent.contains("<value>77</value>"))
    #expect(!sent.contains("'news'"))
  }

  @Test("does not ask for what --field answers, nor where nothing is left to ask")
  func given() async throws {
    let typed = TypedSecrets(.success("Al"))
    let rig = try rig(Self.fields, typed)
    #expect(try await register(rig, "--field", "email=a@x.org") == .success)
    #expect(typed.questions == ["Nickname: "])
    let other = try self.rig(Self.fields, TypedSecrets())
    #expect(try await register(other, "--field", "email=a@x.org", "--field", "nick=Al") == .success)
    #expect(other.fixture.connector.records.count == 1)
  }

  @Test("without a terminal ends with 64 and the names of what is missing")
  func noTerminal() async throws {
    let rig = try rig(Self.form, nil)
    #expect(try await register(rig) == .usage)
    #expect(
      rig.output.failures.map(\.text) == [
        "The server asks for more: email (E-mail:). Answer each with --field NAME=VALUE, or run this on a terminal."
      ])
    #expect(rig.output.failures.map(\.condition) == ["missing-fields"])
    let answered = try self.rig(Self.form, nil)
    #expect(try await register(answered, "--field", "email=a@x.org") == .success)
  }

  @Test("says of a CAPTCHA that it cannot be solved here, and where else", arguments: [true, false])
  func captcha(_ canAsk: Bool) async throws {
    let rig = try rig(Self.captcha, canAsk ? TypedSecrets() : nil)
    #expect(try await register(rig) == .unavailable)
    #expect(
      rig.output.failures.map(\.text) == [
        "The server wants a CAPTCHA solved, which cannot be done here. Use its web page: https://example.org/captcha"
      ])
  }

  @Test("is left by Ctrl-C at any question, and no account is made")
  func left() async throws {
    let rig = try rig(Self.fields, TypedSecrets(.success("a@x.org"), .failure(.interrupted)))
    #expect(try await register(rig) == .interrupted)
    #expect(rig.fixture.connector.records.count == 1)
  }

  @Test("shows no more of the server's words than anybody reads")
  func floods() async throws {
    let long = String(repeating: "word ", count: 1_000)
    let many = (0..<500).map { "<option><value>\($0)</value></option>" }.joined()
    let instructions = String(repeating: "<instructions>\(long)</instructions>", count: 20)
    let typed = TypedSecrets(.success("500"))
    let rig = try rig(
      "<x xmlns='jabber:x:data' type='form'>\(instructions)<field var='username'/><field var='password'/>"
        + "<field type='list-single' var='c' label='\(long)'><required/>\(many)</field></x>", typed)
    #expect(try await register(rig) == .success)
    #expect(rig.output.notices.count <= 1 + CommandLimits.registrationParagraphs)
    #expect(rig.output.notices.allSatisfy { $0.count < 400 })
    let question = try #require(typed.questions.first)
    #expect(question.contains("40 39, and so on to 500") && question.count < 800)
    #expect(try answered(rig).contains("<value>499</value>"))
  }

  @Test(
    "of an account that the file has puts the new password there, unless the file is to stay",
    arguments: [[], ["--no-add"]])
  func known(_ option: [String]) async throws {
    try await TestDirectory.onLoop { directory in
      let old = "[accounts.home]\njid = \"alice@example.org\" # me\npassword = \"old\"\n"
      try directory.write(old, to: "config.toml")
      let file = try directory.write("new\n", to: "new")
      let words =
        ["account", "register", "alice@example.org", "--account", "home", "--password-file", file] + option
      let rig = try rig(
        "<username/><password/>", nil, words: words,
        environment: ["JACKDAW_CONFIG": directory.file("config.toml"), "JACKDAW_JID": "", "JACKDAW_PASSWORD": ""])
      #expect(await rig.application.run(try CommandTable.standard.parse(shell: words)) == .success)
      let wanted = option.isEmpty ? old.replacing("old", with: "new") : old
      #expect(try ConfigurationFileTests.text(directory) == wanted)
      #expect(rig.output.lines == ["Registered alice@example.org."])
    }
  }
}
