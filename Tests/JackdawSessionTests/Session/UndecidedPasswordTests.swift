// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawXML
import Support
import Testing

@testable import JackdawSession

@Client @Suite("A change of the password that the server does not answer", .onLoop)
struct UndecidedPasswordTests {
  @Client private final class Proofs {
    var all: [String] = []
  }

  /// Online, with a change from `secret` to `new` that was not answered in time.
  private func unanswered(isManaged: Bool = false) async throws -> (fixture: SessionFixture, proofs: Proofs) {
    let fixture = try SessionFixture()
    if isManaged { fixture.managedStreams = ScriptedServer.ManagedStreams() }
    let proofs = Proofs()
    fixture.session.onPasswordProved = { proofs.all.append("\($0), \($1)") }
    try await fixture.settleIn()
    fixture.answer = { element in
      (try? IQ(element))?.payload?.namespace == RegistrationForm.namespace ? [] : SessionFixture.manners(element)
    }
    let change = fixture.start { try await fixture.session.changePassword(to: "new") }
    await fixture.clock.elapse(.seconds(30))
    #expect((change.error as? RequestError)?.code == .timedOut)
    return (fixture, proofs)
  }

  private func passwords(_ fixture: SessionFixture) -> [String?] {
    [fixture.session.configuration.password, fixture.session.configuration.otherPassword]
  }

  @Test("leaves both passwords to be tried: the new one on a new connection when the old one is refused")
  func newOne() async throws {
    let (fixture, proofs) = try await unanswered()
    #expect(passwords(fixture) == ["secret", "new"] && proofs.all.isEmpty)
    fixture.session.drop(ConnectionError(.lost, "gone"))
    fixture.script.password = "new"
    try await fixture.logIn()
    #expect(fixture.session.isOnline && fixture.connector.records.count == 3)
    #expect(passwords(fixture) == ["new", nil] && proofs.all == ["new, true"])
  }

  @Test("leaves the old one alone once that has logged in")
  func oldOne() async throws {
    let (fixture, proofs) = try await unanswered()
    fixture.session.drop(ConnectionError(.lost, "gone"))
    try await fixture.logIn()
    #expect(fixture.connector.records.count == 2)
    #expect(passwords(fixture) == ["secret", nil] && proofs.all == ["secret, false"])
  }

  @Test("leaves both as they are when the server takes neither, and tries each once")
  func neither() async throws {
    let (fixture, proofs) = try await unanswered()
    fixture.session.drop(ConnectionError(.lost, "gone"))
    fixture.script.password = "somebody else's"
    let error = await #expect(throws: ConnectionError.self) { try await fixture.logIn() }
    #expect(error?.code == .authentication && fixture.connector.records.count == 3)
    #expect(passwords(fixture) == ["secret", "new"] && proofs.all.isEmpty)
  }

  @Test("tries the old one alone when the server cannot say whether it is right")
  func temporaryFailure() async throws {
    let (fixture, _) = try await unanswered()
    fixture.session.drop(ConnectionError(.lost, "gone"))
    fixture.script.isDirectTLS = true
    fixture.edit = { write, reply in
      write == 2
        ? .saysOnly("<failure xmlns='\(Namespace.sasl)'><temporary-auth-failure/></failure>") : .says(reply)
    }
    await #expect(throws: ConnectionError.self) { try await fixture.logIn() }
    #expect(fixture.connector.records.count == 2)
    #expect(passwords(fixture) == ["secret", "new"])
  }

  @Test("is not decided by the old one on a stream that goes on, as the change may be in it")
  func resumed() async throws {
    let (fixture, proofs) = try await unanswered(isManaged: true)
    fixture.session.drop(ConnectionError(.lost, "gone"))
    try await fixture.logIn()
    #expect(fixture.session.phase == .resumed)
    #expect(passwords(fixture) == ["secret", "new"] && proofs.all.isEmpty)
  }

  @Test("takes no third password before a log-in has shown which of the two is right")
  func third() async throws {
    let (fixture, _) = try await unanswered()
    let error = await #expect(throws: FeatureError.self) { try await fixture.session.changePassword(to: "third") }
    #expect(error?.code == .refused && error?.description.contains("connect again first") == true)
    #expect(passwords(fixture) == ["secret", "new"])
  }

  @Test("is none where the server says no")
  func refused() async throws {
    let fixture = try SessionFixture()
    try await fixture.settleIn()
    await #expect(throws: FeatureError.self) { try await fixture.session.changePassword(to: "new") }
    #expect(passwords(fixture) == ["secret", nil])
  }
}
