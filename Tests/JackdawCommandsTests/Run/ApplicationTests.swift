// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
import JackdawLoop
import JackdawSession
import JackdawTransport
import JackdawXML
import Support
import Testing

@testable import JackdawCommands

@Client @Suite("A run", .onLoop)
struct ApplicationTests {
  @Test("without an account is a wrong configuration")
  func withoutAnAccount() async throws {
    let rig = try ApplicationRig(environment: ["JACKDAW_JID": ""])
    #expect(try await rig.run("ping") == .configuration)
    #expect(rig.output.failures.map(\.command) == ["ping"])
    #expect(rig.fixture.connector.plans.isEmpty)
  }

  nonisolated static let failures: [(outcome: TransportError, code: ExitCode)] = [
    (TransportError(.unresolved, "x"), .noHost), (TransportError(.unreachable, "x"), .noHost),
    (TransportError(.notOffered, "x"), .noHost), (TransportError(.certificate, "x"), .unsafe),
    (TransportError(.tls, "x"), .unsafe), (TransportError(.caFile, "x"), .configuration),
    (TransportError(.lost, "x"), .tryAgain), (TransportError(.timedOut, "x"), .tryAgain),
  ]

  @Test("ends with the code of what kept it from connecting, after one try", arguments: failures)
  func cannotConnect(_ row: (outcome: TransportError, code: ExitCode)) async throws {
    for words in [["ping"], ["listen"], []] {
      let rig = try ApplicationRig(TypedLines("/ping"))
      rig.fixture.connector.outcome = { _ in .fails(row.outcome) }
      let application = rig.application
      #expect(await application.run(try CommandTable.standard.parse(shell: words)) == row.code)
      #expect(rig.output.failures.count == 1 && rig.fixture.connector.plans.count == 1)
    }
  }

  @Test("with a wrong password fails once")
  func wrongPassword() async throws {
    let rig = try ApplicationRig()
    rig.fixture.script.password = "another"
    #expect(try await rig.run("send", "bob@example.org", "hello") == .authentication)
    #expect(rig.fixture.connector.plans.count == 1 && rig.output.failures.count == 1)
  }

