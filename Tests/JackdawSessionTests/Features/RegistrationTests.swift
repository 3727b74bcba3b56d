// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawXML
import Support
import Testing

@testable import JackdawSession

/// XEP-0077, before a session and in one.
@Client @Suite(.onLoop) struct RegistrationTests {
  // MARK: Making an account

  private static let form =
    "<iq type='result' id='fresh-1'><query xmlns='jabber:iq:register'><username/><password/></query></iq>"

  /// The n-th write over direct TLS is: our header, the first question, the filled form.
  private func unregistered(
    _ first: String = form, _ second: String = "<iq type='result' id='fresh-1.2'/>", log: (any StreamLog)? = nil
  ) throws -> SessionFixture {
    let fixture = try SessionFixture(log: log)
    fixture.script.isDirectTLS = true
    fixture.edit = { write, reply in
      switch write {
      case 2: .saysOnly(first)
      case 3: .saysOnly(second)
      default: .says(reply)
      }
    }
    return fixture
  }

  @Test("An account is registered on a connection of its own")
  func anAccountIsMadeOnAConnectionOfItsOwn() async throws {
    let fixture = try unregistered()
    try await fixture.session.register(fields: [:])
    await fixture.clock.settle()
    let record = fixture.connector.records[0]
    #expect(record.text.contains("<username>alice</username><password>secret</password>"))
    #expect(record.text.hasSuffix("</stream:stream>"))
    #expect(!record.text.contains("<auth"))
    #expect(!fixture.session.isOnline)
    #expect(fixture.session.phase == .suspended)
  }

  @Test("A refusal is thrown with its condition") func aRefusalIsToldWithItsCondition() async throws {
    let fixture = try unregistered(
      Self.form,
      "<iq type='error' id='fresh-1.2'><error type='cancel'><conflict xmlns='\(Namespace.stanzaErrors)'/></error></iq>")
    let error = await #expect(throws: ConnectionError.self) { try await fixture.session.register(fields: [:]) }
    #expect(error?.code == .refused)
    #expect(error?.condition == "conflict")
    #expect(error?.description == "The name 'alice' is taken at example.org.")
  }

  @Test("A server that does not answer a registration times out")
  func aServerThatIsSilentIsWaitedForNoLonger() async throws {
    let fixture = try unregistered("")
    let made = fixture.start { try await fixture.session.register(fields: [:]) }
    await fixture.clock.elapse(.seconds(30))
    #expect((made.error as? ConnectionError)?.code == .timedOut)
  }

  @Test("Redirections are followed within limits") func redirectionsAreFollowedWithinLimits() async throws {
    let fixture = try unregistered(
      "<stream:error><see-other-host xmlns='\(Namespace.streamErrors)'>b.example:5223</see-other-host></stream:error>")
    let error = await #expect(throws: ConnectionError.self) { try await fixture.session.register(fields: [:]) }
    #expect(error?.description == "The server redirects in a circle.")
    #expect(fixture.connector.records.count == ConnectionKeeperLimits.longestRedirection + 1)
  }

  @Test("Cancelling a registration closes what it opened")
  func whatACancelledRegistrationHadOpenedIsClosed() async throws {
    let fixture = try unregistered("")
    let made = fixture.start { try await fixture.session.register(fields: [:]) }
    await fixture.clock.settle()
    made.cancel()
    await fixture.clock.settle()
    #expect(made.error is CancellationError)
    #expect(fixture.clock.pendingTimers == 0)
  }

  // MARK: Changing and removing it

  private func online(
    isManaged: Bool = false, _ answer: @escaping @Client (IQ) -> [Element]
  ) async throws -> SessionFixture {
    let fixture = try SessionFixture()
    if isManaged { fixture.managedStreams = ScriptedServer.ManagedStreams() }
    try await fixture.settleIn()
    fixture.answer = { element in
      guard let iq = try? IQ(element), iq.payload?.namespace == RegistrationForm.namespace else {
        return SessionFixture.manners(element)
      }
      return answer(iq)
    }
    return fixture
  }

  private static func reply(_ iq: IQ, _ error: String? = nil, _ form: String? = nil) -> [Element] {
    var answer = error.map { iq.failure(StanzaError(kind: .cancel, condition: $0, text: nil)) } ?? iq.result()
    answer.payload = form.flatMap { try? Element(parsing: $0) }
    answer.from = iq.to
    return [answer.element]
  }

