// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import Support
import Testing

@testable import JackdawSession

@Client @Suite("A password that the server refuses", .onLoop)
struct RefusedPasswordTests {
  /// Whoever is asked for the password.
  @Client private final class Typist {
    /// Nil: nothing is typed.
    var answer: String?
    /// What stands where the password came from.
    var stored: String?
    private(set) var questions = 0
    var refusals = 0

    func ask() throws -> String {
      questions += 1
      guard let answer else { throw ConnectionError(.authentication, "Nothing was given.") }
      return answer
    }
  }

  private func fixture(_ role: SessionRole, _ typist: Typist) throws -> SessionFixture {
    let fixture = try SessionFixture(role: role) { $0.askPassword = { try typist.ask() } }
    fixture.session.onPasswordRefused = { typist.refusals += 1 }
    fixture.script.password = "new"
    return fixture
  }

  @Test("is asked for again before the next log-in of a session that remains online, until it is given")
  func staying() async throws {
    let typist = Typist()
    let fixture = try fixture(.interactive(nil), typist)
    let refusal = await #expect(throws: ConnectionError.self) { try await fixture.logIn() }
    #expect(refusal?.condition == "not-authorized" && typist.refusals == 1 && typist.questions == 0)
    await #expect(throws: ConnectionError.self) { try await fixture.logIn() }
    #expect(typist.questions == 1 && fixture.connector.records.count == 1, "without a password nobody is connected to")
    for answer in ["mistyped", "new"] {
      typist.answer = answer
      try? await fixture.logIn()
    }
    #expect(fixture.session.isOnline && typist.questions == 3 && typist.refusals == 2)
    #expect(fixture.session.configuration.password == "new")
    // The right one is not asked for again.
    fixture.session.drop(ConnectionError(.lost, "gone"))
    try await fixture.logIn()
    #expect(typist.questions == 3)
  }

  @Test("is replaced at once by the one that stands by now where it came from, and given up where that is the same")
  func changed() async throws {
    let typist = Typist()
    typist.stored = "secret"
    let fixture = try SessionFixture(role: .script(nil)) {
      $0.askPassword = { try typist.ask() }
      $0.lookForPassword = { typist.stored }
    }
    fixture.session.onPasswordRefused = { typist.refusals += 1 }
    try await fixture.logIn()
    fixture.session.drop(ConnectionError(.lost, "gone"))
    (typist.stored, fixture.script.password) = ("new", "new")
    try await fixture.logIn()
    #expect(fixture.session.isOnline && fixture.connector.records.count == 3)
    #expect(fixture.session.configuration.password == "new" && typist.refusals == 0 && typist.questions == 0)
    fixture.session.drop(ConnectionError(.lost, "gone"))
    fixture.script.password = "newer"
    let refusal = await #expect(throws: ConnectionError.self) { try await fixture.logIn() }
    #expect(refusal?.condition == "not-authorized" && fixture.connector.records.count == 4 && typist.refusals == 1)
  }

  @Test("is told with what can be done about it where it was not typed")
  func advice() async throws {
    let advice = "Store another."
    let fixture = try SessionFixture(role: .script(nil)) { $0.adviceIfRefused = advice }
    fixture.script.password = "new"
    let refusal = await #expect(throws: ConnectionError.self) { try await fixture.logIn() }
    #expect(refusal?.advice == advice && refusal?.description.hasSuffix(". " + advice) == true)
    #expect(refusal?.summary == "Wrong user name or password. " + advice)
    fixture.edit = { _, reply in .says(reply.replacing("<not-authorized", with: "<account-disabled")) }
    let disabled = await #expect(throws: ConnectionError.self) { try await fixture.logIn() }
    #expect(disabled?.condition == "account-disabled" && disabled?.advice == nil)
    #expect(disabled?.summary == disabled?.description)
  }

  @Test("stays that of a single command, and of a server that cannot check it just now")
  func others() async throws {
    let typist = Typist()
    let command = try fixture(.oneShot, typist)
    await #expect(throws: ConnectionError.self) { try await command.logIn() }
    #expect(command.session.configuration.password == "secret" && typist.refusals == 0)
    let passing = try fixture(.interactive(nil), typist)
    passing.edit = { _, reply in
      .says(reply.replacing("<not-authorized", with: "<temporary-auth-failure"))
    }
    await #expect(throws: ConnectionError.self) { try await passing.logIn() }
    #expect(passing.session.configuration.password == "secret" && typist.refusals == 0)
  }
}