  @Test("is over when --timeout is, and says what it waited for", arguments: ["5", "0.5"])
  func timeout(_ seconds: String) async throws {
    let silent = try ApplicationRig(words: ["--timeout", seconds])
    silent.fixture.connector.outcome = { _ in .hangs }
    let run = try await silent.start("--timeout", seconds, "ping")
    let time = Duration.seconds(try #require(Double(seconds)))
    await silent.fixture.clock.elapse(time - .milliseconds(1))
    #expect(!run.hasEnded)
    await silent.fixture.clock.elapse(.seconds(1))
    #expect(run.value == .tryAgain && silent.output.failures.first?.text.isEmpty == false)

    let mute = try ApplicationRig(words: ["--timeout", seconds])
    mute.fixture.answer = { _ in [] }
    let second = try await mute.start("--timeout", seconds, "ping", "bob@example.org", "carol@example.org")
    await mute.fixture.clock.elapse(time - .milliseconds(1))
    #expect(!second.hasEnded)
    await mute.fixture.clock.elapse(.seconds(1))
    #expect(second.value == .tryAgain)
    // Each is reported.
    #expect(mute.output.failures.count == 2)
    #expect(mute.output.failures.map(\.text).contains { $0.contains("bob@example.org") })
    #expect(mute.output.failures.map(\.text).contains { $0.contains("carol@example.org") })
  }

  @Test("limits a command as a whole, however many requests it makes")
  func limitsTheWhole() async throws {
    let rig = try ApplicationRig(words: ["--timeout", "10"])
    let clock = rig.fixture.clock
    // Every answer takes four seconds, so each request is in time; yet there are more of them than fit.
    var late: [LoopTimer] = []
    rig.fixture.answer = { [fixture = rig.fixture] element in
      let answers = SessionFixture.manners(element)
      late.append(
        clock.schedule(after: .seconds(4)) {
          for answer in answers { fixture.connector.transport?.deliver(fixture.server.bytes(of: answer)) }
        })
      return []
    }
    let run = try await rig.start("--timeout", "10", "friends", "add", "bob@example.org")
    await clock.elapse(.seconds(11))
    #expect(run.value == .tryAgain && late.count > 2)
    #expect(rig.output.failures.map(\.text) == ["'friends add' got no answer within 10 s."])
  }

  @Test("that is interrupted ends with 130 and leaves politely", arguments: [SIGINT, SIGTERM])
  func interrupted(_ signal: Int32) async throws {
    let rig = try ApplicationRig()
    rig.fixture.answer = { _ in [] }
    let run = try await rig.start("ping")
    rig.application.interrupted(by: signal)
    await rig.fixture.clock.settle()
    #expect(run.value == .interrupted)
    #expect(rig.fixture.connector.records.first?.isClosed == true)
    #expect(rig.output.failures.map(\.code) == [.interrupted])
  }

  @Test("whose server does not let it go is over all the same", arguments: [(SIGINT, 5), (SIGHUP, 1)])
  func stubbornServer(_ signal: Int32, _ seconds: Int) async throws {
    let rig = try ApplicationRig()
    rig.fixture.answer = { _ in [] }
    rig.fixture.edit = { _, reply in reply.contains("</stream:stream>") ? .saysOnly("") : .says(reply) }
    let run = try await rig.start("ping")
    rig.fixture.connector.transport?.ignoresClose = true
    rig.application.interrupted(by: signal)
    await rig.fixture.clock.settle()
    #expect(!run.hasEnded)
    await rig.fixture.clock.elapse(.seconds(seconds))
    #expect(run.value == .interrupted)
  }

  @Test("that is interrupted twice does not wait for the server's farewell")
  func interruptedTwice() async throws {
    let rig = try ApplicationRig()
    rig.fixture.answer = { _ in [] }
    rig.fixture.edit = { _, reply in reply.contains("</stream:stream>") ? .saysOnly("") : .says(reply) }
    let run = try await rig.start("ping")
    rig.fixture.connector.transport?.ignoresClose = true
    rig.application.interrupted(by: SIGINT)
    await rig.fixture.clock.settle()
    #expect(!run.hasEnded)
    rig.application.interrupted(by: SIGINT)
    await rig.fixture.clock.settle()
    #expect(run.value == .interrupted)
  }

  @Test("asks whoever came last what an interrupt means")
  func whoAsks() throws {
    let application = try ApplicationRig().application
    var asked: [String] = []
    let first = application.onInterrupt {
      asked.append("first \($0)"); return true
    }
    let second = application.onInterrupt {
      asked.append("second \($0)"); return false
    }
    application.interrupted(by: SIGTERM)
    #expect(asked == ["second 15", "first 15"])
    second.cancel()
    application.interrupted(by: SIGINT)
    #expect(asked.last == "first 2" && asked.count == 3)
    first.cancel()
    application.interrupted(by: SIGINT)
    #expect(asked.count == 3)
  }

  /// An agent kept a whole run for each 'listen' that went through it.
  @Test("lets go of who no longer wants to know of interrupts")
  func cancelledInterruption() async throws {
    @Client final class Asked { var count = 0 }
    let application = try ApplicationRig().application
    weak var kept: Asked?
    do {
      let asked = Asked()
      kept = asked
      let interruption = application.onInterrupt { _ in
        asked.count += 1
        return true
      }
      application.interrupted(by: SIGINT)
      #expect(asked.count == 1)
      interruption.cancel()
    }
    #expect(kept == nil)
  }

  @Test("whose output cannot be written ends with 74 and says why")
  func fullDisk() async throws {
    let rig = try ApplicationRig()
    rig.output.flushFailure = CommandFailure(
      .inputOutput, "io-error", "Cannot write to stdout: No space left on device")
    #expect(try await rig.run("ping") == .inputOutput)
    #expect(rig.output.failures.map(\.text) == ["Cannot write to stdout: No space left on device"])
    // A failure that came before is the one that counts.
    let failing = try ApplicationRig()
    failing.output.flushFailure = rig.output.flushFailure
    #expect(try await failing.run("ping", "@@") == .badInput)
  }

  /// Lines that wait for nothing come one behind the other, and what they show is written when the loop has its turn.
  @Test("whose output cannot be written runs no further line of its script, even with '--keep-going'")
  func fullDiskInScript() async throws {
    for words in [["run", "-"], ["run", "--keep-going", "-"]] {
      let rig = try ApplicationRig(
        TypedLines("/send --wait sent bob@example.org one\n/send --wait sent bob@example.org two\n/ping"))
      rig.output.onSending = {
        guard rig.output.rows.count == 1 else { return }
        rig.application.outputBroke(CommandFailure(.inputOutput, "io-error", "No space left on device"))
      }
      #expect(try await rig.run(words) == .inputOutput)
      #expect(rig.output.rows.count == 1 && rig.output.failures.map(\.text) == ["No space left on device"])
      #expect(rig.sentMessages.allSatisfy { $0.hasSuffix("|one") })
    }
  }

  @Test("whose reader went away ends at once: stdout gone")
  func readerGone() async throws {
    let rig = try ApplicationRig()
    let run = try await rig.start("listen")
    rig.application.outputBroke(CommandFailure(.inputOutput, "broken-pipe", "Nobody reads stdout any more"))
    await rig.fixture.clock.settle()
    #expect(run.value == .inputOutput)
  }
}
