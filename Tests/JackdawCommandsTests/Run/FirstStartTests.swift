// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawProtocol
import JackdawSession
import JackdawTransport
import JackdawXML
import Testing

@testable import JackdawCommands

@Suite("A first start")
struct FirstStartTests {
  private let alice: JID

  init() throws { alice = try JID("alice@example.org") }

  /// One that has come to the log-in of alice.
  private func loggingIn() -> FirstStart {
    var start = FirstStart()
    _ = start.addressTyped("alice@example.org")
    _ = start.passwordTyped("pw")
    return start
  }

  @Test("asks for the address, then for the password, logs in, and is done")
  func straight() {
    var start = FirstStart()
    #expect(start.begin().step == .askAddress(suggestion: nil))
    #expect(start.addressTyped(" alice@example.org ") == FirstStart.Turn(step: .askPassword(alice)))
    #expect(start.passwordTyped("pw") == FirstStart.Turn(step: .logIn(alice, password: "pw")))
    #expect(start.loggedIn() == FirstStart.Turn(step: .finish(alice, password: "pw")))
  }

  @Test("begins with sentences that fit 40 columns")
  func narrow() { #expect(FirstStart().begin().says.allSatisfy { $0.count <= 40 + 4 }) }

  @Test(
    "says in one sentence what is wrong with an address, and asks again",
    arguments: [
      ("bob", "'bob' is not a whole address: it is like bob@example.org."),
      ("example.org", "'example.org' is not a whole address: it is like you@example.org."),
      ("bob@", "After the @ comes the server, as in bob@example.org."),
      ("@example.org", "Before the @ comes your name, as in you@example.org."),
      ("bob smith@example.org", "An address has no spaces: it is like you@example.org."),
      ("", "An address is like you@example.org. Ctrl-D leaves."),
      ("   ", "An address is like you@example.org. Ctrl-D leaves."),
    ])
  func mistyped(_ typed: String, _ sentence: String) {
    var start = FirstStart()
    #expect(start.addressTyped(typed) == FirstStart.Turn(says: [sentence], step: .askAddress(suggestion: nil)))
    #expect(start.addressTyped("alice@example.org").step == .askPassword(alice))
  }

  @Test("names what no address has, and asks again", arguments: ["a@b@c", "a<b@c", "bob@exa mple", "bob@-x..y"])
  func noAddress(_ typed: String) {
    var start = FirstStart()
    let turn = start.addressTyped(typed)
    #expect(turn.step == .askAddress(suggestion: nil) && turn.says.count == 1)
  }

  @Test("takes an address as it is in a link")
  func link() {
    var start = FirstStart()
    #expect(start.addressTyped("xmpp:alice@example.org").step == .askPassword(alice))
  }

  @Test("asks again for a wrong password, and leaves after the third with what to do next")
  func wrongPassword() {
    var start = loggingIn()
    for typed in ["two", "three"] {
      let turn = start.refused(.wrongPassword)
      #expect(turn.says.first == "Wrong user name or password." && turn.step == .askPassword(alice))
      #expect(start.passwordTyped(typed).step == .logIn(alice, password: typed))
    }
    guard case .leave(let failure) = start.refused(.wrongPassword).step else {
      Issue.record("it did not leave")
      return
    }
    #expect(failure.code == .authentication && failure.text.contains("start jackdaw again"))
  }

  @Test("counts wrong passwords of one address: Enter alone goes back to that")
  func anotherAddress() throws {
    var start = loggingIn()
    _ = start.refused(.wrongPassword)
    #expect(start.passwordTyped("") == FirstStart.Turn(step: .askAddress(suggestion: alice)))
    #expect(start.addressTyped("").step == .askPassword(alice))
    _ = start.passwordTyped("two")
    _ = start.refused(.wrongPassword)
    _ = start.passwordTyped("three")
    #expect(start.refused(.wrongPassword).step == .askPassword(alice))
  }

  @Test("takes the question for the password back when there is no server, and offers the same address again")
  func noServer() {
    var start = FirstStart()
    _ = start.addressTyped("alice@example.org")
    let turn = start.refused(.other("There is no server."))
    #expect(turn == FirstStart.Turn(says: ["There is no server."], step: .askAddress(suggestion: alice)))
    #expect(start.addressTyped("").step == .askPassword(alice))
  }

  @Test("makes a new account, and logs in with it")
  func registers() {
    var start = FirstStart()
    #expect(start.addressTyped("New").step == .askNewAddress)
    #expect(start.addressTyped("bob").step == .askNewAddress)
    #expect(start.addressTyped("alice@example.org").step == .askNewPassword(alice))
    #expect(start.passwordTyped("pw").step == .register(alice, password: "pw", fields: nil))
    #expect(start.registered().step == .logIn(alice, password: "pw"))
    #expect(start.loggedIn().step == .finish(alice, password: "pw"))
  }

  @Test("asks what the server wants to know before it makes the account, and sends the answers in")
  func registersWithQuestions() throws {
    var start = FirstStart()
    _ = start.addressTyped("new")
    _ = start.addressTyped("alice@example.org")
    _ = start.passwordTyped("pw")
    let form = try RegistrationForm(
      Element("query", RegistrationForm.namespace, [Element("email", RegistrationForm.namespace)]))
    #expect(start.asked(form) == FirstStart.Turn(step: .askFields(alice, form)))
    #expect(start.fieldsTyped(["email": "a@x"]).step == .register(alice, password: "pw", fields: ["email": "a@x"]))
    #expect(start.registered().step == .logIn(alice, password: "pw"))
  }

  @Test("asks for another address where a new account is refused, and Enter alone goes back to the first question")
  func registrationRefused() {
    var start = FirstStart()
    _ = start.addressTyped("new")
    _ = start.addressTyped("alice@example.org")
    _ = start.passwordTyped("pw")
    let turn = start.refused(.other("The name is taken."))
    #expect(turn.step == .askNewAddress && turn.says.first == "The name is taken.")
    #expect(start.addressTyped("").step == .askAddress(suggestion: nil))
  }

  @Test("leaves at once where nothing that can be typed helps, and when the user wants to")
  func leaves() {
    var start = loggingIn()
    let failure = CommandFailure(.configuration, "configuration", "the CA file is not there")
    #expect(start.refused(.final(failure)).step == .leave(failure))
    var other = FirstStart()
    guard case .leave(let left) = other.left().step else {
      Issue.record("it did not leave")
      return
    }
    #expect(left.code == .interrupted && left.text.hasPrefix("No account was stored."))
    var connecting = loggingIn()
    #expect(connecting.refused(.final(.interrupted)).step == .leave(left))
  }

  @Test(
    "knows what helps after each failure, and says it",
    arguments: [
      (ConnectionError(.unresolved, "no host x"), "no host x. Check the address and your network."),
      (ConnectionError(.unreachable, "nobody answers"), "nobody answers. Check your network, or try again later."),
      (ConnectionError(.timedOut, "Too slow."), "Too slow. Try again later."),
      (
        ConnectionError(TransportError(.certificate, "expired")),
        "expired. Your password was not sent. Check the address, or ask whoever runs the server."
      ),
      (ConnectionError(.refused, "taken", condition: "conflict"), "taken. Choose another name."),
      (
        ConnectionError(.authentication, "disabled", condition: "account-disabled"),
        "disabled. Ask whoever runs example.org, or use another address."
      ),
    ])
  func advice(_ error: ConnectionError, _ sentence: String) {
    #expect(FirstStartRefusal(error, of: alice) == .other(sentence))
  }

  @Test("tells a wrong password, and what nothing typed can help against, from the rest")
  func kinds() {
    let wrong = ConnectionError(.authentication, "no", condition: "not-authorized")
    #expect(FirstStartRefusal(wrong, of: alice) == .wrongPassword)
    let file = ConnectionError(TransportError(.caFile, "no such file"))
    #expect(FirstStartRefusal(file, of: alice) == .final(CommandFailure(file)))
    #expect(FirstStartRefusal(CancellationError(), of: alice) == .final(.interrupted))
  }
}
