// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
import JackdawSession
import Testing

@testable import JackdawCommands

@Suite("A command that another process runs")
struct AgentRelayTests {
  private static let started = #"{"jsonrpc":"2.0","method":"started","params":{"run":1,"timeout":7000,"pager":false}}"#

  private func heard(_ line: String) -> AgentRelay.Input { .heard(Array(line.utf8)) }

  private func running(pager: Bool = false) -> AgentRelay {
    var relay = AgentRelay()
    _ = relay.handle(heard(Self.started.replacing("false", with: "\(pager)")))
    return relay
  }

  private func finish(_ actions: [AgentRelay.Action]) -> AgentRelay.Outcome? {
    for case .finish(let outcome) in actions { return outcome }
    return nil
  }

  private func sent(_ actions: [AgentRelay.Action]) -> [String] {
    actions.compactMap { action in
      guard case .send(let line) = action else { return nil }
      return String(decoding: line, as: UTF8.self)
    }
  }

  @Test("prints what it is sent, and ends with its code")
  func output() {
    var relay = running()
    #expect(
      relay.handle(heard(#"{"jsonrpc":"2.0","method":"output","params":{"run":1,"stream":"stdout","text":"hi\n"}}"#))
        .first == .writeOutput(Array("hi\n".utf8)))
    #expect(
      relay.handle(heard(#"{"jsonrpc":"2.0","method":"output","params":{"run":1,"stream":"stderr","base64":"/w=="}}"#))
        .first == .writeErrors([0xFF]))
    #expect(finish(relay.handle(heard(#"{"jsonrpc":"2.0","id":1,"result":{"code":67}}"#))) == .ended(67))
    #expect(relay.handle(.closed).isEmpty)
  }

  @Test(
    "What was not begun is this process's to do",
    arguments: [
      #"{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"not mine"}}"#,
      #"{"jsonrpc":"2.0","id":1,"error":{"code":-32001,"message":"another version"}}"#,
      #"{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"what?"}}"#,
      #"{"jsonrpc":"2.0","id":1,"result":{"code":0}}"#, "HTTP/1.1 400 Bad Request", "",
    ])
  func declined(_ line: String) {
    var relay = AgentRelay()
    #expect(finish(relay.handle(line.isEmpty ? .closed : heard(line))) == .declined)
  }

  @Test("What was begun is not begun again, whatever becomes of the other process")
  func lost() {
    var relay = running()
    #expect(relay.isBegun && finish(relay.handle(.closed)) == .lost)
    relay = running()
    #expect(finish(relay.handle(heard("rubbish"))) == .lost)
    relay = running()
    #expect(finish(relay.handle(heard(#"{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"no"}}"#))) == .lost)
  }

  @Test("What the other process presents has been presented as far as its lines are out")
  func presented() {
    var relay = running()
    for (bytes, number) in [(6, 7), (12, 8), (19, 9)] {
      let place = #""bytes":\#(bytes),"account":"alice@example.org","reader":"screen","number":\#(number)"#
      _ = relay.handle(heard(#"{"jsonrpc":"2.0","method":"presents","params":{"run":1,\#(place)}}"#))
    }
    #expect(relay.presented(within: 18).map(\.number) == [7, 8])
    _ = relay.handle(heard(#"{"jsonrpc":"2.0","method":"presents","params":{"run":1,"bytes":20}}"#))
    #expect(relay.presented(within: 20).map(\.number) == [7, 8, 9])
  }

  @Test("What waits to be written is left out when the other process begins to end")
  func leaving() {
    let line = #"{"jsonrpc":"2.0","method":"leaving","params":{"run":1}}"#
    var relay = running()
    #expect(relay.handle(heard(line)).first == .leaveOut)
    #expect(sent(relay.handle(.written(7))).first?.contains(#""bytes":7"#) == true)
    relay = AgentRelay()
    #expect(relay.handle(heard(line)).isEmpty)
  }

  @Test("What is left of it is handed over")
  func handedOver() {
    var relay = running()
    let line =
      #"{"jsonrpc":"2.0","id":1,"error":{"code":-32003,"message":"bye","data":{"count":2,"milliseconds":1500}}}"#
    #expect(finish(relay.handle(heard(line))) == .handedOver(Handover(count: 2, seconds: 1.5)))
    relay = running()
    #expect(finish(relay.handle(heard(#"{"jsonrpc":"2.0","id":1,"error":{"code":-32003,"message":"bye"}}"#))) == .lost)
  }

  @Test("What is left of it does not go on here once it was interrupted", arguments: [SIGINT, SIGTERM, SIGHUP])
  func handedOverInterrupted(_ signal: Int32) {
    var relay = running()
    _ = relay.handle(.signalled(signal))
    let line = #"{"jsonrpc":"2.0","id":1,"error":{"code":-32003,"message":"bye","data":{"count":2}}}"#
    #expect(finish(relay.handle(heard(line))) == .ended(0))
  }

  @Test(
    "Silence is answered by a question, and no answer within the timeout is the end",
    arguments: [(30_000, 5_000, 25_000), (7_000, 3_500, 3_500), (2_000, 1_000, 1_000), (100, 250, 250)])
  func silence(timeout: Int, silence: Int, rest: Int) {
    var relay = AgentRelay()
    let begun = relay.handle(heard(Self.started.replacing("7000", with: "\(timeout)")))
    #expect(begun == [.wake(after: .milliseconds(silence))])
    let question = relay.handle(.timePassed)
    #expect(sent(question).first?.contains(#""method":"version""#) == true)
    #expect(question.last == .wake(after: .milliseconds(rest)))
    #expect(
      relay.handle(heard(#"{"jsonrpc":"2.0","id":"alive","result":{}}"#)) == [.wake(after: .milliseconds(silence))])
    _ = relay.handle(.timePassed)
    #expect(finish(relay.handle(.timePassed)) == .lost)
  }

  @Test("The first interrupt is passed on, the second ends the wait soon")
  func interrupts() {
    var relay = running()
    #expect(
      sent(relay.handle(.signalled(SIGINT))) == [
        "{\"jsonrpc\":\"2.0\",\"method\":\"interrupt\",\"params\":{\"run\":1,\"signal\":2}}\n"
      ])
    #expect(relay.handle(.signalled(SIGINT)).last == .wake(after: CommandLimits.agentPatience))
    #expect(finish(relay.handle(.timePassed)) == .ended(130))
  }

  @Test("stdin is read when it is asked for, and its end and its faults are told")
  func input() {
    var relay = running()
    #expect(relay.handle(heard(#"{"jsonrpc":"2.0","method":"read","params":{"run":1}}"#)).first == .readInput)
    let pieces: [(InputPiece, String)] = [
      (.bytes(Array("a\n".utf8)), #""text":"a\n""#), (.end, #"{"run":1}"#), (.failed("broken"), #""error":"broken""#),
    ]
    for (piece, expected) in pieces {
      let line = sent(relay.handle(.read(piece))).first ?? ""
      #expect(line.contains(#""method":"input""#) && line.contains(expected), "\(line)")
    }
  }

  @Test("What is asked is asked here, but not before the command is begun")
  func asking() {
    let question = #"{"jsonrpc":"2.0","id":"1/1","method":"ask","params":{"run":1,"question":"Why? ","secret":false}}"#
    var relay = running()
    #expect(relay.handle(heard(question)) == [.ask(.string("1/1"), "Why? ", isSecret: false)])
    #expect(sent(relay.handle(.answered(.string("1/1"), "yes"))).first?.contains(#""result":{"answer":"yes"}"#) == true)
    #expect(sent(relay.handle(.answered(.string("1/1"), nil))).first?.contains(#""error""#) == true)
    relay = AgentRelay()
    #expect(sent(relay.handle(heard(question))).first?.contains(#""error""#) == true)
  }

  @Test("Who leaves the pager has seen enough")
  func pager() {
    var relay = AgentRelay()
    #expect(relay.handle(heard(Self.started.replacing("false", with: "true"))).first == .startPager)
    _ = relay.handle(.outputBroke(CommandFailure.brokenPipe, "gone"))
    #expect(finish(relay.handle(heard(#"{"jsonrpc":"2.0","id":1,"result":{"code":74}}"#))) == .ended(0))
    relay = running()
    _ = relay.handle(.outputBroke(CommandFailure.brokenPipe, "gone"))
    #expect(finish(relay.handle(heard(#"{"jsonrpc":"2.0","id":1,"result":{"code":74}}"#))) == .ended(74))
  }
}
