// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession
import JackdawStore
import Support
import Testing

@testable import JackdawCommands

/// What is said of a message that nobody has: it waits, or did not arrive.
@Client @Suite("Of a message that nobody has", .onLoop)
struct UnsentChangesTests {
  /// The prompt of a conversation with bob, to whom an earlier run wrote, and no way to the server.
  /// - Parameter state: of the first; where it was sent nobody knows what became of it.
  private func offline(
    _ relations: [[MessageRelation]] = [], state: DeliveryState = .waiting
  ) async throws -> (ApplicationRig, StartedTask<ExitCode>) {
    let rig = try ApplicationRig(isTerminal: true)
    let bob = try JID("bob@example.org")
    var messages = [OutgoingMessage(id: "m1", to: bob, body: "a secret", time: rig.fixture.date)]
    for (index, relation) in relations.enumerated() {
      messages.append(
        OutgoingMessage(id: "c\(index)", to: bob, body: "", time: rig.fixture.date, relations: relation))
    }
    _ = try rig.store.messages.keep(
      messages.map { OutboxRecord($0, state: $0.id == "m1" ? state : .waiting) }, from: try JID("alice@example.org"))
    rig.fixture.connector.outcome = { _ in .hangs }
    return (rig, try await rig.start("chat", "bob@example.org"))
  }

  private func outbox(_ rig: ApplicationRig) throws -> [String] { try rig.store.messages.outbox().map(\.message.id) }

  @Test("'/retract' takes it out of the outbox, with what waits behind it to change it, and says so once")
  func retracts() async throws {
    let (rig, _) = try await offline([
      [.replaces("m1")], [.reacts(to: "m1", with: ["👍"])], [.reacts(to: "x", with: [])],
    ])
    #expect(try outbox(rig) == ["m1", "c0", "c1", "c2"])
    rig.prompt.type("/retract")
    await rig.fixture.clock.elapse(.milliseconds(100))
    #expect(rig.output.rows(WithdrawnRow.self).map(\.id) == ["m1"])
    #expect(try outbox(rig) == ["c2"], "\(rig.output.failures)")
    #expect(rig.output.failures.isEmpty)
  }

  @Test("'outbox cancel' takes along what waits behind it to change it")
  func cancels() async throws {
    let (rig, _) = try await offline([[.replaces("m1")], [.retracts("m1")]])
    rig.prompt.type("/outbox cancel m1")
    await rig.fixture.clock.elapse(.milliseconds(100))
    #expect(try outbox(rig).isEmpty, "\(rig.output.failures)")
  }

  @Test("'outbox cancel' takes the end of an id too: those of one moment all begin with the time")
  func cancelsByItsEnd() async throws {
    let (rig, _) = try await offline([[.replaces("m1")], [.replaces("m1")]])
    rig.prompt.type("/outbox cancel 1")
    await rig.fixture.clock.elapse(.milliseconds(100))
    #expect(rig.output.failures.map(\.text) == ["/outbox cancel 1: The ids of 2 messages begin or end with '1'."])
    rig.prompt.type("/outbox cancel 0")
    await rig.fixture.clock.elapse(.milliseconds(100))
    #expect(try outbox(rig) == ["m1", "c1"], "\(rig.output.failures)")
  }

  @Test("what changes it stays where it may have arrived")
  func cancelsUncertain() async throws {
    let (rig, _) = try await offline([[.replaces("m1")], [.retracts("m1")]], state: .sent)
    rig.prompt.type("/outbox cancel m1")
    await rig.fixture.clock.elapse(.milliseconds(100))
    #expect(rig.output.rows(WithdrawnRow.self).map(\.mayHaveArrived) == [true])
    #expect(try outbox(rig) == ["c0", "c1"], "\(rig.output.failures)")
  }

  @Test("the one before it is the last one then")
  func oneAfterTheOther() async throws {
    let (rig, _) = try await offline()
    rig.prompt.type("another")
    await rig.fixture.clock.elapse(.milliseconds(100))
    for _ in 1...2 {
      rig.prompt.type("/retract")
      await rig.fixture.clock.elapse(.milliseconds(100))
    }
    #expect(rig.output.rows(WithdrawnRow.self).last?.id == "m1" && rig.output.failures.isEmpty)
    #expect(try outbox(rig).isEmpty, "\(rig.output.failures)")
  }

  @Test(
    "which was withdrawn, nothing is sent, and that is said",
    arguments: [
      ("/retract", "You have not said anything here lately", ExitCode.noUser),
      ("/retract 1", "nothing to take back", .unavailable),
      ("/correct x", "You have not said anything here lately", .noUser), ("/react 1 👍", "You withdrew", .unavailable),
    ])
  func withdrawn(_ line: String, _ said: String, _ code: ExitCode) async throws {
    let (rig, _) = try await offline()
    rig.prompt.type("/outbox cancel m1")
    await rig.fixture.clock.elapse(.milliseconds(100))
    rig.prompt.type(line)
    await rig.fixture.clock.elapse(.milliseconds(100))
    #expect(rig.output.failures.map(\.code) == [code])
    #expect(rig.output.failures.first?.text.contains(said) == true, "\(rig.output.failures)")
    #expect(try outbox(rig).isEmpty)
  }
}
