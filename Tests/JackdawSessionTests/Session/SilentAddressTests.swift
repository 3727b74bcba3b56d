// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawSession
import JackdawTransport
import Support
import Testing

/// A server of several addresses, of which some take connections and say nothing, or hang up.
@Client @Suite(.onLoop) struct SilentAddressTests {
  private static func host(_ number: Int) -> String { "192.0.2.\(number)" }

  /// - Parameters:
  ///   - reached: the last parts of the addresses to which the connections lead, one after the other.
  ///   - silent: those at which nothing is said.
  ///   - hangingUp: those that are gone at once.
  private func fixture(
    reaching reached: [Int], silent: Set<Int> = [], hangingUp: Set<Int> = [], timeout: Duration = .seconds(30)
  ) throws -> SessionFixture {
    let fixture = try SessionFixture(timeout: timeout)
    fixture.connector.hasOthers = true
    fixture.connector.outcome = { [unowned fixture] number in
      let address = reached[min(number, reached.count) - 1]
      fixture.connector.reached = SocketAddress(ipv4: Self.host(address), port: 5222)
      fixture.edit = { _, reply in
        hangingUp.contains(address) ? .breaks : silent.contains(address) ? .saysOnly("") : .says(reply)
      }
      return .connects(fixture.makeTransport())
    }
    return fixture
  }

  private func triedLast(_ fixture: SessionFixture) -> [[String]] {
    fixture.connector.plans.map { $0.triedLast.map(\.address.host) }
  }

  @Test("an address that takes the connection and says nothing costs a log-in some seconds, not all of its time")
  func anotherAddressIsTried() async throws {
    let fixture = try fixture(reaching: [1, 2], silent: [1])
    var steps: [LoginStep] = []
    fixture.session.onLoginStep = { steps.append($0) }
    let login = fixture.start { try await fixture.session.logIn() }
    await fixture.clock.elapse(.milliseconds(4_999))
    #expect(!login.hasEnded && fixture.connector.plans.count == 1)
    await fixture.clock.elapse(.milliseconds(1))
    #expect(login.hasEnded && login.error == nil && fixture.session.isOnline)
    #expect(triedLast(fixture) == [[], [Self.host(1)]])
    #expect(fixture.connector.plans[1].timeout == .seconds(25))
    #expect(fixture.connector.records[0].isAborted && !fixture.connector.records[1].isAborted)
    // Where the servers are is told once.
    #expect(steps.filter { if case .found = $0 { true } else { false } }.count == 1)
    #expect(fixture.clock.pendingTimers == 0)
  }

  @Test("an address at which TLS stands at once and then nothing is said is left as well")
  func directTLSIsNoWord() async throws {
    let fixture = try fixture(reaching: [1, 2], silent: [1])
    fixture.script.isDirectTLS = true
    let login = fixture.start { try await fixture.session.logIn() }
    await fixture.clock.elapse(.milliseconds(4_999))
    #expect(!login.hasEnded && fixture.connector.plans.count == 1)
    await fixture.clock.elapse(.milliseconds(1))
    #expect(login.hasEnded && login.error == nil && fixture.session.isOnline)
    #expect(triedLast(fixture) == [[], [Self.host(1)]])
    #expect(fixture.connector.records[0].isAborted && !fixture.connector.records[1].isAborted)
    #expect(fixture.clock.pendingTimers == 0)
  }

  @Test("an address that takes the connection and hangs up without a word is left at once", arguments: [false, true])
  func hangingUpIsNoWord(isDirectTLS: Bool) async throws {
    let fixture = try fixture(reaching: [1, 2], hangingUp: [1])
    fixture.script.isDirectTLS = isDirectTLS
    try await fixture.logIn()
    #expect(fixture.session.isOnline)
    #expect(triedLast(fixture) == [[], [Self.host(1)]])
    #expect(fixture.clock.pendingTimers == 0)
  }

  @Test("where everybody hangs up each address is left once")
  func everybodyHangsUp() async throws {
    let fixture = try fixture(reaching: [1, 2, 1], hangingUp: [1, 2])
    let error = await #expect(throws: ConnectionError.self) { try await fixture.logIn() }
    #expect(error?.code == .lost)
    #expect(triedLast(fixture) == [[], [Self.host(1)], [Self.host(1), Self.host(2)]])
    #expect(fixture.clock.pendingTimers == 0)
  }

  @Test("where nobody says anything the time of the log-in is the same, and each address is left once")
  func nobodySaysAnything() async throws {
    let fixture = try fixture(reaching: [1, 2, 1], silent: [1, 2], timeout: .seconds(9))
    let login = fixture.start { try await fixture.session.logIn() }
    await fixture.clock.elapse(.milliseconds(8_999))
    #expect(!login.hasEnded)
    // A third of the time each.
    #expect(triedLast(fixture) == [[], [Self.host(1)], [Self.host(1), Self.host(2)]])
    await fixture.clock.elapse(.milliseconds(1))
    let error = login.error as? ConnectionError
    #expect(error?.code == .timedOut)
    #expect(
      error?.description
        == "The log-in took longer than 9 seconds: it was still waiting for the server's stream header.")
    // The next log-in knows of both.
    let later = fixture.start { try await fixture.session.logIn() }
    await fixture.clock.settle()
    #expect(triedLast(fixture).last == [Self.host(2), Self.host(1)])
    later.cancel()
    await fixture.clock.settle()
  }

  @Test("an only address, or one that was silent before, gets all of the time")
  func theOnlyAddressIsWaitedFor() async throws {
    let fixture = try fixture(reaching: [1], silent: [1])
    fixture.connector.hasOthers = false
    let login = fixture.start { try await fixture.session.logIn() }
    await fixture.clock.elapse(.milliseconds(29_999))
    #expect(!login.hasEnded && fixture.connector.plans.count == 1)
    await fixture.clock.elapse(.milliseconds(1))
    #expect((login.error as? ConnectionError)?.code == .timedOut)
    fixture.connector.hasOthers = true
    let later = fixture.start { try await fixture.session.logIn() }
    await fixture.clock.elapse(.seconds(29))
    #expect(!later.hasEnded && fixture.connector.plans.count == 2)
    later.cancel()
    await fixture.clock.settle()
  }

  @Test("a server that has begun to speak is not left, however slow it is")
  func aSlowServerIsNotLeft() async throws {
    let fixture = try SessionFixture()
    fixture.connector.hasOthers = true
    fixture.edit = { write, reply in write < 3 ? .says(reply) : .saysOnly("") }
    let login = fixture.start { try await fixture.session.logIn() }
    await fixture.clock.elapse(.milliseconds(29_999))
    #expect(!login.hasEnded && fixture.connector.plans.count == 1)
    login.cancel()
    await fixture.clock.settle()
  }
}
