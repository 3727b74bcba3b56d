// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession
import JackdawStore
import JackdawXML
import Support
import Testing

@testable import JackdawCommands

/// What an earlier run left to be sent when the prompt, which has a connection, is left.
@Client @Suite("The prompt, with messages of an earlier run", .onLoop)
struct LeavingWithLeftoversTests {
  private func leave(_ rig: ApplicationRig, _ state: DeliveryState) async throws -> StartedTask<ExitCode> {
    let message = OutgoingMessage(id: "m1", to: try JID("bob@example.org"), body: "hello", time: rig.fixture.date)
    _ = try rig.store.messages.keep([OutboxRecord(message, state: state)], from: try JID("alice@example.org"))
    let run = try await rig.start()
    #expect(rig.prompt.states.last?.connection == .online)
    rig.prompt.delegate?.promptEnded()
    await rig.fixture.clock.elapse(CommandLimits.lastMessages + CommandLimits.farewell)
    return run
  }

  @Test("that is left before the archive has told what became of one says that it is still unsent")
  func uncertain() async throws {
    let rig = try ApplicationRig(isTerminal: true)
    rig.fixture.answer = { element in
      guard let iq = try? IQ(element), let payload = iq.payload else { return SessionFixture.manners(element) }
      if payload.namespace == "urn:xmpp:mam:2" { return [] }
      guard payload.namespace == ServiceDiscovery.information, iq.to?.localpart != nil else {
        return SessionFixture.manners(element)
      }
      var answer = iq.result(DiscoveryInformation(features: ["urn:xmpp:mam:2", "urn:xmpp:sid:0"]).element())
      answer.from = iq.to
      return [answer.element]
    }
    let run = try await leave(rig, .sent)
    #expect(run.value == .tryAgain)
    #expect(
      rig.output.failures.map(\.text) == [
        "1 message is still unsent. It goes out when you next start jackdaw, unless 'jackdaw outbox cancel m1' withdraws it."
      ])
    #expect(try rig.store.messages.outbox().map(\.message.id) == ["m1"])
  }

  @Test("that is left at once waits until the server has those that were sent, and says nothing")
  func written() async throws {
    let rig = try ApplicationRig(isTerminal: true)
    let run = try await leave(rig, .waiting)
    #expect(run.value == .success)
    #expect(rig.output.failures.isEmpty && rig.sentMessages == ["bob@example.org|hello"])
    #expect(try rig.store.messages.outbox().isEmpty)
  }
}
