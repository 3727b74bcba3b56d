// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
import JackdawLoop
import JackdawProtocol
import JackdawXML
import Support
import Testing

@testable import JackdawCommands

@Client @Suite("The end of 'listen'", .onLoop)
struct ListenEndingTests {
  /// A bot whose first answer came back.
  private func returned() async throws -> (rig: ApplicationRig, run: StartedTask<ExitCode>) {
    let rig = try ApplicationRig()
    let usual = rig.fixture.answer
    rig.fixture.answer = { element in
      guard element.name == "message", let id = element.attribute("id") else { return usual(element) }
      return [
        Message(
          kind: .error, id: id, from: try? JID("bob@example.org"), to: nil, body: nil,
          error: StanzaError(kind: .cancel, condition: "not-acceptable")
        ).element
      ]
    }
    let run = try await rig.start("--timeout", "10", "listen", "--reply", "--exec", "echo answer")
    await rig.fixture.receive(ListenTests.message("one"))
    try await ListenTests.wait(rig) { rig.sentMessages.count == 1 }
    #expect(!run.hasEnded)
    return (rig, run)
  }

  @Test("has the code of what ended it, and not that of an answer that came back before: the connection did not return")
  func absence() async throws {
    let (rig, run) = try await returned()
    rig.fixture.connector.outcome = { _ in .hangs }
    rig.fixture.connector.transport?.peerEnds(FakeConnector.brokenLine)
    await rig.fixture.clock.elapse(.seconds(41))
    try await ListenTests.wait(rig) { run.hasEnded }
    #expect(run.value == .tryAgain && rig.output.failures.last?.condition == "connection-lost")
  }

  @Test("has the code of what ended it, and not that of an answer that came back before: thrown out")
  func conflict() async throws {
    let (rig, run) = try await returned()
    await rig.fixture.clock.elapse(.seconds(61))
    await rig.fixture.receive(
      "<stream:error><conflict xmlns='urn:ietf:params:xml:ns:xmpp-streams'/></stream:error></stream:stream>")
    try await ListenTests.wait(rig) { run.hasEnded }
    #expect(run.value == .unavailable && rig.output.failures.last?.condition == "conflict")
  }

  @Test("comes with a message for a program that is gone by then")
  func goneProgram() async throws {
    try await TestDirectory.onLoop { directory in
      let program = directory.file("answer")
      #expect(try await TestProcess.run(.init("cp", ["/bin/true", program])).ending == .exited(0))
      let rig = try ApplicationRig()
      let run = try await rig.start("listen", "--exec", program)
      #expect(unlink(program) == 0)
      await rig.fixture.receive(ListenTests.message("one"))
      try await ListenTests.wait(rig) { run.hasEnded }
      #expect(run.value == .configuration && rig.output.failures.count == 1)
    }
  }
}