  private static func query(_ content: String) throws -> Element {
    try Element(parsing: "<query xmlns='jabber:iq:register'>\(content)</query>")
  }

  @Test("A password is changed, and used from then on") func aPasswordIsChangedAndUsedFromThenOn() async throws {
    let fixture = try await online { Self.reply($0) }
    try await fixture.session.changePassword(to: "new\u{A0}one")
    let request = try IQ(try #require(fixture.sent().first))
    #expect(request.to?.description == "example.org")
    #expect(request.payload == (try Self.query("<username>alice</username><password>new one</password>")))
    fixture.session.drop(ConnectionError(.lost, "gone"))
    fixture.script.password = "new one"
    try await fixture.logIn()
    #expect(fixture.session.isOnline)
  }

  /// XEP-0077, the example "Host Informs Client of Successful Password Change"; jabberd2.
  @Test("an answer without `from` to a request to the own server changes the password")
  func answersWithoutFrom() async throws {
    let fixture = try await online { [IQ(kind: .result, id: $0.id).element] }
    try await fixture.session.changePassword(to: "new")
    #expect(fixture.session.configuration.password == "new")
  }

  @Test(
    "A refused change leaves the password as it is",
    arguments: [
      (
        "not-allowed", FeatureError.Code.refused,
        "example.org does not change the password: This is not allowed."
      ),
      (
        "not-acceptable", .refused,
        "example.org does not change the password: The other side does not accept this."
      ),
      (
        "service-unavailable", .notOffered,
        "example.org does not offer this to chat programs: ask whoever runs it, or see its web page."
      ),
    ])
  func aRefusedChangeLeavesThePasswordAsItIs(
    _ condition: String, _ code: FeatureError.Code, _ words: String
  ) async throws {
    let fixture = try await online { Self.reply($0, condition) }
    let error = await #expect(throws: FeatureError.self) { try await fixture.session.changePassword(to: "new") }
    #expect(error?.code == code)
    #expect(error?.description == words)
    #expect(error?.stanzaError?.condition == condition)
    #expect(fixture.session.configuration.password == "secret")
  }

  @Test("An invalid password is not sent", arguments: ["", "a\u{7}b"])
  func whatIsNoPasswordIsNotSent(_ password: String) async throws {
    let fixture = try await online { Self.reply($0) }
    await #expect(throws: (any Error).self) { try await fixture.session.changePassword(to: password) }
    #expect(fixture.sent().isEmpty)
  }

  private static func form(_ more: String = "") -> String {
    "<query xmlns='jabber:iq:register'><x xmlns='jabber:x:data' type='form'>"
      + "<field type='hidden' var='FORM_TYPE'><value>jabber:iq:register:changepassword</value></field>"
      + "<field var='username'><required/></field><field type='text-private' var='old_password'><required/></field>"
      + "<field type='text-private' var='password'><required/></field>\(more)</x></query>"
  }

  @Test("A form that the server asks for is filled in") func aFormThatTheServerWantsFilledInIs() async throws {
    let fixture = try await online { iq in
      let isForm = iq.payload?.child("x", DataForm.namespace) != nil
      return isForm ? Self.reply(iq) : Self.reply(iq, "not-authorized", Self.form())
    }
    try await fixture.session.changePassword(to: "new")
    let submitted = fixture.sent().last?.firstChild?.child("x", DataForm.namespace)
    let form = try DataForm(try #require(submitted))
    #expect(form.kind == .submit)
    #expect(form.formType == "jabber:iq:register:changepassword")
    #expect(["username", "old_password", "password"].map { form.value(of: $0) } == ["alice", "secret", "new"])
  }

  @Test("Fields of a form that we cannot fill in are named") func aFormThatAsksForMoreIsNamed() async throws {
    let fixture = try await online {
      Self.reply($0, "not-authorized", Self.form("<field var='x-mmn' label='Maiden name'><required/></field>"))
    }
    let error = await #expect(throws: RegistrationFormError.self) {
      try await fixture.session.changePassword(to: "new")
    }
    #expect(error?.fields == ["x-mmn"])
    #expect(fixture.sent().count == 1)
  }

  @Test("An account is removed") func anAccountIsRemoved() async throws {
    let fixture = try await online { Self.reply($0) }
    try await fixture.session.removeAccount()
    let request = try IQ(try #require(fixture.sent().first))
    #expect(request.to?.description == "example.org")
    #expect(request.payload == (try Self.query("<remove/>")))
  }

  @Test("A refused removal is thrown", arguments: ["not-allowed", "forbidden", "registration-required"])
  func aRefusedRemovalIsTold(_ condition: String) async throws {
    let fixture = try await online { Self.reply($0, condition) }
    let error = await #expect(throws: FeatureError.self) { try await fixture.session.removeAccount() }
    #expect(error?.code == .refused)
    #expect(fixture.session.isOnline)
  }

  /// ejabberd 23.01 ends the stream with `conflict`, XEP-0077 3.2 wants `not-authorized`; its answer is lost. Nobody waits for the
  /// stream to be resumed, nor for a conflict so soon after the log-in to be retried.
  @Test(
    "A connection that ends instead of an answer to a removal is checked by another log-in",
    arguments: [("not-authorized", false), ("not-authorized", true), ("conflict", false), ("conflict", true)],
    [true, false])
  func aConnectionThatEndsInsteadOfAnAnswerIsLookedInto(_ end: (condition: String, isManaged: Bool), isGone: Bool)
    async throws
  {
    let condition = end.condition
    let fixture = try await online(isManaged: end.isManaged) { _ in [] }
    let removal = fixture.start { try await fixture.session.removeAccount() }
    await fixture.clock.settle()
    if isGone { fixture.script.password = "nobody's" }
    await fixture.receive(
      "<stream:error><\(condition) xmlns='\(Namespace.streamErrors)'/></stream:error></stream:stream>")
    await fixture.clock.elapse(.seconds(5))
    #expect(removal.hasEnded)
    #expect((removal.error == nil) == isGone)
    #expect(fixture.connector.records.count == 2)
    #expect(!fixture.session.isOnline)
  }

  // MARK: The log

  @Client private final class Lines {
    var all: [String] = []
    var text: String { all.joined(separator: "\n") }
  }

  @Test("No password is in the log of a registration") func noPasswordIsInTheLogOfARegistration() async throws {
    let lines = Lines()
    let fixture = try unregistered(
      Self.form,
      "<iq type='error' id='fresh-1.2'><query xmlns='jabber:iq:register'><username>alice</username>"
        + "<password>secret</password></query><error type='cancel'><conflict xmlns='\(Namespace.stanzaErrors)'/>"
        + "</error></iq>", log: TextStreamLog(showsXML: true) { lines.all.append($0) })
    await #expect(throws: ConnectionError.self) { try await fixture.session.register(fields: [:]) }
    #expect(fixture.connector.records[0].text.contains("secret"))
    #expect(!lines.text.contains("secret"))
    #expect(lines.text.contains("SENT <iq type='set' id='fresh-1.2' to='example.org'>…</iq>"))
    #expect(lines.text.contains("<username/><password/>"))
    #expect(lines.text.contains("conflict"))
  }

  @Test(
    "Registration elements that may contain a secret are masked in the log",
    arguments: [
      ("<iq type='set' id='1'><query xmlns='jabber:iq:register'><password>hush</password></query></iq>", true),
      (
        "<iq type='set' id='1'><query xmlns='jabber:iq:register'><x xmlns='jabber:x:data' type='submit'>"
          + "<field var='old_password'><value>hush</value></field></x></query></iq>", true
      ),
      (
        "<iq type='result' id='1'><query xmlns='jabber:iq:register'><registered/><password>hush</password></query></iq>",
        true
      ),
      (
        "<iq type='result' id='1'><query xmlns='jabber:iq:register'><x xmlns='jabber:x:data' type='form'>"
          + "<field type='text-private' var='pin'><value>hush</value></field></x></query></iq>", true
      ),
      (
        "<iq type='result' id='1'><query xmlns='jabber:iq:register'><instructions>hush</instructions></query></iq>",
        false
      ),
      ("<iq type='set' id='1'><query xmlns='jabber:iq:register'/></iq>", false),
      ("<message><body>hush</body></message>", false),
    ])
  func whatMayHoldASecretIsMasked(_ xml: String, _ isMasked: Bool) throws {
    let element = try Element(parsing: xml)
    let lines = Lines()
    let log = TextStreamLog(showsXML: true) { lines.all.append($0) }
    log.sent(element)
    log.received(element)
    if isMasked {
      #expect(!lines.text.contains("hush"))
      #expect(lines.all.allSatisfy { $0.contains("<query xmlns='jabber:iq:register'>…</query></iq>") })
    } else {
      #expect(lines.all == ["SENT \(element)", "RECV \(element)"])
    }
  }
}
